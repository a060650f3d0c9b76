// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Hover: the description of the text at a position.
extension LanguageServer {
    func hover(_ document: Document, in root: Root, with parameters: Value) throws(Failure) -> JSON
    {
        let offset = try offset(document, parameters)
        let found =
            article(document, in: root, at: offset) ?? name(document, in: root, at: offset)
            ?? (document.isScenario
                ? word(document, in: root, at: offset) : function(document, offset))
        guard let (text, range) = found else { return nil }
        return [
            "contents": ["kind": "markdown", "value": .string(text)],
            "range": document.lines.range(range, encoding),
        ]
    }

    /// Returns the article about the finding at an offset.
    private func article(_ document: Document, in root: Root, at offset: Int) -> (
        String, Range<Int>
    )? {
        for diagnostic in root.published[document.path]?.findings ?? [] {
            guard let range = diagnostic.span?.range, range.contains(offset),
                let entry = ReferenceEntry.named(diagnostic.code.description).first
            else { continue }
            return (entry.markdown, range)
        }
        return nil
    }

    /// Returns the description of the name at an offset, with its declaration.
    private func name(_ document: Document, in root: Root, at offset: Int) -> (String, Range<Int>)?
    {
        guard let found = occurrence(document, root, at: offset) else { return nil }
        let symbol = found.symbol
        var text = "**\(symbol.kind.title) \(symbol.title)**"
        if symbol.kind == .script(.task), let service = symbol.owner {
            let target = Target(service, symbol.name)
            for router in root.project.routers {
                guard let route = try? router.registration(of: target) else { continue }
                text += Self.description(of: route, root.project.parameters(of: target))
                break
            }
        }
        if let place = declarations(of: symbol, root).first, let lines = lines(of: place.path, root)
        {
            let language = place.path.hasSuffix(".lua") ? "lua" : "scenario"
            let line = lines.line(around: place.range.lowerBound)
            text += "\n\n```\(language)\n\(lines.text(line).trimmed(\.isWhitespace))\n```"
        }
        return (text, found.range)
    }

    private static func description(
        of route: RouteDescription,
        _ parameters: [InfoDeclaration.Parameter]
    ) -> String {
        var parts: [(String, [String])] = [
            ("URLs", route.urls), ("screens", route.screens), ("interceptors", route.interceptors),
        ]
        parts.append(
            (
                "parameters",
                parameters.map { "\($0.name): \($0.type.title)\($0.isOptional ? "?" : "")" }
            )
        )
        parts.append(("examples", route.examples.map(\.description)))
        return parts.filter { !$0.1.isEmpty }
            .map { "\n\n\($0.0): " + $0.1.map { "`\($0)`" }.joined(separator: ", ") }.joined()
    }

    /// Returns the help for the step, block or condition that the word at an offset names.
    private func word(_ document: Document, in root: Root, at offset: Int) -> (String, Range<Int>)?
    {
        let lines = root.names(in: document.path).lines
        guard let line = lines.first(where: { $0.range.contains(offset) }), let form = line.form
        else {
            return nil
        }
        if line.word.contains(offset) { return (ReferenceEntry(form).markdown, line.word) }
        guard form.signature.contains("CONDITION") || form.signature.contains("STEP") else {
            return nil
        }
        let range = document.lines.word(at: offset)
        let word = document.lines.text(range)
        guard let condition = Vocabulary.conditions.first(where: { $0.word == word }) else {
            return nil
        }
        let entry = ReferenceEntry((condition.signature, condition.help, condition.example))
        return (entry.markdown, range)
    }

    /// Returns the description of the API function at an offset, or of a key of its options.
    private func function(_ document: Document, _ offset: Int) -> (String, Range<Int>)? {
        guard
            let (object, function, range) = ScriptNames.function(
                at: offset,
                in: document.lines.bytes
            )
        else { return key(document, offset) }
        return (ReferenceEntry(function, of: object).markdown, range)
    }

    private func key(_ document: Document, _ offset: Int) -> (String, Range<Int>)? {
        let end = document.lines.bytes[offset...].firstIndex { !$0.isWord }
        guard let end,
            case (.keys(let keys), let range)? = ScriptNames.expected(
                at: end,
                in: document.lines.bytes
            ), let key = keys.first(where: { $0.name == document.lines.text(range) })
        else { return nil }
        return ("**\(key.name)**: \(key.type.title)\n\n\(key.text)", range)
    }
}

extension TextLines {
    /// Returns the range of the word that contains the offset or ends there; an empty range if
    /// there is none.
    func word(at offset: Int) -> Range<Int> {
        let start = bytes[..<offset].lastIndex { !$0.isWordOrHyphen }.map { $0 + 1 } ?? 0
        return start..<(bytes[offset...].firstIndex { !$0.isWordOrHyphen } ?? bytes.count)
    }

    /// Returns the range of the line that contains the offset, without the line break.
    func line(around offset: Int) -> Range<Int> {
        let start = bytes[..<min(offset, bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        return start..<end
    }
}
