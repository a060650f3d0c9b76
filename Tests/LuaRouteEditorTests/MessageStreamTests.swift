// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RandomNumbers
import RouteCore
import Testing

/// The framing of messages.
struct MessageStreamTests {
    private static func parts(_ text: String, inPiecesOf size: Int) -> [String] {
        var stream = MessageStream()
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var index = 0
        while index < bytes.count {
            let end = min(index + size, bytes.count)
            for part in stream.add(bytes[index..<end]) {
                switch part {
                case .success(let message): parts.append(message["method"].text ?? "-")
                case .failure: parts.append("!")
                }
            }
            index = end
        }
        return parts
    }

    private static let first = MessageStream.framed(["method": "a"])
    private static let second = MessageStream.framed(["method": "b"])

    @Test(
        "a message in a stream is found even after damaged parts of the stream",
        arguments: [
            (first + second, ["a", "b"]),
            (
                "content-length: 14\r\nContent-Type: x\r\n\r\n{\"method\":\"c\"}" + first,
                ["c", "a"]
            ),
            ("Content-Length: 3\r\n\r\n{x}" + first, ["!", "a"]),
            ("Content-Length: 2\r\n\r\n[]" + first, ["!", "a"]),
            ("Content-Length: -1\r\n\r\n" + first, ["!", "a"]),
            ("Content-Length: many\r\n\r\n" + first, ["!", "a"]),
            ("\r\n\r\n" + first, ["!", "a"]),
            ("Content-Length: 99999999999999999999\r\n\r\n" + first, ["!", "a"]),
            ("Content-Length: 0\r\n\r\n" + first, ["!", "a"]),
            ("Content-Length: 4\r\n\r\n{}", []),
        ] as [(String, [String])]
    )
    func framing(text: String, expected: [String]) {
        for size in [1, 7, text.utf8.count] {
            #expect(Self.parts(text, inPiecesOf: size) == expected)
        }
    }

    @Test(
        "only text that does not begin a message is a problem at the end of a stream",
        arguments: [
            (first, false), ("", false), (first + "\r\n", false), ("Con", false),
            ("Content-Length: 9\r\n\r\n{", false), ("content-type: x", false), ("{}", true),
            (first + "{}\n", true), ("Context", true),
        ]
    )
    func end(text: String, isProblem: Bool) {
        var stream = MessageStream()
        _ = stream.add(text.utf8)
        #expect((stream.problemAtEnd != nil) == isProblem)
    }

    @Test("a header that is too long is one error, and the next message is read")
    func longHeader() {
        let text = String(repeating: "x", count: 5_000) + "\r\n\r\n" + Self.first
        let parts = Self.parts(text, inPiecesOf: 512)
        #expect(parts.last == "a" && parts.dropLast().allSatisfy { $0 == "!" })
    }

    @Test("a message that is too large causes one error and is ignored")
    func largeMessage() {
        let size = MessageStream.sizeLimit + 1
        let text = "Content-Length: \(size)\r\n\r\n" + String(repeating: " ", count: size)
        #expect(Self.parts(text + Self.first, inPiecesOf: 1 << 20) == ["!", "a"])
    }

    @Test("random damage ends neither the stream nor the server")
    func damage() throws {
        var numbers = RandomNumbers(seed: 5)
        for _ in 0..<200 {
            let client = try EditorClient(new: Shop.files)
            var bytes = Array(
                (MessageStream.framed([
                    "id": 1, "method": "initialize", "params": ["rootUri": .string(client.uri(""))],
                ])
                    + MessageStream.framed([
                        "id": 2, "method": "textDocument/hover",
                        "params": ["textDocument": ["uri": "x"], "position": ["line": 1]],
                    ])).utf8
            )
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                bytes[Int.random(in: bytes.indices, using: &numbers)] =
                    UInt8.random(in: 0...255, using: &numbers)
            }
            client.send(String(decoding: bytes, as: UTF8.self))
            // The damaged part may promise more bytes than there are.
            client.send(String(repeating: " ", count: 5_000) + "\r\n\r\n")
            #expect(client.server.exitCode == nil && client.damagedCount == 0)
        }
    }
}
