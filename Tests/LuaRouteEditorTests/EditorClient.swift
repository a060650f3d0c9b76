// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RouteCore
import RouteFiles
import TestSupport
import Testing

/// A client of a language server in this process, which exchanges framed messages with the server.
final class EditorClient {
    /// The messages of the server that no test has taken yet.
    private(set) var messages: [InfoTable] = []
    /// The number of parts of the server's stream that were not messages.
    private(set) var damagedCount = 0
    let folder: TemporaryFolder
    private(set) var server: LanguageServer!
    private var toServer = MessageStream()
    private var fromServer = MessageStream()
    private var requestCount = 0

    /// Creates a client whose server has not received any message yet.
    init(new files: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        server = LanguageServer { [unowned self] message in
            for part in fromServer.add(MessageStream.framed(message).utf8) {
                if case .success(let message) = part {
                    messages.append(message)
                } else {
                    damagedCount += 1
                }
            }
        }
    }

    /// Creates a client with an initialized workspace.
    convenience init(
        trusted: Bool = true,
        capabilities: JSON = [:],
        _ files: [String: String]
    ) throws {
        try self.init(new: files)
        _ = request(
            "initialize",
            [
                "capabilities": capabilities, "rootUri": .string(uri("")),
                "initializationOptions": ["trusted": .boolean(trusted)],
            ]
        )
        notify("initialized", [:])
    }

    // MARK: Messages

    /// Sends the bytes of a text.
    func send(_ text: String) {
        for part in toServer.add(text.utf8) {
            switch part {
            case .success(let message): server.handle(message)
            case .failure(let problem): server.handle(problem)
            }
        }
    }

    func notify(_ method: String, _ parameters: JSON) {
        send(
            MessageStream.framed([
                "jsonrpc": "2.0", "method": .string(method), "params": parameters,
            ])
        )
    }

    /// Sends a request, and returns the response, which contains `result` or `error`.
    @discardableResult
    func request(_ method: String, _ parameters: JSON) -> Value {
        requestCount += 1
        let id = requestCount
        send(
            MessageStream.framed([
                "jsonrpc": "2.0", "id": .integer(id), "method": .string(method),
                "params": parameters,
            ])
        )
        let index = messages.firstIndex { $0["id"].int == id && $0["method"].isNil }
        return index.map { .table(messages.remove(at: $0)) } ?? .nil
    }

    /// Removes and returns the messages with the given method.
    func take(_ method: String) -> [Value] {
        defer { messages.removeAll { $0["method"].text == method } }
        return messages.filter { $0["method"].text == method }.map { $0["params"] }
    }

    // MARK: Files

    /// The path of the folder, with symbolic links resolved.
    private var root: String { SourceFiles.resolved(folder.path) ?? folder.path }

    func uri(_ name: String) -> String {
        "file://\(root)" + (name.isEmpty ? "" : "/\(name)")
    }

