// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RouteCore
import TestSupport
import Testing

@testable import ScenarioKit

/// What `luaroute explain-error` tells of each code.
struct CodeArticleTests {
    private static let ofScenarios = CodeArticle.all.filter { $0.code.hasPrefix("S") }
    private static let ofErrors = RouteError.Code.allCases.map(\.article)
    /// Where an example has no script of its own.
    private static let script =
        "router.start(function() return router.nav { router.screen \"Main\" } end)"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("every code that stands in the sources has an article, and every code of an error")
    func complete() throws {
        let sources = packageFolder.appending(path: "Sources")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        )
        var codes: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /"([SCL][0-9]{4})"/) { codes.insert(String(match.1)) }
        }
        codes.formUnion(RouteError.Code.allCases.map(\.rawValue))
        #expect(codes.count > 60)
        #expect(codes == Set(CodeArticle.all.map(\.code)))
        #expect(CodeArticle.all.count == codes.count)
    }

    @Test("an article says what it is about, in whole sentences", arguments: CodeArticle.all)
    func sentences(_ article: CodeArticle) {
        #expect(!article.title.isEmpty)
        #expect(!article.title.hasSuffix("."))
        #expect(article.explanation.hasSuffix("."))
        #expect(article.text.hasPrefix("\(article.code): \(article.title)\n\n"))
        #expect(CodeArticle.named(article.code.lowercased()) === article)
    }

    // MARK: Examples

    /// Runs an example, and tells the codes of what was found.
    private func run(_ example: CodeArticle.Example, script: String?) throws -> [String] {
        let steps = try #require(example.steps)
        let isFile = steps.split(separator: "\n").contains {
            $0.hasPrefix("scenario") || $0.hasPrefix("only") || $0.hasPrefix("use ")
        }
        var text = steps
        if !isFile {
            let lines = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
            text = "scenario \"Example\"\n\(lines)"
        }
        if script != nil { text = "use app.lua\n\(text)" }
        try folder.write("app.lua", script ?? Self.script)
        try folder.write("a.scenario", text)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.isUnattended = true
        var output = ""
        let report = command.run(output: { output += $0 }, errors: { output += $0 })
        let found =
            report.diagnostics
            + report.files.flatMap { $0.diagnostics + $0.scenarios.flatMap(\.failures) }
        return found.map(\.code.description)
    }

    @Test(
        "the example of a code of scenarios has it, and the remedy does not",
        arguments: ofScenarios
    )
    func scenarios(_ article: CodeArticle) throws {
        if let example = article.example {
            #expect(try run(example, script: example.script) == [article.code])
        }
        guard let remedy = article.remedy else { return }
        let found = try run(remedy, script: article.example?.script)
        // Those without a script are about the text alone, and are not run.
        #expect(found.filter { !["S0202", "C0101"].contains($0) } == [])
    }

    @Test("the example of an error ends with it, and the remedy does not", arguments: ofErrors)
    func errors(_ article: CodeArticle) throws {
        let example = try #require(article.example)
        let remedy = try #require(article.remedy)
        #expect(example.steps?.contains(article.code) == true)
        #expect(remedy.steps?.contains(article.code) == false)
        #expect(try run(example, script: example.script) == [])
        #expect(try run(remedy, script: remedy.script ?? example.script) == [])
    }

    @Test("the manifests of an example are read, and are not")
    func manifests() throws {
        let article = DiagnosticCode.manifestUnreadable.article
        let (example, remedy) = (article.example?.host, article.remedy?.host)
        #expect(throws: RouteError.self) { try HostManifest(json: Array((example ?? "").utf8)) }
        #expect(throws: Never.self) { try HostManifest(json: Array((remedy ?? "").utf8)) }
    }
}
