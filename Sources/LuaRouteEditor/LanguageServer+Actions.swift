// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Code actions that fix findings, or insert missing declarations and values.
extension LanguageServer {
    /// A proposed edit.
    private struct CodeAction {
        let title: String
        var kind = "quickfix"
        var isPreferred = false
        let edits: [EditedProject.Edit]
    }

    func codeActions(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let range = document.lines.offsets(parameters["range"], encoding) else {
            throw .badParameters("'range' is missing or invalid")
        }
        let only = parameters["context"]["only"].list?.compactMap(\.text)
        let found = (root.published[document.path]?.findings ?? []).filter { diagnostic in
            diagnostic.span.map { $0.range.touches(range) } ?? false
        }
        var actions = found.compactMap { nearName($0, in: document) }
        if document.isScenario {
            actions += found.compactMap { missingName($0, in: document, root) }
            actions += trueValues(in: document, root, range)
        } else {
            for name in occurrences(in: document.path, root) where name.range.touches(range) {
                actions += [declaration(of: name, in: document, root)].compactMap(\.self)
                let task = task(after: name, root) ?? name
                actions += [examples(of: task, in: document, root)].compactMap(\.self)
            }
            actions += [levelFix(in: document, root, range, isAsked: only != nil)].compactMap(
                \.self
            )
        }
        // The kind `source` includes `source.fixAll`.
        let asked = actions.filter { action in
            only?.contains { action.kind == $0 || action.kind.hasPrefix("\($0).") } ?? true
        }
        return .list(asked) { action in
            [
                "title": .string(action.title), "kind": .string(action.kind),
                "isPreferred": .boolean(action.isPreferred),
                "edit": ["changes": changes(action.edits, root)],
            ]
        }
    }

    /// Returns an edit that replaces a wrong name with the name that the finding suggests.
    private func nearName(_ diagnostic: Diagnostic, in document: Document) -> CodeAction? {
        guard let span = diagnostic.span?.range,
            let (old, new) = Self.suggestion(in: diagnostic.message)
        else { return nil }
        let (bytes, count) = (document.lines.bytes, old.utf8.count)
        let isPart = { bytes.indices.contains($0) && bytes[$0].isWordOrHyphen }
        let start = span.first {
            bytes[$0...].starts(with: old.utf8) && !isPart($0 - 1) && !isPart($0 + count)
        }
        guard let start else { return nil }
        return CodeAction(
            title: "Change '\(old)' to '\(new)'",
            isPreferred: true,
            edits: [(document.path, start..<start + count, new)]
        )
    }

    /// Returns the name that a message is about, and the name that the message suggests.
    private static func suggestion(in message: String) -> (String, String)? {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count >= 5,
            let hint = parts.lastIndex(where: { $0.hasSuffix("did you mean ") }),
            hint + 1 < parts.count
        else { return nil }
        return (String(parts[1]), String(parts[hint + 1]))
    }

    /// Returns an edit that adds a name to the last request before a step: the name by which the
    /// step refers to the request.
    private func missingName(
        _ diagnostic: Diagnostic,
        in document: Document,
        _ root: Root
    ) -> CodeAction? {
        guard let span = diagnostic.span?.range else { return nil }
        let name = document.lines.text(span)
        let lines = root.names(in: document.path).lines
        guard diagnostic.notes.contains(where: { $0.text.contains("'as \(name)'") }),
            let current = lines.firstIndex(where: { $0.range.contains(span.lowerBound) }),
            let line = lines[..<current].reversed().prefix(while: \.isIndented)
                .first(where: { $0.form?.signature.hasSuffix("[as NAME]") == true }),
            !line.names.contains(where: { if case .local = $0.meaning { true } else { false } })
        else { return nil }
        let end = line.range.upperBound
        return CodeAction(
            title: "Name the preceding request '\(name)'",
            isPreferred: true,
            edits: [(document.path, end..<end, " as \(name)")]
        )
    }

    /// Returns edits that replace false expectations, and the placeholder `?`, with the actual
    /// values.
    private func trueValues(
        in document: Document,
        _ root: Root,
        _ range: Range<Int>
    ) -> [CodeAction] {
        let lines =
            document.lines.line(around: range.lowerBound)
            .lowerBound..<document.lines.line(around: range.upperBound).upperBound
        // If the last run had no failures, all expectations are true.
        guard root.project.lastRun(of: document.path)?.diagnostics.isEmpty == false else {
            return []
        }
        let line = document.lines.place(range.lowerBound, encoding).line + 1
        let deadline = ContinuousClock.now + .seconds(1)
        let updates = root.project.updates(of: document.path, line: line) { [isCancelled] in
            isCancelled() || ContinuousClock.now > deadline
        }
        return (updates ?? []).filter { $0.path == document.path && $0.range.overlaps(lines) }.map {
            CodeAction(title: "Write the actual state: \($0.text)", edits: [$0])
        }
    }

