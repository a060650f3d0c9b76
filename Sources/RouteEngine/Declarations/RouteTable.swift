// SPDX-License-Identifier: MIT

package import RouteCore

/// The registration of a target: a screen's route or a task.
package enum Registration {
    case screen(Step)
    case task(Worker)

    package var place: RouteError.Location? {
        switch self {
        case .screen(let definition): definition.place
        case .task(let worker): worker.place
        }
    }
}

/// The registrations of one generation.
///
/// Screens and tasks of a service share one space of names.
package struct RouteTable {
    /// The registrations of a service; most have one.
    private enum Service {
        case none
        case one(task: String, Registration)
        case several([String: Registration])

        var all: [String: Registration] {
            switch self {
            case .none: [:]
            case .one(let task, let registration): [task: registration]
            case .several(let all): all
            }
        }

        var tasks: [String] {
            switch self {
            case .none: []
            case .one(let task, _): [task]
            case .several(let all): all.keys.sorted()
            }
        }

        subscript(task: String) -> Registration? {
            switch self {
            case .one(task, let registration): registration
            case .none, .one: nil
            case .several(let all): all[task]
            }
        }

        /// Adds a registration, or replaces the one of the same task.
        ///
        /// - Returns: The replaced one.
        mutating func register(
            _ registration: Registration,
            as target: Target,
            overrides: Bool
        ) throws(RouteError) -> Registration? {
            let task = target.task
            let earlier = self[task]
            if let earlier, !overrides { throw .registeredTwice(target, earlier.place) }
            switch self {
            case .none, .one(task, _): self = .one(task: task, registration)
            case .one(let other, let earlier):
                self = .several([other: earlier, task: registration])
            case .several(var all):
                // So that there is no other reference to them.
                self = .none
                all[task] = registration
                self = .several(all)
            }
            return earlier
        }
    }

    private var registrations: [ServiceName: Service] = [:]
    /// Whether a registration was removed or replaced.
    package private(set) var hasForgotten = false

    package var isEmpty: Bool { registrations.isEmpty }

    /// The names of the services, sorted, each with the names of its tasks, sorted.
    package var services: [(name: String, tasks: [String])] {
        registrations.map { (name: $0.key.text, tasks: $0.value.tasks) }.sorted {
            $0.name < $1.name
        }
    }

    /// All registrations, in no order.
    package var all: [(key: Target, value: Registration)] {
        registrations.flatMap { service, tasks in
            tasks.all.map { (Target(service.text, $0.key), $0.value) }
        }
    }

    /// Adds a registration.
    ///
    /// - Throws: `script` where the target is taken and is not to be overridden; the message
    ///   names both places.
    package mutating func register(
        _ registration: Registration,
        as target: Target,
        overrides: Bool
    ) throws(RouteError) {
        let earlier = try registrations[target.serviceName, default: .none].register(
            registration,
            as: target,
            overrides: overrides
        )
        if earlier != nil { hasForgotten = true }
    }

    /// The registration of a target, if there is one.
    package subscript(target: Target) -> Registration? {
        registrations[target.serviceName]?[target.task]
    }

    /// The route of a target; nil for a task, and if there is no registration.
    package func route(to target: Target) -> Step? {
        if case .screen(let step)? = self[target] { step } else { nil }
    }

    /// Whether a step is the registered route of its target.
    package func contains(_ step: Step) -> Bool {
        step.target.flatMap(route) === step
    }

    /// Removes a task, or a whole service; does nothing where there is none.
    package mutating func remove(service: String, task: String?) {
        guard let all = registrations.removeValue(forKey: ServiceName(service))?.all else { return }
        hasForgotten = true
        guard let task, case let rest = all.filter({ $0.key != task }), !rest.isEmpty else {
            return
        }
        registrations[ServiceName(service)] = .several(rest)
    }

    /// The names of a service's tasks, sorted; nil if there is no such service.
    package func tasks(of service: String) -> [String]? {
        registrations[ServiceName(service)]?.tasks
    }

    /// The registration of a target.
    ///
    /// - Throws: `notFound`, with the nearest name where one is near.
    package func find(_ target: Target) throws(RouteError) -> Registration {
        if let registration = self[target] { return registration }
        throw unknown(target, beside: [])
    }

    /// Returns the error for a target that is not registered, with the nearest name if one is near.
    ///
    /// - Parameters:
    ///   - target: The unknown target.
    ///   - others: Targets that are known though not registered.
    /// - Returns: The error.
    package func unknown(_ target: Target, beside others: Set<Target>) -> RouteError {
        let names =
            (tasks(of: target.service) ?? [])
            + others.filter { $0.service == target.service }.map(\.task)
        guard names.isEmpty else { return .noSuchTask(target, among: Set(names).sorted()) }
        let services = Set(registrations.keys.map(\.text)).union(others.map(\.service))
        return .noSuchService(target, among: services.sorted())
    }
}
