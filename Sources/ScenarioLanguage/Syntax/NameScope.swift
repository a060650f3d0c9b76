// SPDX-License-Identifier: MIT

/// The names that the steps of a scenario have introduced so far.
///
/// This is a class, so that the parsers of all lines share the names without copying them.
package final class NameScope {
    /// The names of requests, introduced by `as`.
    private(set) var requests: Set<String> = []
    /// The names of values, introduced by `let`.
    private(set) var bindings: Set<String> = []
    /// The names of snapshots, introduced by `snapshot`.
    private(set) var snapshots: Set<String> = []
    /// Whether every name is accepted, because the preceding steps are unknown.
    private let isOpen: Bool

    package init() { isOpen = false }

    package init(after other: NameScope) {
        requests = other.requests
        bindings = other.bindings
        snapshots = other.snapshots
        isOpen = false
    }

    private init(isOpen: Bool) { self.isOpen = isOpen }

    /// A scope that accepts every name.
    package static var unknown: NameScope { NameScope(isOpen: true) }

    func addRequest(_ name: String) { requests.insert(name) }
    package func addBinding(_ name: String) { bindings.insert(name) }
    func addSnapshot(_ name: String) { snapshots.insert(name) }
    func hasRequest(_ name: String) -> Bool { isOpen || requests.contains(name) }
    func hasBinding(_ name: String) -> Bool { isOpen || bindings.contains(name) }
    func hasSnapshot(_ name: String) -> Bool { isOpen || snapshots.contains(name) }
}
