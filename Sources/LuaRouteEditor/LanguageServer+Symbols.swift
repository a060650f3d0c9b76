// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Outlines, the layout, fixes, hints and lenses.
extension LanguageServer {
    // MARK: Symbols

    /// The kinds of the protocol.
    private enum SymbolKind: Int {
        case `class` = 5
        case function = 12
        case event = 24
    }

    func documentSymbols(
        _ document: Document,
        in root: Root,
        with parameters: Value
    ) throws(Failure) -> JSON {
        if document.isScenario {
            return .list(blocks(in: document.path, root)) { block in
                [
                    "name": .string(block.name), "kind": .integer(block.kind.rawValue),
                    "range": document.lines.range(block.range, encoding),
                    "selectionRange": document.lines.range(block.heading, encoding),
                ]
            }
        }
        return .list(declared(in: document.path, root)) { occurrence in
            [
                "name": .string(occurrence.symbol.title),
                "detail": .string(occurrence.symbol.kind.title),
                "kind": .integer(Self.kind(of: occurrence).rawValue),
                "range": document.lines.range(
                    document.lines.line(around: occurrence.range.lowerBound),
                    encoding
                ),
                "selectionRange": document.lines.range(occurrence.range, encoding),
            ]
        }
    }

    private func declared(in path: String, _ root: Root) -> [Occurrence] {
        root.names(in: path).occurrences.filter {
            $0.isNew && $0.symbol.kind != .script(.service) && $0.symbol.kind != .script(.field)
        }
    }

    private static func kind(of occurrence: Occurrence) -> SymbolKind {
        occurrence.symbol.kind == .script(.class) ? .class : .function
    }

    /// A block of a scenario file.
    private struct Block {
        let name: String
        let kind: SymbolKind
        let heading: Range<Int>
        var range: Range<Int>
        var isScenario = false
    }

    private func blocks(in path: String, _ root: Root) -> [Block] {
        var blocks: [Block] = []
        for line in root.names(in: path).lines {
            switch line.block {
            case .scenario(let heading):
                blocks.append(
                    Block(
                        name: heading.name,
                        kind: .event,
                        heading: line.range,
                        range: line.range,
                        isScenario: true
                    )
                )
            case .explore(let heading):
                blocks.append(
                    Block(name: heading.name, kind: .event, heading: line.range, range: line.range)
                )
            case .macro(let heading):
                blocks.append(
                    Block(
                        name: heading.name,
                        kind: .function,
                        heading: line.range,
                        range: line.range
                    )
                )
            case .background:
                blocks.append(
                    Block(
                        name: "background",
                        kind: .function,
                        heading: line.range,
                        range: line.range
                    )
                )
            case .use, .include, .set: break
            case nil:
                guard line.isIndented, let last = blocks.indices.last else { break }
                blocks[last].range = blocks[last].range.lowerBound..<line.range.upperBound
            }
        }
        return blocks
    }

    func workspaceSymbols(_ query: String) -> JSON {
        var found: [JSON] = []
        for root in roots {
            for path in root.project.scriptPaths {
                found += declared(in: path, root).map {
                    symbol(
                        $0.symbol.title,
                        kind: Self.kind(of: $0),
                        path: path,
                        at: $0.range,
                        query: query,
                        in: root
                    )
                }.compactMap(\.self)
            }
            for path in root.project.scenarioPaths {
                found += blocks(in: path, root).filter(\.isScenario).map {
                    symbol(
                        $0.name,
                        kind: $0.kind,
                        path: path,
                        at: $0.heading,
                        query: query,
                        in: root
                    )
                }.compactMap(\.self)
            }
        }
        return .list(Array(found.prefix(1_000)))
    }

    private func symbol(
        _ name: String,
        kind: SymbolKind,
        path: String,
        at range: Range<Int>,
        query: String,
        in root: Root
    ) -> JSON? {
        guard query.isEmpty || name.lowercased().contains(query.lowercased()) else { return nil }
        return [
            "name": .string(name), "kind": .integer(kind.rawValue),
            "location": location(path, at: range, in: root),
        ]
    }

    // MARK: Layout

    func formatting(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard document.isScenario, let file = root.project.scenarios(at: document.path) else {
            return []
        }
        let text = ScenarioFormatter.format(file.source)
        guard !text.isUnchanged, text.exceededLimit == nil else { return [] }
        let whole = 0..<document.lines.bytes.count
        return [["range": document.lines.range(whole, encoding), "newText": .string(text.text)]]
    }

