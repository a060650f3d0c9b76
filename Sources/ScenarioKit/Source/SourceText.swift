// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The text of a file, with conversions from offsets to lines and columns.
///
/// A byte order mark is not part of ``bytes``; offsets count from the first byte after it.
public final class SourceText: Sendable {
    /// The path, as a user at the command line would write it.
    public let name: String

    package let bytes: [UInt8]
    /// Whether the file starts with a byte order mark.
    package let hasByteOrderMark: Bool
    /// The offset at which each line starts.
    private let lineStarts: [Int]

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - name: The path.
    ///   - content: The bytes of the file, with or without a byte order mark.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    public init(name: String, content: [UInt8]) {
        self.name = name
        hasByteOrderMark = content.starts(with: [0xEF, 0xBB, 0xBF])
        bytes = hasByteOrderMark ? Array(content[3...]) : content
        lineStarts = Self.lineStarts(in: bytes)
    }

    private static func lineStarts(in bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while let newline = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) {
                start = newline + 1
                starts.append(start)
            }
        }
        return starts
    }

    /// The offset of the first byte that is not UTF-8; nil if there is none.
    package var invalidOffset: Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        // Decoding stops at the first bad byte; valid files skip this loop.
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }

    /// The offset of the first carriage return without a line feed after it; nil if there is none.
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

    /// The number of lines; a line break at the very end starts no new line.
    package var lineCount: Int {
        lineStarts.count > 1 && lineStarts.last == bytes.count
            ? lineStarts.count - 1 : lineStarts.count
    }

    /// Returns the range of a line, counted from 1, without its line break.
    package func line(_ number: Int) -> Range<Int> {
        let start = lineStarts[number - 1]
        guard number < lineStarts.count else { return start..<bytes.count }
        var end = lineStarts[number] - 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// Returns the number of the line that contains an offset, counted from 1.
    package func lineNumber(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns the column of an offset, in Unicode scalars, counted from 1.
    package func column(at offset: Int) -> Int {
        scalarCount(in: lineStarts[lineNumber(at: offset) - 1]..<offset) + 1
    }

    /// Returns the text of a range of bytes.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func scalarCount(in range: Range<Int>) -> Int {
        var count = 0
        // A byte of the form 10xxxxxx continues a scalar.
        for byte in bytes[range] where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first byte with a value in a range; nil if there is none.
    func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        // The C library compares many bytes at once.
        guard let base = baseAddress,
            let found = memchr(base + range.lowerBound, CInt(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

/// A range of a text.
public struct Span: Sendable {
    /// The text.
    public let source: SourceText
    /// The bytes of the range.
    package let range: Range<Int>

    package init(_ source: SourceText, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    /// The line in which the range starts, counted from 1.
    public var line: Int { source.lineNumber(at: range.lowerBound) }

    /// The column at which it starts, in Unicode scalars, counted from 1.
    public var column: Int { source.column(at: range.lowerBound) }

    /// The number of Unicode scalars on its first line, at least 1.
    public var length: Int {
        let end = min(range.upperBound, source.line(line).upperBound)
        return end > range.lowerBound
            ? max(1, source.scalarCount(in: range.lowerBound..<end)) : 1
    }
}
