// SPDX-License-Identifier: MIT

/// A task that a host must perform.
///
/// The `onTask` closure of a ``HeadlessHost`` returns whether it performs the task; the closure of
/// a UIKit host returns nothing.
///
/// ```swift
/// host.onTask = { task in
///     print(task.service, task.task, task.info)  // Player play {trackId=7}
///     task.end(true, "playing")
///     return true
/// }
/// let task = router.doTask(Target("Player", "play"), info: ["trackId": 7])
/// print(task.status.name)  // done
/// ```
public struct HostTask {
    /// The number of the task, from 1.
    public let id: Int
    /// The name of the service.
    public let service: String
    /// The name of the task.
    public let task: String
    /// The parameters.
    public let info: InfoTable
    /// A closure that ends the task.
    ///
    /// The arguments of the closure are whether the task finished, and the result of the task.
    ///
    /// Call this closure exactly once, immediately or later, on the router's thread.
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
