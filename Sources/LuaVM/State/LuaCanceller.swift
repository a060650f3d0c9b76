// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// Stops scripts of a state from any thread.
public final class LuaCanceller: Sendable {
    // Written and read as an atomic by C; freed when neither the state nor a holder is left.
    nonisolated(unsafe) let flag: OpaquePointer

    init() {
        flag = luaroute_flag_create()
    }

    deinit {
        luaroute_flag_free(flag)
    }

    /// Ends the running entry with `.cancelled`, or the next one if none is running.
    ///
    /// Scripts cannot catch it. A script ends after some thousand instructions; if it has called a
    /// host function, after that function has returned.
    public func cancel() {
        luaroute_flag_raise(flag)
    }

    /// Ends the entries that are running, and all later ones, of all states of the process, with
    /// `.cancelled`.
    ///
    /// This cannot be undone. A signal handler may call it.
    package static func cancelAll() { luaroute_cancel_all() }

    /// Whether all states of the process are cancelled.
    package static var hasCancelledAll: Bool { luaroute_all_cancelled() != 0 }
}
