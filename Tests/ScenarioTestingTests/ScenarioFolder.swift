// SPDX-License-Identifier: MIT

import Foundation
import ScenarioTesting
import SystemGaps
import Testing

/// Tests in this package also see another type with the name `Scenario`, which apps do not see.
typealias Scenario = ScenarioTesting.Scenario

/// A temporary folder with scripts and scenario files, and the issues that the scenarios record.
final class ScenarioFolder: Sendable {
    static let script = """
        router.class("Page", { fields = { "id" } })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "open", { info = { id = "integer" }, build = router.screen "Page" })
        router.register("Slow", "open", function()
          router.doTask("App", "work")
          return router.screen "Page"
        end)
        router.expects { tasks = { "App/work" } }
        router.export("later", function()
          router.delay(1, function() router.navigate("Page", "open", { id = 1 }) end)
          router.delay(2, function() router.navigate("Page", "open", { id = 2 }) end)
        end)
        router.export("alone", function() router.navigate("Nowhere", "show") end)
        """

    let url: URL

    init(_ files: [String: String]) throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "scenario-testing-\(UUID().uuidString)")
        for (name, text) in files.merging(
            ["app.lua": Self.script],
            uniquingKeysWith: { own, _ in own }
        ) {
            let file = url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file as it appears in issues.
    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}

/// An issue, with the values that tests read.
struct RecordedIssue: Sendable {
    let file: String
    let line: Int
    let column: Int
    let text: String
    let isWarning: Bool

    /// The first line of the text.
    var title: String { String(text.prefix { $0 != "\n" }) }
}

/// Returns the issues that a function records, in order.
func issues(
    _ body: () async throws -> Void,
    isolation: isolated (any Actor)? = #isolation
) async rethrows -> [RecordedIssue] {
    let found = Lock<[RecordedIssue]>([])
    try await withKnownIssue(isIntermittent: true) {
        try await body()
    } matching: { issue in
        guard let location = issue.sourceLocation else { return false }
        let recorded = RecordedIssue(
            file: location.filePath,
            line: location.line,
            column: location.column,
            text: issue.comments.map(\.rawValue).joined(separator: "\n"),
            isWarning: issue.severity == .warning
        )
        found.withLock { $0.append(recorded) }
        return true
    }
    return found.withLock { $0 }
}
