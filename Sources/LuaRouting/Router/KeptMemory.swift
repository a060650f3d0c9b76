// SPDX-License-Identifier: MIT

/// An account of the memory that navigations and tasks use on behalf of scripts.
final class KeptMemory {
    private(set) var bytes = 0
    /// The number of times that the account was reset.
    fileprivate var epoch = 0
    /// The storage of an ended navigation's course, for reuse by the next navigation.
    private var free: UnsafeMutablePointer<Navigation.Course>?

    deinit { free?.deallocate() }

    /// Resets the account.
    ///
    /// From then on, only new shares and shares that are counted again are included.
    func reset() {
        bytes = 0
        epoch += 1
    }

    /// Returns uninitialized storage for a course.
    func takeStorage() -> UnsafeMutablePointer<Navigation.Course> {
        free.take() ?? .allocate(capacity: 1)
    }

    /// Keeps the uninitialized storage of a course for reuse.
    func reuse(_ storage: UnsafeMutablePointer<Navigation.Course>) {
        if free == nil { free = storage } else { storage.deallocate() }
    }

    /// A number of bytes that is included in the account until the share is destroyed or the
    /// account is reset.
    struct Share: ~Copyable {
        let memory: KeptMemory
        private(set) var bytes: Int
        private var epoch: Int

        /// Creates a share and adds its bytes to the account.
        init(_ bytes: Int, of memory: KeptMemory) {
            self.memory = memory
            self.bytes = bytes
            epoch = memory.epoch
            memory.bytes += bytes
        }

        deinit { if epoch == memory.epoch { memory.bytes -= bytes } }

        /// Changes the number of bytes.
        mutating func resize(to bytes: Int) {
            if epoch == memory.epoch { memory.bytes += bytes - self.bytes }
            self.bytes = bytes
        }

        /// Counts the bytes again after the account was reset.
        mutating func count() {
            guard epoch != memory.epoch else { return }
            epoch = memory.epoch
            memory.bytes += bytes
        }
    }
}

/// The memory account of scripts: values in Lua, and data that Swift keeps for scripts.
///
/// The memory that Swift uses is estimated, not measured: a value counts with its ``Value/size``,
/// and an object with a fixed number of bytes. ``ScriptRuntime/count(keptBytes:)`` adds these bytes
/// to the memory of the Lua state, so that one budget covers both.
extension Router {
    /// The number of bytes that Swift keeps for all scripts.
    @inline(__always)
    var keptBytes: Int {
        keptMemory.bytes + tree.heldBytes + world.shared.stateBytes + world.closingBytes
            + timers.timerCount * Self.timerBytes + queue.undelivered.bytes
    }

    /// The approximate size of a timer, in bytes.
    private static let timerBytes = 256

    /// The maximum number of pending navigations.
    static let pendingLimit = 1_000

    /// The maximum number of pending tasks.
    static let taskLimit = 1_000

    /// Throws `budget` if the scripts and the data kept for them exceed the memory limit.
    ///
    /// Calls into scripts check the limit themselves. This function is for memory that is used
    /// without running a script, such as the templates that the host's navigations copy.
    func checkMemory() throws(RouteError) {
        let runtime = generation.runtime
        guard !isRunningScript, !hasMemory(runtime) else { return }
        // Screens and navigations may be referenced only by objects that no script can reach.
        runtime.lua.collectGarbage()
        releaseScreens()
        guard hasMemory(runtime) else { throw .memoryExceeded(runtime.budget.bytes) }
    }

    /// Returns whether the scripts and the data kept for them are within the memory limit.
    @inline(__always)
    func hasMemory(_ runtime: borrowing ScriptRuntime) -> Bool {
        runtime.count(keptBytes: keptBytes)
        return runtime.lua.memoryUsed <= runtime.budget.bytes
    }
}

extension RouteError {
    static func memoryExceeded(_ limit: Int) -> RouteError {
        RouteError(
            .budget,
            "memory limit exceeded (at most \(limit) bytes for scripts and the data kept for them)"
        )
    }
}
