// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RouteCore
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of the articles that `luaroute explain-error` prints, and of their examples.
struct CodeArticleTests {
    private static let ofScenarios = CodeArticle.all.filter { $0.code.hasPrefix("S") }
    private static let ofErrors = RouteError.Code.allCases.compactMap {
        CodeArticle.named($0.rawValue)
    }
    /// The script of the examples that have no script of their own.
    private static let script =
        "router.start(function() return router.nav { router.screen \"Main\" } end)"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The files of the folder `Articles`.
    private static let files =
        (try? FileManager.default.contentsOfDirectory(
            at: packageFolder.appending(path: "Sources/ScenarioKit/Articles"),
            includingPropertiesForKeys: nil
        )) ?? []

    @Test(
        "every file in the folder is an article, and is embedded under its error code",
        arguments: files
    )
    func embedded(_ file: URL) throws {
        let bytes = try Array(Data(contentsOf: file))
        let text = String(decoding: bytes, as: UTF8.self)
        func fail(_ line: Int, _ message: String) {
            let path = file.path(percentEncoded: false)
            let location = SourceLocation(
                fileID: "ScenarioKit/\(file.lastPathComponent)",
                filePath: path,
                line: line,
                column: 1
            )
            Issue.record("\(path):\(line): \(message)", sourceLocation: location)
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        where line.count > 100 { fail(index + 1, "the line has more than 100 columns") }
        do throws(CodeArticle.Malformed) {
            let article = try CodeArticle(markdown: text)
            if "\(article.code).md" != file.lastPathComponent {
                fail(1, "'\(article.code)' is not the name of the file")
            }
        } catch {
            fail(error.line, error.message)
        }
        if !CodeArticle.files.contains(bytes) { fail(1, "the file is not in 'CodeArticle.files'") }
    }

    @Test("each article file in the folder is embedded once, and each embedded file is an article")
    func list() {
        #expect(Set(CodeArticle.files).count == CodeArticle.files.count)
        #expect(CodeArticle.files.count == Self.files.count)
        #expect(CodeArticle.all.count == CodeArticle.files.count)
    }

    @Test(
        "every code in the sources is declared once, and every code and error code has an article"
    )
    func complete() throws {
        let sources = packageFolder.appending(path: "Sources")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        )
        var codes: Set<String> = []
        var declared: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /"([SCLB][0-9]{4}|X[0-9]{3})"/) {
                codes.insert(String(match.1))
            }
            declared += text.matches(of: /(?:Code\(|: )"([SCLB][0-9]{4}|X[0-9]{3})"/).map {
                String($0.1)
            }
        }
        #expect(declared.sorted() == codes.sorted())
        codes.formUnion(RouteError.Code.allCases.map(\.rawValue))
        #expect(codes.count > 60)
        #expect(codes == Set(CodeArticle.all.map(\.code)))
        #expect(CodeArticle.all.count == codes.count)
    }

    @Test("an article has a title and complete sentences", arguments: CodeArticle.all)
    func sentences(_ article: CodeArticle) {
        #expect(!article.title.isEmpty)
        #expect(!article.title.hasSuffix("."))
        #expect(article.explanation.hasSuffix("."))
        #expect(article.text.hasPrefix("\(article.code): \(article.title)\n\n"))
        #expect(CodeArticle.named(article.code.lowercased())?.code == article.code)
    }

    // MARK: Examples

    /// Runs an example, and returns the codes of the diagnostics.
    private func run(_ example: CodeArticle.Example, script: String?) throws -> [String] {
        let steps = try #require(example[.scenario])
        let isFile = steps.split(separator: "\n").contains {
            ["scenario", "only", "known", "use "].contains(where: $0.hasPrefix)
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
        let report = command.run(Console { output += $0 })
        let found =
            report.diagnostics
            + report.files.flatMap { $0.diagnostics + $0.scenarios.flatMap(\.failures) }
        return found.map(\.code.description)
    }

    @Test(
        "the example of a scenario code's article causes the error, and the remedy does not",
        arguments: ofScenarios
    )
    func scenarios(_ article: CodeArticle) throws {
        if let example = article.example {
            #expect(try run(example, script: example[.lua]) == [article.code])
        }
        guard let remedy = article.remedy else { return }
        let found = try run(remedy, script: article.example?[.lua])
        // Examples without a script are about the text alone, and are not run.
        #expect(found.filter { !["S0202", "C0101"].contains($0) } == [])
    }

    @Test(
        "a search reports an article's code for the article's example, and nothing for its remedy",
        arguments: CodeArticle.all.filter { $0.code.hasPrefix("X") && $0.example != nil }
    )
    func searches(_ article: CodeArticle) throws {
        let example = try #require(article.example)
        let remedy = try #require(article.remedy)
        for (texts, expected) in [(example, [article.code]), (remedy, [])] {
            try folder.write("app.lua", texts[.lua] ?? "")
            try folder.write("a.scenario", "use app.lua\n\(texts[.scenario] ?? "")")
            let plan = ExplorePlan(["\(folder.path)/a.scenario"], options: RunOptions())
            let report = try #require(plan.explorers.first).explore()
            let found = report.findings.map { "\($0.code)" }
            #expect(found == expected, "\(report.findings.map(\.title))")
        }
    }

    @Test(
        "the example in an error's article ends with this error, and the remedy does not",
        arguments: ofErrors
    )
    func errors(_ article: CodeArticle) throws {
        let example = try #require(article.example)
        let remedy = try #require(article.remedy)
        #expect(example[.scenario]?.contains(article.code) == true)
        #expect(remedy[.scenario]?.contains(article.code) == false)
        #expect(try run(example, script: example[.lua]) == [])
        #expect(try run(remedy, script: remedy[.lua] ?? example[.lua]) == [])
    }

    @Test(
        "the manifest in an article's example is invalid, and the manifest in its remedy is valid"
    )
    func manifests() throws {
        let article = try #require(DiagnosticCode.manifestUnreadable.article)
        let example = try #require(article.example?[.json])
        let remedy = try #require(article.remedy?[.json])
        #expect(throws: RouteError.self) { try HostManifest(json: Array(example.utf8)) }
        #expect(throws: Never.self) { try HostManifest(json: Array(remedy.utf8)) }
    }
}
