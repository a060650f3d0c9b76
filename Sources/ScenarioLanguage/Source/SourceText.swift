// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The text of a file.
///
/// The text can convert offsets to lines and columns. A byte order mark is not part of ``bytes``.
/// Offsets are counted from the first byte after the mark.
public final class SourceText: Sendable {
    /// The path of the file, as a user would write it on the command line.
    public let name: String

    package let bytes: [UInt8]
    /// Whether the file begins with a byte order mark.
    package let hasByteOrderMark: Bool
    /// The offsets at which the first line and every ``stride``-th line after it start.
    private let lineStarts: [Int]
    /// The number of lines from one entry of ``lineStarts`` to the next.
    private let stride: Int
    /// The number of line breaks in the text.
    private let breakCount: Int
    /// The maximum size of a text for which the starts of all lines are stored.
    ///
    /// In a larger text with many empty lines, the starts could need eight times as much memory as
    /// the text.
    private static let indexedSize = 1 << 20

    /// Creates a text with the given content.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - content: The bytes of the file, with or without a byte order mark.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(name: String, content: [UInt8]) {
        self.name = name
        hasByteOrderMark = content.starts(with: [0xEF, 0xBB, 0xBF])
        bytes = hasByteOrderMark ? Array(content[3...]) : content
        stride = bytes.count <= Self.indexedSize ? 1 : 64
        (lineStarts, breakCount) = Self.lineStarts(in: bytes, stride: stride)
    }

    private static func lineStarts(in bytes: [UInt8], stride: Int) -> ([Int], breakCount: Int) {
        var starts = [0]
        var count = 0
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while let newline = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) {
                start = newline + 1
                count += 1
                if count % stride == 0 { starts.append(start) }
            }
        }
        return (starts, count)
    }

    /// The offset of the first byte that is not valid UTF-8, or nil if all bytes are valid.
    package var invalidOffset: Int? {
        guard String(valid: bytes) == nil else { return nil }
        // Decoding stops at the first invalid byte. Valid files skip this loop.
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }

    /// The offset of the first carriage return without a line feed after it, or nil if there is
    /// none.
    var bareReturnOffset: Int? {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while let offset = bytes.offset(of: UInt8(ascii: "\r"), in: start..<bytes.count) {
                guard offset + 1 < bytes.count, bytes[offset + 1] == 0x0A else { return offset }
                start = offset + 2
            }
            return nil
        }
    }

    /// The number of lines, not counting an empty line after the last line break.
    package var lineCount: Int {
        bytes.last == UInt8(ascii: "\n") ? breakCount : breakCount + 1
    }

    /// Returns the range of a line without its line break.
    ///
    /// Lines are counted from 1.
    package func line(_ number: Int) -> Range<Int> {
        let start = start(ofLine: number)
        guard number <= breakCount else { return start..<bytes.count }
        var end = (stride == 1 ? lineStarts[number] : lineEnd(from: start)) - 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    private func start(ofLine number: Int) -> Int {
        var start = lineStarts[(number - 1) / stride]
        for _ in 0..<(number - 1) % stride { start = lineEnd(from: start) }
        return start
    }

    /// Returns the offset after the next line break, or the end of the text.
    private func lineEnd(from start: Int) -> Int {
        let end = bytes.withUnsafeBytes {
            $0.offset(of: UInt8(ascii: "\n"), in: start..<$0.count)
        }
        return (end ?? bytes.count - 1) + 1
    }

    /// Returns the number of the line that contains an offset.
    ///
    /// Lines are counted from 1.
    package func lineNumber(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        guard stride > 1 else { return low + 1 }
        let breaks = bytes[lineStarts[low]..<offset].count { $0 == UInt8(ascii: "\n") }
        return low * stride + breaks + 1
    }

    /// Returns the column of an offset.
    ///
    /// Columns are counted in Unicode scalars, from 1.
    package func column(at offset: Int) -> Int {
        scalarCount(in: start(ofLine: lineNumber(at: offset))..<offset) + 1
    }

    /// Returns the text in a range.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func scalarCount(in range: Range<Int>) -> Int {
        var count = 0
        // A byte of the form 0b10xxxxxx continues a scalar.
        for byte in bytes[range] where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte in a range, or nil if there is none.
    package func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        // `memchr` compares many bytes at the same time.
        guard let base = baseAddress,
            let found = memchr(base + range.lowerBound, CInt(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

/// A range of a text.
public struct Span: Sendable {
    /// The text that contains the range.
    public let source: SourceText
    /// The range of bytes in the text.
    package let range: Range<Int>

    package init(_ source: SourceText, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    /// Whether this range and another range of the same text overlap.
    package func overlaps(_ other: Span?) -> Bool {
        guard let other, other.source === source else { return false }
        return range.overlaps(other.range)
    }

    /// The number of the line in which the range starts, counted from 1.
    public var line: Int { source.lineNumber(at: range.lowerBound) }

    /// The column in which the range starts, in Unicode scalars, counted from 1.
    public var column: Int { source.column(at: range.lowerBound) }

    /// The number of Unicode scalars in the range, up to the end of the line in which the range
    /// starts.
    ///
    /// The minimum is 1.
    public var length: Int {
        let end = min(range.upperBound, source.line(line).upperBound)
        return end > range.lowerBound
            ? max(1, source.scalarCount(in: range.lowerBound..<end)) : 1
    }
}
