// SPDX-License-Identifier: MIT

/// A strict reader of JSON, as defined by RFC 8259, which also rejects duplicate keys.
///
/// The decoders of the platform read `1.0` as an integer, and report neither the position of an
/// error nor duplicate keys. This reader keeps 64-bit integers as integers, and reads a number with
/// a fraction or an exponent as a float. Keys whose value is `null` are left out.
struct JSONReader {
    /// The reason why a text is not valid JSON.
    struct Problem: Error {
        let message: String
        /// The offset of the byte at which reading failed.
        let position: Int
    }

    /// The error for the first part of the document that cannot be represented in scripts; nil if
    /// there is no such part.
    ///
    /// The message contains the path of the part.
    private(set) var flaw: RouteError?

    /// The offset of the part that ``flaw`` describes.
    private(set) var flawPosition = 0

    /// The offset of each key of the outermost object and of the key's value; nil if offsets are
    /// not collected.
    private(set) var offsets: [ByteString: (key: Int, value: Int)]?

    private let bytes: [UInt8]
    private var position: Int
    private var path: [InfoTable.Key] = []

    /// The maximum nesting depth.
    private let depth: Int

    /// Whether `null` as the value of a key is recorded as a flaw.
    private let refusesNull: Bool

    /// Whether an integer that does not fit in 64 bits becomes the nearest float, and a number that
    /// no float can represent is an error.
    ///
    /// If false, both numbers are recorded as flaws and read as 0.
    private var roundsNumbers = false

    private init(_ bytes: [UInt8], from start: Int, depth: Int, refusesNull: Bool) {
        self.bytes = bytes
        self.depth = depth
        self.refusesNull = refusesNull
        position = start
    }

    /// Reads an object that extends to the end of the bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes in UTF-8, including the bytes that precede the object.
    ///   - start: The offset of the object.
    ///   - depth: The maximum nesting depth.
    ///   - refusesNull: Whether `null` as the value of a key is a flaw.
    /// - Returns: The object, and the error for the first part that cannot be represented in
    ///   scripts, if any.
    /// - Throws: The first syntax error, with its position.
    static func object(
        _ bytes: [UInt8],
        from start: Int,
        depth: Int = valueDepth,
        refusesNull: Bool = false
    ) throws(Problem) -> (table: InfoTable, flaw: RouteError?) {
        var reader = JSONReader(bytes, from: start, depth: depth, refusesNull: refusesNull)
        return (try reader.document(), reader.flaw)
    }

    /// Reads an object from a stream.
    ///
    /// The object extends to the end of the bytes.
    ///
    /// An integer that does not fit in 64 bits becomes the nearest float.
    ///
    /// - Throws: The first syntax error, or the first number that no float can represent, with its
    ///   position.
    static func stream(_ bytes: [UInt8], depth: Int) throws(Problem) -> InfoTable {
        var reader = JSONReader(bytes, from: 0, depth: depth, refusesNull: false)
        reader.roundsNumbers = true
        return try reader.document()
    }

    /// Reads an object that extends to the end of the bytes, with the offsets of its keys and
    /// values.
    static func locatedObject(
        _ bytes: [UInt8]
    ) throws(Problem) -> (table: InfoTable, reader: JSONReader) {
        var reader = JSONReader(bytes, from: 0, depth: valueDepth, refusesNull: true)
        reader.offsets = [:]
        let table = try reader.document()
        return (table, reader)
    }

    private mutating func document() throws(Problem) -> InfoTable {
        skipSpace()
        guard next == UInt8(ascii: "{") else { throw expected("a JSON object") }
        let table = try object()
        skipSpace()
        guard next == nil else { throw expected("the end of the text") }
        return table
    }

    // MARK: Values

