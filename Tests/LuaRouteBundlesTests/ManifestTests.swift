// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import Testing

@Suite struct ManifestTests {
    private let sample = Sample()

    /// A change of a manifest's text that is then signed with the right key, and the expected
    /// refusal.
    struct Case: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let reason: BundleRefusal.Reason
        let message: String

        var testDescription: String { "\(old) → \(new)" }

        init(_ old: String, _ new: String, _ reason: BundleRefusal.Reason, _ message: String) {
            (self.old, self.new, self.reason, self.message) = (old, new, reason, message)
        }
    }

    static let pathRule =
        "the path of a file is invalid (a relative path of at most 255 bytes, without the parts "
        + "'.' and '..', '\\' or control characters expected, got "

    static let collision =
        "two paths differ only in letter case or Unicode normalization (paths that do not collide "
        + "on any file system expected, got "

    @Test(
        "a signed but invalid manifest is rejected",
        arguments: [
            Case(
                "bundle/1",
                "bundle/2",
                .manifest,
                "the field 'schema' is invalid ('luaroute.bundle/1' expected, got 'luaroute.bundle/2')"
            ),
            Case(
                "\"version\":42",
                "\"version\":0",
                .manifest,
                "the field 'version' is invalid (an integer from 1 to 9007199254740991 expected, got 0)"
            ),
            Case(
                "\"version\":42",
                "\"version\":\"42\"",
                .manifest,
                "the field 'version' is invalid (an integer expected, got string)"
            ),
            Case(
                "\"version\":42,",
                "",
                .manifest,
                "the field 'version' is invalid (an integer expected, got nothing)"
            ),
            Case(
                "\"podcast\"",
                "\"\"",
                .manifest,
                "the field 'name' is invalid (1 to 64 ASCII letters, digits, '.', '_' or '-' "
                    + "expected, got '')"
            ),
            Case(
                "\"api\":1",
                "\"api\":0",
                .manifest,
                "the field 'api' is invalid (an integer of 1 or more expected, got 0)"
            ),
            Case(
                "\"notAfter\":2000000000",
                "\"notAfter\":-1",
                .manifest,
                "the field 'notAfter' is invalid (seconds since 1970 up to the year 9999 "
                    + "expected, got -1)"
            ),
            Case(
                "\"entry\":\"main.lua\"",
                "\"entry\":\"start.lua\"",
                .manifest,
                "the field 'entry' is invalid (a file of the bundle expected, got 'start.lua')"
            ),
            Case(
                "[\"smoke.scenario\"]",
                "[\"other.scenario\"]",
                .manifest,
                "the field 'canary' is invalid (a file of the bundle expected, got "
                    + "'other.scenario')"
            ),
            Case(
                "[\"smoke.scenario\"]",
                "[1]",
                .manifest,
                "the field 'canary' is invalid (a list of names expected, got table)"
            ),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"../p.lua\"",
                .path,
                pathRule + "'../p.lua')"
            ),
            Case("\"path\":\"pages.lua\"", "\"path\":\"/p.lua\"", .path, pathRule + "'/p.lua')"),
            Case("\"path\":\"pages.lua\"", "\"path\":\"p/./q\"", .path, pathRule + "'p/./q')"),
            Case("\"path\":\"pages.lua\"", "\"path\":\"p//q\"", .path, pathRule + "'p//q')"),
            Case("\"path\":\"pages.lua\"", "\"path\":\"p\\\\q\"", .path, pathRule + "'p\\q')"),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"p\\u0000q\"",
                .path,
                pathRule + "'p\\u{0}q')"
            ),
            Case("\"path\":\"pages.lua\"", "\"path\":\"\"", .path, pathRule + "'')"),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"main.lua\"",
                .path,
                "the paths are not sorted (a path after 'main.lua' expected, got 'main.lua')"
            ),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"a.lua\"",
                .path,
                "the paths are not sorted (a path after 'main.lua' expected, got 'a.lua')"
            ),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"../\u{301}p.lua\"",
                .path,
                pathRule + "'../\u{301}p.lua')"
            ),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"p/\u{301}p.lua\"",
                .path,
                pathRule + "'p/\u{301}p.lua')"
            ),
            Case(
                "\"path\":\"main.lua\"",
                "\"path\":\"Pages.lua\"",
                .path,
                collision + "'Pages.lua' and 'pages.lua')"
            ),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"ma\u{131}n.lua\"",
                .path,
                collision + "'main.lua' and 'ma\u{131}n.lua')"
            ),
            Case("\"path\":\"pages.lua\"", "\"path\":\"ma\u{200C}in.lua\"", .path, ""),
            Case(
                "\"path\":\"pages.lua\"",
                "\"path\":\"main.lua/p.lua\"",
                .path,
                "a file and a folder have the same path (paths that do not collide on any file "
                    + "system expected, got 'main.lua' and 'main.lua/p.lua')"
            ),
            Case(
                "\"size\":16",
                "\"size\":9223372036854775807",
                .tooLarge,
                "the file 'main.lua' is too large (at most 262144 bytes expected, got 9223372036854775807)"
            ),
            Case(
                "\"size\":16",
                "\"size\":-1",
                .tooLarge,
                "the file 'main.lua' is too large (at most 262144 bytes expected, got -1)"
            ),
            Case(
                "\"size\":16",
                "\"size\":17",
                .digest,
                "the length of the files differs from the manifest (128 bytes expected, got 127)"
            ),
            Case("{\"schema\"", "[{\"schema\"", .manifest, ""),
            Case("\"version\":42", "\"version\":42,\"version\":42", .manifest, ""),
            Case("\"version\":42", "\"version\": 42", .manifest, ""),
            Case("\"version\":42", "\"version\":42,\"more\":1", .manifest, ""),
            Case("\"version\":42", "\"version\":4.2e1", .manifest, ""),
            Case("[\"push\",\"screens:Main\"]", "[\"screens:Main\",\"push\"]", .manifest, ""),
        ]
    )
    func invalid(_ change: Case) throws {
        let unsigned = try sample.signed { text in
            #expect(text.contains(change.old))
            return text.replacing(change.old, with: change.new, maxReplacements: 1)
        }
        let archive = try BundleArchive(unsigned)
        let refusal = #expect(throws: BundleRefusal.self) { try archive.unverified() }
        #expect(refusal?.reason == change.reason)
        if !change.message.isEmpty { #expect(refusal?.description == change.message) }
        #expect(throws: BundleRefusal.self) { try archive.signed(by: sample.key) }
    }

    @Test("a signed manifest with two spellings of the same path is rejected")
    func spellings() throws {
        let bytes = try sample.signed { text in
            text.replacing("main.lua", with: "e\u{301}.lua").replacing(
                "pages.lua",
                with: "\u{E9}.lua"
            )
        }
        #expect(throws: BundleRefusal.self) {
            try VerifiedBundle(bytes, keys: [sample.key.publicKey])
        }
        let refusal = #expect(throws: BundleRefusal.self) { try BundleArchive(bytes).unverified() }
        #expect(refusal?.reason == .path)
    }

    @Test(
        "a bundle can be staged until its last valid second, if it is newer than the current version"
    )
    func staging() throws {
        let bundle = try sample.verify(sample.signed)
        try bundle.checkStaging(at: 2_000_000_000, over: 41)
        try bundle.checkStaging(at: 0, over: 43, isPinned: true)
        let late = #expect(throws: BundleRefusal.self) {
            try bundle.checkStaging(at: 2_000_000_001)
        }
        #expect(
            late?.description
                == "the bundle has expired (a time no later than 2033-05-18T03:33:20Z expected, got 2033-05-18T03:33:21Z)"
        )
        for version in [42, 43] {
            let stale = #expect(throws: BundleRefusal.self) {
                try bundle.checkStaging(at: 0, over: version)
            }
            #expect(stale?.reason == .stale)
        }
    }

    @Test("a bundle of another API level is verified but not staged")
    func level() throws {
        var manifest = try sample.manifest
        manifest.api = 2
        let archive = try BundleArchive(manifest, files: sample.files).signed(by: sample.key)
        let bundle = try sample.verify(archive.bytes)
        let refusal = #expect(throws: BundleRefusal.self) { try bundle.checkStaging(at: 0) }
        #expect(refusal?.reason == .api)
        #expect(refusal?.expected == "at most 1")
        #expect(refusal?.got == "2")
    }

    @Test("a bundle has exactly the capabilities that its manifest requests")
    func rights() throws {
        let none = BundleCapabilities().rights
        #expect(none.screens == [])
        #expect(none.tasks == [])
        #expect(none.urls == [])
        #expect(none.tree == [])
        #expect(none.windows == 1)
        #expect(!none.leaving)
        #expect(!none.interceptAll)
        #expect(none.timers.count == 0)
        let words = [
            "force", "interceptAll", "leaving", "push", "screens:Main", "screens:Web",
            "tasks:Player/play", "timeout:60.0", "timers", "urls:podcast", "windows",
        ]
        #expect(words.allSatisfy(BundleCapabilities.isWord))
        let some = BundleCapabilities(words.reversed())
        #expect(some.words == words)
        #expect(some.rights.screens == ["Main", "Web"])
        #expect(some.rights.tasks == [Target("Player", "play")])
        #expect(some.rights.urls == [try URLOrigin("podcast")])
        #expect(some.rights.tree == [.push, .force])
        #expect(some.rights.windows == nil)
        #expect(some.rights.timeout == 60)
        #expect(some.rights.timers.count == nil)
        #expect(some.missing(in: words.filter { !$0.hasPrefix("timeout") }) == ["timeout:60.0"])
        #expect(some.missing(in: words + ["timeout:59"]).isEmpty)
        #expect(BundleCapabilities(["timeout:20"]).missing(in: words).isEmpty)
        #expect(BundleCapabilities(["timeout:70"]).missing(in: words) == ["timeout:70"])
        #expect(BundleCapabilities(["urls:any"]).rights.urls == nil)
        #expect(some.missing(in: ["screens", "push", "tasks:Player/stop"]).count == 8)
    }

    @Test(
        "an unknown capability is rejected",
        arguments: [
            "", "screen:Main", "screens", "screens:", "tasks:Player", "timeout:0", "push:x",
        ]
    )
    func noWords(_ word: String) { #expect(!BundleCapabilities.isWord(word)) }

    @Test(
        "times are written and read in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ]
    )
    func times(_ seconds: Int, _ text: String) {
        #expect(BundleTime.text(seconds) == text)
        #expect(BundleTime.seconds(text) == seconds)
        let day = String(text.prefix(10))
        #expect(BundleTime.seconds(day) == seconds / 86_400 * 86_400)
        #expect(BundleTime.seconds(day, endsDay: true) == seconds / 86_400 * 86_400 + 86_399)
    }

    @Test(
        "a text that is not a time is rejected",
        arguments: [
            "", "2026", "2026-02-29", "2026-13-01", "2026-00-01", "1969-12-31", "2026-1-1",
            "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "2026-01-01T0:00:000Z", "+026-01-01",
            "2026-01-01Z", "99999-01-01",
        ]
    )
    func noTimes(_ text: String) { #expect(BundleTime.seconds(text) == nil) }

    @Test("only the complete text of a key of the expected kind is accepted as a key")
    func keyTexts() {
        let key = sample.key
        #expect(BundlePrivateKey(key.secretText + "\n")?.publicKey == key.publicKey)
        #expect(BundlePublicKey("\(key.publicKey)\r\n") == key.publicKey)
        for text in ["", key.secretText, "\(key.publicKey)0", "\(key.publicKey) x"] {
            #expect(BundlePublicKey(text) == nil)
        }
        #expect(BundlePrivateKey(key.publicKey.description) == nil)
        #expect(BundlePublicKey(String(key.publicKey.description.dropLast())) == nil)
    }
}
#endif
