// SPDX-License-Identifier: MIT

#if !canImport(Darwin)
// Where nothing runs the main queue on the main thread, its jobs go to threads of a pool.
internal import Dispatch
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The thread to which an object is confined: the thread of its first use, until it is handed over.
///
/// The main actor counts as one thread, even on Linux, where it may run on several threads in turn.
///
/// Release builds check too, with a comparison of two numbers. The thread is compared, not the
/// actor: an actor without its own executor runs on any free thread of a pool, whose stack is too
/// small for scripts.
struct ThreadConfinement {
    private var thread: pthread_t?
    private var isMain = false

    /// Stops the program if this is not the thread.
    @inline(__always)
    mutating func check() {
        if thread != pthread_self() { enter() }
    }

    /// Records the thread of the first use, or stops the program.
    @inline(never)
    private mutating func enter() {
        guard thread != nil else {
            thread = pthread_self()
            isMain = Self.isOnMainQueue
            return
        }
        // Release builds print the sentence of a fatal error only.
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
    // The main thread, which is one.
    private static let isOnMainQueue = false
    #endif

    /// Lets the next use choose the thread.
    mutating func end() { thread = nil }

    private static let message = """
        scripts are confined to the thread of their first use, and were called from another one: \
        use them on the main actor or on an actor that runs on a ScriptExecutor, and call \
        detachFromThread() before they are handed over
        """
}
