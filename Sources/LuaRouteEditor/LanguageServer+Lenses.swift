// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Code lenses above scenarios, searches and registrations, and the commands that they execute.
extension LanguageServer {
    /// A command of a code lens.
    ///
    /// The arguments of a command are the URI of a file and a line, counted from 1. The command
    /// `reach` has no arguments.
    enum Lens: String, CaseIterable {
        /// Runs a scenario, and returns the result as text.
        case run
        /// Runs a scenario, and returns the events of each step as text.
        case trace
        /// Writes the actual values into the expectations of a scenario.
        case update
        /// Runs the search of an `explore` block, and returns its findings as text.
        case search
        /// Explains how the first of a registration's examples is resolved.
        case explain
        /// Runs all scenarios of the workspace, and counts for each registration the scenarios that
        /// reach it.
        case reach

        var command: String { "luaroute.\(rawValue)" }
    }

    func codeLenses(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard root.project.isTrusted else { return [] }
        func lens(_ lens: Lens, _ title: String? = nil, over range: Range<Int>) -> JSON {
            let line = document.lines.place(range.lowerBound, encoding).line + 1
            let arguments: JSON = lens == .reach ? [] : [.string(document.uri), .integer(line)]
            return [
                "range": document.lines.range(range, encoding),
                "command": [
                    "title": .string(title ?? lens.rawValue), "command": .string(lens.command),
                    "arguments": arguments,
                ],
            ]
        }
        if document.isScenario {
            return .list(
                blocks(in: document.path, root).flatMap { block in
                    block.lenses.map { lens($0, over: block.heading) }
                }
            )
        }
        let calls = declared(in: document.path, root).filter { $0.symbol.target != nil }
        return .list(
            calls.flatMap { call in
                let count = call.symbol.target.flatMap {
                    root.coverage?.count(of: $0, in: document.path)
                }
                let title = count.map {
                    $0.counted("scenario") + ($0 == 1 ? " reaches it" : " reach it")
                }
                return [
                    lens(.reach, title ?? "count scenarios", over: call.range),
                    lens(.explain, over: call.range),
                ]
            }
        )
    }

    // MARK: Commands

    /// Executes the command of a code lens, shows its text as a message in the client, and returns
    /// the text.
    func execute(_ parameters: Value) throws(Failure) -> JSON {
        guard let lens = Lens.allCases.first(where: { $0.command == parameters["command"].text })
        else {
            let known = Lens.allCases.map { "'\($0.command)'" }.joined(separator: ", ")
            throw .badParameters("unknown command (one of \(known) expected)")
        }
        let progress = Progress(lens.rawValue, parameters, of: self)
        defer { progress.end() }
        if lens == .reach { return try reach(progress) }
        let arguments = parameters["arguments"].list ?? []
        guard arguments.count == 2, let line = arguments[1].int,
            let document = arguments[0].text.flatMap({ documents[$0] }),
            let root = root(of: document.path)
        else {
            throw .badParameters(
                "the arguments must be the URI of an open file and a line of the file"
            )
        }
        try checkTrust(root)
        // The client may have saved files without having reported the changes yet.
        root.readFolder()
        let text = try text(of: lens, document, line: line, in: root, progress)
        guard !isCancelled() else { throw .cancelled }
        show(text)
        return .string(text)
    }

    private func text(
        of lens: Lens,
        _ document: Document,
        line: Int,
        in root: Root,
        _ progress: Progress
    ) throws(Failure) -> String {
        let (project, path) = (root.project, document.path)
        var text: String?
        switch lens {
        case .run, .trace:
            text = project.results(
                of: path,
                line: line,
                isTraced: lens == .trace,
                isInterrupted: isCancelled
            )
        case .update:
            let edits = project.updates(of: path, line: line, isInterrupted: isCancelled)
            text = edits.map { edits in
                apply(["changes": changes(edits, root)])
                return edits.isEmpty
                    ? "no expectation can be rewritten"
                    : "\(edits.count.counted("expectation")) written"
            }
        case .search:
            // The search runs with one job, on this thread.
            nonisolated(unsafe) let progress = progress
            var files: [(path: String, text: String)] = []
            text = project.search(
                path,
                line: line,
                isInterrupted: isCancelled,
                onProgress: { progress.report($0) }
            ) { [createsFiles] text, path in
                guard createsFiles else { return "this editor does not support creating files" }
                files.append((path, text))
                return nil
            }
            if !files.isEmpty, !isCancelled() { create(files) }
        case .explain:
            let names = declared(in: path, root).filter {
                document.lines.place($0.range.lowerBound, encoding).line + 1 == line
            }
            text = names.lazy.compactMap(\.symbol.target).first.flatMap {
                project.explanation(of: $0, in: path)
            }
        case .reach: break
        }
        guard !isCancelled() else { throw .cancelled }
        guard let text, !text.isEmpty else {
            throw Failure(
                code: -32803,
                message:
                    "'\(lens.rawValue)' has no result, because the file or its scripts have errors"
            )
        }
        return text
    }

