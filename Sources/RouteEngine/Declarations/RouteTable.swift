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
    private var registrations: [Target: Registration] = [:]
    private var tasks: [String: Set<String>] = [:]

    package var isEmpty: Bool { registrations.isEmpty }

    /// The names of the services, sorted, each with the names of its tasks, sorted.
    package var services: [(name: String, tasks: [String])] {
        tasks.keys.sorted().map { ($0, (tasks[$0] ?? []).sorted()) }
    }

    /// All registrations, in no order.
    package var all: some Collection<(key: Target, value: Registration)> { registrations }

    /// Adds a registration.
    ///
    /// - Throws: `script` where the target is taken and is not to be overridden; the message
    ///   names both places.
    package mutating func register(
        _ registration: Registration,
        as target: Target,
        overrides: Bool
    ) throws(RouteError) {
        if let earlier = registrations.updateValue(registration, forKey: target) {
            guard overrides else {
                registrations[target] = earlier
                throw .registeredTwice(target, earlier.place)
            }
        } else {
            tasks[target.service, default: []].insert(target.task)
        }
    }

    /// The registration of a target, if there is one.
    package subscript(target: Target) -> Registration? { registrations[target] }

    /// The route of a target; nil for a task, and if there is no registration.
    package func route(to target: Target) -> Step? {
        if case .screen(let step)? = registrations[target] { step } else { nil }
    }

    /// Whether a step is the registered route of its target.
    package func contains(_ step: Step) -> Bool {
        step.target.flatMap(route) === step
    }

    /// Removes a task, or a whole service; does nothing where there is none.
    package mutating func remove(service: String, task: String?) {
        for name in task.map({ [$0] }) ?? tasks[service] ?? [] {
            registrations[Target(service, name)] = nil
        }
        if let task { tasks[service]?.remove(task) }
        if task == nil || tasks[service]?.isEmpty == true { tasks[service] = nil }
    }

    /// The names of a service's tasks, in no order; nil where there is no such service.
    package func tasks(of service: String) -> Set<String>? { tasks[service] }

    /// The registration of a target.
    ///
    /// - Throws: `notFound`, with the nearest name where one is near.
    package func find(_ target: Target) throws(RouteError) -> Registration {
        if let registration = registrations[target] { return registration }
        throw unknown(target, beside: [])
    }

    /// Returns the error for a target that is not registered, with the nearest name if one is near.
    ///
    /// - Parameters:
    ///   - target: The unknown target.
    ///   - others: Targets that are known though not registered.
    /// - Returns: The error.
    package func unknown(_ target: Target, beside others: Set<Target>) -> RouteError {
        var known = tasks
        for other in others { known[other.service, default: []].insert(other.task) }
        guard let names = known[target.service] else {
            return .noSuchService(target, among: known.keys.sorted())
        }
        return .noSuchTask(target, among: names.sorted())
    }
}
