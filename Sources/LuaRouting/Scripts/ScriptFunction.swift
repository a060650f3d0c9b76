// SPDX-License-Identifier: MIT

internal import LuaVM

extension Value {
    /// The value as a script function; nil if the value is not a script function.
    var luaFunction: LuaFunction? {
        guard case .function(let function) = self,
            type(of: function) == LuaFunction.self
        else { return nil }
        // A conditional cast from a protocol would double the time to read a function from a
        // definition.
        return unsafeDowncast(function, to: LuaFunction.self)
    }
}

extension FunctionReference {
    /// The function in Lua.
    ///
    /// All declared functions come from scripts, so the cast is safe.
    @inline(__always)
    var lua: LuaFunction { unsafeDowncast(self, to: LuaFunction.self) }
}
