// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// A reader that divides a text into its significant lines.
///
/// Comments become spaces, and lines with open brackets are joined.
///
/// Offsets are the same as in the source, because comments, carriage returns and line breaks inside
/// of brackets are replaced by spaces of the same length.
struct LineReader {
    /// A significant line, or several lines that an open bracket joins.
    struct Line {
        /// The range from the first to the last byte that is not white space.
        package let range: Range<Int>
        let isIndented: Bool
    }

    private(set) var bytes: [UInt8]
    private(set) var lines: [Line] = []
    private(set) var errors: [SyntaxError] = []

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    init(_ source: SourceText) {
        bytes = source.bytes
        if let offset = source.invalidOffset {
            errors.append(.notUTF8(offset..<min(offset + 1, bytes.count)))
            return
        }
        if let offset = source.bareReturnOffset {
            errors.append(.bareReturn(offset..<offset + 1))
            return
        }
        var lines: [Line] = []
        lines.reserveCapacity(source.lineCount)
        var errors: [SyntaxError] = []
        bytes.withUnsafeMutableBufferPointer { bytes in
            var scan = Scan(bytes: bytes)
            while let line = scan.next(&errors) { lines.append(line) }
        }
        self.lines = lines
        self.errors = errors
    }

    private struct Scan {
        let bytes: UnsafeMutableBufferPointer<UInt8>
        var position = 0
        /// The positions of the open brackets.
        var open: [Int] = []
        /// The first closing bracket of the line that does not match its opening bracket, with the
        /// position of the opening bracket.
        var mismatch: (open: Int, close: Int)?

        init(bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func next(_ errors: inout [SyntaxError]) -> Line? {
            while position < bytes.count {
                let start = position
                var first = -1
                var last = start
                mismatch = nil
                let errorCount = errors.count
                readLine(&first, last: &last, errors: &errors)
                // In a row of a table, the brackets are checked in each cell instead.
                if first >= 0, bytes[first] == UInt8(ascii: "|") { open = [] }
                let isWhole = join(&first, last: &last, errors: &errors)
                let isTooLong =
                    errors.count > errorCount
                    && errors[errorCount...].contains { $0.code == .lineTooLong }
                // Drop a step that is too long, because it may contain any number of other errors.
                // Keep a row, because it may contain the column names.
                let isDropped = isTooLong && first > start && bytes[first] != UInt8(ascii: "|")
                if first >= 0, isWhole, !isDropped {
                    return Line(range: first..<last, isIndented: first > start)
                }
            }
            return nil
        }

        /// Reads further lines while a bracket is open.
        ///
        /// Returns `false` if a bracket is never closed.
        private mutating func join(
            _ first: inout Int,
            last: inout Int,
            errors: inout [SyntaxError]
        ) -> Bool {
            while let bracket = open.last {
                guard position < bytes.count, !endsContinuation(at: position) else {
                    open = []
                    if let mismatch {
                        errors.append(
                            .closedByOther(
                                bytes[mismatch.open],
                                bytes[mismatch.close],
                                at: mismatch.close
                            )
                        )
                    } else {
                        let text = String(UnicodeScalar(bytes[bracket]))
                        errors.append(.leftOpen(text, bracket..<bracket + 1))
                    }
                    return false
                }
                bytes[position - 1] = space
                readLine(&first, last: &last, errors: &errors)
            }
            return true
        }

        /// Reads to the end of a line, and extends the range from `first` to `last` to include the
        /// significant part of the line.
        private mutating func readLine(
            _ first: inout Int,
            last: inout Int,
            errors: inout [SyntaxError]
        ) {
            let start = position
            var index = start
            var quote: UInt8 = 0
            var comment: Int?
            // This loop quickly skips bytes without a special meaning, such as letters, because
            // most bytes are of this kind.
            while comment == nil {
                guard quote == 0 else {
                    index = end(from: index) { $0 != quote && $0 != backslash && $0 != newline }
                    guard index < bytes.count, bytes[index] != newline else { break }
                    if bytes[index] == quote { quote = 0 } else { skipEscaped(&index) }
                    index += 1
                    continue
                }
                index = end(from: index) { !Self.structures($0) }
                guard index < bytes.count, bytes[index] != newline else { break }
                switch bytes[index] {
                case UInt8(ascii: "#"):
                    if followsSpace(index, start) { comment = index }
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                    open.append(index)
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if let last = open.popLast(), mismatch == nil,
                        !TokenScanner.closes(bytes[last], bytes[index])
                    {
                        mismatch = (last, index)
                    }
                case 0x80...: blankSpace(at: index, &errors)
                default:
                    // Inside of a word, as in "it's", a single quote is treated like a letter.
                    if followsSpace(index, start)
                        || TokenScanner.quoteOpens(after: bytes[index - 1])
                    {
                        quote = bytes[index]
                    }
                }
                index += 1
            }
            if let comment { index = blankToEndOfLine(comment) }
            let content = trimmed(start..<(comment ?? index))
            if !content.isEmpty {
                if first < 0 { first = content.lowerBound }
                // In an unclosed quote everything is significant, including white space at the end.
                last = quote == 0 ? content.upperBound : index
            }
            // A quoted text ends with its line, even if it is not closed.
            if quote != 0 { open = [] }
            position = min(index + 1, bytes.count)
            if index - start > ScenarioFile.lineLimit {
                errors.append(.lineTooLong(index - start, start..<start))
            }
        }

        /// Replaces an invisible or white-space character outside of ASCII with spaces, and reports
        /// an error.
        ///
        /// The character must not be in quotes.
        private func blankSpace(at index: Int, _ errors: inout [SyntaxError]) {
            guard let scalar = InvisibleScalar(UnsafeBufferPointer(bytes)[index...]) else { return }
            let range = index..<index + UTF8.width(scalar.scalar)
            errors.append(.invisible(scalar, range))
            for index in range { bytes[index] = space }
        }

        /// Returns whether a byte outside of quotes must be examined: a line feed, `#`, a quote, a
        /// bracket, or the first byte of an invisible character.
        private static func structures(_ byte: UInt8) -> Bool {
            // Most bytes are letters. Without this test, the compiler would generate a slower table
            // lookup.
            guard !byte.isLetter else { return false }
            return switch byte {
            case 0x0A, UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
                UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: "{"), UInt8(ascii: "}"):
                true
            case 0x80...: InvisibleScalar.mayStart(with: byte)
            default: false
            }
        }

