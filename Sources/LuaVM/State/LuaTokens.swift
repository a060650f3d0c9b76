// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A token of a Lua source.
package struct LuaToken: Sendable {
    /// The kind of a token.
    package enum Kind: Sendable { case name, keyword, numeral, string, symbol }

    /// The kind.
    package let kind: Kind
    /// The bytes in the source.
    package let range: Range<Int>
    /// The bytes of a string without its quotes or long brackets, with escapes as written; for any
    /// other token, all its bytes.
    package let content: Range<Int>
    /// The lines, counted from 1; only a string may have more than one.
    package let lines: ClosedRange<Int>
}

/// The tokens of a Lua source, equal to those that Lua reads.
///
/// The sequence ends before a string or a comment that is not closed. A source that Lua refuses for
/// another reason still has tokens.
package struct LuaTokens: Sequence, IteratorProtocol {
    private let source: [UInt8]
    private var position: Int
    private var line = 1

    /// Creates the tokens of a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - start: The offset to start at, which is on line 1 and outside of strings and comments.
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
