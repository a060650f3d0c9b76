// SPDX-License-Identifier: MIT

extension NotationParser {
    // MARK: White space

    /// Advances to the next byte that is not white space.
    public mutating func skipSpace() {
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "#") where skipsComments && (position == 0 || followsSpace):
                while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            default:
                return
            }
        }
    }

    private var followsSpace: Bool {
        switch bytes[position - 1] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }

    // MARK: Single bytes

    /// Returns the next byte, or nil at the end.
    func peek() -> UInt8? { position < end ? bytes[position] : nil }

    /// Consumes the given byte and returns true, or returns false if another byte comes next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    /// Consumes `...` and returns true, or returns false if something else comes next.
    mutating func takeRest() -> Bool {
        guard isRest(at: position) else { return false }
        position += 3
        return true
    }

    // MARK: Names

    /// Consumes and returns a name, or returns nil if no name comes next.
    mutating func takeName() -> String? {
        guard let nameEnd = Name.end(in: bytes, from: position, to: end) else { return nil }
        defer { position = nameEnd }
        return bytes.withUnsafeBufferPointer { bytes in
            String(
                decoding: UnsafeBufferPointer(rebasing: bytes[position..<nameEnd]),
                as: UTF8.self
            )
        }
    }

    // MARK: Errors

    /// Returns the next token, for messages, with its range.
    ///
    /// A token is a whole name or number, or a single character.
    func found() -> (text: String, range: Range<Int>) {
        guard let first = peek() else { return ("the end", position..<position) }
        if first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") {
            return ("the end of the line", position..<position + 1)
        }
        var ahead = position + 1
        if first.isWord {
            while ahead < end, bytes[ahead].isWord { ahead += 1 }
        } else if isRest(at: position) {
            ahead = position + 3
        } else {
            while ahead < end, bytes[ahead] & 0xC0 == 0x80, ahead - position < 4 { ahead += 1 }
        }
        // A message contains only the start of a long name.
        let cut = min(ahead, position + 80)
        let text = String(decoding: bytes[position..<cut], as: UTF8.self)
        return ("'\(text)\(cut < ahead ? "..." : "")'", position..<ahead)
    }

    private func isRest(at start: Int) -> Bool {
        end - start >= 3 && bytes[start..<start + 3].allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Consumes a bracket or `^`, and increments the nesting depth.
    mutating func enter() throws(NotationError) {
        guard depth < Self.maximumDepth else { throw .tooDeep(at: position..<position + 1) }
        depth += 1
        position += 1
    }
}
