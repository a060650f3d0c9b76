// SPDX-License-Identifier: MIT

/// The app that shows the screens.
///
/// A router calls its host from the thread that it is confined to. A host changes nothing
/// of its own accord in answer to ``prepare(_:in:)``; it shows what ``apply(_:done:)`` says.
public protocol Host: AnyObject {
    /// Makes what new screens need, while the navigation can still be dropped.
    ///
    /// - Throws: Any error; the navigation fails with the code `host`, nothing changes, and
    ///   ``discard(_:)`` follows.
    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws

    /// Drops what was made for screens that will not be shown.
    func discard(_ screens: [ScreenID])

    /// Applies the operations of a change, in their order.
    ///
    /// What an operation brings along is said at ``Operation``; it can be read in the tree of the
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
}

/// A task that a host is asked to do.
public struct HostTask {
    /// The name of the service.
    public let service: String
    /// The name of the task.
    public let task: String
    /// The parameters.
    public let info: Table
    /// Ends the task, with whether it did what was asked and with what; once, now or later, on
    /// the router's thread.
    public let end: (_ finished: Bool, _ info: Value) -> Void

    /// Creates a task.
    public init(
        service: String,
        task: String,
        info: Table,
        end: @escaping (_ finished: Bool, _ info: Value) -> Void
    ) {
        self.service = service
        self.task = task
        self.info = info
        self.end = end
    }
}

/// What a host is asked to apply.
public struct Change: Sendable {
    /// The operations, in order.
    public let operations: [Operation]
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
        operations: [Operation],
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
public final class HeadlessHost: Host {
    /// The changes applied since the host was made, or since they were forgotten last.
    public private(set) var changes: [Change] = []

    /// Creates a host.
    public init() {}

    /// Forgets the changes applied so far.
    public func forgetChanges() { changes.removeAll() }

    /// Accepts every screen.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) {}

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

    /// Takes the oldest task that is pending and fits, if there is one.
    public func takeTask(where fits: (HostTask) -> Bool) -> HostTask? {
        guard let index = tasks.firstIndex(where: fits) else { return nil }
        return tasks.remove(at: index)
    }

    /// Remembers the change.
    public func apply(_ change: Change, done: @escaping (Result<Void, any Error>) -> Void) {
        changes.append(change)
        done(.success(()))
    }
}
