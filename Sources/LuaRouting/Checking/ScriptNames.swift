// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteCore

/// The names in the text of a script, each with the kind of thing that it names.
///
/// The kinds are derived from the description of the API.
///
/// The script is not run, so names are found even in a script with errors.
package struct ScriptNames: Sendable {
    /// A name in a script.
    package struct Name: Sendable {
        /// The kind of thing that is named; never `target`.
        package let subject: NameSubject
        package let text: String
        /// The service if the name is a task, or the class if the name is a field and its class is
        /// known; nil otherwise.
        package let owner: String?
        /// Whether the call declares the name, instead of using it.
        package let isNew: Bool
        /// The range of the name in the source, in bytes.
        package let range: Range<Int>
        /// The name of the function whose argument contains the name.
        var function = ""
        /// Whether the function is called as a member, after `.` or `:`.
        var isMember = false
        /// The name before the `.` or `:`; nil if another expression precedes it.
        var object: String?
    }

    /// A string literal that is not an argument of an API function.
    package struct Other: Sendable {
        package let text: String
        /// The range of the literal in the source, in bytes.
        package let range: Range<Int>
        /// Whether the literal follows another literal and a comma, as the name of a task follows
        /// the name of its service.
        package let followsText: Bool
    }

    /// The names, in the order of the source.
    package private(set) var names: [Name] = []
    /// The other string literals.
    package private(set) var others: [Other] = []

    /// Finds the names in a source.
    ///
    /// - Complexity: O(*n*) in the length of the source.
    package init(_ source: [UInt8]) { self.init(Self.tokens(of: source)) }

    /// Finds the names in the tokens of a source.
    init(_ tokens: [ScriptToken]) {
        var nesting = ScriptNesting()
        var before: Name?
        var lastText: String?
        var lastWord: (text: String, range: Range<Int>)?
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .text(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                let call = nesting.argument(isText: true)
                // A literal that is the operand of an operator is only a part of the name.
                let isPart =
                    index > 0 && tokens[index - 1].kind.isOperator
                    && tokens[index - 1].kind != .symbol(UInt8(ascii: "="))
                    || index + 1 < tokens.count && tokens[index + 1].kind.isOperator
                if !isPart, let call, let leaf = call.leaf,
                    case .reference(let subject, let isNew) = leaf
                {
                    let name = Name(
                        subject,
                        text: text,
                        isNew: isNew,
                        at: token.range,
                        in: call,
                        before: before
                    )
                    before = name
                    names.append(name)
                } else if call?.function != "require" {
                    others.append(
                        Other(
                            text: text,
                            range: token.range,
                            followsText: lastText != nil
                        )
                    )
                }
                lastText = text
            case .symbol(UInt8(ascii: ",")): break
            case .symbol(UInt8(ascii: "=")):
                lastText = nil
                nesting.read(token.kind, at: .init(file: "", line: token.line))
                if let call = nesting.argument(), let key = lastWord {
                    readKey(key.text, at: key.range, in: call)
                }
                continue
            default: lastText = nil
            }
            if case .word(let text) = token.kind {
                lastWord = (text, token.range)
            } else {
                lastWord = nil
            }
            nesting.read(token.kind, at: .init(file: "", line: token.line))
        }
    }

    /// Adds a table key to the names if the key is the name of a field.
    private mutating func readKey(
        _ key: String,
        at range: Range<Int>,
        in call: ScriptNesting.Argument
    ) {
        guard call.path.last == .key(key), let owner = call.firstText else { return }
        let isNew = call.function == "class" && call.path == [.key("fields"), .key(key)]
        guard isNew || call.function == "screen" && call.path == [.key(key)] else { return }
        names.append(
            Name(
                subject: .field,
                text: key,
                owner: String(decoding: owner, as: UTF8.self),
                isNew: isNew,
                range: range
            )
        )
    }

    /// Returns the tokens of a source.
    ///
    /// After an unclosed string, tokens continue on the next line.
    package static func tokens(of source: [UInt8]) -> [ScriptToken] {
        var tokens: [ScriptToken] = []
        var start = 0
        while start < source.count {
            var end = start
            for token in LuaTokens(source, from: start) {
                tokens.append(ScriptToken(token, of: source))
                end = token.range.upperBound
            }
            let rest = source[end...].firstIndex { !$0.isSpace } ?? source.count
            guard rest < source.count, isQuote(source[rest]),
                let newline = source[rest...].firstIndex(of: UInt8(ascii: "\n"))
            else { break }
            start = newline + 1
        }
        return tokens
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    // MARK: At an offset

    /// The names, words or keys that may be written at an offset in a source.
    package enum Expected: Sendable {
        /// A quoted name.
        ///
        /// The owner is the service of a task or the class of a field.
        case name(NameSubject, owner: String?)
        /// One of the given words.
        case words([String])
        /// A key of a table of options.
        case keys([APIParameter])
        /// A member of an object, such as `router`.
        case members(of: String)
        /// A parameter of a route or a task.
        case parameters(of: Target)
    }

    /// Returns the possible completions at an offset, and the range of the bytes before the offset
    /// that have already been typed; nil if the API defines no completions there.
    package static func expected(
        at offset: Int,
        in source: [UInt8]
    ) -> (expected: Expected, range: Range<Int>)? {
        let before = Array(source[..<offset])
        var nesting = ScriptNesting()
        var names: Name?
        let tokens = tokens(of: before)
        var end = 0
        var start = offset
        while start > 0, before[start - 1].isWord { start -= 1 }
        for token in tokens where token.range.upperBound <= start {
            if case .text(let bytes) = token.kind, let call = nesting.argument(isText: true),
                case .reference(let subject, let isNew)? = call.leaf
            {
                let text = String(decoding: bytes, as: UTF8.self)
                names = Name(
                    subject,
                    text: text,
                    isNew: isNew,
                    at: token.range,
                    in: call,
                    before: names
                )
            }
            nesting.read(token.kind, at: .init(file: "", line: token.line))
            end = token.range.upperBound
        }
        if case .text? = tokens.last?.kind, end < offset { end += 1 }
        let next = before[min(end, offset)...].firstIndex { !$0.isSpace } ?? offset
        if next < offset, isQuote(before[next]) {
            guard let call = nesting.argument(isText: true) else { return nil }
            switch call.leaf {
            case .reference(let subject, _)?:
                let name = Name(
                    subject,
                    text: "",
                    isNew: false,
                    at: next + 1..<offset,
                    in: call,
                    before: names
                )
                return (.name(name.subject, owner: name.owner), next + 1..<offset)
            case .word(let words)?: return (.words(words), next + 1..<offset)
            default:
                guard call.isDeclaredType else { return nil }
                return (.words(ValueType.words.map(\.key)), next + 1..<offset)
            }
        }
        guard next == start else { return nil }
        let recent = tokens.filter { $0.range.upperBound <= start }.suffix(2).map(\.kind)
        if recent.count == 2, case .word(let object) = recent[0],
            [".", ":"].contains(where: { recent[1] == .symbol(UInt8(ascii: $0)) })
        {
            return (.members(of: object), start..<offset)
        }
        if let keys = keys(nesting, after: names) { return (keys, start..<offset) }
        let typed = String(decoding: before[start...], as: UTF8.self)
        guard !typed.isEmpty, "router".hasPrefix(typed) else { return nil }
        return (.words(["router"]), start..<offset)
    }

    /// Returns the keys that the next entry of the innermost open table may have; nil if they are
    /// unknown.
    private static func keys(_ nesting: ScriptNesting, after name: Name?) -> Expected? {
        guard let call = nesting.argument(), case .index? = call.path.last else { return nil }
        if let keys = call.type(at: call.path.dropLast())?.keys, !keys.isEmpty {
            return .keys(keys)
        }
        guard call.path.count == 1, let first = call.firstText else { return nil }
        let text = String(decoding: first, as: UTF8.self)
        if call.function == "screen" { return .name(.field, owner: text) }
        guard call.index == 2, let name, name.subject == .task, name.owner == text else {
            return nil
        }
        return .parameters(of: Target(text, name.text))
    }

    /// Returns the API function whose name is at an offset, its object, and the range of the name;
    /// nil if there is no such name.
    package static func function(
        at offset: Int,
        in source: [UInt8]
    ) -> (object: String, function: APIFunction, range: Range<Int>)? {
        var before: ScriptToken.Kind?
        for token in tokens(of: source) {
            if token.range.contains(offset), case .word(let word) = token.kind {
                let isMethod = before == .symbol(UInt8(ascii: ":"))
                return ScriptNesting.Argument.functions[word]?.first { $0.isMethod == isMethod }
                    .map { ($0.object, $0.function, token.range) }
            }
            before = token.kind
        }
        return nil
    }
}

