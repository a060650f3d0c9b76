// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Completion: proposals for the text at a position.
extension LanguageServer {
    /// A completion item.
    private struct Item {
        /// The kinds of completion items that the protocol defines.
        enum Kind: Int {
            case function = 3
            case field = 5
            case `class` = 7
            case property = 10
            case value = 12
            case keyword = 14
            case file = 17
            case reference = 18
        }

        let text: String
        let kind: Kind
        var detail = ""
        var documentation = ""
    }

    func completion(_ document: Document, in root: Root, with parameters: Value) throws(Failure)
        -> JSON
    {
        let offset = try offset(document, parameters)
        let (items, range) =
            document.isScenario
            ? scenarioItems(document, in: root, at: offset)
            : scriptItems(document, in: root, at: offset)
        let edit = document.lines.range(range, encoding)
        return .list(items) { item in
            let help: JSON = ["kind": "markdown", "value": .string(item.documentation)]
            return [
                "label": .string(item.text), "kind": .integer(item.kind.rawValue),
                "textEdit": ["range": edit, "newText": .string(item.text)],
                "detail": item.detail.isEmpty ? nil : .string(item.detail),
                "documentation": item.documentation.isEmpty ? nil : help,
            ]
        }
    }

    // MARK: Names

    /// Returns the names of the given kind in scripts and the host, except the name that is being
    /// typed at an offset.
    private func names(
        _ subject: NameSubject,
        of owner: String?,
        at offset: Int,
        in document: Document,
        _ root: Root
    ) -> [Item] {
        let kind = Symbol.Kind.script(subject)
        var names: Set<String> = []
        for path in root.project.scriptPaths {
            for name in occurrences(in: path, root)
            where name.symbol.kind == kind
                && (name.symbol.owner == owner || owner == nil && subject == .field)
            {
                let isTyped =
                    path == document.path && name.range.lowerBound <= offset
                    && offset <= name.range.upperBound
                if !isTyped { names.insert(name.symbol.name) }
            }
        }
        for known in root.project.knownNames {
            switch subject {
            case .class: names.formUnion(known.classes)
            case .field:
                // Without a class, the fields of all classes are proposed.
                let fields = owner.map { known.fields[$0] ?? [] }
                names.formUnion(fields ?? known.fields.values.reduce(into: []) { $0.formUnion($1) })
            case .gate: names.formUnion(known.gates)
            case .interceptor: names.formUnion(known.interceptors)
            case .action: names.formUnion(known.actions)
            case .export: names.formUnion(known.exports)
            case .service: names.formUnion(known.hostTasks.map(\.service))
            case .task:
                names.formUnion(known.hostTasks.filter { $0.service == owner }.map(\.task))
            case .dependency, .target: break
            }
        }
        if subject == .class { names.formUnion(Screen.Kind.allCases.map(\.rawValue)) }
        if subject == .action { names.formUnion(Action.words) }
        let item: Item.Kind = subject == .class ? .class : subject == .field ? .field : .reference
        return names.sorted().map { Item(text: $0, kind: item, detail: subject.rawValue) }
    }

    /// Returns the targets of routes or tasks, as `Service/task`.
    private func targets(_ root: Root, isTask: Bool) -> [Item] {
        var names = registered(in: root)
        for known in root.project.knownNames {
            names.formUnion(
                (isTask ? known.hostTasks.union(known.targets) : known.targets).map(\.description)
            )
        }
        return names.sorted().map { Item(text: $0, kind: .reference) }
    }

    private func parameters(of target: Target, _ root: Root) -> [Item] {
        root.project.parameters(of: target).map {
            Item(
                text: $0.name,
                kind: .field,
                detail: "\($0.type.title)\($0.isOptional ? "?" : ""), parameter of \(target)"
            )
        }
    }

    /// Returns the keys in the state of the scripts, as paths such as `user.name`.
    ///
    /// These are the keys that scripts set while they load, and the keys that files contain outside
    /// of the given range of the document.
    private func states(_ root: Root, without range: Range<Int>, of document: Document) -> [Item] {
        var bytes = document.lines.bytes
        bytes.removeSubrange(range)
        var states = ProjectNames.states(in: bytes)
        for path in root.project.scriptPaths + root.project.scenarioPaths
        where path != document.path {
            states.formUnion(root.names(in: path).states)
        }
        for router in root.project.routers {
            for case .string(let key) in router.state.entries.map(\.key) {
                states.insert("state.\(key.displayText)")
            }
        }
        return states.sorted().map {
            Item(text: String($0.dropFirst("state.".count)), kind: .field)
        }
    }

