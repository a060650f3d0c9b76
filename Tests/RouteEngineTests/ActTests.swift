// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

@Suite("Acts in events")
struct ActTests {
    static let acts: [Act<Value>] = [
        .route(Target("Page", "show"), info: ["id": 7]), .route(Target("Page", "show"), info: .nil),
        .url(ByteString("app://pages/7")), .start(info: ["id": 7]), .start(info: .nil), .back(1),
        .back(3),
        .pop(to: "Page(id=7)"), .popToRoot, .dismiss, .dismissAll, .close("Page", value: ["id": 7]),
        .close("#9", value: .nil), .select("Page"), .selectTab(2),
        .replace("Page", with: "nav[Page, Page]", value: .boolean(true)),
        .replace("Page", with: "Page", value: .nil), .openWindow("second", "nav[Page]"),
        .closeWindow("second"), .unready("session"), .restore(Snapshot()), .vanish(.nil),
    ]

    @Test(
        "an act is unchanged after it is written to an event and read from the event",
        arguments: acts.indices
    )
    func roundTrip(_ index: Int) {
        let act = Self.acts[index]
        var fields = act.fields
        switch act {
        case .route(let target, _):
            fields += [("service", Value(target.service)), ("task", Value(target.task))]
        case .url(let text): fields.append(("url", .string(text)))
        default: fields.append(("verb", Value(act.word)))
        }
        #expect(Act<Value>(event(fields)).map { "\($0)" } == "\(act)")
    }

    @Test("each act that has a verb has a template for reading its event")
    func templates() {
        let verbs = Self.acts.filter { act in
            switch act {
            case .route, .url: false
            // Add an act to the list of this suite when the compiler asks for its case here.
            case .start, .back, .pop, .popToRoot, .dismiss, .dismissAll, .close, .select,
                .selectTab,
                .replace, .openWindow, .closeWindow, .unready, .restore, .vanish:
                true
            }
        }
        #expect(Set(verbs.map(\.word)) == Set(Act<Value>.templates.map(\.word)))
    }

    @Test("an unknown verb is not an act")
    func unknownVerb() {
        #expect(Act<Value>(event([("verb", "fly")])) == nil)
        #expect(Act<Value>(event([("verb", "navigate")])) == nil)
    }

    private func event(_ fields: [(name: String, value: Value)]) -> Event {
        Event(sequence: 1, time: 0, generation: 1, kind: .navigate, fields: fields)
    }
}