extension ScriptNames.Name {
    /// Creates a name.
    ///
    /// The owner of a task is the service whose name precedes the task. The owner of a field is its
    /// class.
    fileprivate init(
        _ subject: NameSubject,
        text: String,
        isNew: Bool,
        at range: Range<Int>,
        in call: ScriptNesting.Argument,
        before: ScriptNames.Name?
    ) {
        self.text = text
        self.isNew = isNew
        self.range = range
        (function, isMember, object) = (call.function, call.isMember, call.object)
        let first = call.firstText.map { String(decoding: $0, as: UTF8.self) }
        switch subject {
        case .target:
            let isTask = call.path.last == .index(1)
            self.subject = isTask ? .task : .service
            owner = isTask ? before?.text : nil
        case .task:
            self.subject = .task
            owner = first
        case .field:
            self.subject = .field
            owner = call.function == "class" ? first : nil
        default:
            self.subject = subject
            owner = nil
        }
    }
}

extension ScriptNesting.Argument {
    /// The functions of the API, by name.
    ///
    /// `isMethod` is true for functions that are called with a colon.
    fileprivate static let functions = Dictionary(
        grouping: APIChapter.all.flatMap { chapter in
            let object = chapter.object
            return chapter.functions.map {
                (object: object, function: $0, isMethod: !object.hasPrefix("router"))
            }
        },
        by: \.function.name
    )

