// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

@testable import ScenarioKit

/// Tests of recordings with many events that depend on one another.
///
/// If the work grew with the square of their number, the tests would not end.
struct LargeRecordingTests {
    private static let header = #"{"schema":"luaroute.events/1"}"# + "\n"

    private static func event(_ sequence: Int, _ fields: String) -> String {
        #"{"seq":\#(sequence),"time":1767225600,"generation":1,\#(fields)}"# + "\n"
    }

    private func recordings(_ text: String) throws -> [EventRecording] {
        try EventFile(SourceText(name: "F", content: Array(text.utf8))).recordings
    }

    /// Returns the lines of the scenario, without indentation.
    private func steps(_ events: [String]) throws -> [String] {
        let text = Self.header + events.enumerated().map { Self.event($0 + 1, $1) }.joined()
        return try EventScenario().file(for: try recordings(text)).split(separator: "\n")
            .drop { !$0.hasPrefix("scenario ") }.dropFirst()
            .map { String($0.drop { $0 == " " }) }
    }

    private func navigate(_ number: Int) -> String {
        #""kind":"navigate","navigation":\#(number),"origin":"host","service":"A","task":"b""#
    }

    @Test("navigations that start one another are indented by at most sixteen levels")
    func chain() throws {
        let events = (1...2_000).map { Self.event($0, navigate($0) + ",\"parent\":\($0 - 1)") }
        let writer = EventListWriter(isTrace: true)
        let text = writer.text(of: try recordings(Self.header + events.joined())[0]).text
        #expect(text.utf8.count < 2_000 * 100)
        let depths = text.split(separator: "\n").map { ($0.prefix { $0 == " " }.count - 6) / 2 }
        #expect(
            depths.prefix(20) == [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16,
            ]
        )
        #expect(depths.max() == 16)
    }

    @Test("of thousands of recordings with the same name, each gets the next free number")
    func names() throws {
        let titles = ["A", "A (2)", "A", "A (2)"] + Array(repeating: "A", count: 5_000)
        let text = titles.map { #"{"schema":"luaroute.events/1","scenario":"\#($0)"}"# + "\n" }
        let file = try EventScenario().file(for: try recordings(text.joined()))
        let names = file.split(separator: "\n").filter { $0.hasPrefix("scenario ") }
            .map { $0.dropFirst(10).dropLast() }
        #expect(names.prefix(5) == ["A", "A (2)", "A (3)", "A (2) (2)", "A (4)"])
        #expect(names.last == "A (5003)")
    }

    @Test("thousands of pending navigations get names, and can be cancelled in any order")
    func cancelling() throws {
        let numbers = 1...2_000
        let cancels = numbers.reversed().map {
            #""kind":"host","act":"cancel","request":"navigation","id":\#($0)"#
        }
        let lines = try steps(numbers.map(navigate) + cancels)
        #expect(lines.prefix(2) == ["navigate A/b as r1", "navigate A/b as r2"])
        #expect(lines[2_000..<2_002] == ["cancel r2000", "cancel r1999"])
        #expect(lines[4_000] == "expect r1 not done")
        #expect(lines.last == "restart  # cancels pending work")
    }

    @Test("each failed navigation becomes an expectation after the step that caused the failure")
    func failing() throws {
        let numbers = 1...1_000
        let ends = numbers.map { #""kind":"failed","code":"script","navigation":\#($0)"# }
        let one = try steps(zip(numbers.map(navigate), ends).flatMap { [$0, $1] })
        #expect(one.prefix(2) == ["navigate A/b", "expect error script"] && one.count == 2_000)
        let late = try steps(
            numbers.map(navigate) + [#""kind":"host","act":"ready","name":"g""#] + ends
        )
        #expect(late[1_000] == "maybe ready g")
        // In the order of the names.
        #expect(
            late[1_001...1_003] == [
                "expect r1 error script", "expect r10 error script", "expect r100 error script",
            ]
        )
        #expect(late.count == 2_001)
    }

    @Test("the recorded end of the oldest task of a target becomes a 'complete' step")
    func tasks() throws {
        let start = { (number: Int, task: Int) in
            #""kind":"task","phase":"started","id":\#(number),"service":"A","task":"b\#(task)""#
        }
        let end = { (number: Int) in
            #""kind":"host","act":"complete","id":\#(number),"finished":true"#
        }
        let done = { (number: Int) in #""kind":"task","phase":"done","id":\#(number)"# }
        let numbers = 1...1_000
        var lines = try steps(
            numbers.map { start($0, $0) } + numbers.reversed().flatMap { [end($0), done($0)] }
        )
        #expect(lines.count { $0.hasPrefix("complete A/b") } == 1_000)
        // Numbers in any order: the second one is not the oldest.
        let few = [start(5, 1), start(3, 1), start(9, 1), start(4, 2)]
        lines = try steps(few + [end(3), done(3), end(5), done(5), end(4), end(9)])
        #expect(lines.count { $0.hasPrefix("complete A/b1 finished") } == 3)
        #expect(lines.contains("complete A/b2 finished"))
        lines = try steps(few + [end(3), done(3), end(9)])
        #expect(
            lines.contains {
                $0.hasSuffix("a task call while an older call to the same task is pending")
            }
        )
    }

    @Test("a window that was never opened becomes a comment, not a step")
    func windows() throws {
        let lines = try steps(
            (1...1_000).map {
                #""kind":"navigate","navigation":\#($0),"origin":"host","verb":"openWindow","#
                    + #""name":"w\#($0)","tree":"nav[A]""#
            } + [#""kind":"done","navigation":500"#]
        )
        #expect(lines.count { $0.hasPrefix("user opens window w500 ") } == 1)
        #expect(lines.count { $0 == "# a window could not be opened or closed" } == 999)
    }

    @Test("a pattern omits any number of private values")
    func privateValues() throws {
        let fields = (0..<100_000).map { #"f\#($0)="•••""# }.joined(separator: ", ")
        #expect(try RecordedText.pattern(.string(.init("A(\(fields))"))) == "A")
        #expect(try RecordedText.pattern(.string(.init("A(id=7, \(fields))"))) == "A(id=7)")
    }

    @Test("an event with many unknown keys keeps them in order")
    func keys() throws {
        let keys = (0..<5_000).map { "\"k\($0)\":1" }.sorted()
        let text = Self.event(1, "\"kind\":\"done\"," + keys.joined(separator: ","))
        let event = try recordings(Self.header + text)[0].events[0]
        #expect(event.fields.map { "\"\($0.name)\":1" } == keys)
    }
}
