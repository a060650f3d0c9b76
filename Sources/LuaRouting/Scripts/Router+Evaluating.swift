// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Runs Lua code in the environment of the active scripts: an expression, or statements.
    ///
    /// - Returns: The first value that the code returns; `.nil` if this value cannot be
    ///   transferred, such as a navigation.
    /// - Throws: `script` for a syntax error, or the error that the code raises.
    package func evaluate(_ source: String) throws(RouteError) -> Value {
        enter()
        if queue.isShutDown { throw .routerHasEnded() }
        defer { pump() }
        let runtime = serving.runtime
        return try lending.calling(for: serving) { () throws(RouteError) in
            try runtime.entering { () throws(ScriptError) in
                let function = try chunk(of: source, runtime)
                var reader = try runtime.lua.call(function, results: 1) { _ in }
                let value = Value(from: &reader, runtime.objects) ?? .nil
                // The value is only printed, so it may be of any kind.
                defer { runtime.objects.hasMetHandle = false }
                return runtime.objects.hasMetHandle ? .nil : value
            }
        }
    }

    private func chunk(
        of source: String,
        _ runtime: ScriptRuntime
    ) throws(ScriptError) -> LuaFunction {
        let environment = runtime.state.modules.own
        let name = "=lua"
        // An object that has fields, such as 'router.state', is copied to a table.
        let copy =
            "function(v) if type(v) ~= 'userdata' then return v end "
            + "local ok, t = pcall(function() local t = {} for k, x in pairs(v) do t[k] = x end "
            + "return t end) return ok and t or v end"
        if let expression = try? runtime.lua.load(
            "return (\(copy))(\(source)\n)",
            chunkName: name,
            environment: environment
        ) {
            return expression
        }
        return try runtime.lua.load(source, chunkName: name, environment: environment)
    }
}