    // MARK: Scripts

    private func scriptItems(
        _ document: Document,
        in root: Root,
        at offset: Int
    ) -> ([Item], Range<Int>) {
        guard let (expected, range) = ScriptNames.expected(at: offset, in: document.lines.bytes)
        else {
            return ([], offset..<offset)
        }
        switch expected {
        case .name(let subject, let owner):
            return (names(subject, of: owner, at: offset, in: document, root), range)
        case .parameters(let target): return (parameters(of: target, root), range)
        case .words(let words): return (words.map { Item(text: $0, kind: .value) }, range)
        case .keys(let keys):
            let items = keys.map {
                Item(text: $0.name, kind: .property, detail: $0.type.title, documentation: $0.text)
            }
            return (items, range)
        case .members("state"):
            return (states(root, without: range, of: document), range)
        case .members(let object):
            let functions = APIChapter.all.filter { $0.object == object }.flatMap(\.functions)
            let items = functions.map {
                Item(
                    text: $0.name,
                    kind: .function,
                    detail: $0.signature,
                    documentation: $0.text
                )
            }
            let values = (object == "router" ? APIValue.all : []).map {
                Item(
                    text: $0.name,
                    kind: .value,
                    detail: "router.\($0.name)",
                    documentation: $0.text
                )
            }
            return (items + values, range)
        }
    }

    // MARK: Scenario files

    private func scenarioItems(
        _ document: Document,
        in root: Root,
        at offset: Int
    ) -> ([Item], Range<Int>) {
        let bytes = document.lines.bytes
        let lineStart = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = Array(bytes[lineStart..<offset])
        var start = offset
        while start > lineStart, bytes[start - 1].isWordOrHyphen || bytes[start - 1] == 0x2E {
            start -= 1
        }
        let first = Self.firstWords(after: line[..<(start - lineStart)])
        if !first.isEmpty { return (first, start..<offset) }
        let state = start + "state.".utf8.count
        if state <= offset, document.lines.text(start..<state) == "state." {
            return (states(root, without: state..<offset, of: document), state..<offset)
        }
        if let open = line.lastIndex(of: UInt8(ascii: "(")),
            !line[open...].contains(UInt8(ascii: ")")),
            line[..<open].reversed().starts(with: "with ".utf8.reversed())
        {
            let isValue = bytes[start - 1] == UInt8(ascii: "=")
            let options = isValue ? [] : RequestOption.allCases
            let items = options.map {
                Item(text: $0.rawValue, kind: .property, detail: $0.expected)
            }
            return (items, start..<offset)
        }
        let argument = line.lastIndex(where: \.isBlank).map { $0 + 1 } ?? 0
        if let items = texts(at: argument, in: line, root) {
            return (items, lineStart + argument..<offset)
        }
        if let (items, start, isValue) = names(after: line, at: offset, in: document, root),
            isValue || !items.isEmpty
        {
            return (items, lineStart + start..<offset)
        }
        return (words(after: line, document, root), start..<offset)
    }

    /// Returns the tags or URL patterns that may be written at an offset of a line; nil if neither
    /// is possible there.
    private func texts(at start: Int, in line: [UInt8], _ root: Root) -> [Item]? {
        let before = String(decoding: line[..<start], as: UTF8.self).split(separator: " ")
        if line[start...].first == UInt8(ascii: "@"), line.first?.isBlank == false {
            let tags = root.project.scenarioPaths.flatMap { root.names(in: $0).lines }
                .flatMap { line -> [String] in
                    if case .scenario(let heading)? = line.block { heading.tags } else { [] }
                }
            return Set(tags).sorted().map { Item(text: "@\($0)", kind: .value, detail: "tag") }
        }
        let word = before.joined(separator: " ")
        guard let form = Vocabulary.steps.first(where: { $0.word == word }),
            ["TEXT", "URL"].contains(where: { form.signature.hasPrefix("\(word) \($0) ") })
        else { return nil }
        return root.project.routers.flatMap(\.registrations).flatMap { route in
            route.urls.map {
                Item(text: $0, kind: .reference, detail: "URL pattern of \(route.target)")
            }
        }
    }

