// SPDX-License-Identifier: MIT

/// The keyboard input of a watch on a terminal.
///
/// The type converts typed bytes to requests, and provides the status line.
///
/// It performs no input or output itself, and has no clock.
package struct WatchKeys: Sendable {
    /// A request that the user makes with a key.
    package enum Request: Sendable, Equatable {
        /// Run all scenarios of the command line again.
        case all
        /// Run again the scenarios that failed or did not run.
        case failed
        /// Run the scenarios whose name contains the text. If the text is empty, run the scenarios
        /// that `--filter` selects on the command line.
        case name(String)
        /// Run the scenarios with the given tags, as in `auth,!slow`. If the text is empty, run the
        /// scenarios that `--tags` selects on the command line.
        case tags(String)
        /// Replace expectations that are not true with the actual values.
        case update
        /// End the watch.
        case quit
    }

    /// A value that the user types as a line.
    private enum Field: String {
        case name, tags
    }

    /// The maximum length of a typed line, in bytes.
    private static let lineLimit = 1000

    /// The value that is being typed; nil if the next key is a command.
    private var field: Field?
    private var typed: [UInt8] = []
    /// The reason why the typed line was not accepted.
    private var problem: String?
    /// The values of the last accepted lines.
    private var chosen: [Field: String] = [:]

    /// Creates the state before any input.
    package init() {}

    /// The status line on the terminal: the available keys, or the value that is being typed.
    package var line: PrintedText {
        guard let field else {
            let name = chosen[.name].map { " '\($0)'" } ?? ""
            let tags = chosen[.tags].map { " '\($0)'" } ?? ""
            return "a all  f failed  n name\(name)  t tags\(tags)  u update  q quit "
        }
        let reason = problem.map { "\($0)  " } ?? ""
        return "\(reason)\(field.rawValue): \(text)"
    }

    private var text: String { String(decoding: typed, as: UTF8.self) }

    /// Processes bytes that arrived together, and returns the completed requests.
    ///
    /// An escape byte that is followed by other bytes begins the sequence of a key, such as an
    /// arrow key; the sequence is ignored. An escape byte at the end is the Escape key, which
    /// cancels the line.
    package mutating func take(_ bytes: [UInt8]) -> [Request] {
        var requests: [Request] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x1B, !rest.isEmpty {
                Self.skipSequence(&rest)
            } else if let request = field.map({ take(byte, in: $0) }) ?? command(byte) {
                requests.append(request)
            }
        }
        return requests
    }

    private mutating func command(_ byte: UInt8) -> Request? {
        switch byte {
        case UInt8(ascii: "a"):
            chosen = [:]
            return .all
        case UInt8(ascii: "f"): return .failed
        case UInt8(ascii: "n"): field = .name
        case UInt8(ascii: "t"): field = .tags
        case UInt8(ascii: "u"): return .update
        // Control-D ends the input.
        case UInt8(ascii: "q"), 0x04: return .quit
        default: break
        }
        return nil
    }

    /// Processes a byte that is typed into the line for a value.
    private mutating func take(_ byte: UInt8, in field: Field) -> Request? {
        problem = nil
        switch byte {
        case 0x0A, 0x0D: return accept(field)
        case 0x04, 0x1B: (self.field, typed) = (nil, [])
        case 0x08, 0x7F:
            // Removes the whole last character: its continuation bytes and its first byte.
            while let last = typed.popLast(), last & 0xC0 == 0x80 {}
        // Control-U clears the line.
        case 0x15: typed = []
        case 0x20... where typed.count < Self.lineLimit: typed.append(byte)
        default: break
        }
        return nil
    }

    private mutating func accept(_ field: Field) -> Request? {
        let text = text
        if field == .tags, !text.isEmpty {
            do throws(UsageError) {
                _ = try TagCondition(text)
            } catch {
                problem = error.message
                return nil
            }
        }
        (self.field, typed) = (nil, [])
        chosen[field] = text.isEmpty ? nil : text
        return field == .name ? .name(text) : .tags(text)
    }

    /// Removes the rest of a key sequence whose escape byte has been read.
    ///
    /// The rest is either `[` or `O` followed by parameters and a final byte, or a single other
    /// byte.
    private static func skipSequence(_ rest: inout ArraySlice<UInt8>) {
        guard let first = rest.popFirst(), [UInt8(ascii: "["), UInt8(ascii: "O")].contains(first)
        else { return }
        while let byte = rest.popFirst(), byte < 0x40 {}
    }
}
