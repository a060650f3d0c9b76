// SPDX-License-Identifier: MIT

internal import RouteCore

/// The Swift names in a scope, each used only once.
struct SwiftNames {
    private var taken: Set<String>
    /// The next number to append to each repeated name.
    private var numbers: [String: Int] = [:]

    /// Creates the names of a scope in which some names are already used.
    init(reserved: Set<String> = []) { taken = reserved }

    /// Returns the given name, with a number appended if the name is already used.
    ///
    /// - Returns: The name, in backticks if it is a keyword.
    mutating func give(_ name: String) -> String {
        var unique = Self.forbidden.contains(name) ? name + "_" : name
        var number = numbers[name] ?? 2
        while !taken.insert(unique).inserted {
            unique = "\(name)_\(number)"
            number += 1
        }
        if number > 2 { numbers[name] = number }
        return Self.keywords.contains(unique) ? "`\(unique)`" : unique
    }

    /// Returns a valid name for a Swift member.
    ///
    /// A text that is already a valid identifier is returned unchanged.
    static func member(_ text: String) -> String {
        isIdentifier(text) ? text : lowerCamel(text)
    }

    /// Returns a name in `lowerCamelCase`.
    static func lowerCamel(_ text: String) -> String {
        let words = words(of: text)
        guard let first = words.first else { return "empty" }
        return digitSafe(lowered(first) + words.dropFirst().map(raised).joined())
    }

    /// Returns a name in `UpperCamelCase`.
    static func upperCamel(_ text: String) -> String {
        let words = words(of: text)
        return words.isEmpty ? "Empty" : digitSafe(words.map(raised).joined())
    }

    private static func digitSafe(_ name: String) -> String {
        name.first?.isNumber == true ? "_" + name : name
    }

    private static func words(of text: String) -> [String] {
        text.unicodeScalars.split { !isPart($0) || $0 == "_" }.map(String.init)
    }

    private static func raised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns the word with its leading capitals in lowercase, such as `urlPage` for `URLPage`.
    private static func lowered(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == word.count {
            return capitals.lowercased() + word.dropFirst(capitals.count)
        }
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            let byte = UInt8(scalar.value)
            return byte.isWord
        }
        // Combining marks and symbols count as separators of words.
        return scalar.properties.isAlphabetic
            && scalar.properties.generalCategory != .nonspacingMark
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return text.unicodeScalars.allSatisfy(isPart) && !("0"..."9").contains(first) && text != "_"
    }

    /// The names that members and types cannot have, even in backticks.
    private static let forbidden: Set<String> = ["init", "self", "Self", "Type", "Protocol"]

    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is",
        "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
}
