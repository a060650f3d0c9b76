// SPDX-License-Identifier: MIT

package import RouteCore

/// The registration of a target: the route of a screen, or a task.
package enum Registration {
    case screen(Step)
    case task(Worker)

    package var location: RouteError.Location? {
        switch self {
        case .screen(let definition): definition.location
        case .task(let worker): worker.location
        }
    }

    /// The name of the task in the registration's target.
    fileprivate var task: String {
        switch self {
        case .screen(let definition): definition.target?.task ?? ""
        case .task(let worker): worker.target.task
        }
    }
}

/// The registrations of one generation.
///
/// The routes and tasks of a service share one namespace.
package struct RouteTable {
    /// The registrations of a service.
    ///
    /// Most services have exactly one registration.
    private struct Service {
        let name: ServiceName
        /// The only registration; nil if there are none or several.
        var only: Registration?
        /// The registrations by task name, if there are several.
        var several: [String: Registration] = [:]

        var all: [String: Registration] { only.map { [$0.task: $0] } ?? several }

        var isEmpty: Bool { only == nil && several.isEmpty }

        /// Adds a registration, or replaces the registration of the same task.
        mutating func set(_ registration: Registration, as name: String) {
            if let other = only, other.task != name {
                several = [other.task: other]
                only = nil
            }
            if several.isEmpty {
                only = registration
            } else {
                several[name] = registration
            }
        }
    }

    /// The services, in the order of their first registrations.
    ///
    /// A removed service remains as an empty entry.
    private var entries: [Service] = []
    /// A hash table of the indices of services, counted from 1; 0 marks a free slot.
    ///
    /// The index of a service is in the slot given by the hash of its name, or in the next free
    /// slot. At least half of the slots are free.
    private var places: [Int32] = []
    /// Whether any registration was removed or replaced.
    package private(set) var hasForgotten = false

    package var isEmpty: Bool { entries.allSatisfy(\.isEmpty) }

    /// The sorted names of the services, each with the sorted names of its tasks.
    package var services: [(name: String, tasks: [String])] {
        entries.filter { !$0.isEmpty }.map { (name: $0.name.text, tasks: $0.all.keys.sorted()) }
            .sorted { $0.name < $1.name }
    }

    /// All registrations, in no particular order.
    package var all: [(key: Target, value: Registration)] {
        var all: [(key: Target, value: Registration)] = []
        all.reserveCapacity(entries.count)
        for service in entries {
            if let only = service.only { all.append((Target(service.name, only.task), only)) }
            for (task, registration) in service.several {
                all.append((Target(service.name, task), registration))
            }
        }
        return all
    }

    // MARK: Indices

    /// Returns the index of a service; nil if there is no service with the name.
    private func position(of name: ServiceName) -> Int? {
        guard !places.isEmpty else { return nil }
        var location = name.hash & (places.count - 1)
        while places[location] != 0 {
            let position = Int(places[location]) - 1
            if entries[position].name == name { return position }
            location = (location + 1) & (places.count - 1)
        }
        return nil
    }

    /// Returns the index of a service, and adds the service if necessary.
    private mutating func addedPosition(of name: ServiceName) -> Int {
        if let position = position(of: name) { return position }
        entries.append(Service(name: name))
        if entries.count * 2 > places.count {
            places = [Int32](repeating: 0, count: max(8, places.count * 2))
            for position in entries.indices { note(position) }
        } else {
            note(entries.count - 1)
        }
        return entries.count - 1
    }

    private mutating func note(_ position: Int) {
        var location = entries[position].name.hash & (places.count - 1)
        while places[location] != 0 { location = (location + 1) & (places.count - 1) }
        places[location] = Int32(position + 1)
    }

    // MARK: Registrations

    /// Adds a registration.
    ///
    /// - Throws: `script`, with both locations, if the target is already registered and `overrides`
    ///   is false.
    package mutating func register(
        _ registration: Registration,
        as target: Target,
        overrides: Bool
    ) throws(RouteError) {
        let position = addedPosition(of: target.serviceName)
        if let earlier = self[target.task, at: position] {
            guard overrides else { throw .registeredTwice(target, earlier.location) }
            hasForgotten = true
        }
        entries[position].set(registration, as: target.task)
    }

    /// The registration of a target, if there is one.
    package subscript(target: Target) -> Registration? {
        guard let position = position(of: target.serviceName) else { return nil }
        return self[target.task, at: position]
    }

    /// The registration of a task in the service at the given index.
    private subscript(task: String, at position: Int) -> Registration? {
        // Single properties are read, because copying the whole service would be slow.
        guard let only = entries[position].only else { return entries[position].several[task] }
        return only.task == task ? only : nil
    }

    /// Returns the route of a target; nil if the target is a task or is not registered.
    package func route(to target: Target) -> Step? {
        if case .screen(let step)? = self[target] { step } else { nil }
    }

    /// Whether a step is the registered route of its target.
    package func contains(_ step: Step) -> Bool {
        step.target.flatMap(route) === step
    }

    /// Removes a task, or a whole service if `task` is nil; does nothing if nothing is registered
    /// under the name.
    ///
    /// - Returns: Whether a route with URL patterns was removed.
    package mutating func remove(service: String, task: String?) -> Bool {
        guard let position = position(of: ServiceName(service)) else { return false }
        var rest = entries[position].all
        let removed =
            task.map { rest.removeValue(forKey: $0).map { [$0] } ?? [] } ?? Array(rest.values)
        guard !removed.isEmpty else { return false }
        hasForgotten = true
        entries[position] = Service(name: entries[position].name)
        if task != nil { entries[position].several = rest }
        return removed.contains { registration in
            if case .screen(let step) = registration { !step.urls.isEmpty } else { false }
        }
    }

    /// Returns the sorted names of a service's tasks; nil if there is no such service.
    package func tasks(of service: String) -> [String]? {
        guard let position = position(of: ServiceName(service)), !entries[position].isEmpty else {
            return nil
        }
        return entries[position].all.keys.sorted()
    }

    /// Returns the registration of a target.
    ///
    /// - Throws: `notFound` if the target is not registered. The error contains the nearest name,
    ///   if there is one.
    package func find(_ target: Target) throws(RouteError) -> Registration {
        if let registration = self[target] { return registration }
        throw unknown(target, beside: [])
    }

    /// Returns the error for a target that is not registered, with the nearest name if there is
    /// one.
    ///
    /// - Parameters:
    ///   - target: The unknown target.
    ///   - others: Further known targets, which are not registered.
    /// - Returns: The error.
    package func unknown(_ target: Target, beside others: Set<Target>) -> RouteError {
        let names =
            (tasks(of: target.service) ?? [])
            + others.filter { $0.service == target.service }.map(\.task)
        guard names.isEmpty else { return .noSuchTask(target, among: Set(names).sorted()) }
        let services = Set(self.services.map(\.name)).union(others.map(\.service))
        return .noSuchService(target, among: services.sorted())
    }
}
