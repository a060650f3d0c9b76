// SPDX-License-Identifier: MIT

import LuaRouting
import RouteCore
import ScenarioKit
import Testing

@testable import ScenarioLanguage

/// Tests of the reference of words that `luaroute doc` and editors show.
struct ReferenceEntryTests {
    @Test(
        "entries are found by name, ignoring case, with or without the object",
        arguments: [
            ("router.register", ["Lua function"]),
            ("REGISTER", ["Lua function", "Lua function"]),
            ("nav:await", ["Lua function"]),
            ("router.state", ["Lua value"]),
            ("nav.info", ["Lua property"]),
            ("expect", ["step of a scenario"]),
            ("user back", ["step of a scenario"]),
            ("tree", ["condition of 'expect' and 'check'"]),
            ("macro", ["block of a scenario file"]),
            ("always", ["line of an 'explore' block"]),
            ("commit", ["event"]),
            ("pushAsRoot", ["action"]),
            ("router.class.guarded", ["key of router.class"]),
            ("l0107", ["code"]),
            ("notFound", ["code"]),
        ] as [(String, [String])]
    )
    func names(_ name: String, _ kinds: [String]) {
        #expect(ReferenceEntry.named(name).map(\.kind) == kinds)
    }

    @Test("every word of the API and of scenario files, every event and every code has an entry")
    func complete() {
        var names = APIChapter.all.flatMap { chapter in
            chapter.functions.map { $0.name(of: chapter.object) } + chapter.members.map(\.name)
        }
        names += Vocabulary.steps.map(\.word) + Vocabulary.conditions.map(\.word)
        names += Vocabulary.blocks.map(\.word) + Vocabulary.structure.map(\.word)
        names += Vocabulary.exploring.map(\.word) + Event.Kind.heard.map(\.rawValue)
        names += CodeArticle.all.map(\.code) + ["intercept", "guarded", "atDialog", "by"]
        #expect(names.count > 300)
        for name in names { #expect(!ReferenceEntry.named(name).isEmpty, "\(name)") }
    }

    @Test("the entry of a key names all functions that take the key")
    func keys() throws {
        let entry = try #require(ReferenceEntry.named("window").first { $0.kind.hasPrefix("key") })
        #expect(entry.kind.contains("router.navigate"))
        #expect(ReferenceEntry.all.allSatisfy { !$0.kind.isEmpty && !$0.name.isEmpty })
    }

    @Test("prose is wrapped at 80 columns, but code is not")
    func width() {
        for entry in ReferenceEntry.all {
            for line in entry.text.split(separator: "\n").dropFirst()
            where !line.hasPrefix("    ") && line.count > 80 {
                #expect(!line.contains(" "), "\(entry.name): \(line)")
            }
        }
    }

    @Test(
        "the plain text and the Markdown of an entry have its signature, description and examples"
    )
    func texts() throws {
        let entry = try #require(ReferenceEntry.named("router.sleep").first)
        for text in [entry.text, entry.markdown] {
            #expect(text.contains("router.sleep(seconds)"))
            #expect(text.contains("Can only be called in a function that may wait."))
            #expect(text.contains("seconds") && text.contains("router.sleep(2)"))
        }
        #expect(entry.markdown.contains("```lua\n"))
        #expect(!entry.text.contains("```"))
    }

    @Test("the entry of a function lists the keys of the table that the function takes")
    func keysOfTable() throws {
        let entry = try #require(ReferenceEntry.named("router.class").first)
        #expect(entry.text.contains("\nkeys of the table:\n  fields: "))
        #expect(entry.text.contains("\n  guarded: "))
    }

    @Test(
        "for an unknown name, a similar name is suggested",
        arguments: [
            ("router.regster", "router.register"), ("regster", "register"), ("expct", "expect"),
            ("l0l07", "L0107"), ("L01O7", "L0107"),
        ]
    )
    func unknown(_ name: String, _ near: String) {
        #expect(ReferenceEntry.named(name).isEmpty)
        #expect(ReferenceEntry.unknown(name).message.contains("did you mean '\(near)'?"))
    }
}
