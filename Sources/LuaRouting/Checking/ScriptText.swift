// SPDX-License-Identifier: MIT

internal import LuaVM

/// What the text of scripts names in quotes, where functions may name what no definition does.
///
/// Functions are not run by a check; what they would name is guessed from the text. Comments do
/// not count.
struct ScriptText {
    /// How often each name is all of a text in quotes.
    private(set) var names: [String: Int] = [:]
    /// The names in parentheses within texts in quotes: kinds of parameters in patterns.
    private(set) var kinds: Set<String> = []
    /// The names that are the first argument of a call, by the last word before it, and where that
    /// is first.
    private(set) var arguments: [String: [String: RouteError.Location]] = [:]
    /// The targets that calls of `register` and `registerTask` name by two texts in quotes.
    private(set) var targets: Set<Target> = []
    /// All names, and all parts of texts in quotes that are names.
    private(set) var words: Set<String> = []
    /// The texts in quotes that are joined with others.
    private(set) var joined = JoinedTexts()
    /// The words of calls whose first argument is not a text in quotes, each with the locations of
    /// the calls.
    private(set) var callsWithOther: [String: Set<RouteError.Location>] = [:]
    /// The services that are registered with a task that is not a text in quotes, each with the
    /// locations of the calls.
    private(set) var openServices: [String: Set<RouteError.Location>] = [:]
    /// The words and texts that the fields `force` and `via` are set to, and where each is first.
    private(set) var values: [String: [String: RouteError.Location]] = [:]
    /// The members of tables that the scripts name, such as `router.delay`, and where each is first.
    private(set) var members: [String: RouteError.Location] = [:]
    /// Whether `next` is read as a field of something.
    private(set) var readsNext = false

    private static let fields: Set<String> = ["force", "via"]

    /// The calls of which the first argument is kept.
    private static let calls: Set<String> = [
        "provide", "ready", "register", "registerTask", "screen",
    ]

    /// Reads the scripts that have been read of a bundle.
    ///
    /// - Complexity: O(*n*) in their length.
    init(_ bundle: Bundle) {
        for (file, source) in bundle.files.sorted(by: { $0.key < $1.key }) {
            if let bytes = try? source.get() { read(bytes, file) }
        }
        joined.readPatterns()
    }

    private enum Token: Equatable {
        case word(String)
        case text
        case join
        case symbol(UInt8)
    }

    /// A call of `register` or `registerTask` whose service has been read.
    private struct Service {
        let name: String
        let location: RouteError.Location
    }

    private mutating func read(_ source: [UInt8], _ file: String) {
        var before: (Token?, Token?) = (nil, nil)
        var service: Service?
        var line = 0
        var operands = Operands()
        for lexeme in LuaTokens(source) {
            let piece = Piece(lexeme, of: source)
            let place = RouteError.Location(file: file, line: lexeme.lines.lowerBound)
            let token: Token
            switch piece {
            case .word(let word):
                token = .word(word)
                words.insert(word)
                if word == "format" { joined.formats = true }
                if before.1 == .symbol(UInt8(ascii: ".")) {
                    if members[word] == nil { members[word] = place }
                    if word == "next" { readsNext = true }
                }
                note(word, setTo: before, place)
            case .symbol(let symbol):
                token = .symbol(symbol)
            case .join: token = .join
            case .text(let bytes):
                token = .text
                take(bytes)
                note(String(decoding: bytes, as: UTF8.self), setTo: before, place)
                if before.1 == .symbol(UInt8(ascii: "[")), bytes.elementsEqual("next".utf8) {
                    readsNext = true
                }
            }
            operands.take(piece, &joined)
            // A call is at the line of its parenthesis, where Lua reports it too.
            let isInParentheses = before.1 == .symbol(UInt8(ascii: "("))
            let location = RouteError.Location(
                file: file,
                line: isInParentheses ? line : place.line
            )
            if let name = lookForCall(token, piece, before, place, location) {
                service = Service(name: name, location: location)
            } else if case .text(let bytes) = piece, let current = service {
                targets.insert(Target(current.name, String(decoding: bytes, as: UTF8.self)))
                service = nil
            } else if token != .symbol(UInt8(ascii: ",")) {
                if let service, before.1 == .symbol(UInt8(ascii: ",")) {
                    openServices[service.name, default: []].insert(service.location)
                }
                service = nil
            }
            before = (before.1, token)
            line = place.line
        }
        operands.end(&joined)
    }

