// SPDX-License-Identifier: MIT

/// The app that shows the screens.
///
/// A router calls its host from the thread that it is confined to. A host changes nothing
/// of its own accord in answer to ``prepare(_:in:)``; it shows what ``apply(_:done:)`` says.
public protocol RouterHost: AnyObject {
    /// Makes what new screens need, while the navigation can still be dropped.
    ///
    /// - Throws: Any error; the navigation fails with the code `host`, nothing changes, and
    ///   ``discard(_:)`` follows.
    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws

    /// Drops what was made for screens that will not be shown.
    func discard(_ screens: [ScreenID])

    /// Applies the operations of a change, in their order.
    ///
    /// What an operation brings along is said at ``TreeOperation``; it can be read in the tree of the
    /// change.
    ///
    /// - Parameters:
    ///   - change: What to do.
    ///   - done: Called once when all is applied, also before this function returns; with an
    ///     error if it cannot be applied: then the navigation fails with the code `host`,
    ///     and the tree is as it was before.
    func apply(_ change: Change, done: @escaping (Result<Void, any Error>) -> Void)

    /// Does a task that the scripts expect of the host and did not register.
    func doTask(_ task: HostTask)

    /// Tells that the end of a task is not waited for any more.
    func cancelTask(_ task: HostTask)

    /// Gives a dependency that the scripts expect of the host and do not provide themselves.
    ///
    /// It is asked for when a route first needs it, and again when no screen that got it is alive.
    ///
    /// - Parameter name: The name, one of those that `router.expects` names.
    /// - Returns: The value, which scripts share; nil, the default, where the host has none: then the
    ///   navigation fails with the code `missingDependency`. A table is copied once, and is one table
    ///   for all that share it; a ``HostObject`` is what scripts only hand around.
    func dependency(_ name: String) -> Value?
}

extension RouterHost {
    /// Has no dependencies.
    public func dependency(_ name: String) -> Value? { nil }
}

/// A task that a host is asked to do.
public struct HostTask {
    /// The number of the task, from 1 on.
    public let id: Int
    /// The name of the service.
    public let service: String
    /// The name of the task.
    public let task: String
    /// The parameters.
    public let info: InfoTable
    /// Ends the task, with whether it did what was asked and with what; once, now or later, on
    /// the router's thread.
    public let end: (_ finished: Bool, _ info: Value) -> Void

    /// Creates a task.
    public init(
        id: Int,
        service: String,
        task: String,
        info: InfoTable,
        end: @escaping (_ finished: Bool, _ info: Value) -> Void
    ) {
        self.id = id
        self.service = service
        self.task = task
        self.info = info
        self.end = end
    }
}

/// What a host is asked to apply.
public struct Change: Sendable {
    /// The operations, in order.
    public let operations: [TreeOperation]
    /// The tree after the operations.
    ///
    /// Screens that go can still be read in it.
    public let tree: ScreenTree
    /// Whether the change should be animated.
    public let isAnimated: Bool
    /// The number of the change, from 1 on.
    public let revision: Int
    /// The number of the navigation that caused the change, if one did.
    public let navigation: Int?

    /// Creates a change.
    public init(
        operations: [TreeOperation],
        tree: ScreenTree,
        isAnimated: Bool = true,
        revision: Int,
        navigation: Int? = nil
    ) {
        self.operations = operations
        self.tree = tree
        self.isAnimated = isAnimated
        self.revision = revision
        self.navigation = navigation
    }
}

/// A host without a display: it applies every change at once and remembers it.
public final class HeadlessHost: RouterHost {
    /// The changes applied since the host was made, or since they were forgotten last.
    public private(set) var changes: [Change] = []

    /// The changes given since then, also those that it holds or refuses, in their order.
    public private(set) var given: [Change] = []

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

    /// Has nothing to drop.
    public func discard(_ screens: [ScreenID]) {}

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
    public func apply(_ change: Change, done: @escaping (Result<Void, any Error>) -> Void) {
        given.append(change)
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
