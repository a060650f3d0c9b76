// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Definitions, references, highlights and renaming.
extension LanguageServer {
    /// Returns the name that contains the offset, or else the name that ends at the offset; nil if
    /// there is none.
    func occurrence(_ document: Document, _ root: Root, at offset: Int) -> Occurrence? {
        let all = occurrences(in: document.path, root)
        let inside = all.filter { $0.range.contains(offset) }
        let found = inside.isEmpty ? all.filter { $0.range.upperBound == offset } : inside
        guard found.count > 1 else { return found.first }
        // A word in a condition about waiting may be a gate or an interceptor. Prefer the symbol
        // that another file contains.
        let others = occurrences(root).filter { $0.path != document.path }.map(\.symbol)
        return found.first { others.contains($0.symbol) } ?? found.first
    }

    /// Returns the names in a file, including texts that name a registered route or task.
    ///
    /// A text names a target if it has the form `Service/task`, or if the service and the task are
    /// two adjacent texts.
    func occurrences(in path: String, _ root: Root) -> [Occurrence] {
        let targets = registered(in: root)
        if let known = root.occurrences[path] { return known }
        let file = root.names(in: path)
        var found = file.occurrences
        func add(_ service: String, task: String, ranges: (Range<Int>, Range<Int>)) {
            guard targets.contains("\(service)/\(task)") else { return }
            for (symbol, range) in [
                (Symbol(.script(.service), service), ranges.0),
                (Symbol(.script(.task), task, of: service), ranges.1),
            ] {
                found.append(Occurrence(symbol: symbol, path: path, range: range, isNew: false))
            }
        }
        for (index, other) in file.others.enumerated() {
            if other.followsText, index > 0 {
                add(
                    file.others[index - 1].text,
                    task: other.text,
                    ranges: (file.others[index - 1].range, other.range)
                )
            }
            let parts = other.text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2 {
                let slash = other.range.lowerBound + parts[0].utf8.count
                add(
                    String(parts[0]),
                    task: String(parts[1]),
                    ranges: (other.range.lowerBound..<slash, slash + 1..<other.range.upperBound)
                )
            }
        }
        root.occurrences[path] = found
        return found
    }

    /// Returns all names of a project: first the names in scripts, then the names in scenario
    /// files.
    func occurrences(_ root: Root) -> FlattenSequence<[[Occurrence]]> {
        (root.project.scriptPaths + root.project.scenarioPaths)
            .map { occurrences(in: $0, root) }.joined()
    }

    /// Returns the targets that scripts register, as `Service/task`.
    func registered(in root: Root) -> Set<String> {
        guard !root.knowsTargets else { return root.targets }
        let targets = Set(
            root.project.scriptPaths.flatMap { root.names(in: $0).occurrences }
                .filter { $0.isNew && $0.symbol.kind == .script(.task) }.map(\.symbol.title)
        )
        root.knowsTargets = true
        // Texts in any file may name the changed targets, so the names of all files must be found
        // again.
        if root.targets != targets { (root.targets, root.occurrences) = (targets, [:]) }
        return root.targets
    }

    /// Returns the declarations of a name.
    ///
    /// If there are none, as for a gate, returns the first use of the name.
    func declarations(of symbol: Symbol, _ root: Root) -> [Occurrence] {
        let all = occurrences(root).filter { $0.symbol == symbol }
        let declared = all.filter(\.isNew)
        return declared.isEmpty ? Array(all.prefix(1)) : declared
    }

    func definition(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        let offset = try offset(document, parameters)
        if let path = path(in: document, root, at: offset) {
            return [location(path, at: 0..<0, in: root)]
        }
        if let local = local(in: document, root, at: offset) {
            return [location(document.path, at: local, in: root)]
        }
        guard let found = occurrence(document, root, at: offset) else { return [] }
        let symbol = task(after: found, root)?.symbol ?? found.symbol
        return .list(declarations(of: symbol, root)) { location($0.path, at: $0.range, in: root) }
    }

