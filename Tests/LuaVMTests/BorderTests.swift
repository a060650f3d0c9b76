// SPDX-License-Identifier: MIT

import Foundation
import LuaVM
import Testing

/// Tests of the rules that keep a Lua error from jumping over a Swift frame.
@Suite struct BorderTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../CLua")

    /// The functions of Lua that, according to the manual of 5.4, never raise an error.
    private static let quiet: Set<String> = [
        "lua_checkstack", "lua_gettop", "lua_isinteger", "lua_pushboolean",
        "lua_pushinteger", "lua_pushnil", "lua_pushnumber", "lua_toboolean", "lua_tointegerx",
        "lua_tonumberx", "lua_type",
    ]

    /// The functions of Lua that Swift calls in a separate library; none if Lua is part of
    /// `CLuaRoute`.
    private static let linked: Set<String> =
        FileManager.default.fileExists(atPath: slot + "/lapi.c") ? [] : quiet

    private static let slot = sources.appending(path: "Lua").path()

    @Test("the C header imported by Swift declares no Lua function that can raise an error")
    func header() throws {
        let header = Self.sources.appending(path: "include/CLuaRoute.h")
        let text = try String(contentsOf: header, encoding: .utf8)
        let declared = text.matches(of: /\bluaL?_\w+(?=\()/).map { String($0.output) }
        let forwarded = text.matches(of: /FORWARD\(\s*[\w ]+, (\w+), \(/).map {
            "lua_\($0.output.1)"
        }
        #expect(Set(declared + forwarded) == Self.quiet)
        #expect(
            text.matches(of: /#include <(\w+)/).map { String($0.output.1) } == ["stddef", "stdint"]
        )
    }

    @Test(
        "without Lua the build fails, and the error shows the install command of the system",
        arguments: [
            ("x86_64-unknown-linux-gnu", "apt-get install liblua5.4-dev"),
            ("arm64-apple-macos15", "brew install lua@5.4"),
            ("arm64-apple-ios18", "this system has no Lua"),
            ("aarch64-unknown-linux-android28", "this system has no Lua"),
        ]
    )
    func missingLua(target: String, line: String) throws {
        guard Self.linked == Self.quiet else { return Self.skip("Lua") }
        let header = Self.sources.appending(path: "lua_headers.h").path()
        let arguments = ["clang", "-E", "-nostdinc", "-target", target, "-x", "c", header]
        guard let output = try Self.run(arguments) else { return Self.skip("no clang") }
        let errors = output.matches(of: /error: "(.*)"/).map { String($0.output.1) }
        #expect(errors.count == 1)
        let message = try #require(errors.first)
        #expect(message.contains(line) && message.contains("scripts/dev/vendor-lua"))
    }

    @Test("only two functions of the C shim call into scripts")
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
        // `pcall` and `xpcall` of scripts, with its handler; the entry, within another and as the first, and the text of error
        // objects; the standard libraries, the layout of values and two for the probes of defects,
        // each in a state of its own; the opening; what is known of the error of a coroutine.
        let expected = [
            "base.c", "base.c", "base.c", "call.c", "call.c", "defects.c", "defects.c", "layout.c",
            "library.c",
            "state.c", "thread.c", "traceback.c",
        ]
        #expect(callers.sorted() == expected)
        // Coroutines of the host, of scripts, and of the layout's own state.
        #expect(resumers.sorted() == ["coroutine.c", "layout.c", "thread.c"])
    }

    @Test(
        "scripts cannot set finalizers, because Lua discards an object whose finalizer raises an error"
    )
    func finalizers() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path())
        where name.hasSuffix(".c") && name != "metatables.c" {
            let file = Self.sources.appending(path: name)
            #expect(!(try String(contentsOf: file, encoding: .utf8).contains("__gc")), "\(name)")
        }
    }

    @Test("Swift code that calls a Lua function that can raise an error does not compile")
    func compiler() throws {
        guard let names = try Self.functionsOfLua() else { return Self.skip("no header of Lua") }
        let map = Self.built.appending(path: "CLuaRoute.build/module.modulemap")
        guard FileManager.default.fileExists(atPath: map.path()) else {
            return Self.skip("no module map where the tests were built")
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "names.swift")
        let uses = names.sorted().map { "    _ = \($0)\n" }.joined()
        try "import CLuaRoute\nfunc use() {\n\(uses)}\n".write(
            to: file,
            atomically: true,
            encoding: .utf8
        )
        let arguments = [
            "swiftc", "-typecheck", "-Xcc", "-fmodule-map-file=\(map.path())",
            "-module-cache-path", folder.appending(path: "modules").path(), file.path(),
        ]
        guard let output = try Self.run(arguments) else { return Self.skip("no compiler") }
        let unknown = output.matches(of: /error: cannot find '(\w+)' in scope/).map {
            String($0.output.1)
        }
        let found = names.subtracting(unknown)
        #expect(names.count > 130)
        #expect(found == Self.linked)
    }

    @Test("the Swift object files reference no Lua function that can raise an error")
    func linker() throws {
        var asked: Set<String> = []
        for module in [
            "LuaVM", "LuaRouting", "RouteCore", "RouteURLs", "RouteEngine", "RouteChecking",
            "ScenarioKit", "LuaRouteCommand",
        ] {
            let folder = Self.built.appending(path: "\(module).build")
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
            let objects = files.filter { $0.hasSuffix(".o") }.map {
                folder.appending(path: $0).path()
            }
            guard !objects.isEmpty else { return Self.skip("no object files of \(module)") }
            guard let output = try Self.run(["nm", "-u"] + objects) else {
                return Self.skip("no nm")
            }
            asked.formUnion(output.matches(of: /\b_?(luaL?_\w+)/).map { String($0.output.1) })
        }
        #expect(asked.isSubset(of: Self.linked), "\(asked.sorted())")
        #expect(asked.isEmpty == Self.linked.isEmpty)
    }

    /// The folder in which the modules and the tests were built.
    private static let built = Bundle.main.bundleURL

    /// Returns the names of all functions that the headers of Lua declare.
    private static func functionsOfLua() throws -> Set<String>? {
        let folders = [
            slot, "/usr/include/lua5.4", "/usr/local/include/lua5.4", "/usr/local/include",
            "/opt/homebrew/include/lua5.4", "/opt/homebrew/include", "/usr/include",
        ]
        var names: Set<String> = []
        for folder in folders where FileManager.default.fileExists(atPath: folder + "/lua.h") {
            for header in ["lua.h", "lauxlib.h", "lualib.h"] {
                let text = try String(contentsOfFile: "\(folder)/\(header)", encoding: .utf8)
                names.formUnion(
                    text.matches(of: /\((luaL?_\w+)\)\s*\(/).map { String($0.output.1) }
                )
            }
            return names
        }
        return nil
    }

    /// Returns the output of a tool; nil if the tool is not installed.
    private static func run(_ arguments: [String]) throws -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 127 ? nil : String(decoding: data, as: UTF8.self)
    }

    private static func skip(_ why: String) {
        print("skipped: \(why) is here")
    }

    #if DEBUG
    @Test("entering Lua from another thread traps")
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

    @Test("a release handler that uses its own Lua state gets an error")
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
        #expect(
            (failure as? ScriptError)?.message
                == "the script cannot be called while an object is being released"
        )
    }

    @Test("announcing a table larger than Lua's maximum is an error")
    func announcement() throws {
        let script = try Script()
        let function = try script.function("return function(t) return t end")
        for (list, entries) in [(0, Int.max), (0, 1 << 31), (Int(UInt32.max), 0), (0, -1)] {
            let message =
                entries < 0
                ? "a table of 0 values and -1 keys cannot be passed between scripts and host"
                : "a table has fewer values than it announced"
            do throws(ScriptError) {
                try script.state.call(function, results: 1) {
                    $0.beginTable(list: list, entries: entries)
                }
                Issue.record("a table of \(list) and \(entries) values crossed")
            } catch {
                #expect(error.message == message)
            }
        }
    }
}
