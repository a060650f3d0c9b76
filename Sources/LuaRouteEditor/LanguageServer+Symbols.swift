// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Document and workspace symbols, formatting and inlay hints.
extension LanguageServer {
    // MARK: Symbols

    /// The kinds of symbols that the protocol defines.
    enum SymbolKind: Int {
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

    func declared(in path: String, _ root: Root) -> [Occurrence] {
        root.names(in: path).occurrences.filter {
            $0.isNew && $0.symbol.kind != .script(.service) && $0.symbol.kind != .script(.field)
        }
    }

    private static func kind(of occurrence: Occurrence) -> SymbolKind {
        occurrence.symbol.kind == .script(.class) ? .class : .function
    }

    /// A block of a scenario file.
    struct Block {
        let name: String
        let kind: SymbolKind
        let lenses: [Lens]
        let heading: Range<Int>
        var range: Range<Int>
    }

    func blocks(in path: String, _ root: Root) -> [Block] {
        var blocks: [Block] = []
        for line in root.names(in: path).lines {
            func add(_ name: String, _ kind: SymbolKind, lenses: [Lens] = []) {
                let (heading, range) = (line.range, line.range)
                blocks.append(
                    Block(name: name, kind: kind, lenses: lenses, heading: heading, range: range)
                )
            }
            switch line.block {
            case .scenario(let heading): add(heading.name, .event, lenses: [.run, .trace, .update])
            case .explore(let heading): add(heading.name, .event, lenses: [.search])
            case .macro(let heading): add(heading.name, .function)
            case .background: add("background", .function)
            case .use, .include, .set: break
            case nil:
                guard line.isIndented, let last = blocks.indices.last else { break }
                blocks[last].range = blocks[last].range.lowerBound..<line.range.upperBound
            }
        }
        return blocks
    }

    func workspaceSymbols(_ query: String) -> JSON {
        let query = query.lowercased()
        let all = roots.flatMap { root in
            let scripts = root.project.scriptPaths.flatMap { path in
                declared(in: path, root).map {
                    ($0.symbol.title, Self.kind(of: $0), path, $0.range, root)
                }
            }
            let scenarios = root.project.scenarioPaths.flatMap { path in
                blocks(in: path, root).filter { $0.kind == .event }
                    .map { ($0.name, $0.kind, path, $0.heading, root) }
            }
            return scripts + scenarios
        }
        let found = all.lazy.filter { query.isEmpty || $0.0.lowercased().contains(query) }
        return .list(found.prefix(1_000)) { name, kind, path, range, root in
            [
                "name": .string(name), "kind": .integer(kind.rawValue),
                "location": location(path, at: range, in: root),
            ]
        }
    }

    // MARK: Formatting

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

    // MARK: Inlay hints

    /// The maximum length of an inlay hint, in characters.
    private static let hintLength = 80

    func inlayHints(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let range = document.lines.offsets(parameters["range"], encoding) else {
            throw .badParameters("'range' is missing or invalid")
        }
        guard let run = root.project.lastRun(of: document.path),
            let text = root.project.text(of: document.path)
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
}