        /// Moves from a backslash to the next byte, unless the line ends after the backslash.
        private func skipEscaped(_ index: inout Int) {
            if index + 1 < bytes.count, bytes[index + 1] != newline { index += 1 }
        }

        private func followsSpace(_ index: Int, _ start: Int) -> Bool {
            index == start || bytes[index - 1].isSpace
        }

        private func trimmed(_ range: Range<Int>) -> Range<Int> {
            var (start, end) = (range.lowerBound, range.upperBound)
            while end > start, bytes[end - 1].isSpace { end -= 1 }
            while start < end, bytes[start].isSpace { start += 1 }
            return start..<end
        }

        private func blankToEndOfLine(_ start: Int) -> Int {
            var index = start
            while index < bytes.count, bytes[index] != newline {
                bytes[index] = space
                index += 1
            }
            return index
        }

        /// Returns whether a line cannot continue an open bracket, because it opens a block or is a
        /// step or a row.
        ///
        /// Because of this check, an unclosed bracket does not extend over the rest of the file.
        ///
        /// A line is recognized as a step if its first word is followed by white space and another
        /// word. Two adjacent words never occur inside of brackets.
        private func endsContinuation(at start: Int) -> Bool {
            let indented = end(from: start, while: \.isBlank)
            let wordEnd = end(from: indented, while: \.isLetter)
            if indented < bytes.count, bytes[indented] == UInt8(ascii: "|") { return true }
            let word = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(bytes)[indented..<wordEnd]
            )
            guard indented > start else { return Vocabulary.blockWords.index(of: word) != nil }
            let next = end(from: wordEnd, while: \.isBlank)
            guard next > wordEnd, next < bytes.count, isWordByte(bytes[next]) else { return false }
            return Vocabulary.stepWords.index(of: word) != nil
                || Vocabulary.structureWords.index(of: word) != nil
                || Vocabulary.exploringWords.index(of: word) != nil
        }

        private func end(from start: Int, while holds: (UInt8) -> Bool) -> Int {
            var end = start
            while end < bytes.count, holds(bytes[end]) { end += 1 }
            return end
        }

        private func isWordByte(_ byte: UInt8) -> Bool {
            byte.isLetter || byte.isDigit || byte == UInt8(ascii: "\"")
        }

        private var newline: UInt8 { LineReader.newline }
        private var space: UInt8 { LineReader.space }
        private var backslash: UInt8 { UInt8(ascii: "\\") }
    }
}