    func open(_ name: String, _ text: String? = nil) throws {
        let text = try text ?? folder.read(name)
        notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": .string(uri(name)), "version": 1, "text": .string(text)]]
        )
    }

    func change(_ name: String, _ text: String) {
        notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string(uri(name)), "version": 2],
                "contentChanges": [["text": .string(text)]],
            ]
        )
    }

    /// Lets the pause pass after which findings are published, and returns the findings by file,
    /// each as `line code message`.
    func findings() -> [String: [String]] {
        server.update { false }
        var found: [String: [String]] = [:]
        for parameters in take("textDocument/publishDiagnostics") {
            let name = parameters["uri"].text?.split(separator: "/").last.map(String.init) ?? ""
            found[name] = (parameters["diagnostics"].list ?? []).map { diagnostic in
                let line = diagnostic["range"]["start"]["line"].int ?? -1
                let message = diagnostic["message"].text?.split(separator: "\n").first ?? ""
                return "\(line + 1) \(diagnostic["code"].text ?? "") \(message)"
            }
        }
        return found
    }

    /// Sends a request about a position, and returns the result.
    ///
    /// The position is given by a part of the file's text with an added `|` at the position.
    func request(_ method: String, _ name: String, at marked: String, _ more: JSON = [:]) -> Value {
        var members: [(key: String, value: JSON)] = [
            ("textDocument", ["uri": .string(uri(name))]), ("position", position(name, marked)),
        ]
        if case .object(let others) = more { members += others }
        return request(method, .object(members))
    }

    /// Returns the actions at a position, which `|` marks in a part of the file's text.
    func actions(_ name: String, at marked: String, only kinds: JSON? = nil) -> [Value] {
        let start = position(name, marked)
        var context: JSON = ["diagnostics": []]
        if let kinds { context = ["diagnostics": [], "only": kinds] }
        let parameters: JSON = [
            "textDocument": ["uri": .string(uri(name))], "range": ["start": start, "end": start],
            "context": context,
        ]
        return request("textDocument/codeAction", parameters)["result"].list ?? []
    }

    /// Applies the edits of an action, or of a request of the server, to the open files, and
    /// returns the new texts by file name.
    func apply(_ edit: Value) throws -> [String: String] {
        var texts: [String: String] = [:]
        for case (.string(let uri), let edits) in (edit["changes"].table?.entries ?? []).map({
            ($0.key, $0.value)
        }) {
            let uri = try #require(uri.text)
            var text = Array(try #require(server.text(of: uri)).utf8)
            func offset(_ position: Value) -> Int {
                let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .prefix(position["line"].int ?? 0)
                return lines.reduce(0) { $0 + $1.count + 1 } + (position["character"].int ?? 0)
            }
            let ranges = (edits.list ?? []).map { edit in
                (
                    offset(edit["range"]["start"])..<offset(edit["range"]["end"]),
                    edit["newText"].text ?? ""
                )
            }
            for (range, new) in ranges.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
                text.replaceSubrange(range, with: new.utf8)
            }
            let name = String(uri.dropFirst(self.uri("").count + 1))
            texts[name] = String(decoding: text, as: UTF8.self)
        }
        return texts
    }

    func position(_ name: String, _ marked: String) -> JSON {
        let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
        let text = server.text(of: uri(name)) ?? ""
        guard let range = text.range(of: parts.joined()) else {
            Issue.record("'\(marked)' is not in \(name)")
            return nil
        }
        let before = text[..<range] + parts[0]
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return [
            "line": .integer(lines.count - 1),
            "character": .integer(lines.last?.utf16.count ?? 0),
        ]
    }

    /// Returns locations as `file:line:character`, each counted from 1.
    static func locations(_ result: Value) -> [String] {
        (result.list ?? []).map { location in
            let start = location["range"]["start"]
            let name = location["uri"].text?.split(separator: "/").last ?? ""
            return "\(name):\((start["line"].int ?? 0) + 1):\((start["character"].int ?? 0) + 1)"
        }.sorted()
    }
}

extension Value {
    subscript(member: String) -> Value { table?[member] ?? .nil }
}

extension String {
    /// Returns the start of the given text.
    fileprivate func range(of part: String) -> String.Index? {
        var index = startIndex
        while index <= endIndex {
            if self[index...].hasPrefix(part) { return index }
            guard index < endIndex else { return nil }
            index = self.index(after: index)
        }
        return nil
    }
}

/// A project with two scripts and a scenario file.
enum Shop {
    static let main = """
        require "login"
        local nav, screen = router.nav, router.screen
        router.class("Home", { fields = { "title" } })
        router.class("Product", { fields = { "id" } })
        router.start(function() return nav { screen "Home" } end)
        router.register("Home", "show", { build = screen "Home", find = "Home" })
        router.register("Product", "show", {
          info = { id = "integer" },
          url = "/products/:id(int)",
          build = function(info) return screen("Product", { id = info.id }) end,
          from = { "Home", "show" },
          intercept = "login",
        })

        """
    static let login = """
        router.interceptor("login", function(nav)
          if nav.info.id == 0 then return false, "none" end
        end)
        router.registerTask("Cart", "add", function(info) return info.count end)
        router.export("reset", function() router.navigate("Home", "show") end)

        """
    static let scenario = """
        use main.lua

        background
          start

        macro visit <id>
          navigate Product/show(id=<id>)

        scenario "A product"
          do visit 7
          expect top Product(id=7)
          navigate Product/show(id=0) as second
          expect second error stopped

        """
    static let files = ["main.lua": main, "login.lua": login, "shop.scenario": scenario]
}
