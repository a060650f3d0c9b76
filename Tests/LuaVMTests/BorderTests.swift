// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import Testing

/// The rules that keep a raise from jumping over a Swift frame.
@Suite struct BorderTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../CLua")

    /// The functions of Lua that the manual of 5.4 marks as never raising.
    private static let quiet: Set<String> = [
        "lua_checkstack", "lua_gettop", "lua_isinteger", "lua_pushboolean",
        "lua_pushinteger", "lua_pushnil", "lua_pushnumber", "lua_toboolean", "lua_tointegerx",
        "lua_tonumberx", "lua_type",
    ]

    @Test("the header that Swift sees names no function of Lua that can raise")
    func header() throws {
        let header = Self.sources.appending(path: "include/CLuaRoute.h")
        let text = try String(contentsOf: header, encoding: .utf8)
        let names = Set(text.matches(of: /\bluaL?_\w+(?=\()/).map { String($0.output) })
        #expect(names == Self.quiet)
        #expect(
            text.matches(of: /#include <(\w+)/).map { String($0.output.1) } == ["stddef", "stdint"]
        )
    }

    @Test("two functions of the border call scripts, besides what scripts call themselves")
    func entries() throws {
        var callers: [String] = []
        var resumers: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path())
        where name.hasSuffix(".c") {
            let text = try String(
                contentsOf: Self.sources.appending(path: name),
                encoding: .utf8
            )
            for _ in text.matches(of: /\blua_pcallk?\(/) { callers.append(name) }
            for _ in text.matches(of: /\blua_resume\(/) { resumers.append(name) }
        }
        // `pcall` of scripts; the entry and the text of error objects; the opening; what is known
        // of the error of a coroutine.
        #expect(callers.sorted() == ["base.c", "call.c", "call.c", "state.c", "thread.c"])
        // Coroutines of the host, and of scripts.
        #expect(resumers.sorted() == ["coroutine.c", "thread.c"])
    }

    #if DEBUG
        @Test("an entry from another thread traps")
        func wrongThread() async {
            await #expect(processExitsWith: .failure) {
                let state = try LuaState()
                _ = state.liveHandles
                nonisolated(unsafe) let shared = state
                let thread = Thread { _ = shared.liveHandles }
                thread.start()
                while !thread.isFinished { sched_yield() }
            }
        }
    #endif

    @Test("a release that enters its state is an error, not a crash")
    func releaseEnters() throws {
        let script = try Script()
        let function = try script.function("return function() return 1 end")
        var failure: (any Error)?
        let type = try script.state.defineType(
            name: "Screen",
            released: { [unowned state = script.state] _ in
                do { try state.call(function) } catch { failure = error }
            }
        )
        try script.define("object") { $0.returnObject(type, 1) }
        _ = try script.run("object()")
        script.state.collectGarbage()
        #expect((failure as? ScriptError)?.message == "a release must not call the script")
    }
}