    /// Counts for each registration in all roots the scenarios that reach it.
    private func reach(_ progress: Progress) throws(Failure) -> JSON {
        guard let first = roots.first else { return nil }
        try checkTrust(first)
        for root in roots {
            let total = root.project.scenarioPaths.count
            let coverage = root.project.coverage(isInterrupted: isCancelled) {
                progress.report("file \($0) of \(total)")
            }
            guard let coverage else { throw .cancelled }
            root.coverage = coverage
        }
        refresh()
        return nil
    }

    private func checkTrust(_ root: Root) throws(Failure) {
        guard root.project.isTrusted else {
            throw .badParameters(
                "no scripts are run, because 'initializationOptions.trusted' is not true"
            )
        }
    }

    private func show(_ text: String) {
        notify(client: "window/showMessage", ["type": 3, "message": .string(text)])
    }

    // MARK: Edits

    /// Returns edits grouped by the URIs of their files.
    ///
    /// Edits outside of the project are left out.
    func changes(_ edits: [EditedProject.Edit], _ root: Root) -> JSON {
        let files = Dictionary(grouping: edits, by: \.path).filter { root.project.contains($0.key) }
        return .object(
            files.sorted { $0.key < $1.key }.map { path, edits in
                let lines = lines(of: path, root) ?? TextLines([])
                let list = JSON.list(edits) {
                    ["range": lines.range($0.range, encoding), "newText": .string($0.text)]
                }
                return (uri(of: path), list)
            }
        )
    }

    private func apply(_ edit: JSON) { request(client: "workspace/applyEdit", ["edit": edit]) }

    private func create(_ files: [(path: String, text: String)]) {
        let start: JSON = ["line": 0, "character": 0]
        let range: JSON = ["start": start, "end": start]
        let changes = files.flatMap { file -> [JSON] in
            let uri = JSON.string(uri(of: file.path))
            let edits: JSON = [["range": range, "newText": .string(file.text)]]
            return [
                ["kind": "create", "uri": uri],
                ["textDocument": ["uri": uri, "version": .null], "edits": edits],
            ]
        }
        apply(["documentChanges": .list(changes)])
    }

    // MARK: Progress

    /// Returns the token for progress reports that the server begins for a request.
    static func token(of request: Value) -> Value {
        request.isNil ? .nil : .string(ByteString("luaroute-\(request)"))
    }

    /// The progress reports of a command.
    ///
    /// Nothing is sent if the client does not support progress.
    struct Progress {
        private let send: (_ kind: String, _ text: String) -> Void

        /// Begins to report the progress of a request.
        ///
        /// The reports use the token that the client has sent with the request. Without such a
        /// token, the server creates one if the client supports this.
        fileprivate init(_ title: String, _ parameters: Value, of server: LanguageServer) {
            let own = LanguageServer.token(of: server.activeID)
            let given = parameters["workDoneToken"]
            guard let token = JSON(id: given.isNil && server.showsProgress ? own : given) else {
                send = { _, _ in }
                return
            }
            if given.isNil {
                server.request(client: "window/workDoneProgress/create", ["token": token])
            }
            send = { [unowned server] kind, text in
                let value: JSON = [
                    "kind": .string(kind), "title": kind == "begin" ? .string(text) : nil,
                    "message": kind == "report" ? .string(text) : nil,
                ]
                server.notify(client: "$/progress", ["token": token, "value": value])
            }
            send("begin", "luaroute \(title)")
        }

        func report(_ text: String) { send("report", text) }
        func end() { send("end", "") }
    }
}

extension Symbol {
    /// The target of the route or task; nil for another kind of symbol.
    var target: Target? {
        guard kind == .script(.task), let owner else { return nil }
        return Target(owner, name)
    }
}
