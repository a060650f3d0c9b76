// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@Suite struct CallTests {
    @Test("a chunk computes with integers")
    func integers() throws {
        let script = try Script("function add(a, b) return a + b end return add")
        let add = try script.function()
        #expect(try script.state.call(add, 2, 3) == 5)
    }

    @Test("a host function is called, and its error comes back as the same instance")
    func errors() throws {
        let script = try Script("return function() f(1) end")
        final class Failure: Error {}
        let failure = Failure()
        try script.define("f") { _ in throw failure }
        let function = try script.function()
        let error = #expect(throws: ScriptError.self) { try script.state.call(function) }
        #expect(error?.underlying as? Failure === failure)
        #expect(error?.chunk == "test.lua")
        #expect(error?.line == 1)
    }
}
