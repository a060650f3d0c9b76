// SPDX-License-Identifier: MIT

/// A part of a line that is moved as a whole.
///
/// The formatter may change the white space before the word.
struct LineWord {
    var bytes: [UInt8] = []
    /// The number of spaces before the word.
    let spaces: Int
    /// The number of brackets that are open before the word.
    let depth: Int
    /// The number of the line of the file that contains the word.
    let line: Int
    /// Whether a line break may be inserted before the word.
    let mayBreak: Bool

    /// The number of brackets that are open before the word, not counting brackets that the
    /// beginning of the word closes.
    var indentation: Int {
        depth - bytes.prefix { Self.closing.contains($0) }.count
    }

    private static let closing = Array(")]}".utf8)

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A type that divides a line into words and determines the white space between them.
struct LineDivider {
    private let source: SourceText
    /// The text of the file, with comments replaced by spaces.
    private let bytes: [UInt8]
    private let layout: LineLayout

    private var words: [LineWord] = []
    private var depth = 0
    private var line: Int
    /// The number of spaces before the next token.
    private var spaces = 0
    /// Whether spaces before the next token are removed.
    private var isGlued = false
    /// Whether a line break may be inserted before the next token.
    private var mayBreak = false
    private var hasTag = false

    private init(_ layout: LineLayout, _ bytes: [UInt8], of source: SourceText) {
        (self.source, self.bytes, self.layout) = (source, bytes, layout)
        line = source.lineNumber(at: layout.line.range.lowerBound)
    }

    /// Returns the words of a line, or nil if a part that must not change contains a line break.
    static func words(
        of layout: LineLayout,
        in bytes: [UInt8],
        of source: SourceText
    ) -> [LineWord]? {
        var divider = LineDivider(layout, bytes, of: source)
        return divider.divide() ? divider.words : nil
    }

    private mutating func divide() -> Bool {
        let end = layout.line.range.upperBound
        var scanner = TokenScanner(bytes, layout.line.range)
        while scanner.position < end {
            let start = scanner.position
            if let range = layout.spacing.verbatim.first(where: { $0.contains(start) }) {
                guard !source.bytes[range].contains(UInt8(ascii: "\n")) else { return false }
                append(start..<range.upperBound)
                scanner = TokenScanner(bytes, range.upperBound..<end)
                continue
            }
            let notations = layout.spacing.notations
            if isQuote(bytes[start]), notations.contains(where: { $0.lowerBound == start }) {
                // A step also accepts quoted text directly after a word.
                scanner = TokenScanner(bytes, start..<end)
                if depth == 0 { spaces = max(spaces, 1) }
            }
            guard let token = scanner.next() else { break }
            add(token, start..<scanner.position)
        }
        return true
    }

    private mutating func add(_ token: TokenScanner.Token, _ range: Range<Int>) {
        let isNotation = layout.spacing.notations.contains { $0.contains(range.lowerBound) }
        switch token {
        case .space:
            if source.bytes[range.lowerBound] == UInt8(ascii: "\n") {
                line += 1
            } else if !isGlued {
                spaces = max(spaces, 1)
            }
        case .open:
            append(range)
            depth += 1
            isGlued = isNotation
        case .close:
            if isNotation { spaces = 0 }
            append(range)
            depth = max(0, depth - 1)
        case .quoted(isClosed: true) where isNotation && hasPlainContent(range):
            let quote = [UInt8(ascii: "\"")]
            append(quote + bytes[range.lowerBound + 1..<range.upperBound - 1] + quote)
        case .other: add(bytes[range.lowerBound], at: range, isNotation: isNotation)
        case .quoted, .bar, .escapedBar: append(range)
        }
    }

    private mutating func add(_ byte: UInt8, at range: Range<Int>, isNotation: Bool) {
        switch byte {
        case UInt8(ascii: ",") where isNotation && depth > 0:
            spaces = 0
            append(range)
            (spaces, mayBreak) = (1, true)
        case UInt8(ascii: "=") where isNotation && depth > 0:
            spaces = 0
            append(range)
            isGlued = true
        case UInt8(ascii: "=") where !isNotation && depth == 0 && layout.isParsed:
            spaces = 1
            append(range)
            spaces = 1
        case UInt8(ascii: "@") where layout.hasTags && depth == 0 && !hasTag:
            hasTag = true
            spaces = 2
            append(range)
        default: append(range)
        }
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    /// Returns whether text in single quotes means the same in double quotes.
    private func hasPlainContent(_ range: Range<Int>) -> Bool {
        bytes[range.lowerBound] == UInt8(ascii: "'")
            && !bytes[range].contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }
    }

    private mutating func append(_ range: Range<Int>) { append(Array(bytes[range])) }

    private mutating func append(_ token: [UInt8]) {
        if words.isEmpty || spaces > 0 || words[words.count - 1].line != line {
            words.append(
                LineWord(spaces: spaces, depth: depth, line: line, mayBreak: mayBreak && depth > 0)
            )
        }
        words[words.count - 1].bytes += token
        (spaces, isGlued, mayBreak) = (0, false, false)
    }
}
