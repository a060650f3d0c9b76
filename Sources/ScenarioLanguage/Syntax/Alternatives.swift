// SPDX-License-Identifier: MIT

internal import RouteCore

/// The alternatives in a line.
///
/// For example, `a=1|2` means `a=1` or `a=2`, and `X | nothing` means `X` or no text.
///
/// A bar separates words, quoted texts and bracketed groups at any depth. Inside of quotes, a bar
/// is text.
struct Alternatives {
    private let bytes: [UInt8]
    private let end: Int
    private let limit: Int
    private var position: Int

    /// Returns the texts to which a part of a line expands.
    ///
    /// Each text is a list of ranges of the bytes.
    ///
    /// The texts are in the order of the alternatives, the last of which vary fastest.
    ///
    /// - Returns: The texts, or nil if their number exceeds the limit.
    static func expand(
        _ range: Range<Int>,
        of bytes: [UInt8],
        limit: Int
    ) -> [[Range<Int>]]? {
        var reader = Alternatives(
            bytes: bytes,
            end: range.upperBound,
            limit: limit,
            position: range.lowerBound
        )
        return reader.sequence()
    }

    /// Parses up to the end or to a closing bracket.
    private mutating func sequence() -> [[Range<Int>]]? {
        var result: [[Range<Int>]] = [[]]
        while position < end, !Self.isClosing(bytes[position]) {
            if separates(bytes[position]) {
                append(position..<position + 1, to: &result)
                position += 1
                continue
            }
            guard let choice = choice(), choice.count * result.count <= limit else { return nil }
            result = result.flatMap { before in choice.map { Self.joined(before, $0) } }
        }
        return result
    }

    /// Parses operands that are separated by bars.
    private mutating func choice() -> [[Range<Int>]]? {
        var choice: [[Range<Int>]] = []
        var count = 0
        while true {
            guard let operand = operand() else { return nil }
            choice += operand
            count += 1
            var ahead = position
            while ahead < end, bytes[ahead].isSpace { ahead += 1 }
            guard ahead < end, bytes[ahead] == UInt8(ascii: "|"), choice.count <= limit else {
                break
            }
            ahead += 1
            while ahead < end, bytes[ahead].isSpace { ahead += 1 }
            position = ahead
        }
        guard count > 1 else { return choice }
        let nothing = Array("nothing".utf8)
        return choice.map { $0.flatMap { bytes[$0] }.elementsEqual(nothing) ? [] : $0 }
    }

    /// Parses words, quoted texts and bracketed groups that have no space between them.
    private mutating func operand() -> [[Range<Int>]]? {
        var result: [[Range<Int>]] = [[]]
        while position < end {
            let byte = bytes[position]
            let start = position
            if separates(byte) || byte == UInt8(ascii: "|") || Self.isClosing(byte) { break }
            if Self.isOpening(byte) {
                position += 1
                guard let inner = sequence(), inner.count * result.count <= limit else {
                    return nil
                }
                append(start..<start + 1, to: &result)
                result = result.flatMap { before in inner.map { Self.joined(before, $0) } }
                guard position < end else { break }
                append(position..<position + 1, to: &result)
                position += 1
            } else {
                var scanner = TokenScanner(bytes, start..<end)
                let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
                if isQuote, start == 0 || TokenScanner.quoteOpens(after: bytes[start - 1]) {
                    _ = scanner.next()
                    position = max(start + 1, scanner.position)
                } else {
                    position += 1
                }
                append(start..<position, to: &result)
            }
        }
        return result
    }

    private func append(_ range: Range<Int>, to texts: inout [[Range<Int>]]) {
        for index in texts.indices { texts[index] = Self.joined(texts[index], [range]) }
    }

    /// Joins the ranges of two texts.
    ///
    /// Two adjacent ranges become one range.
    private static func joined(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
        guard let last = left.last, let first = right.first, last.upperBound == first.lowerBound
        else { return left + right }
        return left.dropLast() + [last.lowerBound..<first.upperBound] + right.dropFirst()
    }

    private func separates(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "=")
    }

    private static func isOpening(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }

    private static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }
}
