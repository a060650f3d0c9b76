// SPDX-License-Identifier: MIT

internal import LuaVM

/// Undoes changes to the Lua state, and to the Swift values that belong to the Lua state.
extension ScriptRuntime {
    /// Calls the given closure, and undoes all changes that it makes to the scripts.
    ///
    /// Scripts may be running.
    ///
    /// - Throws: `budget` if there is not enough memory, and the closure was not called; or the
    ///   error of the closure.
    func undoing<Result>(
        _ body: () throws(RouteError) -> Result
    ) throws(RouteError) -> Result {
        let before = (state, objects.held.state)
        let result: Swift.Result<Result, RouteError>
        do throws(ScriptError) {
            result = try lua.undoing {
                Swift.Result { () throws(RouteError) in try body() }
            }
        } catch {
            throw RouteError(error)
        }
        (state, objects.held.state) = before
        return try result.get()
    }
}
