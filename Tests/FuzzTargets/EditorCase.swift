// SPDX-License-Identifier: MIT

import Foundation
internal import LuaRouteEditor

/// A client that sends damaged messages and edits to a language server.
///
/// The folder is empty and not trusted, so no scripts run.
struct EditorCase {
    private static let folder: String = {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path()
    }()

    private static let names = ["main.lua", "a.scenario", "luaroute.json", "sub/b.scenario"]

    private static let methods = [
        "completion", "hover", "definition", "references", "documentHighlight", "documentSymbol",
        "formatting", "codeAction", "prepareRename", "rename", "inlayHint", "codeLens",
        "semanticTokens/full", "none",
    ]

    private var bytes: ByteSource
    private var stream = MessageStream()
    private var requests = 0

    init(_ bytes: [UInt8]) { self.bytes = ByteSource(bytes) }

    func faults() -> [String] {
        var copy = self
        return copy.play()
    }

    private mutating func play() -> [String] {
        var answers: [Int] = []
        var faults: [String] = []
        let server = LanguageServer { message in
            guard case .object(let members) = message else {
                return faults.append("a message is no object")
            }
            let hasMethod = members.contains { $0.key == "method" }
            if !hasMethod, case .integer(let id)? = members.first(where: { $0.key == "id" })?.value
            {
                answers.append(id)
            }
        }
        request(
            "initialize",
            ["rootUri": .string("file://\(Self.folder)"), "capabilities": [:]],
            server
        )
        while !bytes.isAtEnd, server.exitCode == nil {
            switch bytes.below(6) {
            case 0: feed(bytes.run(Int(bytes.byte())), server)
            case 1:
                notify(
                    "textDocument/didOpen",
                    ["textDocument": ["uri": uri(), "version": 1, "text": text()]],
                    server
                )
            case 2:
                let change: JSON =
                    bytes.below(4) == 0
                    ? ["text": text()]
                    : ["range": ["start": position(), "end": position()], "text": text()]
                notify(
                    "textDocument/didChange",
                    ["textDocument": ["uri": uri(), "version": 2], "contentChanges": [change]],
                    server
                )
            case 3:
                notify("textDocument/didClose", ["textDocument": ["uri": uri()]], server)
            case 4: server.update { false }
            default:
                request(
                    "textDocument/\(bytes.pick(Self.methods))",
                    [
                        "textDocument": ["uri": uri()], "position": position(), "newName": text(),
                        "range": ["start": position(), "end": position()],
                    ],
                    server
                )
            }
        }
        // A damaged header may take the messages behind it for its own.
        if Set(answers).count != answers.count { faults.append("a request is answered twice") }
        return faults
    }

    private mutating func feed(_ piece: [UInt8], _ server: LanguageServer) {
        for part in stream.add(piece) {
            switch part {
            case .success(let message): server.handle(message)
            case .failure(let problem): server.handle(problem)
            }
        }
    }

    private mutating func notify(_ method: String, _ parameters: JSON, _ server: LanguageServer) {
        let message: JSON = ["method": .string(method), "params": parameters]
        feed(Array(MessageStream.framed(message).utf8), server)
    }

    private mutating func request(_ method: String, _ parameters: JSON, _ server: LanguageServer) {
        requests += 1
        let message: JSON = [
            "id": .integer(1_000_000 + requests), "method": .string(method), "params": parameters,
        ]
        feed(Array(MessageStream.framed(message).utf8), server)
    }

    private mutating func uri() -> JSON {
        .string("file://\(Self.folder)/\(bytes.pick(Self.names))")
    }

    private mutating func text() -> JSON {
        .string(String(decoding: bytes.run(Int(bytes.byte())), as: UTF8.self))
    }

    private mutating func position() -> JSON {
        ["line": .integer(bytes.below(12)), "character": .integer(bytes.below(40))]
    }
}