    /// Returns the task name that follows the given service name; nil if the given name is not a
    /// service or no task follows.
    func task(after name: Occurrence, _ root: Root) -> Occurrence? {
        guard name.symbol.kind == .script(.service) else { return nil }
        return occurrences(in: name.path, root).first {
            $0.symbol.kind == .script(.task) && $0.symbol.owner == name.symbol.name
                && name.range.upperBound..<name.range.upperBound + 256 ~= $0.range.lowerBound
        }
    }

    /// Returns the path of the file that is named at an offset of a scenario file; nil if there is
    /// none.
    private func path(in document: Document, _ root: Root, at offset: Int) -> String? {
        for name in root.names(in: document.path).lines.flatMap(\.names) {
            guard case .path = name.meaning, name.range.contains(offset) else { continue }
            let written = document.lines.text(name.range).trimmed { $0 == "\"" || $0 == "'" }
            let path = Paths.path(written, from: Paths.folder(of: document.path))
            let entry = SourceFiles.kind(of: path) == .folder ? "\(path)/main.lua" : path
            return root.project.contains(entry) ? entry : nil
        }
        return nil
    }

    /// Returns the range of the request, value or snapshot that introduces the local name at an
    /// offset; nil if there is none.
    private func local(in document: Document, _ root: Root, at offset: Int) -> Range<Int>? {
        guard document.isScenario else { return nil }
        let lines = root.names(in: document.path).lines
        let word = document.lines.text(document.lines.word(at: offset))
        guard !word.isEmpty, let current = lines.lastIndex(where: { $0.range.lowerBound <= offset })
        else { return nil }
        return lines[...current].reversed().prefix(while: \.isIndented).lazy.flatMap(\.names).first
        {
            if case .local = $0.meaning { document.lines.text($0.range) == word } else { false }
        }?.range
    }

    func references(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let found = occurrence(document, root, at: try offset(document, parameters)) else {
            return []
        }
        let includesNew = parameters["context"]["includeDeclaration"].boolean ?? true
        let all = occurrences(root).filter {
            $0.symbol == found.symbol && (includesNew || !$0.isNew)
        }
        return .list(all) { location($0.path, at: $0.range, in: root) }
    }

    func highlights(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        guard let found = occurrence(document, root, at: try offset(document, parameters)) else {
            return []
        }
        let all = occurrences(in: document.path, root).filter { $0.symbol == found.symbol }
        return .list(all) {
            [
                "range": document.lines.range($0.range, encoding),
                "kind": $0.isNew ? 3 : 2,
            ]
        }
    }

    // MARK: Renaming

    func prepareRename(
        _ document: Document,
        in root: Root,
        with parameters: Value
    ) throws(Failure) -> JSON {
        guard let found = occurrence(document, root, at: try offset(document, parameters)) else {
            throw .badParameters("there is no name of a script or a macro at this position")
        }
        try checkRename(found.symbol, root)
        return [
            "range": document.lines.range(found.range, encoding),
            "placeholder": .string(found.symbol.name),
        ]
    }

    func rename(_ document: Document, in root: Root, with parameters: Value) throws(Failure) -> JSON
    {
        guard let name = parameters["newName"].text, Name.isValid(name) else {
            throw .badParameters(
                "a name must begin with a letter and contain only letters, digits, '_', '-' and '.'"
            )
        }
        guard let symbol = occurrence(document, root, at: try offset(document, parameters))?.symbol
        else { throw .badParameters("there is no name of a script or a macro at this position") }
        try checkRename(symbol, root)
        let all = occurrences(root)
        guard !Symbol.isTaken(name, like: symbol, in: all) else {
            throw .badParameters("the \(symbol.kind.title) '\(name)' already exists")
        }
        let edits = all.filter { $0.symbol == symbol }.map { ($0.path, $0.range, name) }
        return ["changes": changes(edits, root)]
    }

