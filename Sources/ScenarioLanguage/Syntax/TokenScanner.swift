// SPDX-License-Identifier: MIT

internal import RouteCore

/// A scanner for the indivisible parts of a line, such as quoted text and brackets.
struct TokenScanner {
    /// A token.
    enum Token {
        case space
        case bar
        /// `\|`, a bar that does not separate cells.
        case escapedBar
        case quoted(isClosed: Bool)
        case open
        case close
        case other
    }

    let bytes: [UInt8]
    let end: Int
    private(set) var position: Int
    private var before = UInt8(ascii: " ")

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns whether a quote after the given byte begins a quoted text.
    ///
    /// A quote inside of a word, as in "it's", does not begin a quoted text.
    static func quoteOpens(after byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), 0x09, UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"),
            UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    /// Returns the next token, or nil at the end.
    mutating func next() -> Token? {
        guard position < end else { return nil }
        let byte = bytes[position]
        defer { before = bytes[position - 1] }
        position += 1
        switch byte {
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: return .space
        case UInt8(ascii: "|"): return .bar
        case UInt8(ascii: "\\") where position < end && bytes[position] == UInt8(ascii: "|"):
            position += 1
            return .escapedBar
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return Self.quoteOpens(after: before) ? .quoted(isClosed: skipQuoted(byte)) : .other
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return .open
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return .close
        default: return .other
        }
    }

    private mutating func skipQuoted(_ quote: UInt8) -> Bool {
        while position < end {
            let byte = bytes[position]
            position += 1
            if byte == quote { return true }
            if byte == UInt8(ascii: "\\"), position < end { position += 1 }
        }
        return false
    }

    /// Skips white space.
    package mutating func skipSpace() {
        while position < end, bytes[position].isSpace {
            before = bytes[position]
            position += 1
        }
    }

    /// Reads one argument of a `do` step, up to white space outside of brackets.
    mutating func takeArgument() -> Range<Int> {
        let start = position
        var depth = 0
        while position < end, depth > 0 || !bytes[position].isSpace {
            switch next() {
            case .open: depth += 1
            case .close: depth -= 1
            default: break
            }
        }
        return start..<position
    }

    /// Returns a range without the white space at its start and end.
    static func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, bytes[start].isSpace { start += 1 }
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }

    /// Checks that all quotes and brackets in the bytes are closed.
    ///
    /// - Throws: An error at the first quote or bracket that is not closed, with its offset in the
    ///   bytes.
    static func checkWhole(_ bytes: [UInt8]) throws(SyntaxError) {
        var scanner = TokenScanner(bytes, bytes.indices)
        var open: [Int] = []
        while true {
            let start = scanner.position
            switch scanner.next() {
            case nil:
                guard let last = open.last else { return }
                throw .notWhole(
                    "'\(Character(UnicodeScalar(bytes[last])))' is not closed",
                    last..<last + 1
                )
            case .quoted(isClosed: false):
                throw .notWhole("a quoted text is not closed", start..<start + 1)
            case .open:
                open.append(start)
            case .close:
                let bracket = bytes[start]
                guard let last = open.popLast() else {
                    let text = String(UnicodeScalar(bracket))
                    throw .notWhole("'\(text)' has no opening bracket", start..<start + 1)
                }
                guard closes(bytes[last], bracket) else {
                    throw .closedByOther(bytes[last], bracket, at: start)
                }
            case .space, .bar, .escapedBar, .quoted, .other: break
            }
        }
    }

    static func closes(_ open: UInt8, _ close: UInt8) -> Bool { close == closing(of: open) }

    /// Returns the closing bracket for an opening bracket.
    static func closing(of open: UInt8) -> UInt8 {
        // In ASCII, ')' is the character after '('. For the other kinds, the closing bracket is the
        // second character after the opening bracket.
        open == UInt8(ascii: "(") ? open + 1 : open + 2
    }
}

extension SyntaxError {
    fileprivate static func notWhole(_ message: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOpen,
            message: message,
            range: range,
            help: "open and close all quotes and brackets inside of the same cell or argument"
        )
    }
}