    // MARK: Fixes

    func codeActions(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let range = document.lines.offsets(parameters["range"], encoding) else {
            throw .badParameters("'range' expected")
        }
        var actions: [JSON] = []
        for diagnostic in root.published[document.path] ?? [] {
            guard let span = diagnostic.span?.range, span.lowerBound <= range.upperBound,
                range.lowerBound <= span.upperBound,
                let (old, new) = Self.suggestion(in: diagnostic.message)
            else { continue }
            let text = document.lines.text(span)
            guard let place = text.range(ofWord: old) else { continue }
            let start =
                span.lowerBound + text.utf8.distance(from: text.startIndex, to: place.lowerBound)
            let edit: JSON = [
                "range": document.lines.range(start..<start + old.utf8.count, encoding),
                "newText": .string(new),
            ]
            actions.append([
                "title": .string("Change '\(old)' to '\(new)'"), "kind": "quickfix",
                "isPreferred": true,
                "edit": ["changes": .object([(key: document.uri, value: JSON.list([edit]))])],
            ])
        }
        return .list(actions)
    }

    /// Returns the name that a message is about, and the one that it suggests.
    private static func suggestion(in message: String) -> (String, String)? {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count >= 5,
            let hint = parts.lastIndex(where: { $0.hasSuffix("did you mean ") }),
            hint + 1 < parts.count
        else { return nil }
        return (String(parts[1]), String(parts[hint + 1]))
    }

    // MARK: Hints and lenses

    /// The maximum length of a hint, in characters.
    private static let hintLength = 80

    func inlayHints(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let range = document.lines.offsets(parameters["range"], encoding) else {
            throw .badParameters("'range' expected")
        }
        guard let run = root.runs[document.path], let text = root.project.text(of: document.path)
        else {
            return []
        }
        let shown = run.trees.sorted { $0.key < $1.key }.filter { line, _ in
            line <= text.lineCount && range.contains(text.line(line).lowerBound)
        }
        return .list(shown) { line, tree in
            let isLong = tree.count > Self.hintLength
            return [
                "position": document.lines.position(text.line(line).upperBound, encoding),
                "label": .string("→ " + tree.prefix(Self.hintLength) + (isLong ? "…" : "")),
                "tooltip": .string(tree), "paddingLeft": true,
            ]
        }
    }

    func codeLenses(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard document.isScenario, root.project.isTrusted else { return [] }
        return .list(blocks(in: document.path, root).filter(\.isScenario)) { block in
            [
                "range": document.lines.range(block.heading, encoding),
                "command": [
                    "title": "run", "command": "luaroute.run",
                    "arguments": [.string(document.uri)],
                ],
            ]
        }
    }

    /// Runs the scenarios of an open file again.
    func execute(_ parameters: Value) throws(Failure) -> JSON {
        guard parameters["command"].text == "luaroute.run" else {
            throw .badParameters("the command 'luaroute.run' expected")
        }
        guard let document = parameters["arguments"].list?.first?.text.flatMap({ documents[$0] }),
            let root = root(of: document.path)
        else { throw .badParameters("the URI of an open file expected") }
        guard root.project.isTrusted else {
            throw .badParameters("'initializationOptions.trusted' is not true, so nothing runs")
        }
        guard let run = root.project.run(document.path, isInterrupted: { false }) else {
            throw Failure(code: -32803, message: "the file, or its scripts, have errors")
        }
        root.runs[document.path] = run
        root.isStale = true
        let text = "\(run.passed) passed, \(run.failed) failed"
        notify(
            client: "window/showMessage",
            ["type": run.failed == 0 ? 3 : 1, "message": .string(text)]
        )
        return nil
    }
}

extension String {
    /// Returns the first range of a name that is not a part of another one.
    fileprivate func range(ofWord word: String) -> Range<String.Index>? {
        let isPart = { (index: String.Index) in
            index < self.endIndex && self.utf8[index].isWordOrHyphen
        }
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(word) {
                let end = index(start, offsetBy: word.count)
                if !isPart(end), start == startIndex || !isPart(index(before: start)) {
                    return start..<end
                }
            }
            start = index(after: start)
        }
        return nil
    }
}
