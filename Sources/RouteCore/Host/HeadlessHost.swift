// SPDX-License-Identifier: MIT

/// A host without a display: it applies every change at once and remembers it.
public final class HeadlessHost: RouterHost {
    /// The changes applied since the host was made, or since they were forgotten last.
    public private(set) var changes: [Change] = []

    /// The changes given since then, each with its tree, also those that it holds or refuses.
    ///
    /// Resynchronizations are not among them.
    public private(set) var given: [(tree: ScreenTree, change: Change)] = []

    /// Creates a host.
    public init() {}

    /// Forgets the changes given and applied so far.
    public func forgetChanges() {
        changes.removeAll()
        given.removeAll()
    }

    /// The classes of screens that it shows, besides plain containers; nil for all.
    public var classes: Set<String>?

    /// Accepts the screens, unless one is of a class that it does not show.
    ///
    /// - Throws: ``UnknownScreen`` for the first that is.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        guard let classes else { return }
        for screen in screens.compactMap({ tree.screen($0) })
        where !classes.contains(screen.class) && Screen.Kind(rawValue: screen.class) == nil {
            throw UnknownScreen(class: screen.class, known: classes.sorted())
        }
    }

    /// The tasks that were handed to the host, the oldest first; ending one is up to whoever
    /// holds it.
    public private(set) var tasks: [HostTask] = []

    /// Called with each task before it is remembered; answers whether it was done.
    public var onTask: ((HostTask) -> Bool)?

    /// Hands the task to ``onTask``, or keeps it pending.
    public func doTask(_ task: HostTask) {
        if onTask?(task) != true { tasks.append(task) }
    }

    /// Forgets the task.
    public func cancelTask(_ task: HostTask) { tasks.removeAll { $0.id == task.id } }

    /// Takes the oldest task that is pending and fits, if there is one.
    public func takeTask(where fits: (HostTask) -> Bool) -> HostTask? {
        guard let index = tasks.firstIndex(where: fits) else { return nil }
        return tasks.remove(at: index)
    }

    /// The dependencies that it gives; for another one that is asked for, an opaque object of its
    /// own, the same each time.
    public var dependencies: [String: Value] = [:]

    /// Gives the dependency of a name.
    public func dependency(_ name: String) -> Value? {
        if let known = dependencies[name] { return known }
        let made = Value.object(HostObject(name))
        dependencies[name] = made
        return made
    }

    /// Whether it holds what it is given, instead of applying it at once.
    public var holds = false

    /// The change that it holds, and how it answers.
    private var held: (change: Change, done: (Result<Void, any Error>) -> Void)?

    /// The names of operations that it refuses, each once, and what to call when it does.
    private var refused: [(operation: String, onRefusal: () -> Void)] = []

    /// Refuses the next change that has an operation of a name.
    ///
    /// - Parameters:
    ///   - operation: The name.
    ///   - onRefusal: Called when the change is refused.
    public func refuse(_ operation: String, onRefusal: @escaping () -> Void = {}) {
        refused.append((operation, onRefusal))
    }

    /// Applies the change that it holds.
    ///
    /// - Returns: Whether it held one.
    @discardableResult
    public func applyHeld() -> Bool {
        guard let held else { return false }
        self.held = nil
        apply(held.change, held.done)
        return true
    }

    /// Remembers the change, and answers at once unless it holds.
    public func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        if change.isResynchronization {
            held = nil
            done(.success(()))
            return
        }
        given.append((tree, change))
        if holds {
            held = (change, done)
        } else {
            apply(change, done)
        }
    }

    private func apply(_ change: Change, _ done: (Result<Void, any Error>) -> Void) {
        let index = refused.firstIndex { refusal in
            change.operations.contains { $0.name == refusal.operation }
        }
        if let index {
            let refusal = refused.remove(at: index)
            refusal.onRefusal()
            done(.failure(Refusal(operation: refusal.operation)))
        } else {
            changes.append(change)
            done(.success(()))
        }
    }

    /// Why a screen was not accepted.
    public struct UnknownScreen: Error, CustomStringConvertible {
        /// The class that the host does not show.
        public let `class`: String
        /// Those that it does.
        public let known: [String]

        /// Creates an error.
        public init(class name: String, known: [String]) {
            self.class = name
            self.known = known
        }

        /// The reason as messages have it.
        public var description: String {
            "it has no screen '\(self.class)'" + Suggestion.hint(for: self.class, among: known)
        }
    }

    /// Why a change was not applied.
    public struct Refusal: Error, CustomStringConvertible {
        /// The operation that was refused.
        public let operation: String

        /// The reason as messages have it.
        public var description: String { "'\(operation)' is refused" }
    }
}
