// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A handle that stops the scripts of a state, from any thread.
public final class LuaCanceller: Sendable {
    // C code writes and reads the cancel flag atomically. The flag is freed when neither the state
    // nor another owner references this object.
    nonisolated(unsafe) let flag: OpaquePointer

    init() {
        flag = luaroute_flag_create()
    }

    deinit {
        luaroute_flag_free(flag)
    }

    /// Ends the running entry with `.cancelled`, or the next entry if none is running.
    ///
    /// Scripts cannot catch the cancellation. A script ends after a few thousand instructions. If
    /// the script has called a host function, it ends after that function has returned.
    public func cancel() {
        luaroute_flag_raise(flag)
    }

    /// Ends all running and later entries of all states in the process with `.cancelled`.
    ///
    /// This cannot be undone. The function may be called in a signal handler.
    package static func cancelAll() { luaroute_cancel_all() }

    /// Whether the entries of all states in the process have been cancelled.
    package static var hasCancelledAll: Bool { luaroute_all_cancelled() != 0 }
}
