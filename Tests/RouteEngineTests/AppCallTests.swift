// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

@Suite("App calls in events")
struct AppCallTests {
    static let calls: [AppCall] = [
        .answer(revision: 3, isLate: true, message: nil),
        .answer(revision: 3, isLate: false, message: "no window"),
        .back(window: "main", isHandled: true), .cancel(.task, 2), .cancel(.links, nil),
        .complete(1, Target("Cart", "total"), isFinished: false, info: ["id": 7]),
        .complete(1, Target("Cart", "total"), isFinished: true, info: .nil),
        .dispatch(
            4,
            url: "/a",
            origin: .external,
            timeout: 1.5,
            key: "k",
            isPersistent: true
        ),
        .dispatch(4, url: "/a", origin: .url, timeout: nil, key: nil, isPersistent: false),
        .given(window: "main", tree: "nav[A]"), .ready("session"), .unready("session"),
        .reload(path: "main.lua"), .reload(path: nil),
        .report(["children", "selected"], window: "main", tree: "nav[A]"),
        .report(["children"], window: nil, tree: nil), .set("user", ["id": 7]), .set("user", .nil),
        .shutDown,
    ]

    @Test(
        "a call is unchanged after it is written to an event and read from the event",
        arguments: calls.indices
    )
    func roundTrip(_ index: Int) {
        let call = Self.calls[index]
        let read = AppCall(event([("act", Value(call.word))] + call.fields))
        #expect(read.map { "\($0)" } == "\(call)")
    }

    @Test("each call keyword has a template")
    func templates() {
        #expect(Set(Self.calls.map(\.word)) == Set(AppCall.templates.map(\.word)))
    }

    @Test("an omitted optional field is not written, but a field with the value nil is")
    func absence() {
        let reload = AppCall.reload(path: nil).fields
        #expect(reload.isEmpty)
        let set = AppCall.set("user", .nil).fields
        #expect(set.map(\.name) == ["name", "value"])
    }

    @Test("an unknown keyword or a field of the wrong type is not parsed as a call")
    func damage() {
        #expect(AppCall(event([("act", "fly")])) == nil)
        #expect(AppCall(event([("act", "ready"), ("name", 7)])) == nil)
        #expect(AppCall(event([("act", "dispatch"), ("url", "/a"), ("origin", "moon")])) == nil)
        #expect(Act<Value>(event([("verb", "back"), ("number", "two")])) == nil)
    }

    @Test("the event reference documents each call keyword and each field")
    func reference() {
        let reference = Event.Kind.host.reference
        for call in Self.calls {
            #expect(reference.help.contains("`\(call.word)`"))
            #expect(Set(reference.fields).isSuperset(of: call.fields.map(\.name)))
        }
    }

    private func event(_ fields: [(name: String, value: Value)]) -> Event {
        Event(sequence: 1, time: 0, generation: 1, kind: .host, fields: fields)
    }
}
