// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LuaRouting

/// Tests that each operation of scripts has a Swift counterpart, or a reason why it is only for
/// scripts.
struct ParityInternalsTests {
    private enum Answer {
        /// The name of a public function or property.
        case swift(String)
        /// The reason why there is no Swift counterpart.
        case scriptsOnly(String)
    }

    private static let declares = Answer.scriptsOnly("declares what the scripts decide")
    private static let part = Answer.scriptsOnly("makes a part of a declaration")
    private static let verdict = Answer.scriptsOnly("ends an interceptor")

    private static let answers: [String: Answer] = [
        "register": declares, "group": declares, "registerTask": declares, "remove": declares,
        "fallback": declares,
        "api": declares, "options": declares, "expects": declares, "class": declares,
        "interceptor": declares, "interceptAll": declares, "updateAll": declares,
        "afterAll": declares, "export": declares,
        "provide": declares, "handle": declares, "links": declares, "kind": declares,
        "alias": declares, "rewrite": declares, "routing": declares, "migrate": declares,
        "complete": declares,
        "onBack": declares, "activated": declares,
        "link": part, "newNav": part, "newTabs": part, "newSplit": part, "switch": part,
        "presenting": part, "present": part, "addTab": part, "action": part, "reuse": part,
        "stop": verdict, "stay": verdict, "redirect": verdict,
        "delay": .scriptsOnly("the host has timers of its own"),
        "sleep": .scriptsOnly("the host has timers of its own"),
        "dependency": .scriptsOnly("the scripts' own values, which their routes share"),
        "navigate": .swift("navigate"), "doTask": .swift("doTask"), "back": .swift("back"),
        "dismiss": .swift("dismiss"), "popTo": .swift("pop"), "popToRoot": .swift("popToRoot"),
        "dismissAll": .swift("dismissAll"), "close": .swift("close"), "replace": .swift("replace"),
        "select": .swift("select"), "openWindow": .swift("openWindow"),
        "closeWindow": .swift("closeWindow"), "snapshot": .swift("snapshot"),
        "restore": .swift("restore"), "open": .swift("open"), "url": .swift("url"),
        "dispatch": .swift("dispatch"), "cancelLinks": .swift("cancelLinks"),
        "ready": .swift("ready"), "unready": .swift("unready"), "screen": .swift("screen"),
        "nav": .swift("nav"), "tabs": .swift("tabs"), "split": .swift("split"),
        "container": .swift("container"), "start": .swift("start"), "now": .swift("now"),
        "on": .swift("onEvent"), "explain": .swift("explain"),
        "explainUnready": .swift("explain"), "services": .swift("services"),
        "root": .swift("tree"), "topmost": .swift("tree"), "visible": .swift("tree"),
        "find": .swift("tree"), "windows": .swift("tree"),
    ]

    @Test(
        "each script function has a Swift equivalent, or is listed as a function only for scripts"
    )
    func functions() throws {
        var sources = ""
        let files = FileManager.default.enumerator(
            at: packageFolder.appending(path: "Sources/LuaRouting"),
            includingPropertiesForKeys: nil
        )
        for case let url as URL in files ?? .init() where url.pathExtension == "swift" {
            sources += try String(contentsOf: url, encoding: .utf8)
        }
        for function in APIFunction.all {
            switch Self.answers[function.name] {
            case .scriptsOnly: break
            case .swift(let name):
                let property = try Regex("public (internal\\(set\\) )?var \(name)\\b")
                let isThere =
                    sources.contains("public func \(name)(") || sources.contains(property)
                #expect(
                    isThere,
                    "'\(name)', for 'router.\(function.name)', is not a public call"
                )
            case nil: Issue.record("'router.\(function.name)' has no answer")
            }
        }
        let known = Set(APIFunction.all.map(\.name))
        #expect(Self.answers.keys.filter { !known.contains($0) }.sorted() == [])
    }

    @Test("each function of navigations, tasks and tickets in scripts has a Swift equivalent")
    func handles() {
        // await: the async verbs; result: result(of:); cancel: cancel(_:).
        #expect(APIFunction.navigation.map(\.name) == ["await", "result", "cancel"])
        #expect(APIFunction.task.map(\.name) == ["await", "cancel"])
        #expect(APIFunction.ticket.map(\.name) == ["cancel"])
    }
}
