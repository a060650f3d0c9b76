// SPDX-License-Identifier: MIT

/// A host without a display, which applies every change immediately and records it.
///
/// ```swift
/// let host = HeadlessHost()
/// let router = try Router(scripts: bundle, host: host)
/// router.start()
/// router.navigate(Target("Page", "show"), info: ["id": 7])
/// print(host.changes.map { $0.operations.map(\.name) })  // [["openWindow"], ["push"]]
/// ```
public final class HeadlessHost: RouterHost {
    /// The state that a rewind restores.
    package struct State {
        fileprivate var changes: [Change] = []
        fileprivate var given: [(tree: ScreenTree, change: Change)] = []
        fileprivate var classes: Set<String>?
        fileprivate var tasks: [HostTask] = []
        fileprivate var dependencies: [String: Value] = [:]
        fileprivate var holds = false
        /// The held change, and its completion handler.
        fileprivate var held: (change: Change, done: (Result<Void, any Error>) -> Void)?
        /// The names of operations to refuse, with the closures to call on refusal.
        ///
        /// Each element refuses one change.
        fileprivate var refused: [(operation: String, onRefusal: () -> Void)] = []
    }

    package var state = State()

    /// The changes that were applied since the host was created, or since ``forgetChanges()`` was
    /// last called.
    public var changes: [Change] { state.changes }

    /// The changes that were received since ``forgetChanges()`` was last called, each with its
    /// tree.
    ///
    /// Changes that were held or refused are included.
    ///
    /// Resynchronizations are not included.
    public var given: [(tree: ScreenTree, change: Change)] { state.given }

    /// Creates a host.
    public init() {}

    /// Empties ``changes`` and ``given``.
    public func forgetChanges() {
        state.changes.removeAll()
        state.given.removeAll()
    }

    /// The screen classes that the host can show in addition to plain containers; nil if the host
    /// can show all classes.
    public var classes: Set<String>? {
        get { state.classes }
        set { state.classes = newValue }
    }

    /// Accepts the screens if the host can show all of their classes.
    ///
    /// - Throws: ``UnknownScreen`` for the first screen whose class the host cannot show.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        guard let classes else { return }
        for screen in screens.compactMap({ tree.screen($0) })
        where !classes.contains(screen.class) && Screen.Kind(rawValue: screen.class) == nil {
            throw UnknownScreen(class: screen.class, known: classes.sorted())
        }
    }

    /// The pending tasks of the host, oldest first.
    ///
    /// A caller that removes a task with ``takeTask(where:)`` must end the task.
    public var tasks: [HostTask] { state.tasks }

    /// A closure that is called with each task before the task is stored.
    ///
    /// The closure returns whether it handles the task.
    public var onTask: ((HostTask) -> Bool)?

    /// Passes the task to ``onTask``; if the closure does not handle the task, the task stays
    /// pending.
    public func doTask(_ task: HostTask) {
        if onTask?(task) != true { state.tasks.append(task) }
    }

    /// Removes the task from ``tasks``.
    public func cancelTask(_ task: HostTask) { state.tasks.removeAll { $0.id == task.id } }

    /// Removes and returns the oldest pending task that satisfies a condition, if any.
    public func takeTask(where fits: (HostTask) -> Bool) -> HostTask? {
        guard let index = tasks.firstIndex(where: fits) else { return nil }
        return state.tasks.remove(at: index)
    }

    /// The dependencies that the host provides.
    ///
    /// For any other name, the host creates an opaque object when the dependency is first
    /// requested, and returns the same object from then on.
    public var dependencies: [String: Value] {
        get { state.dependencies }
        set { state.dependencies = newValue }
    }

    /// Returns the dependency with the given name, which is created if necessary.
    public func dependency(_ name: String) -> Value? {
        if let known = dependencies[name] { return known }
        let made = Value.object(HostObject(name))
        dependencies[name] = made
        return made
    }

    /// Whether the host holds the changes that it receives, instead of applying them immediately.
    public var holds: Bool {
        get { state.holds }
        set { state.holds = newValue }
    }

    /// Refuses the next change that contains an operation with the given name.
    ///
    /// - Parameters:
    ///   - operation: The name of the operation.
    ///   - onRefusal: A closure that is called when the change is refused.
    public func refuse(_ operation: String, onRefusal: @escaping () -> Void = {}) {
        state.refused.append((operation, onRefusal))
    }

    /// Applies the change that the host holds.
    ///
    /// - Returns: Whether the host held a change.
    @discardableResult
    public func applyHeld() -> Bool {
        guard let held = state.held.take() else { return false }
        apply(held.change, held.done)
        return true
    }

    /// Records the change, and applies the change immediately unless the host holds or refuses it.
    ///
    /// A resynchronization discards a held change and is not recorded.
    public func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        if change.isResynchronization {
            state.held = nil
            done(.success(()))
            return
        }
        state.given.append((tree, change))
        if holds {
            state.held = (change, done)
        } else {
            apply(change, done)
        }
    }

    private func apply(_ change: Change, _ done: (Result<Void, any Error>) -> Void) {
        let index = state.refused.firstIndex { refusal in
            change.operations.contains { $0.name == refusal.operation }
        }
        if let index {
            let refusal = state.refused.remove(at: index)
            refusal.onRefusal()
            done(.failure(Refusal(operation: refusal.operation)))
        } else {
            state.changes.append(change)
            done(.success(()))
        }
    }

    /// The error of a host that cannot show a screen.
    public struct UnknownScreen: Error, CustomStringConvertible {
        /// The class that the host cannot show.
        public let `class`: String
        /// The classes that the host can show.
        public let known: [String]

        /// Creates an error.
        public init(class name: String, known: [String]) {
            self.class = name
            self.known = known
        }

        /// The error as text for messages.
        public var description: String {
            "the host has no screen '\(self.class)'"
                + Suggestion.hint(for: self.class, among: known)
        }
    }

    /// The error of a host that refused a change.
    public struct Refusal: Error, CustomStringConvertible {
        /// The name of the operation that was refused.
        public let operation: String

        /// The error as text for messages.
        public var description: String { "'\(operation)' is refused" }
    }
}
