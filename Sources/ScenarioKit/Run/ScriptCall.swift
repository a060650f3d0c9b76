// SPDX-License-Identifier: MIT

internal import LuaVM

/// A namespace for reading the words of a call in a script.
///
/// A call may take several lines.
enum ScriptCall {
    /// A name, a number or the content of a string.
    struct Word {
        let range: Range<Int>
        let isString: Bool
        /// Whether a `=` follows, as after the key of a table.
        var isKey = false
    }

    /// Returns the names, numbers and strings of a call.
    ///
    /// The call extends from `start` to the end of the line on which all brackets are closed.
    static func words(of source: [UInt8], from start: Int) -> [Word] {
        var words: [Word] = []
        var (depth, line) = (0, 1)
        var isAfterWord = false
        for token in LuaTokens(source, from: start) {
            guard depth > 0 || token.lines.lowerBound == line else { break }
            line = token.lines.upperBound
            defer { isAfterWord = token.kind != .symbol }
            switch source[token.range.lowerBound] {
            case _ where token.kind != .symbol:
                words.append(Word(range: token.content, isString: token.kind == .string))
            case UInt8(ascii: "=") where isAfterWord && token.range.count == 1:
                words[words.count - 1].isKey = true
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return words
    }
}

extension [ScriptCall.Word] {
    /// Returns the range of the first string that equals the given name or, if there is no such
    /// string, of the first identifier that does.
    ///
    /// The name of a parameter is searched among the keys of tables before other words.
    func first(named name: Substring, isParameter: Bool, in bytes: [UInt8]) -> Range<Int>? {
        let fitting = filter { bytes[$0.range].elementsEqual(name.utf8) }
        let key = isParameter ? fitting.first(where: \.isKey) : nil
        return (key ?? fitting.first(where: \.isString) ?? fitting.first)?.range
    }
}
