// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The file `luaroute.json`, and the command `luaroute init`.
struct ProjectTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ line: String, in subfolder: String = "") throws -> CommandProcess {
        try CommandProcess(shell: "cd '\(folder.path)/\(subfolder)' && $LUAROUTE \(line)")
    }

    private func writeProject() throws {
        try folder.write(
            "luaroute.json",
            """
            {
              "script": "code/main.lua",
              "host": "host.json",
              "paths": ["tests"],
              "tags": ["!slow"], "budget": "instructions=5M"
            }
            """
        )
        try folder.write("host.json", #"{ "schema": "luaroute.host/1", "screens": ["A"] }"#)
        try folder.write(
            "code/main.lua",
            "router.start(function() return router.nav { router.screen 'A' } end)"
        )
        try folder.write(
            "tests/a.scenario",
            "scenario \"a\"\n  start\n  expect top A\nscenario \"b\" @slow\n  start\n"
        )
        try folder.write("other/deep/b.scenario", "scenario \"c\"\n  start\n  expect top B\n")
    }

    @Test(
        "the values in the project file are the defaults of commands in its folder and subfolders"
    )
    func defaults() throws {
        try writeProject()
        #expect(try run("").output.hasSuffix("1 passed, 0 failed\n"))
        let below = try run("run", in: "other/deep")
        #expect(below.output.contains("../../tests/a.scenario:1"))
        #expect(below.output.hasSuffix("1 passed, 0 failed\n"))
        #expect(try run("check", in: "other").output.contains("1 script, 1 scenario file"))
        #expect(try run("routes --plain", in: "other").code == 0)
        #expect(try run("fmt", in: "other").output == "../tests/a.scenario\n")
    }

    /// Commands that create something other than a readable file at the path of the project file,
    /// each with the expected error.
    private static let occupants: [(make: String, reason: String)] = [
        ("mkfifo FILE", "not a regular file"), ("mkdir FILE", "not a regular file"),
        ("ln -s ../outside FILE", "a symbolic link leads out of the folder"),
        ("ln -s /dev/zero FILE", "not a regular file"),
        ("ln -s nothing FILE", "a broken symbolic link"),
        ("ln -s FILE FILE", "too many levels of symbolic links"),
    ]

    @Test(
        "files that the command finds by itself must be in the project folder",
        arguments: occupants,
        [("luaroute.json", "C0107"), ("host.json", "C0104")]
    )
    func found(
        _ occupant: (make: String, reason: String),
        _ file: (name: String, code: String)
    ) throws {
        try folder.write("outside", "secret")
        try folder.write("p/main.lua", "router.start(function() return router.screen 'A' end)")
        let make = occupant.make.replacing("FILE", with: file.name)
        let line = "cd '\(folder.path)/p' && \(make) && $LUAROUTE check"
        let result = try CommandProcess(shell: line)
        #expect(result.code == 66)
        #expect(
            (result.output + result.errors).contains(
                "error[\(file.code)]: cannot read '\(file.name)' (\(occupant.reason))"
            ),
            "\(result.output)\(result.errors)"
        )
    }

    @Test("a file that the command finds may be a symbolic link within the project folder")
    func linked() throws {
        try folder.write("real.json", "{\"paths\": [\"a.scenario\"]}")
        let line = "cd '\(folder.path)' && ln -s real.json luaroute.json"
        let result = try CommandProcess(shell: "\(line) && $LUAROUTE version --verbose")
        #expect(result.output.contains("a.scenario"))
    }

    @Test("the command line and 'use' take precedence over the project file")
    func precedence() throws {
        try writeProject()
        #expect(try run("--tags slow").output.contains("✔ b "))
        let other = try run("other")
        #expect(other.code == 1)
        #expect(other.output.contains("other/deep/b.scenario:1"))
        try folder.write("tests/b.lua", "router.start(function() return router.screen 'A' end)")
        let text = "use b.lua\nscenario \"a\"\n  start\n  expect tree A\n"
        try folder.write("tests/a.scenario", text)
        #expect(try run("").code == 0)
        #expect(try run("--script code").code == 1)
        let host = try run("check --host missing.json")
        #expect(host.code == 66)
    }

    @Test("the command that runs a scenario again has only the options of the command line")
    func rerun() throws {
        try writeProject()
        try folder.write("host.json", #"{ "schema": "luaroute.host/1", "screens": ["A", "B"] }"#)
        let own = try run("other")
        #expect(own.output.contains("rerun   luaroute run other/deep/b.scenario:1\n"), "\(own)")
        let given = try run("other --budget instructions=4M")
        let line = "rerun   luaroute run --budget instructions=4000000 other/deep/b.scenario:1\n"
        #expect(given.output.contains(line), "\(given)")
        try folder.write(
            "code/main.lua",
            """
            router.start(function() return router.nav { router.screen "A" } end)
            router.register("B", "show", function() return router.screen "B" end)
            """
        )
        #expect(try run("explore code --depth 3").code == 1)
        let found = try folder.read("explore/X003-b.scenario")
        #expect(!found.contains("# Run it with"), "\(found)")
    }

    @Test("the contract named by the project file applies to 'check' and to 'run'")
    func contract() throws {
        try writeProject()
        try folder.write("luaroute.json", #"{ "script": "code", "contract": "Routes.swift" }"#)
        try folder.write("Routes.swift", "\"\"\"\nluaroute.contract/1\nroute Show/it {}\n\"\"\"\n")
        for command in ["check code", "run tests"] {
            let process = try run(command)
            #expect(process.code != 0)
            #expect((process.output + process.errors).contains("L0236"), "\(process.output)")
        }
    }

    @Test("'version --verbose' prints each value and its origin")
    func verbose() throws {
        try writeProject()
        let process = try run("version --verbose", in: "code")
        #expect(
            lines(of: process).filter { !$0.hasPrefix("lua-defect ") } == [
                "script ../code/main.lua ../luaroute.json:2",
                "host ../host.json ../luaroute.json:3",
                "contract none default",
                "paths ../tests ../luaroute.json:4",
                "tags !slow ../luaroute.json:5",
                "budget instructions=5M ../luaroute.json:5",
            ]
        )
        let empty = try CommandProcess(["version", "--verbose"], environment: ["NO_COLOR": "1"])
        #expect(lines(of: empty).contains("script . default"))
        #expect(lines(of: empty).last == "NO_COLOR 1 environment")
        let defects = lines(of: empty).filter { $0.hasPrefix("lua-defect ") }
        let isSound = empty.output.contains(/\(Lua 5\.4\.(?:[89]|\d\d)\)/)
        #expect(defects.isEmpty == isSound, "\(empty.output)")
    }

    /// Returns the lines after the line with the version, with one space between columns.
    private func lines(of process: CommandProcess) -> [String] {
        process.output.split(separator: "\n").dropFirst().map {
            $0.split(separator: " ").joined(separator: " ")
        }
    }

    @Test(
        "the error for an invalid project file has the line and the column",
        arguments: [
            (#"{ "scripts": "a" }"#, "unknown key 'scripts', did you mean 'script'?", "1:3"),
            ("{\n  \"paths\": \"a\" }", "bad value of 'paths': a list of paths expected", "2:12"),
            (#"{ "tags": ["a b"] }"#, "bad value of 'tags': tags such as", "1:11"),
            (#"{ "budget": "much" }"#, "bad value of 'budget': limits such as", "1:13"),
            (#"{ "script": "" }"#, "bad value of 'script': a path expected", "1:13"),
            (#"{ "script": "/etc/a.lua" }"#, "bad value of 'script': a path relative to", "1:13"),
            (#"{ "host": "../a" }"#, "bad value of 'host': '../a' is outside of the", "1:11"),
            (#"{ "contract": "../a" }"#, "bad value of 'contract': '../a' is", "1:15"),
            (
                #"{ "paths": ["a", "/"] }"#, "bad value of 'paths': a path relative to the project",
                "1:12"
            ),
            (#"{ "paths": ["a/../.."] }"#, "bad value of 'paths': 'a/../..' is outside", "1:12"),
            (#"{ "script": null }"#, "'luaroute.json' is not a project file", "1:13"),
            (
                #"{ "paths": ["a", null] }"#,
                "'luaroute.json' is not a project file: bad field 'paths[2]'", "1:18"
            ),
            (
                "{\n  \"budget\": 99999999999999999999 }",
                "'luaroute.json' is not a project file: bad field 'budget'", "2:13"
            ),
            (
                #"{ "tags": [1, 1e400] }"#,
                "'luaroute.json' is not a project file: bad field 'tags[2]'", "1:15"
            ),
            ("{\n  \"script\": \"a\",\n}", "'luaroute.json' is not a project file", "3:1"),
            ("", "'luaroute.json' is not a project file: a JSON object expected", "1:1"),
            ("[]", "'luaroute.json' is not a project file: a JSON object expected", "1:1"),
        ]
    )
    func errors(_ text: String, _ message: String, _ location: String) throws {
        try folder.write("luaroute.json", text)
        let process = try run("version --verbose")
        #expect(process.code == 66)
        #expect(process.output.isEmpty)
        #expect(process.errors.contains("error[C0107]: \(message)"), "\(process.errors)")
        #expect(process.errors.contains("--> luaroute.json:\(location)\n"), "\(process.errors)")
    }

    @Test(
        "a folder in place of the project file is an error, and the search stops at the repository root"
    )
    func search() throws {
        try folder.write("luaroute.json/a", "")
        #expect(try run("").code == 66)
        try folder.write("repository/.git/a", "")
        #expect(try run("version --verbose", in: "repository").code == 0)
    }

    @Test(
        "the files of a new project pass 'check', 'fmt' and 'run'",
        arguments: ["app", "tabs", "links"]
    )
    func templates(_ template: String) throws {
        let written = try run("init 'my app' --template \(template)")
        #expect(written.code == 0, "\(written.errors)")
        #expect(written.output.contains("my app/scripts/main.lua\n"))
        #expect(written.errors.contains("cd 'my app' && luaroute"))
        let check = try run("check", in: "my app")
        #expect(check.code == 0 && check.output.hasSuffix(": nothing found\n"), "\(check.output)")
        let passed = try run("", in: "my app")
        #expect(passed.code == 0 && passed.output.hasSuffix(" passed, 0 failed\n"))
        #expect(try run("fmt --check", in: "my app").code == 0)
        let explored = try run("explore", in: "my app")
        #expect(explored.code == 0 && explored.output.contains("complete to depth 5"))
        #expect(!explored.output.contains("?"), "\(explored.output)")
        let version = try #require(run("version").output.split(separator: " ").dropFirst().first)
        let workflow = try folder.read("my app/.github/workflows/luaroute.yml")
        #expect(workflow.contains("LUAROUTE_VERSION: \(version)\n"))
        for path in written.output.split(separator: "\n") where path.hasSuffix("json") {
            let data = try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)"))
            _ = try JSONSerialization.jsonObject(with: data)
        }
    }

    @Test("a file that already exists is reported, and no file is written")
    func existing() throws {
        try folder.write(".luarc.json", "mine")
        try folder.write("scripts/main.lua", "mine")
        let process = try run("init")
        #expect(process.code == 74)
        #expect(process.output.isEmpty)
        #expect(process.errors.contains("'.luarc.json' cannot be written: the file already exists"))
        #expect(
            process.errors.contains("'scripts/main.lua' cannot be written: the file already exists")
        )
        let help =
            "write the files to a new folder with 'luaroute init --template app FOLDER', "
            + "and copy what is missing here"
        #expect(process.errors.components(separatedBy: help).count == 2, "\(process.errors)")
        let editor = try run("init --editor vscode")
        #expect(editor.code == 74)
        #expect(editor.errors.contains("'luaroute init --editor vscode FOLDER'"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == [".luarc.json", "scripts"])
        try folder.write("file", "")
        #expect(try run("init file/below").code == 74)
    }

    @Test(
        "'--editor' writes only the editor files that the article shows",
        arguments: [
            ("vscode", [".vscode"], nil),
            ("neovim", [".nvim.lua", "tree-sitter-luaroute"], ".nvim.lua"),
            ("helix", [".helix", "tree-sitter-luaroute"], ".helix/languages.toml"),
            ("emacs", ["luaroute.el"], "luaroute.el"),
            (
                "sublime", ["luaroute.sublime-project", "luaroute.tmLanguage.json"],
                "luaroute.sublime-project"
            ),
            ("zed", ["luaroute-zed", "tree-sitter-luaroute"], "luaroute-zed/extension.toml"),
        ] as [(String, [String], String?)]
    )
    func editor(name: String, files: [String], shown: String?) throws {
        let process = try run("init --editor \(name)")
        #expect(process.code == 0)
        #expect(process.errors.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ([".luarc.json", "library"] + files).sorted())
        guard let shown else { return }
        let article = packageFolder.appending(
            path: "Sources/LuaRouting/Documentation.docc/Editors.md"
        )
        #expect(try String(contentsOf: article, encoding: .utf8).contains(folder.read(shown)))
    }

    @Test(
        "the VS Code extension contains the files that it references, and matches the tool's output"
    )
    func extensionOfVSCode() throws {
        _ = try run("init --editor vscode")
        let path = ".vscode/extensions/luaroute"
        let json = try JSONSerialization.jsonObject(
            with: Data(folder.read("\(path)/package.json").utf8)
        )
        let package = try #require(json as? [String: Any])
        let contributes = try #require(package["contributes"] as? [String: Any])
        #expect(package["main"] as? String == "./extension.js")
        let script = try folder.read("\(path)/extension.js")
        let dependencies = try #require(package["dependencies"] as? [String: String])
        for name in dependencies.keys { #expect(script.contains("require(\"\(name)")) }
        let matcher = try #require((contributes["problemMatchers"] as? [[String: Any]])?.first)
        let pattern = try #require(matcher["pattern"] as? [String: Any])
        let regex = try Regex(try #require(pattern["regexp"] as? String))
        try folder.write("a.scenario", "nonsense\n")
        let line = try #require(
            try run("run --format short 2>&1").output.split(separator: "\n").first
        )
        #expect(line.wholeMatch(of: regex) != nil, "\(line)")
        let tasks = try folder.read(".vscode/tasks.json")
        #expect(tasks.contains("\"$\(matcher["name"] as? String ?? "")\""))
    }
}