    /// Notes the value of a field whose values matter, after its name and `=`.
    private mutating func note(
        _ value: String,
        setTo before: (Token?, Token?),
        _ place: RouteError.Location
    ) {
        guard case (.word(let field)?, .symbol(UInt8(ascii: "="))?) = before,
            Self.fields.contains(field), values[field]?[value] == nil
        else { return }
        values[field, default: [:]][value] = place
    }

    /// Notes a call.
    ///
    /// - Returns: The service, if the call registers a task of one.
    private mutating func lookForCall(
        _ token: Token,
        _ piece: Piece,
        _ before: (Token?, Token?),
        _ place: RouteError.Location,
        _ location: RouteError.Location
    ) -> String? {
        let call: String
        switch before {
        case (.word(let word)?, .symbol(UInt8(ascii: "("))?): call = word
        case (_, .word(let word)?) where token == .text: call = word
        default: return nil
        }
        guard Self.calls.contains(call) else { return nil }
        if case .text(let bytes) = piece {
            let name = String(decoding: bytes, as: UTF8.self)
            if arguments[call]?[name] == nil { arguments[call, default: [:]][name] = place }
            return call.hasPrefix("register") ? name : nil
        }
        callsWithOther[call, default: []].insert(location)
        return nil
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        if bytes.count <= 256 {
            let text = String(decoding: bytes, as: UTF8.self)
            if Name.isValid(text) {
                names[text, default: 0] += 1
                words.insert(text)
                return
            }
        }
        if bytes.contains(UInt8(ascii: "%")) { joined.addPattern(bytes) }
        let parts = bytes.split { !$0.isWord }
        for part in parts where part.count <= 256 {
            words.insert(String(decoding: part, as: UTF8.self))
        }
        for part in bytes.split(separator: UInt8(ascii: "(")).dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ")")) else { continue }
            kinds.insert(String(decoding: part[..<end], as: UTF8.self))
        }
    }
}

/// The operands of `..` in a script, as its pieces are read.
private struct Operands {
    private enum Side {
        case text(String)
        case other
        case join
    }

    private var last: (Side?, Side?) = (nil, nil)

    mutating func take(_ piece: Piece, _ joined: inout JoinedTexts) {
        switch piece {
        case .text(let bytes): shift(.text(String(decoding: bytes, as: UTF8.self)), &joined)
        case .join: shift(.join, &joined)
        case .word, .symbol: shift(.other, &joined)
        }
    }

    mutating func end(_ joined: inout JoinedTexts) { shift(.other, &joined) }

    /// Reports the piece before the new one, between its neighbours.
    private mutating func shift(_ new: Side, _ joined: inout JoinedTexts) {
        switch (last.0, last.1, new) {
        case (let before, .text(let text)?, let after):
            let hasLeft = if case .join? = before { true } else { false }
            let hasRight = if case .join = after { true } else { false }
            joined.add(text, hasLeft: hasLeft, hasRight: hasRight)
        case (.other?, .join?, .other): joined.noteVariables()
        default: break
        }
        last = (last.1, new)
    }
}

/// A token of a script, as far as a check needs it.
private enum Piece {
    /// A name or a keyword.
    case word(String)
    /// The content of a string, with its escapes as they are written.
    case text(ArraySlice<UInt8>)
    /// Two dots: strings are joined.
    case join
    /// A symbol of one byte; 0 for any other token.
    case symbol(UInt8)

    init(_ token: LuaToken, of source: [UInt8]) {
        let bytes = source[token.content]
        switch token.kind {
        case .name, .keyword: self = .word(String(decoding: bytes, as: UTF8.self))
        case .string: self = .text(bytes)
        case .symbol where bytes.elementsEqual("..".utf8): self = .join
        case .symbol where bytes.count == 1: self = .symbol(source[token.range.lowerBound])
        case .symbol, .numeral: self = .symbol(0)
        }
    }
}