    private mutating func value() throws(Problem) -> Value {
        guard let next else { throw expected("a value") }
        switch next {
        case UInt8(ascii: "{"): return .table(try object())
        case UInt8(ascii: "["): return .table(try list())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .nil)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw expected("a value")
        }
    }

    private mutating func object() throws(Problem) -> InfoTable {
        try checkDepth()
        position += 1
        var members: [(key: ByteString, value: Value)] = []
        var keys: Set<ByteString> = []
        skipSpace()
        if !take("}") {
            while true {
                skipSpace()
                let start = position
                guard next == UInt8(ascii: "\"") else { throw expected("a key in double quotes") }
                let key = try string()
                guard keys.insert(key).inserted else {
                    throw Problem(message: "the object contains this key twice", position: start)
                }
                skipSpace()
                guard take(":") else { throw expected("':'") }
                skipSpace()
                if path.isEmpty { offsets?[key] = (start, position) }
                path.append(.string(key))
                let valueStart = position
                let value = try value()
                if refusesNull, value.isNil { note("a value expected, got null", at: valueStart) }
                members.append((key, value))
                path.removeLast()
                skipSpace()
                if take("}") { break }
                guard take(",") else { throw expected("',' or '}'") }
            }
        }
        // The members are sorted, so each insertion is at the end.
        members.sort { $0.key < $1.key }
        var table = InfoTable()
        for (key, value) in members { table[.string(key)] = value }
        return table
    }

    private mutating func list() throws(Problem) -> InfoTable {
        try checkDepth()
        position += 1
        var values: [Value] = []
        skipSpace()
        if !take("]") {
            while true {
                skipSpace()
                path.append(.integer(Int64(values.count) + 1))
                let start = position
                let value = try value()
                if value.isNil { note("a value expected, got null", at: start) }
                path.removeLast()
                values.append(value)
                skipSpace()
                if take("]") { break }
                guard take(",") else { throw expected("',' or ']'") }
            }
        }
        return InfoTable(list: values)
    }

    /// The maximum depth of a payload.
    ///
    /// This is one less than the limit for other values, because a handler gets the payload inside
    /// another table.
    static let valueDepth = Value.depthLimit - 1

    private func checkDepth() throws(Problem) {
        guard path.count < depth else {
            throw Problem(
                message: "the text is nested more than \(depth) levels deep",
                position: position
            )
        }
    }

    private mutating func word(_ word: StaticString, _ value: Value) throws(Problem) -> Value {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else {
                position = start
                throw expected("a value")
            }
            position += 1
        }
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(Problem) -> Value {
        let start = position
        var isInteger = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger {
            if let integer = Int64(text) { return .integer(integer) }
            guard roundsNumbers else {
                note("a 64-bit integer expected, got \(RouteError.shortened(text))", at: start)
                return .integer(0)
            }
        }
        guard let number = Double(text), number.isFinite else {
            let message = "a 64-bit number expected, got \(RouteError.shortened(text))"
            if roundsNumbers { throw Problem(message: message, position: start) }
            note(message, at: start)
            return .number(0)
        }
        return .number(number)
    }

    private mutating func digits() throws(Problem) {
        guard let digit = next, digit.isDigit else { throw expected("a digit") }
        while let digit = next, digit.isDigit { position += 1 }
    }

    // MARK: Strings

    private mutating func string() throws(Problem) -> ByteString {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return ByteString(bytes: text)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case 0..<0x20:
                throw Problem(
                    message: "a string contains a control character",
                    position: position
                )
            default:
                text.append(byte)
                position += 1
            }
        }
        throw Problem(message: "the string is not closed", position: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Problem) {
        let start = position - 1
        let byte = next
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte ?? 0)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = hexadecimal()
            if let high = code, 0xD800..<0xDC00 ~= high {
                code = nil
                if take("\\"), take("u"), let low = hexadecimal(), 0xDC00..<0xE000 ~= low {
                    code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
                }
            }
            guard let code, let scalar = Unicode.Scalar(code) else {
                throw Problem(message: "the escape is not a Unicode character", position: start)
            }
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            throw Problem(message: "unknown escape", position: start)
        }
    }

    /// Reads four hexadecimal digits; returns nil if any of the characters is not a digit.
    private mutating func hexadecimal() -> UInt32? {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexadecimalValue else { return nil }
            code = code * 16 + UInt32(digit)
            position += 1
        }
        return code
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, Unicode.Scalar(next) == character else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
    }

    private func expected(_ what: String) -> Problem {
        guard position < bytes.count else {
            return Problem(message: "\(what) expected, got the end of the text", position: position)
        }
        let rest = String(
            decoding: bytes[position..<min(position + 16, bytes.count)],
            as: UTF8.self
        )
        let character = rest.first.map { RouteError.shortened(String($0)) } ?? ""
        return Problem(message: "\(what) expected, got '\(character)'", position: position)
    }

    /// Records a flaw at the current path, unless a flaw is already recorded.
    private mutating func note(_ what: String, at position: Int) {
        guard flaw == nil else { return }
        flawPosition = position
        let path = path.map(\.pathComponent).joined().drop { $0 == "." }
        flaw = RouteError(.badInfo, "bad field '\(path)' (\(what))")
    }
}