    /// Returns the words that may follow the given start of a line: the first word of the line, the
    /// remaining words of a form that begins with several words, or a step if the last word takes a
    /// step.
    private static func firstWords(after line: ArraySlice<UInt8>) -> [Item] {
        var typed = String(decoding: line.drop(while: \.isBlank), as: UTF8.self)
        let isHeading = line.first?.isBlank != true
        var forms = isHeading ? Vocabulary.blocks.map(\.item) : Vocabulary.lineItems
        let whole = forms.first {
            $0.signature.contains("STEP") && typed.hasPrefix("\($0.word) ")
        }
        if let whole {
            typed = String(typed.dropFirst(whole.word.count + 1))
            forms = Vocabulary.steps.map(\.item)
        }
        return forms.filter { $0.word.hasPrefix(typed) }.map { form in
            var form = form
            form.word = String(form.word.dropFirst(typed.count))
            return item(form)
        }
    }

    private static func item(_ form: Vocabulary.Item) -> Item {
        Item(
            text: form.word,
            kind: .keyword,
            detail: form.signature,
            documentation: form.help + "\n\n```\n" + form.example.joined(separator: "\n") + "\n```"
        )
    }

    /// The proposals for a name or a value, and the offset in the line at which the name or value
    /// starts.
    private typealias Names = (items: [Item], start: Int, isValue: Bool)

    /// Returns the names or values that may be written at the end of a line; nil if neither is
    /// possible there.
    ///
    /// To find out which names are possible, a placeholder for a name, a target or a field is
    /// appended to the line, and the line is parsed.
    private func names(
        after line: [UInt8],
        at offset: Int,
        in document: Document,
        _ root: Root
    ) -> Names? {
        let closers = Self.closers(of: line)
        for tail in ["zz", "zz/zz", "zz=1"] {
            let text = line + Array(tail.utf8) + closers
            let source = SourceText(name: "", content: text)
            guard let outline = LineOutline.all(in: source).first else { continue }
            var target: Target?
            for name in outline.names {
                let start = name.range.lowerBound
                let isHere = start <= line.count && line.count < name.range.upperBound
                switch name.meaning {
                case .macro where isHere: return (macros(root), start, false)
                case .path where isHere: return (paths(document, root), start, false)
                case .script(let meaning):
                    switch meaning {
                    case .route(let its), .task(let its): target = its
                    case .screen(let screen), .givenScreen(let screen):
                        let field = screen.fields?.first { $0.range.contains(line.count) }
                        guard let field else { break }
                        let start = field.range.lowerBound
                        guard line.count <= start + field.name.utf8.count else {
                            return ([], line.count, true)
                        }
                        let owner = screen.name
                        let fields = names(.field, of: owner, at: offset, in: document, root)
                        return (fields, start, false)
                    default: break
                    }
                    guard isHere else { continue }
                    if let subject = Self.subject(of: meaning) {
                        let names = names(subject, of: nil, at: offset, in: document, root)
                        return (names, start, false)
                    }
                    if let found = targets(meaning, at: start, in: line, of: target, root) {
                        return found
                    }
                default: break
                }
            }
        }
        return nil
    }

    /// Returns the kind of name that has the given meaning; nil if the name is a target or a part
    /// of a target.
    private static func subject(of meaning: NameReference.Meaning) -> NameSubject? {
        switch meaning {
        case .service: .service
        case .screen, .givenScreen, .screenClass: .class
        case .gate: .gate
        case .interceptor, .wait: .interceptor
        case .action: .action
        case .export: .export
        case .route, .task, .hostTask, .stub, .registration, .parameter, .text: nil
        }
    }

