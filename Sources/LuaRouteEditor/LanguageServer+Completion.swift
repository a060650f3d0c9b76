// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// The texts that may be written at a position.
extension LanguageServer {
    /// A proposed text.
    private struct Item {
        /// The kinds of the protocol.
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
            var members: [(key: String, value: JSON)] = [
                ("label", .string(item.text)),
                ("kind", .integer(item.kind.rawValue)),
                ("textEdit", ["range": edit, "newText": .string(item.text)]),
            ]
            if !item.detail.isEmpty { members.append(("detail", .string(item.detail))) }
            if !item.documentation.isEmpty {
                members.append(
                    ("documentation", ["kind": "markdown", "value": .string(item.documentation)])
                )
            }
            return .object(members)
        }
    }

    // MARK: Names

    /// Returns the names of a kind that scripts and the host have, without the name that is being
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
                // A finder compares the fields of any class.
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

    /// Returns the targets, as `Service/task`.
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
            return (items, range)
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
        let first = line.firstIndex { !$0.isBlank } ?? line.count
        if lineStart + first >= start {
            let isHeading = first == 0
            let forms = isHeading ? Vocabulary.blocks.map(\.item) : Vocabulary.lineItems
            return (forms.map(Self.item), start..<offset)
        }
        let argument = line.lastIndex(where: \.isBlank).map { $0 + 1 } ?? 0
        if let items = texts(at: argument, in: line, root) {
            return (items, lineStart + argument..<offset)
        }
        if let (expected, range) = expectedName(line) {
            let items = items(expected, at: offset, in: document, root: root)
            let start = lineStart + range.lowerBound
            if case .value = expected { return (items, start..<offset) }
            if !items.isEmpty { return (items, start..<offset) }
        }
        return (words(after: line, document, root), start..<offset)
    }

    /// Returns the tags or the URL patterns that may be written after the blank before an offset of
    /// a line; nil if other words may be written there.
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

    private static func item(_ form: Vocabulary.Item) -> Item {
        Item(
            text: form.word,
            kind: .keyword,
            detail: form.signature,
            documentation: form.help + "\n\n```\n" + form.example.joined(separator: "\n") + "\n```"
        )
    }

    /// The kind of name that may be at the end of a line.
    private enum ExpectedName {
        case target(isTask: Bool)
        case name(NameSubject, owner: String?)
        case parameter(Target)
        /// The value of a parameter, or of a field if there is no target.
        case value(of: String, Target?)
        case macro
        case path
        case local
    }

    /// Returns the kind of name at the end of a line, and the range of its typed beginning.
    ///
    /// The parser decides: it reads the line with a name, a target or a field at the end.
    private func expectedName(_ line: [UInt8]) -> (ExpectedName, Range<Int>)? {
        let closers = Self.closers(of: line)
        for tail in ["zz", "zz/zz", "zz=1"] {
            let text = line + Array(tail.utf8) + closers
            let source = SourceText(name: "", content: text)
            guard let outline = LineOutline.all(in: source).first else { continue }
            var target: Target?
            for name in outline.names {
                let isHere =
                    name.range.lowerBound <= line.count && line.count < name.range.upperBound
                switch name.meaning {
                case .macro where isHere: return (.macro, name.range)
                case .path where isHere: return (.path, name.range)
                case .script(let meaning):
                    if case .route(let its) = meaning { target = its }
                    if case .task(let its) = meaning { target = its }
                    switch meaning {
                    case .screen(let screen), .givenScreen(let screen):
                        let field = screen.fields?.first { $0.range.contains(line.count) }
                        guard let field else { break }
                        if line.count <= field.range.lowerBound + field.name.utf8.count {
                            return (.name(.field, owner: screen.name), field.range)
                        }
                        return (.value(of: field.name, nil), line.count..<line.count)
                    default: break
                    }
                    guard isHere,
                        let found = expected(
                            meaning,
                            at: name.range,
                            in: line,
                            target: target
                        )
                    else {
                        continue
                    }
                    return found
                default: break
                }
            }
        }
        return nil
    }

    private func expected(
        _ meaning: NameReference.Meaning,
        at range: Range<Int>,
        in line: [UInt8],
        target: Target?
    ) -> (ExpectedName, Range<Int>)? {
        switch meaning {
        case .route: return (.target(isTask: false), range)
        case .task, .hostTask, .stub, .registration: return (.target(isTask: true), range)
        case .service: return (.name(.service, owner: nil), range)
        case .screen, .givenScreen:
            return (.name(.class, owner: nil), range)
        case .screenClass: return (.name(.class, owner: nil), range)
        case .gate: return (.name(.gate, owner: nil), range)
        case .interceptor, .wait: return (.name(.interceptor, owner: nil), range)
        case .action: return (.name(.action, owner: nil), range)
        case .export: return (.name(.export, owner: nil), range)
        case .parameter: return target.map { (.parameter($0), range) }
        case .text(let text):
            guard text.hasSuffix("zz"), let target else { return nil }
            let field = line[range.lowerBound...]
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
                return (.parameter(target), range)
            }
            let name = String(decoding: field[..<equals], as: UTF8.self)
            return (.value(of: name, target), equals + 1..<line.count)
        }
    }

    private func items(
        _ expected: ExpectedName,
        at offset: Int,
        in document: Document,
        root: Root
    ) -> [Item] {
        switch expected {
        case .target(let isTask): return targets(root, isTask: isTask)
        case .name(let subject, let owner):
            return names(subject, of: owner, at: offset, in: document, root)
        case .parameter(let target): return parameters(of: target, root)
        case .value(let name, let target):
            guard let target else { return [] }
            let routes = root.project.routers.compactMap { try? $0.registration(of: target) }
            let values = routes.flatMap(\.examples).map { $0[name] }.filter { !$0.isNil }
            let texts = Set(values.map { NotationPrinter().value($0) })
            return texts.sorted().map { Item(text: $0, kind: .value, detail: "example") }
        case .macro:
            let names = occurrences(root).filter { $0.symbol.kind == .macro }.map(\.symbol.name)
            return Set(names).sorted().map { Item(text: $0, kind: .function, detail: "macro") }
        case .path:
            let folder = Paths.folder(of: document.path)
            let paths = root.project.scriptPaths + root.project.scenarioPaths
            return paths.filter { $0 != document.path }.map {
                Item(text: Self.relative($0, to: folder), kind: .file)
            }
        case .local: return []
        }
    }

    private static func relative(_ path: String, to folder: String) -> String {
        let (path, folder) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(path, folder).prefix { $0 == $1 }.count
        let ups = Array(repeating: "..", count: folder.count - common)
        return (ups + path[common...].map(String.init)).joined(separator: "/")
    }

    /// Returns the words that may follow in a line: conditions, the other words of its form, and names
    /// of requests.
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
        if form.signature.hasPrefix("set ") {
            return ScenarioSettings.Key.allCases.map { Item(text: $0.rawValue, kind: .keyword) }
        }
        let words = form.signature.dropFirst(outline.word.count)
            .split { !($0.isLetter && $0.isLowercase) }.map(String.init)
        return Array(Set(words)).sorted().map {
            Item(text: $0, kind: .keyword, detail: form.signature)
        }
    }

    /// Returns the quote and the brackets that close the open ones of a line.
    private static func closers(of line: [UInt8]) -> [UInt8] {
        var open: [UInt8] = []
        var quote: UInt8?
        for byte in line {
            switch (quote, byte) {
            case (let current?, _): if byte == current { quote = nil }
            case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")): quote = byte
            case (nil, UInt8(ascii: "(")): open.append(UInt8(ascii: ")"))
            case (nil, UInt8(ascii: "[")): open.append(UInt8(ascii: "]"))
            case (nil, UInt8(ascii: "{")): open.append(UInt8(ascii: "}"))
            case (nil, UInt8(ascii: ")")), (nil, UInt8(ascii: "]")), (nil, UInt8(ascii: "}")):
                _ = open.popLast()
            default: break
            }
        }
        return [quote].compactMap(\.self) + open.reversed()
    }
}

extension Vocabulary {
    /// A word with its description.
    typealias Item = (word: String, signature: String, help: String, example: [String])

    /// The words that begin a line of a block.
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
