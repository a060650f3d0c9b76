// SPDX-License-Identifier: MIT

import RouteCore
import Testing

@testable import ScenarioKit

/// Tests of recordings that are damaged, or that no scenario can reproduce.
struct EventScenarioRefusalTests {
    private static let header = #"{"schema":"luaroute.events/1"}"# + "\n"
    private static let start = #""seq":1,"time":1767225600,"generation":1,"kind":"#

    private func scenario(_ text: String) throws -> (text: String, warnings: [String]) {
        let source = SourceText(name: "recorded.jsonl", content: Array(text.utf8))
        let file = try EventFile(source)
        let text = try EventScenario().file(for: file.recordings)
        let written = SourceText(name: "recorded.scenario", content: Array(text.utf8))
        _ = try ScenarioParser.parse(written).get()
        return (text, file.warnings.map(\.message))
    }

    @Test("work that a script started without a source location does not become a step")
    func script() throws {
        let text = Self.header + "{\(Self.start)\"navigate\",\"navigation\":1,\"verb\":\"back\","
        #expect(try !scenario(text + #""origin":"script"}"#).text.contains("\n  back"))
        #expect(try scenario(text + #""origin":"host"}"#).text.contains("\n  back"))
    }

    @Test(
        "settings, paths and times that cannot be expressed in a scenario file are errors",
        arguments: [
            #"{"schema":"luaroute.events/1","script":"a\nb"}"#,
            #"{"schema":"luaroute.events/1","seed":"1\nboom"}"#,
            #"{"schema":"luaroute.events/1","profile":"boom"}"#,
            #"{"schema":"luaroute.events/1"}"# + "\n"
                + #"{"seq":1,"time":1e308,"generation":1,"kind":"done"}"#,
        ]
    )
    func header(_ text: String) {
        #expect(throws: Diagnostic.self) { _ = try scenario(text) }
    }

    @Test("the largest possible request number after a restart does not crash the conversion")
    func number() throws {
        let event =
            "{\(Self.start)\"task\",\"id\":9223372036854775807,\"phase\":\"started\","
            + #""service":"A","task":"b"}"# + "\n"
        #expect(try scenario(Self.header + event + event).text.contains("restart"))
    }

    @Test(
        "text in a recording cannot add lines or steps to the scenario",
        arguments: [
            #""ready","name":"x\n  boom""#, #""unready","name":"x\n  boom""#,
            #""set","name":"a\n  boom","value":1"#, #""ready","name":"x y\n  boom""#,
            #""dispatch","id":1,"url":"/a","origin":"foo\n  boom""#, #""boom\n  boom""#,
        ]
    )
    func injection(_ act: String) throws {
        let text = try scenario(Self.header + "{\(Self.start)\"host\",\"act\":\(act)}").text
        #expect(!text.contains("\n  boom"), "\(text)")
        #expect(text.contains("# not reproduced"), "\(text)")
    }

    @Test("a pattern omits the outermost field that contains a private value")
    func hidden() throws {
        let cases = [
            #"Login(token="•••", id={token="•••"})"#: "Login",
            #"Login(id={a={token="•••"}, b=1}, n=2)"#: "Login(n=2)",
            #"Login(n="},\"(", id={token="•••"})"#: #"Login(n="},\"(")"#,
            #"nav[A(n=1), B(id={"•••"}, m=2)]"#: "nav[A(n=1), B(m=2)]",
        ]
        for (text, pattern) in cases {
            #expect(try RecordedText.pattern(.string(.init(text))) == pattern)
        }
    }

    @Test("a line that is truncated before the next header is skipped", arguments: ["", "\n"])
    func crash(_ end: String) throws {
        let event = "{\(Self.start)\"host\",\"act\":\"ready\",\"name\":\"a\"}\n"
        let stream = Self.header + event + #"{"seq":2,"ti"# + end + Self.header + event
        let (text, warnings) = try scenario(stream)
        #expect(text.components(of: "maybe ready a") == 2)
        #expect(warnings == ["the line before a header is truncated, and was ignored"])
    }

    @Test(
        "if a recording continues after the router shut down, its scenario has the step 'restart'"
    )
    func shutDown() throws {
        let text =
            Self.header + "{\(Self.start)\"host\",\"act\":\"shutDown\"}\n"
            + "{\(Self.start)\"host\",\"act\":\"ready\",\"name\":\"b\"}\n"
        #expect(try scenario(text).text.contains("restart\n  maybe ready b"))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { split(separator: part).count - 1 }
}