    /// Returns an edit that declares a class that no script declares, with the fields that scripts
    /// use.
    private func declaration(
        of name: Occurrence,
        in document: Document,
        _ root: Root
    ) -> CodeAction? {
        let (symbol, all) = (name.symbol, occurrences(root))
        guard symbol.kind == .script(.class),
            !all.contains(where: { $0.symbol == symbol && $0.isNew })
        else { return nil }
        let fields = Set(
            all.map(\.symbol).filter { $0.kind == .script(.field) && $0.owner == symbol.name }
                .map { "\"\($0.name)\"" }
        ).sorted().joined(separator: ", ")
        let options = fields.isEmpty ? "" : ", { fields = { \(fields) } }"
        // The declaration is inserted before the statement that contains the name. Such a statement
        // begins with a line that is not indented and does not end a block.
        var line = document.lines.line(around: name.range.lowerBound)
        while line.lowerBound > 0, !document.lines.beginsStatement(line) {
            line = document.lines.line(around: line.lowerBound - 1)
        }
        let start = line.lowerBound
        return CodeAction(
            title: "Declare the class '\(symbol.name)'",
            edits: [
                (document.path, start..<start, "router.class(\"\(symbol.name)\"\(options))\n")
            ]
        )
    }

    /// Returns an edit that adds `examples` to the registration of a route with parameters.
    private func examples(of name: Occurrence, in document: Document, _ root: Root) -> CodeAction? {
        guard name.isNew, let target = name.symbol.target,
            let (_, router, route) = root.project.registration(of: target, in: document.path),
            route.examples.isEmpty, !route.isTask, !router.needsNoParameters(target),
            let start = document.lines.tableStart(after: name.range.upperBound)
        else { return nil }
        let values = root.project.parameters(of: target).filter { !$0.isOptional }.map {
            "\($0.name) = \($0.type.luaExample)"
        }
        let table = values.isEmpty ? "{}" : "{ \(values.joined(separator: ", ")) }"
        return CodeAction(
            title: "Add 'examples'",
            edits: [(document.path, start..<start, " examples = { \(table) },")]
        )
    }

    /// Returns an edit that adds the API level to scripts, like `check --fix`.
    private func levelFix(
        in document: Document,
        _ root: Root,
        _ range: Range<Int>,
        isAsked: Bool
    ) -> CodeAction? {
        // The edit concerns the whole file, so it is offered on the first line.
        guard isAsked || document.lines.place(range.lowerBound, encoding).line == 0,
            let edit = root.project.levelFix(in: document.path)
        else { return nil }
        let call = edit.text.trimmed(\.isWhitespace)
        return CodeAction(title: "Add '\(call)'", kind: "source.fixAll.luaroute", edits: [edit])
    }
}

extension Range<Int> {
    /// Whether two ranges overlap, or one begins where the other ends.
    fileprivate func touches(_ other: Range<Int>) -> Bool {
        lowerBound <= other.upperBound && other.lowerBound <= upperBound
    }
}

extension TextLines {
    /// Whether a line of a script begins a statement outside of any block.
    fileprivate func beginsStatement(_ line: Range<Int>) -> Bool {
        guard let first = bytes[line].first, first.isLetter else { return false }
        return !["end", "else", "until"].contains { bytes[line].starts(with: $0.utf8) }
    }

    /// Returns the offset after the opening brace of the next argument of a call; nil if that
    /// argument is not a table.
    fileprivate func tableStart(after offset: Int) -> Int? {
        let rest = bytes[min(offset + 1, bytes.count)...].enumerated().lazy
            .filter { !$0.element.isSpace }.prefix(2)
        let next = Array(rest)
        guard next.map(\.element) == Array(",{".utf8) else { return nil }
        return offset + 1 + next[1].offset + 1
    }
}

extension ValueType {
    /// A Lua expression of this type, as a placeholder that the author replaces.
    fileprivate var luaExample: String {
        switch self {
        case .integer, .number, .any, .checked: "1"
        case .string: "\"text\""
        case .boolean: "true"
        case .oneOf(let values): values.first.map { NotationPrinter().value($0) } ?? "nil"
        case .list(let element): "{ \(element.luaExample) }"
        case .record(let record):
            "{ "
                + record.parameters.filter { !$0.isOptional }
                .map { "\($0.name) = \($0.type.luaExample)" }.joined(separator: ", ") + " }"
        case .table: "{}"
        case .function, .screen, .host: "nil"
        }
    }
}
