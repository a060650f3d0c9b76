// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A key of a table in encoding and decoding: an integer, or a string that is compared by its
/// bytes.
enum CodedKey: Hashable, Comparable {
    case integer(Int64)
    case text(String)

    /// Creates a key from a coding key: its integer if there is one, and otherwise its string.
    ///
    /// - Parameters:
    ///   - key: A key of a container.
    ///   - isText: Whether keys are strings even if they look like integers, as in a dictionary
    ///     with string keys.
    init(_ key: some CodingKey, isText: Bool) {
        if !isText, let integer = key.intValue {
            self = .integer(Int64(integer))
        } else {
            self = .text(key.stringValue)
        }
    }

    // Swift considers canonically equivalent strings equal, but scripts compare bytes.
    static func == (left: CodedKey, right: CodedKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let integer): hasher.combine(integer)
        case .text(let text): hasher.combine(text)
        }
    }

    static func < (left: CodedKey, right: CodedKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.text(let left), .text(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.integer, .text): true
        case (.text, .integer): false
        }
    }
}

/// An index of a list in a coding path.
///
/// As in Swift, indices start at 0.
struct ElementKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}

/// A key in a coding path that is always a string, even if it looks like an integer.
struct TextKey: CodingKey {
    let stringValue: String

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    var intValue: Int? { nil }

    /// The default key with which a class encodes its superclass.
    static let superclass = TextKey("super")
}

/// A dictionary that becomes a table with string keys.
///
/// The protocol is needed because Swift's coding keys do not distinguish `"7"` from 7.
protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}

/// A dictionary that becomes a table with integer keys.
protocol IntegerKeyed {}
extension Dictionary: IntegerKeyed where Key == Int {}

/// The nesting limits of encoding and decoding.
///
/// The limits bound the use of stack space and the depth of a tree.
enum CodingLimit {
    /// The maximum number of levels of tables.
    static let levels = 32
    /// The maximum nesting of values.
    ///
    /// This number is larger than ``levels``, because some nested values, such as optionals and raw
    /// values, are not tables.
    static let nesting = 100
    static let message = "at most \(levels) levels of nesting expected"
}

extension ScriptError {
    /// Converts an error of a coder to an error of the Lua bridge.
    ///
    /// - Parameters:
    ///   - error: The error of the coder.
    ///   - root: The name of the whole value in messages; empty if the value has no name.
    init(coding error: any Error, of root: String) {
        let path: [any CodingKey]
        let message: String
        switch error {
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            (path, message) = (context.codingPath, context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            (path, message) = (context.codingPath, context.debugDescription)
        case DecodingError.keyNotFound(let key, let context):
            (path, message) = (context.codingPath + [key], context.debugDescription)
        case let error as ScriptError:
            self = error
            return
        default: (path, message) = ([], String(describing: error))
        }
        let name = Self.path(path, from: root)
        self.init(
            kind: .conversion,
            message: (name.isEmpty ? "bad value" : "bad field '\(name)'")
                + " (\(message.inLuaManner))",
            underlying: error
        )
    }

    /// Returns a path in readable notation, such as `info.items[3].price`.
    private static func path(_ keys: [any CodingKey], from root: String) -> String {
        var text = root
        for key in keys {
            switch key {
            case let element as ElementKey: text += "[\(element.index + 1)]"
            case let key where key.intValue != nil: text += "[\(key.intValue ?? 0)]"
            case let key:
                var name = key.stringValue
                name.withUTF8 { bytes in
                    withUnsafeTemporaryAllocation(
                        of: CChar.self,
                        capacity: Int(LUAROUTE_PATH_KEY)
                    ) { buffer in
                        let count = luaroute_path_key(
                            bytes.baseAddress,
                            bytes.count,
                            text.isEmpty ? 1 : 0,
                            buffer.baseAddress
                        )
                        text += String(
                            decoding: UnsafeRawBufferPointer(buffer).prefix(count),
                            as: UTF8.self
                        )
                    }
                }
            }
        }
        return text
    }
}

extension String {
    /// The message of a Swift coding error in the style of Lua: with a lowercase first letter, and
    /// without a full stop.
    ///
    /// An abbreviation at the start, such as `UTF-8`, stays as it is.
    fileprivate var inLuaManner: String {
        guard let first, first.isUppercase else { return self }
        let isAbbreviation = dropFirst().first?.isUppercase == true
        let text = isAbbreviation ? self : first.lowercased() + dropFirst()
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