    /// Throws an error if some uses of a name may be unknown, so that the name cannot be renamed
    /// safely.
    private func checkRename(_ symbol: Symbol, _ root: Root) throws(Failure) {
        guard symbol.kind != .script(.field), symbol.kind != .script(.dependency) else {
            throw .badParameters(
                "\(symbol.kind.title.withArticle) cannot be renamed, because functions in scripts and the app may use the name"
            )
        }
        guard
            symbol.kind == .macro
                || declarations(of: symbol, root).contains(where: {
                    // Gates are not declared. A gate that no script names belongs to the router.
                    $0.isNew || symbol.kind == .script(.gate) && $0.path.hasSuffix(".lua")
                })
        else {
            throw .badParameters(
                "'\(symbol.title)' cannot be renamed: no script declares the name, so not all of its uses are known"
            )
        }
        guard symbol.kind != .macro else { return }
        root.project.loadScripts()
        guard !root.project.knownNames.isEmpty else {
            throw .badParameters(
                "'\(symbol.title)' cannot be renamed before the scripts have loaded, because a function may build the name from strings"
            )
        }
        let known = occurrences(root)
        for path in root.project.scriptPaths {
            let here = known.filter { $0.path == path }
            for other in root.names(in: path).others where other.text.contains(symbol.name) {
                let isKnown = here.contains { other.range.overlaps($0.range) }
                guard other.text == symbol.name, !isKnown else { continue }
                throw usedAsText(symbol, in: path, at: other.range.lowerBound, root)
            }
        }
        for path in root.project.scenarioPaths {
            if let offset = unknownUse(of: symbol.name, in: path, root) {
                throw usedAsText(symbol, in: path, at: offset, root)
            }
        }
        for names in root.project.knownNames
        where names.joined.makes(symbol.name, of: names.quotedNames) {
            throw .badParameters(
                "'\(symbol.title)' cannot be renamed: a function in the scripts may build the name from strings"
            )
        }
    }

    private func usedAsText(
        _ symbol: Symbol,
        in path: String,
        at offset: Int,
        _ root: Root
    ) -> Failure {
        let line = (lines(of: path, root) ?? TextLines([])).place(offset, encoding).line + 1
        return .badParameters(
            "'\(symbol.title)' cannot be renamed: '\(path)' may use the name as text on line \(line)"
        )
    }

    /// Returns the offset at which a step or a table row contains the given name without a known
    /// meaning, such as in a table cell, a macro argument or a value; nil if there is none.
    private func unknownUse(of name: String, in path: String, _ root: Root) -> Int? {
        guard let bytes = root.project.text(of: path)?.bytes else { return nil }
        let known = occurrences(in: path, root).map(\.range)
        let name = Array(name.utf8)
        for line in root.names(in: path).lines where line.isIndented {
            var start = max(line.word.upperBound, line.range.lowerBound)
            while start < line.range.upperBound {
                var end = start
                while end < line.range.upperBound, bytes[end].isWordOrHyphen { end += 1 }
                // A word before '=' is a field or a parameter, which cannot be renamed.
                let isKey = end < bytes.count && bytes[end] == UInt8(ascii: "=")
                if bytes[start..<end].elementsEqual(name), !isKey,
                    !known.contains(where: { $0.contains(start) })
                {
                    return start
                }
                start = end + 1
            }
        }
        return nil
    }
}

extension Symbol {
    /// Whether the given name is reserved, or belongs to another symbol of the same kind and owner.
    fileprivate static func isTaken(
        _ name: String,
        like symbol: Symbol,
        in all: some Sequence<Occurrence>
    ) -> Bool {
        let new = Symbol(symbol.kind, name, of: symbol.owner)
        if case .script(let subject) = symbol.kind, isReserved(name, subject) { return true }
        return all.contains { $0.symbol == new }
    }
}

extension String {
    /// Returns the text without the characters at its start and end for which the closure returns
    /// true.
    func trimmed(_ isRemoved: (Character) -> Bool) -> String {
        var text = self[...]
        while let first = text.first, isRemoved(first) { text.removeFirst() }
        while let last = text.last, isRemoved(last) { text.removeLast() }
        return String(text)
    }
}
