// SPDX-License-Identifier: MIT

/// The words of a call in a script, which may take several lines.
enum ScriptCall {
    /// A name, or what a short string holds.
    struct Word {
        let range: Range<Int>
        let isString: Bool
    }

    /// The words from a line's start to the end of the line in which all brackets are closed.
    static func words(of bytes: [UInt8], from start: Int) -> [Word] {
        var scanner = Scanner(bytes: bytes, index: start)
        scanner.scan()
        return scanner.words
    }
}

extension [ScriptCall.Word] {
    /// Where a name stands: as a string, or else as it is.
    func first(named name: Substring, in bytes: [UInt8]) -> Range<Int>? {
        let fitting = filter { bytes[$0.range].elementsEqual(name.utf8) }
        return (fitting.first(where: \.isString) ?? fitting.first)?.range
    }
}

/// Reads as much of Lua as tells where strings and comments end.
private struct Scanner {
    let bytes: [UInt8]
    var index: Int
    var words: [ScriptCall.Word] = []
    private var depth = 0

    init(bytes: [UInt8], index: Int) { (self.bytes, self.index) = (bytes, index) }

    mutating func scan() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n") where depth <= 0: return
            case UInt8(ascii: "("), UInt8(ascii: "{"):
                depth += 1
                index += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"):
                depth -= 1
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): scanString()
            case UInt8(ascii: "-") where byte(at: index + 1) == UInt8(ascii: "-"): skipComment()
            case UInt8(ascii: "["):
                if !skipLongBracket() { index += 1 }
            case let byte where Self.isOfNames(byte): scanName()
            default: index += 1
            }
        }
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func scanString() {
        let quote = bytes[index]
        let start = index + 1
        index = start
        while let byte = byte(at: index), byte != quote, byte != UInt8(ascii: "\n") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index, bytes.count)
        words.append(ScriptCall.Word(range: start..<index, isString: true))
        if byte(at: index) == quote { index += 1 }
    }

    private mutating func scanName() {
        let start = index
        while let byte = byte(at: index), Self.isOfNames(byte) { index += 1 }
        words.append(ScriptCall.Word(range: start..<index, isString: false))
    }

    private mutating func skipComment() {
        index += 2
        if byte(at: index) == UInt8(ascii: "["), skipLongBracket() { return }
        while let byte = byte(at: index), byte != UInt8(ascii: "\n") { index += 1 }
    }

    /// Skips `[[…]]`, or `[=[…]=]` with any number of signs.
    private mutating func skipLongBracket() -> Bool {
        var end = index + 1
        while byte(at: end) == UInt8(ascii: "=") { end += 1 }
        guard byte(at: end) == UInt8(ascii: "[") else { return false }
        let close = [UInt8(ascii: "]")] + bytes[(index + 1)..<end] + [UInt8(ascii: "]")]
        index = end + 1
        while index < bytes.count, !bytes[index...].starts(with: close) { index += 1 }
        index = min(index + close.count, bytes.count)
        return true
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
