// SPDX-License-Identifier: MIT

/// A key of the terminal.
enum Key: Equatable {
    case up, down, left, right, enter, escape, backspace, interrupt
    case text(Unicode.Scalar)
}

/// Reads keys from the bytes that a terminal sends.
struct KeyDecoder {
    /// The bytes of a key that is still incomplete.
    private var pending: [UInt8] = []

    /// Whether the pending bytes may be the start of a longer key: a single escape byte may be the
    /// escape key or start an arrow key.
    var isWaiting: Bool { !pending.isEmpty }

    /// Returns the complete keys after adding the given bytes.
    mutating func keys(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, count) = next() {
            if let key { keys.append(key) }
            pending.removeFirst(count)
        }
        return keys
    }

    /// Returns the escape key for a single escape byte after which no more bytes have arrived.
    mutating func finish() -> [Key] {
        let isEscape = pending.first == 0x1B
        pending = []
        return isEscape ? [.escape] : []
    }

    /// Returns the first key and its number of bytes; nil if the key is incomplete.
    private func next() -> (Key?, Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x03, 0x04: return (.interrupt, 1)
        case 0x0A, 0x0D: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x09: return (.right, 1)
        case ..<0x20: return (nil, 1)
        default: return character(first)
        }
    }

    private func sequence() -> (Key?, Int)? {
        guard pending.count > 1 else { return nil }
        guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(pending[1]) else {
            return (.escape, 1)
        }
        guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return pending.count < 32 ? nil : (nil, pending.count)
        }
        let arrows: [Character: Key] = ["A": .up, "B": .down, "C": .right, "D": .left]
        return (arrows[Character(Unicode.Scalar(pending[end]))], end + 1)
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let count = first < 0xC0 || first > 0xF7 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= count else { return nil }
        let text = String(decoding: pending[..<count], as: UTF8.self).unicodeScalars
        guard let scalar = text.first, scalar != "\u{FFFD}" else { return (nil, 1) }
        return (.text(scalar), count)
    }
}
