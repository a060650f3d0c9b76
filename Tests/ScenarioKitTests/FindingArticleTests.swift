// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of the examples in the articles about findings.
@Suite(.failureReports)
struct FindingArticleTests {
    private static func codes(where isIncluded: (Finding.Code, CodeArticle.Example) -> Bool)
        -> [Finding.Code]
    {
        Finding.Code.all.filter { code in
            // A code without an example is in both lists, and fails there.
            guard let example = DiagnosticCode(code).article?.example else { return true }
            return isIncluded(code, example)
        }
    }

    static let mistakes = codes { $0.severity == .error && $1[.json] == nil }
    static let others = codes { $0.severity == .warning || $1[.json] != nil }

    /// Loads the script of an example.
    private func router(_ script: String, contract: String? = nil) throws(RouteError) -> Router {
        // A loaded machine does not exceed this duration.
        let budget = Budget(duration: .seconds(60))
        var configuration = Router.Configuration(now: 0, budget: budget, loadBudget: budget)
        configuration.contract = contract.map { RouterContract($0) }
        return try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: HeadlessHost(),
            configuration: configuration
        )
    }

    @Test(
        "the example in a mistake's article has exactly this mistake, and its remedy has none",
        arguments: mistakes
    )
    func rejected(_ code: Finding.Code) throws {
        let article = try #require(DiagnosticCode(code).article)
        let example = try #require(article.example)
        func found(_ script: String?) throws -> [Finding] {
            let script = try #require(script)
            do throws(RouteError) {
                _ = try router(script, contract: example[.contract])
                return []
            } catch {
                return error.findings
            }
        }
        #expect(try found(example[.lua]).map(\.code) == [code])
        #expect(try found(article.remedy?[.lua]).map(\.description) == [])
    }

    @Test(
        "the example in a finding's article has exactly that finding, and its remedy has none",
        arguments: others
    )
    func checked(_ code: Finding.Code) throws {
        let article = try #require(DiagnosticCode(code).article)
        let example = try #require(article.example)
        func found(_ script: String?) throws -> [Finding] {
            let host = try example[.json].map { try HostManifest(json: Array($0.utf8)) }
            return try router(#require(script)).check(manifest: host)
        }
        #expect(try found(example[.lua]).map(\.code) == [code])
        #expect(try found(article.remedy?[.lua]).map(\.description) == [])
    }

    @Test("the codes are in order and unique, and each has its own article")
    func complete() {
        let codes = Finding.Code.all.map(\.description)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        #expect(CodeArticle.all.map(\.code).filter { $0.hasPrefix("L") } == codes)
    }
}
