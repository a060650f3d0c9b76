// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RouteEngine
import ScenarioKit
import TestSupport
import Testing

/// Tests that compare the annotations of `luaroute types --lua` with the description of the Lua
/// API, and with the scripts of examples and templates.
struct LuaAnnotationTests {
    private static func annotations(_ script: String?) -> LuaAnnotations {
        var text = ""
        let command = TypesCommand(script: script, files: [.lua("-")])
        let code = command.run(
            Console(output: { text += $0.text }, errors: { Issue.record("\($0.text)") }),
            makeFolder: { _ in nil }
        )
        #expect(code == .success)
        return LuaAnnotations(text)
    }

    @Test("each function of the API is annotated with its parameters, and each type is declared")
    func api() {
        let annotations = Self.annotations(nil)
        #expect(annotations.problems.isEmpty)
        var known: Set<String> = []
        for chapter in APIChapter.all where chapter.object != "os" {
            for function in chapter.functions {
                let path = "\(chapter.object).\(function.name)"
                known.insert(path)
                let parameters = annotations.functions[path]?.parameters ?? []
                #expect(
                    parameters.map(\.isOptional) == function.parameters.map(\.isOptional),
                    "\(path)"
                )
                // Keywords have an underscore behind them.
                #expect(
                    zip(parameters, function.parameters).allSatisfy { $0.name.hasPrefix($1.name) },
                    "\(path)"
                )
            }
            for member in chapter.members where member.name.hasPrefix("\(chapter.object).") {
                let name = member.name.dropFirst(chapter.object.count + 1)
                let type = "luaroute.\(chapter.object.capitalized)"
                #expect(annotations.classes[type]?.fields[String(name)] != nil, "\(member.name)")
            }
        }
        #expect(Set(annotations.functions.keys) == known)
    }

    @Test("the annotations list the names that scripts declare and the words of a status")
    func names() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.interceptor("ask", function() end)
            router.action("swap", function() end)
            router.registerTask("Cart", "send", function() return 1 end)
            router.register("Page", "show", { ready = "shop", build = router.screen "Page" })
            router.class("Page", { fields = { "id", title = "string" } })
            """
        )
        let annotations = Self.annotations(folder.path)
        for (alias, name) in [
            ("Service", "Cart"), ("TaskName", "send"), ("TaskName", "show"), ("Class", "Page"),
            ("Gate", "shop"), ("Interceptor", "ask"), ("ActionName", "swap"),
            ("ActionName", "push"),
        ] {
            let names = annotations.aliases["luaroute.\(alias)"] ?? []
            #expect(names.contains("\"\(name)\"") && names.last == "string", "\(alias)")
        }
        let fields = annotations.classes["luaroute.Definition"]?.fields ?? [:]
        #expect(fields["via"]?.contains("luaroute.ActionName") == true)
        #expect(fields["intercept"]?.contains("luaroute.Interceptor") == true)
        #expect(fields["ready"]?.contains("luaroute.Gate") == true)
        let status = ["Navigation", "Task", "Ticket"].map {
            annotations.classes["luaroute.\($0)"]?.fields["status"]
        }
        let words = #""pending"|"done"|"failed"|"cancelled""#
        #expect(status == [#""pending"|"done"|"failed"|"stayed"|"cancelled""#, words, words])
    }

    // MARK: Scripts

    /// The paths of the entries: those of examples, of the scripts next to them, and of templates.
    private static let entries: [String] = {
        let scripts = packageFolder.appending(path: "scripts").path()
        let paths =
            FileManager.default.enumerator(atPath: scripts)?.compactMap { $0 as? String } ?? []
        // 'broken' has scripts that do not parse.
        let entries = paths.filter { $0.hasSuffix("/main.lua") && !$0.contains("/broken/") }
        return entries.sorted().map { "scripts/\($0)" }
            + InitCommand.Template.allCases.map(\.rawValue)
    }()

    @Test(
        "the examples and the templates match the annotations",
        arguments: entries
    )
    func scripts(_ entry: String) throws {
        var folder = packageFolder.appending(path: entry).deletingLastPathComponent().path()
        let made = try TemporaryFolder()
        if let template = InitCommand.Template(rawValue: entry) {
            var command = InitCommand(folder: made.path)
            command.template = template
            var console = Console.silent
            console.save = { text, path in
                FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) ? nil : "no"
            }
            let code = command.run(console) { path in
                try? FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: true
                )
                return nil
            }
            #expect(code == .success)
            folder = "\(made.path)/scripts"
        }
        let annotations = Self.annotations(folder)
        #expect(annotations.problems.isEmpty)
        var count = 0
        for path in try FileManager.default.contentsOfDirectory(atPath: folder)
        where path.hasSuffix(".lua") {
            let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            let script = AnnotatedScript(source, annotations)
            #expect(script.problems.isEmpty, "\(path)")
            count += script.count
        }
        #expect(count > 1)
    }

    @Test(
        "a call that does not match the annotations is found",
        arguments: [
            ("router.nope()", "there is no 'router.nope'"),
            ("local go = router.navigat\ngo('A', 'b')", "there is no 'router.navigat'"),
            ("nav:nope(1)", "there is no 'nav.nope'"),
            ("router.url('Page')", "'router.url' takes 2 to 3 arguments, got 1"),
            (
                "router.ready('a', function() local b, c end)",
                "'router.ready' takes 1 to 1 arguments, got 2"
            ),
            ("router.present { stile = 'sheet' }", "router.present, options: unknown key 'stile'"),
            (
                "router.present { size = { wdth = 1 } }",
                "router.present, options.size: unknown key 'wdth'"
            ),
            ("router.options { policy = 'lates' }", "policy: 'lates' is none of"),
            (
                "router.navigate('Page', 'show', { id = 7, di = 1 })",
                "router.navigate, info: unknown key 'di'"
            ),
            ("router.navigate('Page', 'show', {})", "router.navigate, info: 'id' is missing"),
            (
                "router.class('Page', { fields = { id = 'integer' }, kid = 'nav' })",
                "unknown key 'kid'"
            ),
            ("router.reuse({})", "router.reuse, predicate: a table is none of"),
            ("router.present { style = function() end }", "a function is no string"),
        ]
    )
    func wrong(_ source: String, _ problem: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            "router.register('Page', 'show', { info = { id = 'integer' }, build = router.screen 'Page' })"
        )
        let script = AnnotatedScript(source, Self.annotations(folder.path))
        #expect(script.problems.count == 1)
        #expect(script.problems.first?.contains(problem) == true, "\(script.problems)")
    }
}
