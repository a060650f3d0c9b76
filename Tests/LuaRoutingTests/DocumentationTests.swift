// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@Suite(.failureReports)
struct DocumentationTests {

    /// Returns a line without indentation and without the slashes of a comment.
    private static func bare(_ line: Substring) -> String {
        line.trimming { $0 == " " || $0 == "/" }
    }

    /// Returns the Swift examples in a text, each as its lines without indentation.
    private static func examples(in text: String) -> [[String]] {
        var examples: [[String]] = []
        var current: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = bare(line)
            if let lines = current {
                if bare == "```" {
                    examples.append(lines)
                    current = nil
                } else if !bare.isEmpty, !bare.hasPrefix("import ") {
                    current?.append(bare)
                }
            } else if bare == "```swift" {
                current = []
            }
        }
        return examples
    }

    @Test("each Swift example in the documentation also exists as compiled code")
    func examples() throws {
        let listing = try String(
            contentsOf: packageFolder.appending(path: "Tests/Listings/examples.tsv"),
            encoding: .utf8
        )
        let files = listing.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst() }
        let compiled = try files.flatMap { file in
            try String(
                contentsOf: packageFolder.appending(path: "Tests/\(file)"),
                encoding: .utf8
            ).split(separator: "\n").map(Self.bare).filter { !$0.isEmpty }
        }.joined(separator: "\n")
        var paths = [packageFolder.appending(path: "README.md")]
        let sources = FileManager.default.enumerator(
            at: packageFolder.appending(path: "Sources"),
            includingPropertiesForKeys: nil
        )
        for case let url as URL in sources ?? .init()
        where ["swift", "md"].contains(url.pathExtension) { paths.append(url) }
        var count = 0
        for path in paths {
            let text = try String(contentsOf: path, encoding: .utf8)
            // `scripts/test consumer` resolves the manifest of an app.
            for example in Self.examples(in: text)
            where example.first?.hasPrefix("swift-tools-version") == false {
                count += 1
                #expect(
                    compiled.contains("\n" + example.joined(separator: "\n") + "\n"),
                    "\(path.lastPathComponent): \(example.first ?? "")"
                )
            }
        }
        #expect(count >= 3)
    }

    /// An article whose table names a scenario or test for each capability of another router.
    struct Coverage: CustomTestStringConvertible, Sendable {
        let article: String
        let prefix: String
        let rows: ClosedRange<Int>

        var testDescription: String { article }

        static let all = [
            Coverage(article: "AHServiceRouter", prefix: "AH", rows: 1...28),
            Coverage(article: "RouteComposer", prefix: "RC", rows: 1...83),
            Coverage(article: "PromisingRouter", prefix: "PR", rows: 1...22),
            Coverage(article: "RouterService", prefix: "RS", rows: 1...25),
        ]
    }

    /// Returns all scenarios and all Swift tests as one text.
    private static func scenariosAndTests() throws -> String {
        var known = ""
        for folder in ["scripts", "Tests/Scenarios/pass", "Tests/LuaRoutingTests"] {
            let files = FileManager.default.enumerator(
                at: packageFolder.appending(path: folder),
                includingPropertiesForKeys: nil
            )
            for case let url as URL in files ?? .init()
            where ["swift", "scenario"].contains(url.pathExtension) {
                known += try String(contentsOf: url, encoding: .utf8)
            }
        }
        return known
    }

    /// Checks that all scenarios and tests that the tables of an article name exist.
    ///
    /// - Parameters:
    ///   - article: The path of the article, without its extension.
    ///   - minimum: The minimum number of named scenarios and tests.
    /// - Returns: The article.
    /// - Throws: The error of reading a file.
    private static func checkNames(in article: String, minimum: Int = 21) throws -> String {
        let article = try String(
            contentsOf: packageFolder.appending(
                path: "Sources/LuaRouting/Documentation.docc/\(article).md"
            ),
            encoding: .utf8
        )
        let known = try scenariosAndTests()
        let names = article.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .flatMap { row in
                row.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
            .filter { $0.contains(" ") }
        #expect(names.count >= minimum)
        for name in names {
            #expect(
                known.contains("scenario \"\(name)\"") || known.contains("@Test(\"\(name)\"")
                    || known.contains("name: \"\(name)"),
                "\(name)"
            )
        }
        return article
    }

    @Test(
        "each scenario and test named in the comparison exists, and the comparison covers all routers"
    )
    func comparison() throws {
        let article = try Self.checkNames(in: "Comparison")
        #expect(article.matches(of: /\n\*\*Better there:\*\*/).count == 6)
        let rows = article.components(separatedBy: "\n## ").dropFirst(2)
            .flatMap { $0.split(separator: "\n") }
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| point") }
        #expect(rows.count >= 6)
        for row in rows {
            let cells = row.split(separator: "|")
            #expect(cells[1].contains("]("), "without a link: \(row)")
            #expect(cells[2].contains(/"[^"]+ [^"]+"/), "without a test: \(row)")
        }
    }

    @Test(
        "each row of a migration page for another router has an anchor and an existing scenario",
        arguments: ["ReactNavigation", "GoRouter", "VueRouter"]
    )
    func otherRouters(name: String) throws {
        let article = try Self.checkNames(in: "ComingFrom/\(name)", minimum: 15)
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(rows.count >= 15)
        for row in rows {
            #expect(row.split(separator: "|")[0].contains("](https://"), "without a link: \(row)")
            #expect(row.contains(/"[^"]+ [^"]+" \|$/), "without a test: \(row)")
        }
    }

    @Test("each scenario and test named in a table of seeds exists", arguments: Coverage.all)
    func coverage(_ coverage: Coverage) throws {
        let article = try Self.checkNames(in: "ComingFrom/\(coverage.article)")
        for row in coverage.rows {
            #expect(
                article.contains("\n| \(coverage.prefix)-\(row) | "),
                "\(coverage.prefix)-\(row)"
            )
        }
    }

    @Test("the threat model names an existing test suite for each statement")
    func threatModel() throws {
        let promises = try Self.statements(of: "ThreatModel", suites: 20) {
            $0.hasPrefix("Who is trusted") || $0.hasPrefix("What a bundle")
                || $0.hasPrefix("What protects bundles")
        }
        #expect(promises == 4)
    }

    @Test(
        "the article on the App Store names an existing test suite for each statement about a bundle"
    )
    func appStore() throws {
        let promises = try Self.statements(of: "ScriptsInTheAppStore", suites: 6) {
            $0.hasPrefix("What a bundle")
        }
        #expect(promises == 1)
    }

    /// Checks that each statement in some parts of an article names a test suite, and that each suite
    /// exists.
    ///
    /// - Returns: The number of parts.
    private static func statements(
        of name: String,
        suites minimum: Int,
        where isPromise: (String) -> Bool
    ) throws -> Int {
        let article = try String(
            contentsOf: packageFolder.appending(
                path: "Sources/LuaRouting/Documentation.docc/\(name).md"
            ),
            encoding: .utf8
        )
        var suites: Set<String> = []
        let files = FileManager.default.enumerator(
            at: packageFolder.appending(path: "Tests"),
            includingPropertiesForKeys: nil
        )
        for case let url as URL in files ?? .init() where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            for match in text.matches(of: /struct (\w+Tests)\b/) { suites.insert("\(match.1)") }
        }
        let named = Set(article.matches(of: /`(\w+Tests)`/).map { "\($0.1)" })
        #expect(named.count > minimum)
        #expect(named.subtracting(suites).sorted() == [])
        let promises = article.components(separatedBy: "\n## ").filter(isPromise)
        for statement in promises.joined(separator: "\n\n").components(separatedBy: "\n- ")
            .dropFirst()
        {
            #expect(statement.contains(/`\w+Tests`/), "\(statement)")
        }
        return promises.count
    }

    @Test(
        "the completion that the example stores is called once, however the screen is left",
        arguments: [
            ("router.close(router.visible(), { name = 'ann' })", "ann orders tea"),
            ("router.dismiss()", "no order"),
        ]
    )
    func keptCompletion(leave: String, order: String) throws {
        let article = try String(
            contentsOf: packageFolder.appending(
                path: "Sources/LuaRouting/Documentation.docc/ComingFrom/AHServiceRouter.md"
            ),
            encoding: .utf8
        )
        let example = article.components(separatedBy: "```lua\n").dropFirst().first?
            .components(separatedBy: "```").first
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            \(try #require(example))
            router.export("leave", function() \(leave) end)
            """
        )
        try fixture.call("order", ["name": "tea"])
        #expect(fixture.tree == "nav[Home] ^ nav[Login]")
        try fixture.call("leave")
        #expect(fixture.tree == "nav[Home]")
        #expect(fixture.router.state["order"].text == order)
    }

    @Test("the example of the overview behaves as described")
    func overview() throws {
        let (router, navigation) = try DocumentationExamples.overview()
        #expect(router.treeNotation() == "nav[Home, Page(id=7)]")
        #expect(navigation.status.name == "done")
    }
}

extension Substring {
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
        var text = drop(while: isDropped)
        while let last = text.last, isDropped(last) { text.removeLast() }
        return String(text)
    }
}
