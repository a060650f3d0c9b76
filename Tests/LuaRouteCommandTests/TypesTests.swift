// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The command `luaroute types`, and the option `--contract`.
struct TypesTests {
    private static let script = "Tests/Listings/types.lua"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: String { "\(folder.path)/Routes.swift" }

    private func types(_ arguments: [String]) throws -> CommandProcess {
        try CommandProcess(["types"] + arguments)
    }

    private func write(_ script: String = script) throws -> String {
        let process = try types(["--swift", file, script])
        #expect(process.code == 0, "\(process.errors)")
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test("the generated file matches the recorded file, and is the same each time")
    func golden() throws {
        let printed = try types(["--swift", "-", Self.script])
        #expect(printed.code == 0)
        #expect(printed.errors.isEmpty)
        try expectGolden(printed.output, listings.appending(path: "types.swift.txt"))
        #expect(try types(["--swift", "-", "--script", Self.script]).output == printed.output)
        #expect(try write() == printed.output)
    }

    @Test("the types of routes, tasks, classes, gates and functions are also in the JSON document")
    func json() throws {
        let process = try CommandProcess(["routes", "--json", Self.script])
        #expect(process.code == 0)
        try expectGolden(try readable(process.output), listings.appending(path: "types.list.json"))
    }

    @Test("the tool of the build plugin prints the warnings of 'check' as a compiler does")
    func toolWarnings() throws {
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Login", "show", { info = {}, build = router.screen "Login" })
            router.register("Home", "show", {
              info = {}, build = router.screen "Home",
              intercept = function()
                return router.navigate("Logn", "show"):result()
              end,
            })
            """
        )
        let tool = builtProduct("RoutesTool").path()
        let process = try CommandProcess(shell: "'\(tool)' '\(folder.path)/main.lua' '\(file)'")
        #expect(process.code == 0)
        #expect(process.output.isEmpty)
        #expect(
            process.errors.hasPrefix(
                "\(folder.path)/main.lua:6:5: warning: no service 'Logn' is registered, did you mean 'Login'?"
            ),
            "\(process.errors)"
        )
        #expect(try types(["--swift", file, "\(folder.path)/main.lua", "--check"]).code == 0)
    }

    @Test("a file that is up to date is not written again")
    func unchanged() throws {
        _ = try write()
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
        let again = try types(["--swift", file, Self.script])
        #expect(again.code == 0)
        #expect(again.errors == "\(file) is unchanged\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.modificationDate] as? Date == old)
    }

    @Test(
        "'--check' passes for an up-to-date file, and otherwise shows the first line that differs"
    )
    func check() throws {
        let text = try write()
        #expect(try types(["--swift", file, Self.script, "--check"]).code == 0)
        let stale = text.replacing(#"["id": id, "title": title]"#, with: #"["id": id]"#)
        try folder.write("Routes.swift", stale)
        let process = try types(["--swift", file, Self.script, "--check"])
        #expect(process.code == 1)
        #expect(process.output.isEmpty)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains(#"["id": id, "title": title]"#) })
        #expect(process.errors.contains("error[C0105]: '\(file)' does not match these scripts"))
        #expect(process.errors.contains("Routes.swift:\(line + 1):"), "\(process.errors)")
        #expect(
            process.errors.contains(
                #"'Self("Product", "show", info: ["id": id, "title": title])' is expected here"#
            )
        )
        #expect(try String(contentsOfFile: file, encoding: .utf8) == stale)
        try folder.write("Routes.swift", text + "// more\n")
        #expect(try types(["--swift", file, Self.script, "--check"]).code == 1)
    }

    @Test("'--check' fails for a missing file, and does not create the file")
    func missing() throws {
        let process = try types(["--swift", file, Self.script, "--check", "--json"])
        #expect(process.code == 1)
        #expect(process.output.contains(#""outcome":"stale""#))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("scripts that do not load leave the generated file unchanged")
    func broken() throws {
        let text = try write()
        try folder.write("broken.lua", "router.register(")
        let process = try types(["--swift", file, "\(folder.path)/broken.lua"])
        #expect(process.code == 3)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test("a file that cannot be written is an error, and no temporary file is left behind")
    func unwritable() throws {
        try folder.write("no", "a file, not a folder")
        let process = try types(["--swift", "\(folder.path)/no/Routes.swift", Self.script])
        #expect(process.code == 74)
        #expect(process.errors.contains("cannot be written"))
        let folderAsFile = try types(["--swift", folder.path, Self.script])
        #expect(folderAsFile.code == 74)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["no"])
    }

    @Test("the missing folders of a file are created, but not by '--check'")
    func missingFolders() throws {
        let path = "\(folder.path)/library/lua/routes.d.lua"
        #expect(try types(["--lua", path, Self.script, "--check"]).code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let process = try types(["--lua", path, Self.script])
        #expect(process.code == 0)
        #expect(process.errors == "\(path) is written\n")
    }

    @Test("symbolic links and the permissions of the file are preserved")
    func links() throws {
        let manager = FileManager.default
        try folder.write("real.swift", "old")
        let path = "\(folder.path)/real.swift"
        try manager.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        try manager.createSymbolicLink(atPath: file, withDestinationPath: "real.swift")
        let text = try write()
        #expect(try manager.destinationOfSymbolicLink(atPath: file) == "real.swift")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        let attributes = try manager.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o664)
    }

    @Test(
        "if the output path is a pipe, the text is written to the pipe, and the pipe is not replaced"
    )
    func pipe() throws {
        #expect(mkfifo(file, 0o600) == 0)
        let descriptor = open(file, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        try folder.write("small.lua", "router.export('a', function() end)")
        #expect(try types(["--swift", file, "\(folder.path)/small.lua"]).code == 0)
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("export a"))
    }

    @Test("'--check' reports why a file cannot be read")
    func unreadable() throws {
        let process = try types(["--swift", folder.path, Self.script, "--check"])
        #expect(process.code == 66)
        #expect(!process.errors.contains("there is no file"), "\(process.errors)")
    }

    @Test("a declaration with 20,000 names is written and checked", .timeLimit(.minutes(10)))
    func large() throws {
        let script = "\(folder.path)/large.lua"
        try folder.write(
            "large.lua",
            """
            local fields, values = {}, {}
            for i = 1, 10000 do fields["f" .. i] = "integer?" values[i] = "+" .. ("-"):rep(i % 3) .. i end
            -- No letter: all get one Swift name and a number.
            for i = 1, 10000 do values[10000 + i] = utf8.char(0x2190 + i % 100, 0x2190 + i // 100) end
            router.class("P", { fields = fields })
            router.register("A", "show", { info = fields, result = values, build = router.screen "P" })
            """
        )
        #expect(try types(["--swift", file, script]).code == 0)
        let process = try CommandProcess(["check", script, "--contract", file])
        #expect(process.code == 0, "\(process.errors)")
    }

    @Test(
        "invalid arguments are usage errors",
        arguments: [
            [script], ["--swift", "-", "--check", script], ["--swift", "-", "--lua", "-", script],
            ["--lua", "same", "--swift", "same", script],
            ["--lua", "-", "--check", script], ["--lua", "-", "--json"],
            ["--swift", "-", "--json", script],
            ["--swift", "-", "--name", "a b", script],
            ["--swift", "-", "--name", "class", script],
            ["--swift", "-", "--access", "open", script],
            ["--swift", "-", "--script", script, script],
        ]
    )
    func usage(_ arguments: [String]) throws {
        #expect(try types(arguments).code == 64)
    }

    // MARK: Lua

    @Test("the generated Lua definitions match the recorded file, and are the same each time")
    func lua() throws {
        let printed = try types(["--lua", "-", Self.script])
        #expect(printed.code == 0)
        #expect(printed.errors.isEmpty)
        try expectGolden(printed.output, listings.appending(path: "types.lua.txt"))
        #expect(try types(["--lua", "-", "--script", Self.script]).output == printed.output)
    }

    @Test(
        "without scripts, the Lua definitions contain only the API, even if scripts are in the same folder"
    )
    func luaAPI() throws {
        try folder.write("main.lua", "router.register(")
        let process = try CommandProcess(
            shell: "cd '\(folder.path)' && \"$LUAROUTE\" types --lua router.d.lua"
        )
        #expect(process.code == 0, "\(process.errors)")
        #expect(
            process.errors == """
                router.d.lua is written
                it describes only the Lua API, because no scripts are named: add them with \
                'luaroute types --lua router.d.lua SCRIPTS', or set 'script' in 'luaroute.json'

                """
        )
        let text = try String(contentsOfFile: "\(folder.path)/router.d.lua", encoding: .utf8)
        #expect(text.hasPrefix("---@meta\n"))
        #expect(text.contains("\nfunction router.navigate(service, task, info, options) end\n"))
        #expect(!text.contains("@overload"))
        let check = try types(["--lua", "\(folder.path)/router.d.lua", "--check", "--json"])
        #expect(check.code == 0)
        #expect(check.output.contains(#""script":null"#))
        #expect(check.output.contains(#""outcome":"unchanged""#))
    }

    @Test("one command writes and compares both files")
    func both() throws {
        let lua = "\(folder.path)/routes.d.lua"
        let arguments = ["--swift", file, "--lua", lua, Self.script]
        let written = try types(arguments)
        #expect(written.code == 0)
        #expect(written.errors == "\(file) is written\n\(lua) is written\n")
        try folder.write("routes.d.lua", "---@meta\r\n")
        let check = try types(arguments + ["--check", "--json"])
        #expect(check.code == 1)
        #expect(check.output.contains(#""language":"lua","file":"\#(lua)","outcome":"stale""#))
        #expect(check.output.contains(#""file":"\#(file)","outcome":"unchanged""#))
        let help = "luaroute types --lua \(lua) \(Self.script)"
        #expect(check.errors.contains(help), "\(check.errors)")
    }

    @Test("no text in a declaration can escape from its string literal")
    func luaText() throws {
        let values = [#""a\"b""#, #""a\nb""#, #""\\""#, #""\0""#, #""\xFF""#, #""ä]]--""#]
        try folder.write(
            "main.lua",
            """
            router.register("A", "a-b.c", {
              info = { ["x-y"] = { \(values.joined(separator: ", ")) }, ["end"] = "[[integer]]?" },
              build = router.screen "A",
            })
            """
        )
        let process = try types(["--lua", "-", "\(folder.path)/main.lua"])
        #expect(process.code == 0, "\(process.errors)")
        let expected = [
            #""a\"b""#, #""a\010b""#, #""\\""#, #""\000""#, #""\255""#, #""ä]]--""#,
        ].joined(separator: "|")
        let line = "{ end?: integer[][], [\"x-y\"]: \(expected) }"
        #expect(process.output.contains(line), "\(process.output)")
    }

    #if os(Linux)
    @Test(
        "Lua can load the generated definitions",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/lua5.4"))
    )
    func luaSyntax() throws {
        for script in ["", Self.script] {
            let process = try CommandProcess(
                shell: "\"$LUAROUTE\" types --lua - \(script) | /usr/bin/lua5.4 -"
            )
            #expect(process.code == 0)
            #expect(process.errors.isEmpty, "\(process.errors)")
        }
    }
    #endif

    // MARK: Contracts

    @Test("with '--contract', 'check' and 'run' report a change that breaks the app")
    func contract() throws {
        _ = try write()
        let same = try CommandProcess(["check", Self.script, "--contract", file])
        #expect(!same.output.contains("L0236") && !same.errors.contains("L0236"))
        try folder.write("CRLF.swift", try write().replacing("\n", with: "\r\n"))
        let crlf = try CommandProcess(
            ["check", Self.script, "--contract", "\(folder.path)/CRLF.swift"]
        )
        #expect(crlf.code == same.code, "\(crlf.errors)")
        let script = try String(
            contentsOf: packageFolder.appending(path: Self.script),
            encoding: .utf8
        )
        let changed = script.replacing(
            #"id = "integer", title = "string?""#,
            with: #"id = "string""#
        )
        try folder.write("main.lua", changed)
        try folder.write("a.scenario", "use main.lua\nscenario \"A\"\n  start\n")
        let check = try CommandProcess(["check", "\(folder.path)/main.lua", "--contract", file])
        #expect(check.code == 1)
        let output = check.output + check.errors
        #expect(
            output.contains(
                #"route 'Product/show' has a different 'info': 'id' is "string", but was "integer"; the app was compiled against \#(file):15"#
            ),
            "\(output)"
        )
        let run = try CommandProcess(["\(folder.path)/a.scenario", "--contract", file])
        #expect(run.code == 3)
        let none = try CommandProcess(["check", Self.script, "--contract", Self.script])
        #expect(none.code == 66)
    }
}
