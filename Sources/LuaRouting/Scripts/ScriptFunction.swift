// SPDX-License-Identifier: MIT

internal import LuaVM

extension Value {
    /// The function of a script, if it is one.
    var luaFunction: LuaFunction? {
        guard case .function(let function) = self,
            type(of: function) == LuaFunction.self
        else { return nil }
        // A cast from a protocol takes as long as all else that a definition does with a function.
        return unsafeDowncast(function, to: LuaFunction.self)
    }
}

extension FunctionReference {
    /// The function in Lua; only scripts declare functions.
    @inline(__always)
    var lua: LuaFunction { unsafeDowncast(self, to: LuaFunction.self) }
}
