// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Untrusted text in the output of all commands: the text must not control a terminal, hide other
/// text, or contain a command for GitHub's workflows.
struct ForeignTextTests {
    /// A text that affects terminals, the display of text, and GitHub's log if it is not escaped.
    private static let hostile = """
        ::error::a\u{1B}[31m\u{9B}2J\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{7F}##[error]<b>&"'
          ::warning::b
        ##[group]c
        \t::add-mask::d\r::debug::e
        """

    /// The hostile text as a string literal of Lua.
    private static let lua = "\"\(hostile.utf8.map { "\\x\(hex($0))" }.joined())\\xFF\""

    /// The hostile text as a string of a scenario.
    private static let notation =
        "\"\(hostile.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined())\""

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }

    private static let script = """
        local text = \(lua)
        router.start(function() return router.nav { router.screen("Main", { title = text }) } end)
        router.class("Page", { fields = { "id", "title" }, offers = { "Page/show" } })
        router.register("Page", "show", {
          url = "/pages/:id", info = { id = "string" }, examples = { { id = text } },
          build = function(info) return router.screen("Page", { id = info.id, title = text }) end,
        })
        router.register("Plain", "show", { url = "/plain", build = router.screen "Plain" })
        router.register("Choice", "show", {
          info = { choice = { text, "b" } }, build = router.screen "Choice",
        })
        router.registerTask("Work", "do", function() return text end)
        router.export("say", function(t) router.log.warn(t.text) print(t.text) error(t.text, 0) end)
        router.export("set", function(t) router.state.text = t.text end)
        router.log.warn(text)
        """

    /// Scripts that contain the hostile text where a name is expected.
    private static let misnamed = [
        "class(text, {})", "registerTask('Work', text, print)", "register(text, 'show', {})",
        "register('A', 'b', { ready = text })", "register('A', 'b', { [text] = 1 })",
        "register('A', 'b', { url = '/' .. text })",
        "register('A', 'b', { info = { [text] = 1 } })",
        "interceptor(text, print)", "export(text, print)", "expects { dependencies = { text } }",
    ]

    private static let scenario = """
        use app.lua
        scenario "a ##[group]name :: of a test"
          start
          note "::error::note ##[error]"
          call set(text=\(notation))
          navigate Page/show(id=\(notation))
          show state
          show tree
          call say(text=\(notation))

        scenario "values that differ"
          start
          navigate Page/show(id="x")
          expect top Page(id=\(notation))
          expect state.text = \(notation)

        scenario "rows <text>"
          start
          call set(text=<text>)
          expect state.text = "x"
          each
            | text                |
            | "::error::##[error]" |
            | \(notation) |

        """

    private static let commands: [(String, reads: String)] = [
        ("run .", ""), ("run . --trace", ""), ("run . --log", ""), ("run . --list", ""),
        ("run . --list --json", ""), ("run . --json", ""), ("run . --coverage", ""),
        ("run . --report junit=-", ""), ("run . --report json=-", ""),
        ("run . --report html=-", ""),
        ("run . --report lcov=-", ""), ("run . --report events=-", ""),
        ("run $HOSTILE", ""), ("run . --filter $HOSTILE", ""), ("run . --tags $HOSTILE", ""),
        ("run . --set $HOSTILE", ""), ("run . --budget $HOSTILE", ""), ("run . --$HOSTILE", ""),
        ("run . --script $HOSTILE", ""), ("run . --report $HOSTILE", ""),
        ("check .", ""), ("check . --json", ""), ("check $HOSTILE", ""),
        ("check bad", ""), ("check bad --json", ""), ("check app.lua --links $HOSTILE", ""),
        ("check app.lua --host $HOSTILE", ""),
        ("routes app.lua", ""), ("routes app.lua --plain", ""), ("routes app.lua --json", ""),
        ("routes app.lua --filter $HOSTILE", ""), ("routes app.lua --diff old.lua", ""),
        ("explain app.lua $HOSTILE", ""), ("explain app.lua $HOSTILE --json", ""),
        ("explain app.lua /pages/$HOSTILE", ""), ("explain app.lua Page/show --given $HOSTILE", ""),
        ("explain app.lua /pages/1 --state $HOSTILE", ""), ("explain app.lua - --json", hostile),
        ("explain app.lua -", hostile), ("explain app.lua /pages/1 --diff old.lua", ""),
        ("graph app.lua", ""), ("graph app.lua --dot", ""), ("graph app.lua --json", ""),
        ("explore app.lua --depth 2 --states 20", ""),
        ("explore app.lua --depth 2 --states 20 --json", ""),
        (
            "repl app.lua",
            "\(hostile)\nnavigate Page/show(id=\(notation))\nrouter.state.x = \(lua)\nrouter.state.x\ntrace\nwhy\nexplain \(hostile)\nundo\nsave $HOSTILE\nshow tree\n"
        ),
        ("types --lua - app.lua", ""), ("types --swift - app.lua", ""),
        ("types --swift $HOSTILE app.lua", ""), ("links --apple ABCDE12345.com.a app.lua", ""),
        ("links --android com.a app.lua", ""), ("links --apple $HOSTILE app.lua", ""),
        ("events $HOSTILE", ""), ("events - ", hostile), ("events events.jsonl", ""),
        ("events events.jsonl --trace", ""), ("events events.jsonl --scenario", ""),
        ("fmt . --check", ""), ("fmt -", scenario), ("fmt - --check", scenario),
        ("fmt $HOSTILE", ""), ("init $HOSTILE", ""), ("explain-error $HOSTILE", ""),
        ("version --verbose", ""), ("$HOSTILE", ""), ("bundle inspect $HOSTILE", ""),
        ("bundle make app.lua --version 1 -o x.lrb --name $HOSTILE", ""),
        ("bundle diff $HOSTILE x", ""), ("bundle verify --public-key $HOSTILE x", ""),
        ("bundle sign --key $HOSTILE x", ""), ("bundle run --$HOSTILE", ""),
    ]

    private static let unsafe: Set<Unicode.Scalar> = Set(
        (Array(0..<0x20) + Array(0x7F..<0xA0) + Array(0x202A...0x202E) + Array(0x2066...0x2069)
            + [0x61C, 0x200E, 0x200F, 0x2028, 0x2029])
            .compactMap(Unicode.Scalar.init)
    ).subtracting(["\n", "\t"])

    /// Returns the reasons why a text affects its reader.
    private static func flaws(of text: String) -> [String] {
        var flaws = Set(text.unicodeScalars).intersection(unsafe)
            .map { "U+\(String($0.value, radix: 16))" }
        for line in text.split(separator: "\n") {
            let start = line.drop { $0.isWhitespace }
            if start.utf8.starts(with: "::".utf8) || line.contains("##[") {
                flaws.append("\(line)")
            }
        }
        return flaws
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("app.lua", Self.script)
        try folder.write("old.lua", Self.script.replacing("\"/plain\"", with: "\"/old\""))
        try folder.write("a.scenario", Self.scenario)
        try folder.write("##[error]::b.scenario", "use app.lua\n::error:: \u{1B}\n")
        try folder.write("luaroute.json", "{}")
        for (number, line) in Self.misnamed.enumerated() {
            let script = "local text = \(Self.lua) router.\(line)"
            try folder.write("bad/\(number).lua", script)
            try folder.write(
                "bad/\(number).scenario",
                "use \(number).lua\nscenario \"a\"\n  start\n"
            )
        }
        return folder
    }

    private func run(_ line: String, _ input: String, in folder: TemporaryFolder) throws
        -> CommandProcess
    {
        try folder.write("input", input)
        return try CommandProcess(
            shell:
                "cd '\(folder.path)' && \"$LUAROUTE\" \(line.replacing("$HOSTILE", with: "\"$HOSTILE\"").replacing("--\"$HOSTILE\"", with: "\"--$HOSTILE\"")) < input",
            environment: ["HOSTILE": Self.hostile]
        )
    }

    @Test(
        "no text from scripts, scenarios, files or options can control the terminal or CI that shows it",
        arguments: commands.indices
    )
    func outputs(_ index: Int) throws {
        let (line, input) = Self.commands[index]
        let folder = try folder()
        if line.contains("events.jsonl") {
            let recorded = try run("run a.scenario --events events.jsonl", "", in: folder)
            #expect(recorded.code == 1)
        }
        let process = try run(line, input, in: folder)
        #expect(!(process.output + process.errors).isEmpty, "\(line)")
        #expect(Self.flaws(of: process.output) == [], "\(line)")
        #expect(Self.flaws(of: process.errors) == [], "\(line)")
        if line.contains("json"), process.output.hasPrefix("{\"schema\"") {
            for document in process.output.split(separator: "\n") {
                #expect(throws: Never.self) {
                    try JSONSerialization.jsonObject(with: Data(document.utf8))
                }
            }
        }
        #expect(process.code < 70, "\(line): \(process.code)")
    }

    @Test("the only commands in a GitHub log are annotations, one for each problem")
    func annotations() throws {
        let process = try run("run . --report github", "", in: try folder())
        let commands = process.output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(commands.count > 3)
        #expect(commands.allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") })
        let rest = process.output.split(separator: "\n").filter { !$0.hasPrefix("::") }
        #expect(Self.flaws(of: rest.joined(separator: "\n")) == [])
        for command in commands { #expect(Self.flaws(of: "x\(command)") == [], "\(command)") }
    }

    @Test("on a terminal, colour codes are the only control characters")
    func colors() throws {
        let folder = try folder()
        let process = try CommandProcess(
            shell: "cd '\(folder.path)' && \"$LUAROUTE\" run . --color always",
            environment: [:]
        )
        var text = process.output + process.errors
        #expect(text.contains("\u{1B}[31m✘\u{1B}[0m"))
        for code in ["0", "1", "31", "32", "33"] {
            text = text.replacing("\u{1B}[\(code)m", with: "")
        }
        #expect(Self.flaws(of: text) == [])
    }
}
