// SPDX-License-Identifier: MIT

/// A reader of the records of a CSV file (RFC 4180).
struct RecordReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The end of the last record.
    ///
    /// Empty lines after the last record are ignored.
    private let end: Int

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
        end = bytes.lastIndex { !isBreak($0) }.map { $0 + 1 } ?? 0
    }

    /// Returns the next record, or nil at the end of the file.
    mutating func next() throws(SyntaxError) -> (cells: [ExampleTable.Cell], range: Range<Int>)? {
        guard position < end else { return nil }
        let start = position
        var cells = [try cell()]
        while take(Self.comma) { cells.append(try cell()) }
        let end = position
        let hasReturn = take(UInt8(ascii: "\r"))
        let hasFeed = take(UInt8(ascii: "\n"))
        guard hasFeed || !hasReturn else { throw .bareReturn(end..<end + 1) }
        guard hasFeed || position == bytes.count else {
            throw .badRecord(
                "',' or the end of the line expected after the closing quote",
                end..<end + 1
            )
        }
        return (cells, start..<end)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func cell() throws(SyntaxError) -> ExampleTable.Cell {
        if take(Self.quote) { return try quotedCell() }
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case Self.comma, UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                return plainCell(start..<position)
            case Self.quote:
                throw .badRecord(
                    "a cell that contains '\"' must be quoted, "
                        + "and each '\"' in the cell must be doubled",
                    position..<position + 1
                )
            default: position += 1
            }
        }
        return plainCell(start..<position)
    }

    private func plainCell(_ range: Range<Int>) -> ExampleTable.Cell {
        let range = TokenScanner.trimmed(range, of: bytes)
        return ExampleTable.Cell(range: range, bytes: Array(bytes[range]))
    }

    private mutating func quotedCell() throws(SyntaxError) -> ExampleTable.Cell {
        let start = position
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.quote, !take(Self.quote) {
                return ExampleTable.Cell(range: start..<position - 1, bytes: text)
            }
            text.append(byte)
        }
        throw .badRecord("a quoted cell is not closed", start - 1..<start)
    }
}

extension SyntaxError {
    fileprivate static func badRecord(_ message: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .badTable, message: message, range: range)
    }
}
