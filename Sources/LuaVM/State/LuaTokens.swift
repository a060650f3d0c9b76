// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A token of a Lua source.
package struct LuaToken: Sendable {
    /// The kind of a token.
    package enum Kind: Sendable { case name, keyword, numeral, string, symbol }

    /// The kind of the token.
    package let kind: Kind
    /// The range of the token in the source, in bytes.
    package let range: Range<Int>
    /// The range of a string's content, in bytes, without the quotes or long brackets.
    ///
    /// Escape sequences are not decoded. For any other token, this is the range of the token.
    package let content: Range<Int>
    /// The lines of the token, starting at 1.
    ///
    /// Only a string may extend over several lines.
    package let lines: ClosedRange<Int>
}

/// The tokens of a Lua source, divided in the same way as by Lua itself.
///
/// The sequence ends before a string or a comment that is not closed. A source with other syntax
/// errors still has tokens.
package struct LuaTokens: Sequence, IteratorProtocol {
    private let source: [UInt8]
    private var position: Int
    private var line = 1

    /// Creates the sequence of tokens.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - start: The offset at which to start. It must be outside of strings and comments. The
    ///     line of the offset counts as line 1.
    package init(_ source: [UInt8], from start: Int = 0) {
        (self.source, position) = (source, start)
    }

    package mutating func next() -> LuaToken? {
        let token = source.withUnsafeBufferPointer { bytes in
            var lexer = LuaRouteLexer(
                source: bytes.baseAddress,
                length: bytes.count,
                position: position,
                line: Int32(line)
            )
            return luaroute_read_token(&lexer)
        }
        (position, line) = (token.end, Int(token.line))
        let kind: LuaToken.Kind
        switch token.kind {
        case LUAROUTE_NAME: kind = .name
        case LUAROUTE_KEYWORD: kind = .keyword
        case LUAROUTE_NUMERAL: kind = .numeral
        case LUAROUTE_LITERAL: kind = .string
        case LUAROUTE_SYMBOL: kind = .symbol
        default:
            position = source.count
            return nil
        }
        let range = token.start..<token.end
        return LuaToken(
            kind: kind,
            range: range,
            content: kind == .string ? content(of: range) : range,
            lines: Int(token.firstLine)...line
        )
    }

    private func content(of string: Range<Int>) -> Range<Int> {
        let bracket = UInt8(ascii: "[")
        var width = 1
        if source[string.lowerBound] == bracket {
            while source[string.lowerBound + width] != bracket { width += 1 }
            width += 1
        }
        return string.lowerBound + width..<string.upperBound - width
    }
}