    /// The type of a string literal at this position, if the API expects a name or one of several
    /// words there; nil otherwise.
    fileprivate var leaf: APIType? { type(at: path[...])?.textType }

    /// Whether a string literal at this position is the type of a parameter, a field or a result.
    fileprivate var isDeclaredType: Bool {
        guard case .key(let name)? = path.first, case .key? = path.last,
            type(at: path.prefix(1)) != nil
        else { return false }
        return name == "result" || path.count > 1 && (name == "info" || name == "fields")
    }

    /// Returns the type of the value at a path in the argument; nil if the API defines none.
    fileprivate func type(at path: ArraySlice<Step>) -> APIType? {
        guard
            let function = Self.functions[function]?.first(where: { $0.isMethod == isMethod })?
                .function, function.parameters.indices.contains(index)
        else { return nil }
        return function.parameters[index].type.type(at: path)
    }
}

extension APIType {
    /// Returns the type of the value at a path in a table of this type; nil if there is none.
    fileprivate func type(at path: ArraySlice<ScriptNesting.Argument.Step>) -> APIType? {
        guard let first = path.first else { return self }
        let rest = path.dropFirst()
        switch (self, first) {
        case (.either(let types), _):
            let found = types.compactMap { $0.type(at: path) }
            return found.count > 1 ? .either(found) : found.first
        case (.keyed(let keys), .key(let name)), (.listed(_, let keys), .key(let name)):
            return keys.parameters.first { $0.name == name }?.type.type(at: rest)
        case (.listed(let element, _), .index): return element.type(at: rest)
        default: return nil
        }
    }

    /// The type of a string literal where this type is expected, if the literal must be a name or
    /// one of several words; nil otherwise.
    fileprivate var textType: APIType? {
        switch self {
        case .reference, .word: self
        case .either(let types): types.lazy.compactMap(\.textType).first
        default: nil
        }
    }

    /// The keys that a table of this type may have.
    fileprivate var keys: [APIParameter] {
        switch self {
        case .keyed(let keys), .listed(_, let keys): keys.parameters
        case .either(let types): types.flatMap(\.keys)
        default: []
        }
    }
}