    /// Returns the targets, the parameters of a target, or the example values of a parameter.
    private func targets(
        _ meaning: NameReference.Meaning,
        at start: Int,
        in line: [UInt8],
        of target: Target?,
        _ root: Root
    ) -> Names? {
        switch (meaning, target) {
        case (.route, _): return (targets(root, isTask: false), start, false)
        case (.parameter, let target?): return (parameters(of: target, root), start, false)
        case (.text(let text), let target?) where text.hasSuffix("zz"):
            guard let equals = line[start...].firstIndex(of: UInt8(ascii: "=")) else {
                return (parameters(of: target, root), start, false)
            }
            let name = String(decoding: line[start..<equals], as: UTF8.self)
            let routes = root.project.routers.compactMap { try? $0.registration(of: target) }
            let values = routes.flatMap(\.examples).map { $0[name] }.filter { !$0.isNil }
            let texts = Set(values.map { NotationPrinter().value($0) }).sorted()
            let items = texts.map { Item(text: $0, kind: .value, detail: "example") }
            return (items, equals + 1, true)
        case (.parameter, _), (.text, _): return nil
        default: return (targets(root, isTask: true), start, false)
        }
    }

    private func macros(_ root: Root) -> [Item] {
        let names = occurrences(root).filter { $0.symbol.kind == .macro }.map(\.symbol.name)
        return Set(names).sorted().map { Item(text: $0, kind: .function, detail: "macro") }
    }

    private func paths(_ document: Document, _ root: Root) -> [Item] {
        let folder = Paths.folder(of: document.path)
        return (root.project.scriptPaths + root.project.scenarioPaths)
            .filter { $0 != document.path }
            .map { Item(text: Self.relative($0, to: folder), kind: .file) }
    }

    private static func relative(_ path: String, to folder: String) -> String {
        let (path, folder) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(path, folder).prefix { $0 == $1 }.count
        let ups = Array(repeating: "..", count: folder.count - common)
        return (ups + path[common...].map(String.init)).joined(separator: "/")
    }

    /// Returns the words that may follow in a line: conditions, other words of the line's form, and
    /// names of requests.
    private func words(after line: [UInt8], _ document: Document, _ root: Root) -> [Item] {
        let source = SourceText(name: "", content: line)
        guard let outline = LineOutline.all(in: source).first, let form = outline.form else {
            return []
        }
        if form.signature.contains("CONDITION") {
            let rest = source.text(outline.word.upperBound..<line.count).split(separator: " ")
            let conditions = rest.count <= 2 ? Vocabulary.conditions.map(\.item) : []
            let locals = root.names(in: document.path).lines.flatMap(\.names).compactMap { name in
                if case .local = name.meaning { document.lines.text(name.range) } else { nil }
            }
            return conditions.map(Self.item)
                + Set(locals).sorted().map {
                    Item(text: $0, kind: .reference, detail: "name in this file")
                }
        }
        if form.signature.hasPrefix("set KEY") {
            return ScenarioSettings.Key.allCases.map { Item(text: $0.rawValue, kind: .keyword) }
        }
        let words = form.signature.dropFirst(outline.word.count)
            .split { !($0.isLetter && $0.isLowercase) }.map(String.init)
        return Array(Set(words)).sorted().map {
            Item(text: $0, kind: .keyword, detail: form.signature)
        }
    }

    /// Returns the closing quote and brackets that a line lacks.
    private static func closers(of line: [UInt8]) -> [UInt8] {
        var open: [UInt8] = []
        var quote: UInt8?
        for byte in line {
            let character = Character(UnicodeScalar(byte))
            if let current = quote {
                if byte == current { quote = nil }
            } else if "\"'".contains(character) {
                quote = byte
            } else if "([{".contains(character) {
                // In ASCII, the code of ')' is that of '(' plus 1; for '[]' and '{}' the difference
                // is 2.
                open.append(byte + (character == "(" ? 1 : 2))
            } else if ")]}".contains(character) {
                _ = open.popLast()
            }
        }
        return [quote].compactMap(\.self) + open.reversed()
    }
}

extension Vocabulary {
    /// A word with its signature, its help and an example.
    typealias Item = (word: String, signature: String, help: String, example: [String])

    /// The words that may begin a line within a block.
    static var lineItems: [Item] {
        steps.map(\.item) + structure.map(\.item) + exploring.map(\.item)
    }
}

extension Vocabulary.Form {
    var item: Vocabulary.Item { (word, signature, help, example) }
}

extension TextLines {
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}
