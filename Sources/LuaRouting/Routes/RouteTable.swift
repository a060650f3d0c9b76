// SPDX-License-Identifier: MIT

/// What a script registered under a target.
enum Registration {
    case screen(Definition)
    case task(Worker)

    var place: RouteError.Location? {
        switch self {
        case .screen(let definition): definition.place
        case .task(let worker): worker.place
        }
    }
}

/// The registrations of one generation.
///
/// Screens and tasks of a service share one space of names.
struct RouteTable {
    private var registrations: [Target: Registration] = [:]
    private var tasks: [String: [String]] = [:]

    var isEmpty: Bool { registrations.isEmpty }

    /// Adds a registration.
    ///
    /// - Throws: `script` where the target is taken; the message names both places.
    mutating func register(_ registration: Registration, as target: Target) throws(RouteError) {
        if let earlier = registrations[target] { throw .registeredTwice(target, earlier.place) }
        registrations[target] = registration
        tasks[target.service, default: []].append(target.task)
    }

    /// The registration of a target.
    ///
    /// - Throws: `notFound`, with the nearest name where one is near.
    func find(_ target: Target) throws(RouteError) -> Registration {
        if let registration = registrations[target] { return registration }
        guard let known = tasks[target.service] else {
            throw .noSuchService(target, among: tasks.keys.sorted())
        }
        throw .noSuchTask(target, among: known.sorted())
    }
}
