// SPDX-License-Identifier: MIT

internal import LuaVM

/// The content of the Lua state and the values that belong to it, as one.
extension ScriptRuntime {
    /// Undoes all that a closure changes in the scripts, also while they run.
    ///
    /// - Throws: `budget` if there is too little memory, and then the closure was not called; or the error
    ///   of the closure.
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
