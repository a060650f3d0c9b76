// SPDX-License-Identifier: MIT

extension Event {
    /// The first line of an event stream on disk, which names its format.
    public static let jsonHeader = #"{"schema":"luaroute.events/1"}"#

    /// The event as a line of JSON, without a line break.
    ///
    /// The keys come in a fixed order: `seq time navigation parent generation place kind`,
    /// then the fields of the kind. Bytes that are not UTF-8 become U+FFFD, infinities and
    /// NaN null; screens, functions and host objects are strings that name their kind.
    public var json: String {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("seq", .integer(Int64(sequence)))
        writer.member("time", .number(time))
        if let navigation { writer.member("navigation", .integer(Int64(navigation))) }
        if let parent { writer.member("parent", .integer(Int64(parent))) }
        writer.member("generation", .integer(Int64(generation)))
        if let place { writer.member("place", .string(ByteString(place.description))) }
        writer.member("kind", .string(ByteString(kind.rawValue)))
        for (name, value) in fields { writer.member(name, value) }
        writer.end("}")
        return writer.text
    }
}

/// Writes values as JSON, without white space.
struct JSONWriter {
    private(set) var text = ""
    private var needsComma = false

    mutating func begin(_ bracket: Character) {
        separate()
        text.append(bracket)
        needsComma = false
    }

    mutating func end(_ bracket: Character) {
        text.append(bracket)
        needsComma = true
    }

    mutating func member(_ name: String, _ value: Value) {
        separate()
        quote(name)
        text.append(":")
        needsComma = false
        write(value)
    }

    mutating func write(_ value: Value) {
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
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text.append("\"")
    }
}
