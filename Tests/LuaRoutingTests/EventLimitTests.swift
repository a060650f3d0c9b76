// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the maximum size of an app's values in events.
@Suite(.failureReports)
struct EventLimitTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.expects { tasks = { "Host/work" } }
        router.register("Page", "show", function(info) return router.screen("Page", info) end)
        router.routing("/letters/:name")
        """

    private func entries(of value: Value?) -> InfoTable? {
        if case .table(let table) = value { table } else { nil }
    }

    /// Returns the number of bytes of all values in an event.
    private func size(of event: Event) -> Int { InfoTable(list: event.fields.map(\.value)).size }

    @Test("a large value is truncated in every event, and its full length is given")
    func largeValues() throws {
        let fixture = try RouterFixture(Self.script)
        let large = Value(String(repeating: "é", count: 2_500_000))
        fixture.navigate("Page", "show", ["text": large])
        fixture.doTask("Host", "work", ["text": large])
        let list = InfoTable(list: Array(repeating: large, count: 50))
        fixture.doTask("Host", "work", ["list": .table(list)])
        fixture.router.dispatch("/letters/" + String(repeating: "a", count: 5_000))
        fixture.router.cancelLinks()
        for event in fixture.events {
            #expect(size(of: event) <= 5_000, "\(event.kind) has \(size(of: event)) bytes")
        }
        let shown = try #require(fixture.events.first { $0.kind == .shown }?["screen"].text)
        #expect(shown.hasPrefix(#"Page(text="éé"#) && shown.hasSuffix(#"… (5000000 bytes)")"#))
        let infos = fixture.events.filter { $0.kind == .task }.map { entries(of: $0["info"]) }
        let text = try #require(infos[0]?["text"].text)
        #expect(text.hasSuffix("é… (5000000 bytes)") && text.utf8.count < 300)
        let cut = try #require(entries(of: infos[1]?["list"]))
        #expect(cut.list.count < 20 && cut["…"] == Value.integer(Int64(50 - cut.list.count)))
        let links = entries(of: fixture.events.last { $0.kind == .link }?["links"])
        let url = entries(of: links?.list.first)?["url"].text
        #expect(url?.hasSuffix("a… (5009 bytes)") == true)
    }

    @Test("values of up to 256 bytes each and 4 KiB in total are not truncated")
    func smallValues() throws {
        let fixture = try RouterFixture(Self.script)
        let text = Value(String(repeating: "a", count: 256))
        let info: InfoTable = ["text": text, "list": [1, 2, text], "nested": ["a": text]]
        fixture.doTask("Host", "work", info)
        #expect(fixture.events.first { $0.kind == .task }?["info"] == .table(info))
    }

    @Test("a string that is not valid UTF-8 is also truncated")
    func bytes() throws {
        let fixture = try RouterFixture(Self.script)
        let bytes = Value.string(ByteString(bytes: [UInt8](repeating: 0xFF, count: 1_000)))
        fixture.doTask("Host", "work", ["bytes": bytes])
        let info = entries(of: fixture.events.first { $0.kind == .task }?["info"])
        let cut = info?["bytes"].text
        #expect(cut?.hasSuffix("… (1000 bytes)") == true)
    }

    @Test("a large tree is truncated in events for the app, across all its levels")
    func largeTrees() throws {
        let fixture = try RouterFixture(Self.script)
        let field = "text=\"\(String(repeating: "a", count: 12_000))\""
        try fixture.router.setTree(TreeNotation("nav[Main(\(field))] ^ Main(\(field))"))
        fixture.router.restore(fixture.router.snapshot())
        let given = try #require(fixture.events.first { $0["act"] == "given" }?["tree"].text)
        let restore = try #require(fixture.events.first { $0.kind == .restore })
        let trees = try #require(entries(of: restore["trees"]))
        #expect(entries(of: trees.list.first)?["tree"] == Value(given))
        #expect(given.hasPrefix("nav[Main(text=\"aa") && given.contains("\")] ^ Main(text=\"aa"))
        #expect(given.hasSuffix("a...") && given.utf8.count == 16 * 1024 + 3)
    }
}
