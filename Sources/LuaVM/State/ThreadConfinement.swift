// SPDX-License-Identifier: MIT

import SystemGaps

#if !canImport(Darwin)
// On these platforms, jobs of the main queue may run on threads of a pool instead of the main
// thread.
internal import Dispatch
#endif

/// The thread to which an object is confined: the thread of its first use, until the object is
/// handed over.
///
/// The main actor counts as one thread, even on Linux, where it may run on several threads in turn.
///
/// Release builds check the thread too, by a comparison of two numbers. The check compares threads
/// instead of actors, because an actor without its own executor runs on any free thread of a pool,
/// and the stacks of these threads are too small for scripts.
struct ThreadConfinement {
    private var thread: pthread_t?
    private var isMain = false

    /// Stops the program if the current thread is not the thread of the object.
    @inline(__always)
    mutating func check() {
        if thread != pthread_self() { enter() }
    }

    /// Records the thread of the first use.
    ///
    /// Stops the program on any other thread.
    @inline(never)
    private mutating func enter() {
        guard thread != nil else {
            thread = pthread_self()
            isMain = Self.isOnMainQueue
            return
        }
        // `fatalError`, because release builds do not print the message of a precondition.
        if !isMain || !Self.isOnMainQueue { fatalError(Self.message) }
    }

    #if !canImport(Darwin)
    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private static var isOnMainQueue: Bool {
        DispatchQueue.getSpecific(key: mainQueue) == true
    }
    #else
    // There is only one main thread.
    private static let isOnMainQueue = false
    #endif

    /// Ends the confinement, so that the next use determines the thread.
    mutating func end() { thread = nil }

    private static let message = """
        scripts are confined to the thread of their first use, but were called from another thread: \
        use them on the main actor or on an actor that runs on a ScriptExecutor, and call \
        detachFromThread() before you hand the scripts over
        """
}
