// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteFiles
internal import ScenarioKit

/// A language server for scenario files and scripts, which implements LSP 3.17.
///
/// All messages must be handled on the same thread, which owns all routers and needs a stack of 16
/// MB.
///
/// The server itself contains no texts about the language: words come from the vocabulary, names
/// from the description of the Lua API, findings from `check`, and the layout from `fmt`.
package final class LanguageServer {
    /// An error response of the protocol.
    struct Failure: Error {
        let code: Int
        let message: String

        static let cancelled = Failure(code: -32800, message: "the request was cancelled")

        static func badParameters(_ message: String) -> Failure {
            Failure(code: -32602, message: message)
        }
    }

    private enum State {
        case new, running, shutDown
    }

    /// An open document.
    struct Document {
        /// The URI as the client has sent it.
        let uri: String
        /// The path, with symbolic links resolved.
        let path: String
        var version: Int
        var lines: TextLines
        var isScenario: Bool { path.hasSuffix(".scenario") }
    }

    /// A root folder of the workspace.
    final class Root {
        let project: EditedProject
        var names = ProjectNames()
        /// The published findings by path, together with the JSON text that was sent to the client.
        var published: [String: (findings: [Diagnostic], text: String)] = [:]
        /// Whether files have changed since the last check and run.
        var isStale = true
        /// Whether the user has saved a file since the last check.
        ///
        /// The next run may then take longer than a second.
        var isSaved = false
        /// The result of the last command `reach`, which counts the scenarios that reach each
        /// registration; nil if the command has not run.
        var coverage: Coverage?

        init(_ project: EditedProject) { self.project = project }

        func names(in path: String) -> ProjectNames.File {
            names.file(path) { project.text(of: path) }
        }

        /// The targets that scripts register, as `Service/task`.
        var targets: Set<String> = []
        /// Whether ``targets`` is up to date: no script has changed since it was computed.
        var knowsTargets = false
        /// The occurrences of names in each file, by path.
        ///
        /// They include string literals that count as names because a file registers their target.
        var occurrences: [String: [Occurrence]] = [:]

        func change(_ path: String, to text: [UInt8]?) {
            project.change(path, to: text)
            names.forget(path)
            occurrences[path] = nil
            if !path.hasSuffix(".scenario") { knowsTargets = false }
            isStale = true
        }

        func readFolder() {
            project.readFolder()
            names.forget(nil)
            (occurrences, knowsTargets) = ([:], false)
            isStale = true
        }
    }

    /// The exit code of the process; nil until the client has sent `exit`.
    package private(set) var exitCode: Int32?
    /// Whether the findings may have changed, so that ``update(isInterrupted:)`` must be called
    /// when the client pauses.
    package var hasNews: Bool {
        state == .running && roots.contains(where: \.isStale)
    }

    private let send: (JSON) -> Void
    private var state = State.new
    private(set) var encoding = TextLines.Encoding.utf16
    private(set) var roots: [Root] = []
    private(set) var documents: [String: Document] = [:]
    private var isTrusted = false
    private var refreshes: [String] = []
    private var requestCount = 0
    private var watchesFiles = false
    /// Whether the client supports progress reports that the server begins.
    private(set) var showsProgress = false
    /// Whether the client supports edits that create files.
    private(set) var createsFiles = false
    /// The ID of the request that is being handled; nil if there is none.
    private(set) var activeID = Value.nil
    /// A closure that returns whether the client has cancelled the request that is being handled.
    ///
    /// The closure can be called on any thread.
    private(set) var isCancelled: @Sendable () -> Bool = { false }

    /// Creates a server.
    ///
    /// - Parameter send: A closure that is called with each message to the client.
    package init(send: @escaping (JSON) -> Void) { self.send = send }

    // MARK: Messages

    /// Sends an error response for a malformed part of the stream.
    package func handle(_ problem: MessageStream.Problem) {
        answer(.nil, .failure(Failure(code: -32700, message: problem.message)))
    }

    /// Handles a request, a notification or a response from the client.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - isCancelled: A closure that returns whether the client has cancelled the request. The
    ///     closure is called on any thread while the request is being handled.
    package func handle(
        _ message: InfoTable,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        let id = message["id"]
        guard let method = message["method"].text else {
            // Responses to the server's own requests are ignored. A null result is not in
            // `message`, so any message that has an ID but no parameters counts as a response.
            guard message["error"].isNil, id.isNil || !message["params"].isNil else { return }
            return answer(id, .failure(Failure(code: -32600, message: "'method' is missing")))
        }
        let parameters = message["params"]
        guard !id.isNil else { return notify(method, parameters) }
        guard !isCancelled() else { return answer(id, .failure(.cancelled)) }
        (self.isCancelled, activeID) = (isCancelled, id)
        defer { (self.isCancelled, activeID) = ({ false }, .nil) }
        do throws(Failure) {
            answer(id, .success(try result(of: method, parameters)))
        } catch {
            answer(id, .failure(error))
        }
    }

    private func answer(_ id: Value, _ result: Result<JSON, Failure>) {
        let number = JSON(id: id) ?? .null
        switch result {
        case .success(let value): send(["jsonrpc": "2.0", "id": number, "result": value])
        case .failure(let failure):
            let error: JSON = ["code": .integer(failure.code), "message": .string(failure.message)]
            send(["jsonrpc": "2.0", "id": number, "error": error])
        }
    }

    func notify(client method: String, _ parameters: JSON) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    func request(client method: String, _ parameters: JSON) {
        requestCount += 1
        send([
            "jsonrpc": "2.0", "id": .string("luaroute-\(requestCount)"), "method": .string(method),
            "params": parameters,
        ])
    }

    /// Asks the client to request all data again that may have changed.
    func refresh() {
        for name in refreshes { request(client: "workspace/\(name)/refresh", nil) }
    }

    // MARK: Lifecycle

    private func initialize(_ parameters: Value) -> JSON {
        state = .running
        let general = parameters["capabilities"]["general"]["positionEncodings"].list ?? []
        if general.contains(where: { $0.text == "utf-8" }) { encoding = .utf8 }
        isTrusted = parameters["initializationOptions"]["trusted"].boolean ?? false
        let workspace = parameters["capabilities"]["workspace"]
        refreshes = ["inlayHint", "codeLens"].filter {
            workspace[$0]["refreshSupport"].boolean == true
        }
        showsProgress = parameters["capabilities"]["window"]["workDoneProgress"].boolean == true
        createsFiles = (workspace["workspaceEdit"]["resourceOperations"].list ?? [])
            .contains { $0.text == "create" }
        watchesFiles = workspace["didChangeWatchedFiles"]["dynamicRegistration"].boolean == true
        var uris = (parameters["workspaceFolders"].list ?? []).compactMap { $0["uri"].text }
        if uris.isEmpty { uris = [parameters["rootUri"].text].compactMap(\.self) }
        for uri in uris { addRoot(uri) }
        return [
            "serverInfo": ["name": "luaroute", "version": .string(Release.version)],
            "capabilities": Self.capabilities(encoding),
        ]
    }

    private func initialized() {
        if watchesFiles {
            let watchers = JSON.list(["lua", "scenario", "json", "csv", "swift"]) {
                ["globPattern": .string("**/*.\($0)")]
            }
            request(
                client: "client/registerCapability",
                [
                    "registrations": [
                        [
                            "id": "files", "method": "workspace/didChangeWatchedFiles",
                            "registerOptions": ["watchers": watchers],
                        ]
                    ]
                ]
            )
        }
        guard !isTrusted else { return }
        let text =
            "luaroute does not run scripts here, so it checks only names and syntax. To check and run the "
            + "scripts of this folder, set 'initializationOptions.trusted' to true."
        notify(client: "window/showMessage", ["type": 3, "message": .string(text)])
    }

    private func addRoot(_ uri: String) {
        guard let path = FileURI.path(uri), SourceFiles.kind(of: path) == .folder,
            !roots.contains(where: { $0.project.root == path })
        else { return }
        roots.append(Root(EditedProject(root: path, isTrusted: isTrusted)))
        for document in documents.values {
            root(of: document.path)?.change(document.path, to: document.lines.bytes)
        }
    }

    private func changeFolders(_ event: Value) {
        for folder in event["removed"].list ?? [] {
            let path = folder["uri"].text.flatMap(FileURI.path)
            for root in roots where root.project.root == path { clear(root) }
            roots.removeAll { $0.project.root == path }
        }
        for folder in event["added"].list ?? [] {
            if let uri = folder["uri"].text { addRoot(uri) }
        }
    }

    /// Returns the innermost root that contains a path; nil if the path is outside of the
    /// workspace.
    func root(of path: String) -> Root? {
        roots.filter { SourceFiles.isPath(path, in: $0.project.root) }
            .max { $0.project.root.utf8.count < $1.project.root.utf8.count }
    }

    // MARK: Dispatch

    private func result(of method: String, _ parameters: Value) throws(Failure) -> JSON {
        switch (state, method) {
        case (.new, "initialize"): return initialize(parameters)
        case (.new, _):
            throw Failure(code: -32002, message: "the first request must be 'initialize'")
        case (.shutDown, _):
            throw Failure(code: -32600, message: "the server is shut down and accepts only 'exit'")
        case (.running, "initialize"):
            throw Failure(code: -32600, message: "the server is already initialized")
        case (.running, "shutdown"):
            state = .shutDown
            return nil
        case (.running, "workspace/symbol"):
            return workspaceSymbols(parameters["query"].text ?? "")
        case (.running, "workspace/executeCommand"): return try execute(parameters)
        case (.running, _): break
        }
        guard let request = request(method) else {
            throw Failure(code: -32601, message: "'\(method)' is not supported")
        }
        guard let uri = parameters["textDocument"]["uri"].text else {
            throw .badParameters("'textDocument.uri' is missing")
        }
        guard let document = documents[uri] else {
            throw .badParameters("'\(uri)' is not open")
        }
        guard let root = root(of: document.path) else { return nil }
        return try request(document, root, parameters)
    }

    /// A method that handles a request about a document.
    typealias Request = (Document, Root, Value) throws(Failure) -> JSON

    private func request(_ method: String) -> Request? {
        switch method {
        case "textDocument/completion": completion
        case "textDocument/hover": hover
        case "textDocument/definition": definition
        case "textDocument/references": references
        case "textDocument/documentHighlight": highlights
        case "textDocument/documentSymbol": documentSymbols
        case "textDocument/formatting": formatting
        case "textDocument/codeAction": codeActions
        case "textDocument/prepareRename": prepareRename
        case "textDocument/rename": rename
        case "textDocument/inlayHint": inlayHints
        case "textDocument/codeLens": codeLenses
        case "textDocument/semanticTokens/full": semanticTokens
        default: nil
        }
    }

    private static func capabilities(_ encoding: TextLines.Encoding) -> JSON {
        let legend: JSON = [
            "tokenTypes": .list(TokenType.allCases) { .string($0.rawValue) }, "tokenModifiers": [],
        ]
        let commands = JSON.list(Lens.allCases) { .string($0.command) }
        return [
            "positionEncoding": .string(encoding.rawValue),
            "textDocumentSync": ["openClose": true, "change": 2, "save": true],
            "completionProvider": ["triggerCharacters": ["\"", "'", "/", ".", "(", "@", " "]],
            "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
            "documentHighlightProvider": true, "documentSymbolProvider": true,
            "workspaceSymbolProvider": true, "documentFormattingProvider": true,
            "codeActionProvider": ["codeActionKinds": ["quickfix", "source.fixAll"]],
            "renameProvider": ["prepareProvider": true], "inlayHintProvider": true,
            "codeLensProvider": ["resolveProvider": false],
            "executeCommandProvider": ["commands": commands, "workDoneProgress": true],
            "semanticTokensProvider": ["legend": legend, "full": true],
            "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
        ]
    }

    private func notify(_ method: String, _ parameters: Value) {
        if method == "exit" {
            exitCode = state == .shutDown ? 0 : 1
            return
        }
        guard state == .running else { return }
        switch method {
        case "initialized": initialized()
        case "textDocument/didOpen": open(parameters["textDocument"])
        case "textDocument/didChange": change(parameters)
        case "textDocument/didClose": close(parameters["textDocument"]["uri"].text)
        case "textDocument/didSave":
            if let document = parameters["textDocument"]["uri"].text.flatMap({ documents[$0] }) {
                save(document)
            }
        case "workspace/didChangeWatchedFiles": readFiles(parameters["changes"].list ?? [])
        case "workspace/didChangeWorkspaceFolders": changeFolders(parameters["event"])
        default: break
        }
    }

    // MARK: Documents

    private func open(_ document: Value) {
        guard let uri = document["uri"].text, let path = FileURI.path(uri),
            let text = document["text"].text
        else { return }
        let lines = TextLines(Array(text.utf8))
        documents[uri] = Document(
            uri: uri,
            path: path,
            version: document["version"].int ?? 0,
            lines: lines
        )
        root(of: path)?.change(path, to: lines.bytes)
    }

    private func save(_ document: Document) {
        guard let root = root(of: document.path) else { return }
        // Without file watching, a save is the only sign that files may have changed on disk.
        if !watchesFiles { root.readFolder() }
        (root.isSaved, root.isStale) = (true, true)
    }

    private func change(_ parameters: Value) {
        guard let uri = parameters["textDocument"]["uri"].text, var document = documents[uri] else {
            return
        }
        for change in parameters["contentChanges"].list ?? [] {
            guard document.lines.apply(change, encoding) else {
                let text =
                    "a change to '\(uri)' could not be applied: close the file and open it again"
                notify(client: "window/showMessage", ["type": 1, "message": .string(text)])
                break
            }
        }
        document.version = parameters["textDocument"]["version"].int ?? document.version
        documents[uri] = document
        root(of: document.path)?.change(document.path, to: document.lines.bytes)
    }

    private func close(_ uri: String?) {
        guard let uri, let document = documents.removeValue(forKey: uri) else { return }
        guard let root = root(of: document.path) else { return }
        root.change(document.path, to: nil)
    }

    /// Reads the files that have changed on disk, except open files.
    private func readFiles(_ changes: [Value]) {
        let open = Set(documents.values.map(\.path))
        for change in changes {
            guard let path = change["uri"].text.flatMap(FileURI.path), let root = root(of: path)
            else {
                continue
            }
            if change["type"].int != 2 {
                root.readFolder()
            } else if !open.contains(path) {
                root.change(path, to: nil)
            }
        }
    }

    /// Returns the text of an open document, for tests.
    package func text(of uri: String) -> String? {
        documents[uri].map { String(decoding: $0.lines.bytes, as: UTF8.self) }
    }

    // MARK: Positions

    /// Returns the lines of a file, from the open document if there is one.
    func lines(of path: String, _ root: Root) -> TextLines? {
        document(at: path)?.lines ?? root.project.text(of: path).map { TextLines($0.bytes) }
    }

    func uri(of path: String) -> String { document(at: path)?.uri ?? FileURI.uri(path) }

    func document(at path: String) -> Document? {
        documents.values.first { $0.path == path }
    }

    func location(_ path: String, at range: Range<Int>, in root: Root) -> JSON {
        let lines = lines(of: path, root) ?? TextLines([])
        return ["uri": .string(uri(of: path)), "range": lines.range(range, encoding)]
    }

    func offset(_ document: Document, _ parameters: Value) throws(Failure) -> Int {
        guard let offset = document.lines.offset(parameters["position"], encoding) else {
            throw .badParameters("'position' must have a valid 'line' and 'character'")
        }
        return offset
    }
}
