// SPDX-License-Identifier: MIT

internal import RouteCore

/// A text that is divided into lines as the language server protocol requires: at LF, CR LF or CR.
struct TextLines {
    /// The unit in which a client counts characters.
    enum Encoding: String {
        case utf8 = "utf-8"
        case utf16 = "utf-16"
    }

    private(set) var bytes: [UInt8]
    private var starts: [Int] = [0]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for (index, byte) in bytes.enumerated() {
            let isReturn = byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
            if byte == 0x0A || isReturn { starts.append(index + 1) }
        }
    }

    // MARK: Positions

    /// Returns the line and the character at a byte offset, both counted from 0.
    func place(_ offset: Int, _ encoding: Encoding) -> (line: Int, character: Int) {
        let offset = min(offset, bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let character = bytes[starts[low]..<offset].reduce(0) { $0 + Self.width(of: $1, encoding) }
        return (low, character)
    }

    /// Returns the line and the character at a byte offset, in the format of the protocol.
    func position(_ offset: Int, _ encoding: Encoding) -> JSON {
        let (line, character) = place(offset, encoding)
        return ["line": .integer(line), "character": .integer(character)]
    }

    func range(_ range: Range<Int>, _ encoding: Encoding) -> JSON {
        [
            "start": position(range.lowerBound, encoding),
            "end": position(range.upperBound, encoding),
        ]
    }

    /// Returns the byte offset of a position; nil if the position is invalid.
    ///
    /// A position past the end of its line is treated as the end of the line, and a position inside
    /// a Unicode scalar as the start of the scalar.
    func offset(_ position: Value, _ encoding: Encoding) -> Int? {
        guard let line = position["line"].int, let character = position["character"].int, line >= 0,
            character >= 0
        else { return nil }
        guard line < starts.count else { return bytes.count }
        var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
        while end > starts[line], bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        var offset = starts[line]
        var count = 0
        while offset < end {
            var next = offset + 1
            while next < end, bytes[next] & 0xC0 == 0x80 { next += 1 }
            count += bytes[offset..<next].reduce(0) { $0 + Self.width(of: $1, encoding) }
            if count > character { break }
            offset = next
        }
        return offset
    }

    /// Returns the byte offsets of a range; nil if the range is invalid.
    func offsets(_ range: Value, _ encoding: Encoding) -> Range<Int>? {
        guard let start = offset(range["start"], encoding),
            let end = offset(range["end"], encoding), start <= end
        else { return nil }
        return start..<end
    }

    private static func width(of byte: UInt8, _ encoding: Encoding) -> Int {
        switch encoding {
        case .utf8: 1
        case .utf16: byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
        }
    }

    // MARK: Changes

    /// Applies a change in the format of the protocol, to a range or to the whole text.
    ///
    /// - Returns: Whether the change is valid. An invalid change has no effect.
    mutating func apply(_ change: Value, _ encoding: Encoding) -> Bool {
        guard let text = change["text"].text else { return false }
        if change["range"].isNil {
            self = TextLines(Array(text.utf8))
            return true
        }
        guard let range = offsets(change["range"], encoding) else { return false }
        var bytes = bytes
        bytes.replaceSubrange(range, with: text.utf8)
        self = TextLines(bytes)
        return true
    }
}
