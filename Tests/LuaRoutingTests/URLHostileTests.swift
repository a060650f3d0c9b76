// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteEngine
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of URLs from untrusted sources, which must not change or block the router.
@Suite(.failureReports)
struct URLHostileTests {
    private static let script = """
        router.class("Page", { fields = { "params" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.links { "podcast", "https://podcasts.example" }
        router.kind("any", function(text) return text end)
        router.kind("short", function(text) return #text < 9 and #text or nil end)
        local function page(name, url)
          router.register("Page", name, {
            url = url,
            build = function(_, nav) return router.screen("Page", { params = nav.params }) end,
          })
        end
        page("show", "/shows/:id(int)/:tab(about|reviews)?")
        page("any", "/any/:text(any)/:more(short)?")
        page("search", "/search?q=:query&page=:page(int)?")
        page("player", "podcast://player/:id")
        page("rest", "https://podcasts.example/rest/*path?")
        page("deep", "/:a/:b/:c/*rest")
        """

    /// Fragments of valid and invalid URLs.
    private static let pieces: [[UInt8]] =
        [
            "podcast://", "https://podcasts.example", "https:", "//", "/", "?", "&", "=", "#", "%",
            "%2F", "%00", "%FF", "%C3%A9", "%c3", "%zz", "shows", "any", "search", "player", "rest",
            "about", "7", "-9223372036854775808", "q=", "page=", "..", ".", "+", " ", "@", ":",
            "\u{0}", "\u{7F}", "é", "\u{2028}", "\u{1F600}", "\n", "\r\n", "\"", "\\", "\u{1B}[31m",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]

    /// The starts of texts: half of the texts start like a URL that a route matches.
    private static let starts =
        [
            "/shows/7/", "/any/x", "/search?q=", "podcast://player/7",
            "https://podcasts.example/rest/",
        ] + Array(repeating: "", count: 5)

    @Test(
        "opening random text completes once, with a screen or an error, and changes nothing else",
        .tags(.sweep),
        .unlessQuick
    )
    func random() throws {
        let fixture = try RouterFixture(Self.script)
        var generator = RandomNumbers(seed: 8)
        var (done, failed) = (0, 0)
        for _ in 0..<3_000 {
            var bytes = Self.starts.randomElement(using: &generator).map { Array($0.utf8) } ?? []
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                bytes += Self.pieces.randomElement(using: &generator) ?? []
            }
            let before = fixture.tree
            let url = Act<ScreenID>.url(ByteString(bytes: bytes))
            let navigation = try fixture.router.perform(url, NavigationOptions())
            #expect(navigation.completions == 1)
            if case .done = navigation.status {
                done += 1
            } else {
                failed += 1
                #expect([.notFound, .badInfo].contains(navigation.error?.code), "\(bytes)")
                #expect(fixture.tree == before)
            }
            fixture.router.popToRoot()
        }
        #expect(fixture.brokenRules.isEmpty)
        #expect(fixture.router.pending.isEmpty)
        #expect(done > 100)
        #expect(failed > 1_000)
    }

    @Test(
        "a URL of 8 KiB is accepted, and a longer URL is rejected",
        arguments: [8192, 8193, 1 << 20]
    )
    func long(_ count: Int) throws {
        let fixture = try RouterFixture(Self.script)
        for start in ["/any/", "/rest/a%2F", "/search?q=", "/search?q=x&", "/any/x?%41=#"] {
            let filler = String(repeating: "a", count: count - start.utf8.count)
            let navigation = fixture.router.open(start + filler)
            if count > 8192 {
                #expect(navigation.error?.code == .notFound)
                #expect(navigation.error?.message.contains("longer than 8192 bytes") == true)
            } else if start != "/rest/a%2F" {
                #expect(navigation.status.name == "done")
            }
            #expect((navigation.error?.message.utf8.count ?? 0) < 1_000)
        }
        let longest = fixture.events.compactMap { $0["url"].text?.utf8.count }.max() ?? 0
        #expect((256..<300).contains(longest))
    }

    @Test("a URL with many segments or keys is parsed quickly", .timeLimit(.minutes(10)))
    func many() throws {
        let fixture = try RouterFixture(Self.script)
        let segments = fixture.router.open(String(repeating: "/a", count: 64))
        #expect(segments.status.name == "done")
        let more = fixture.router.open(String(repeating: "/a", count: 65))
        #expect(more.error?.message.contains("more than 64 segments") == true)
        let keys = fixture.router.open("/search?q=x" + String(repeating: "&a", count: 4_000))
        #expect(keys.status.name == "done")
        #expect(keys.queryItems.count == 4_001)
        let slashes = fixture.router.open(String(repeating: "/", count: 8_192))
        #expect(slashes.error?.code == .notFound)
    }

    @Test("an error message contains no control characters from the URL")
    func messages() throws {
        let fixture = try RouterFixture(Self.script)
        for url in ["/shows/%1B%5B31m%0A", "/\u{1B}[31m\n", "/shows/\u{202E}", "a\n|{}"] {
            let message = try #require(fixture.router.open(url).error?.message)
            #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        }
    }

    @Test("a text with a bar is parsed as a route string, which is an error without a handler")
    func routeString() throws {
        let fixture = try RouterFixture(Self.script)
        let error = fixture.router.open(#"profile|{"id":1}"#).error
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("'profile'") == true)
    }

    @Test("a kind function that never returns fails with 'budget', and the next URL can be opened")
    func loops() throws {
        let fixture = try RouterFixture(
            Self.script + """

                router.kind("loops", function() while true do end end)
                page("loops", "/loops/:x(loops)")
                router.export("open", function(t) return pcall(router.open, t.url) end)
                """
        )
        #expect(fixture.router.open("/loops/x").error?.code == .budget)
        // Within a script, what it spends is that script's.
        #expect(throws: RouteError.self) { try fixture.call("open", ["url": "/loops/x"]) }
        #expect(fixture.router.open("/shows/7").status.name == "done")
        #expect(fixture.router.pending.isEmpty)
    }

    @Test(
        "kind functions are called without side effects, whether the app or a script opens the URL"
    )
    func effects() throws {
        let fixture = try RouterFixture(
            Self.script + """

                local kept
                router.kind("acts", function(text)
                  for name, effect in pairs {
                    navigate = function() router.navigate("Page", "show") end,
                    open = function() router.open("/shows/7") end,
                    doTask = function() router.doTask("Work", "do") end,
                    state = function() router.state.x = 1 end,
                    field = function() kept.params = {} end,
                    register = function() router.register("X", "y", function() end) end,
                    kind = function() router.kind("other", function() end) end,
                    alias = function() router.alias("/a", "/b") end,
                    remove = function() router.remove("Page") end,
                    delay = function() router.delay(1, function() end) end,
                  } do
                    if pcall(effect) then error(name) end
                  end
                  return text
                end)
                page("acts", "/acts/:x(acts)")
                router.registerTask("Work", "do", function()
                  kept = router.screen("Page")
                  return router.open("/acts/y").status
                end)
                """
        )
        #expect(fixture.doTask("Work", "do").value == "done")
        #expect(fixture.router.open("/acts/x").status.name == "done")
        #expect(fixture.tree == #"nav[Main, Page(params={x="y"}), Page(params={x="x"})]"#)
        #expect(fixture.router.state.isEmpty)
    }
}
