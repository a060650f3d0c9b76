// SPDX-License-Identifier: MIT

internal import LuaVM

/// The content of the Lua state, together with the values that belong to it.
extension ScriptRuntime {
    /// Undoes all changes of a closure to the scripts, even while they run.
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
