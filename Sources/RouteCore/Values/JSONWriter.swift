// SPDX-License-Identifier: MIT

/// A writer of values as JSON, without white space.
///
/// Invalid UTF-8 becomes U+FFFD; infinities and NaN become null. Screens, functions and host
/// objects become strings that name their kind.
package struct JSONWriter {
    /// The JSON written so far.
    package private(set) var text = ""
    private var needsComma = false

    /// Creates an empty writer.
    package init() {}

    /// Opens a list or an object: `[` or `{`.
    package mutating func begin(_ bracket: Character) {
        separate()
        text.append(bracket)
        needsComma = false
    }

    /// Closes the innermost open list or object: `]` or `}`.
    package mutating func end(_ bracket: Character) {
        text.append(bracket)
        needsComma = true
    }

    /// Writes the name of a member.
    ///
    /// The value of the member must be written next.
    package mutating func name(_ name: String) {
        separate()
        quote(name)
        text.append(":")
        needsComma = false
    }

    /// Writes a member of an object.
    package mutating func member(_ name: String, _ value: Value) {
        self.name(name)
        write(value)
    }

    /// Writes an element of a list, or the value of the preceding name.
    package mutating func write(_ value: Value) {
        switch value {
        case .nil: scalar("null")
        case .boolean(let boolean): scalar(boolean ? "true" : "false")
        case .integer(let integer): scalar(String(integer))
        case .number(let number): scalar(number.isFinite ? "\(number)" : "null")
        case .string(let string):
            separate()
            quote(string.displayText)
        case .screen, .function, .object:
            separate()
            quote(value.kindName)
        case .table(let table) where table.isList:
            begin("[")
            for value in table.list { write(value) }
            end("]")
        case .table(let table):
            begin("{")
            for (index, value) in table.list.enumerated() { member(String(index + 1), value) }
            for (key, value) in table.entries {
                switch key {
                case .integer(let integer): member(String(integer), value)
                case .string(let string): member(string.displayText, value)
                }
            }
            end("}")
        }
    }

    private mutating func scalar(_ scalar: String) {
        separate()
        text += scalar
    }

    private mutating func separate() {
        if needsComma { text.append(",") }
        needsComma = true
    }

    private mutating func quote(_ string: String) {
        text.append("\"")
        var string = string
        string.withUTF8 { bytes in
            text.append(UnsafeRawBufferPointer(bytes)[...], isText: true, escape: Self.write)
        }
        text.append("\"")
    }

    private static func write(_ byte: UInt8, to text: inout String) {
        switch Unicode.Scalar(byte) {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\t": text += "\\t"
        case "\r": text += "\\r"
        default:
            let digits = String(byte, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
