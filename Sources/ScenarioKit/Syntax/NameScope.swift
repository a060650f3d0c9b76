// SPDX-License-Identifier: MIT

/// The names that the steps of one scenario gave so far.
///
/// A class, so that a parser of each line holds it without a copy.
final class NameScope {
    /// Those that `as` gave to requests.
    private(set) var requests: Set<String> = []
    /// Those that `let` gave.
    private(set) var bindings: Set<String> = []
    /// Those that `snapshot` gave.
    private(set) var snapshots: Set<String> = []
    /// Whether any name may have been given, as nobody knows what stands before the steps.
    private let isOpen: Bool

    init() { isOpen = false }

    init(after other: NameScope) {
        requests = other.requests
        bindings = other.bindings
        snapshots = other.snapshots
        isOpen = false
    }

    private init(isOpen: Bool) { self.isOpen = isOpen }

    /// A scope in which every name is known.
    static var unknown: NameScope { NameScope(isOpen: true) }

    func addRequest(_ name: String) { requests.insert(name) }
    func addBinding(_ name: String) { bindings.insert(name) }
    func addSnapshot(_ name: String) { snapshots.insert(name) }
    func hasRequest(_ name: String) -> Bool { isOpen || requests.contains(name) }
    func hasBinding(_ name: String) -> Bool { isOpen || bindings.contains(name) }
    func hasSnapshot(_ name: String) -> Bool { isOpen || snapshots.contains(name) }
}
