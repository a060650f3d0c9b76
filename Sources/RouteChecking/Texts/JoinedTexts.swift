// SPDX-License-Identifier: MIT

internal import RouteCore

/// The quoted texts that scripts concatenate with other values, with `..` or `format`.
///
/// A check does not run functions, so it accepts any name that begins or ends with such a text.
package struct JoinedTexts: Sendable, Equatable {
    /// The texts that are joined only with a value after them.
    private var prefixes: Set<String> = []
    /// The texts that are joined only with a value before them.
    private var suffixes: Set<String> = []
    /// The texts that are joined with a value before and a value after them.
    private var separators: Set<String> = []
    /// Whether scripts join values without a quoted text, as in `service .. name`.
    private(set) var joinsVariables = false
    /// Whether scripts call `format`.
    var formats = false
    /// The quoted texts that contain conversions such as `%s`.
    private var patterns: [[UInt8]] = []

    /// The minimum length, in bytes, of a prefix or suffix that identifies a name.
    private static let minimumLength = 2

    init() {}

    /// Reads the middle token of three consecutive tokens.
    ///
    /// `left` is nil at the start of a script, and `right` is nil at its end.
    mutating func read(
        _ left: ScriptToken.Kind?,
        middle: ScriptToken.Kind?,
        right: ScriptToken.Kind?
    ) {
        switch middle {
        case .text(let bytes)? where left == .join || right == .join:
            let text = String(decoding: bytes, as: UTF8.self)
            add(text, hasLeft: left == .join, hasRight: right == .join)
        case .join? where left?.isOperand == true && right?.isOperand != false:
            joinsVariables = true
        default: break
        }
    }

    /// Adds a quoted operand of `..`, or a literal part of a `format` pattern.
    private mutating func add(_ text: String, hasLeft: Bool, hasRight: Bool) {
        switch (hasLeft, hasRight) {
        case (true, true): separators.insert(text)
        case (true, false): suffixes.insert(text)
        case (false, true): prefixes.insert(text)
        case (false, false): break
        }
    }

    /// Adds a text that contains conversions.
    ///
    /// The text is a pattern only if a script calls `format`.
    mutating func addPattern(_ bytes: ArraySlice<UInt8>) { patterns.append(Array(bytes)) }

    /// Adds the literal parts of all patterns.
    ///
    /// Call this method when all scripts have been read.
    mutating func readPatterns() {
        guard formats else { return }
        for pattern in patterns {
            let literals = Self.literals(of: pattern)
            for (index, literal) in literals.enumerated() where !literal.isEmpty {
                add(literal, hasLeft: index > 0, hasRight: index + 1 < literals.count)
            }
            if literals.count > 2, literals.allSatisfy(\.isEmpty) { joinsVariables = true }
        }
    }

    /// Returns the literal parts of a pattern, between its conversions.
    ///
    /// `%%` is a literal percent sign.
    private static func literals(of pattern: [UInt8]) -> [String] {
        var literals: [[UInt8]] = [[]]
        var index = 0
        while index < pattern.count {
            guard pattern[index] == UInt8(ascii: "%") else {
                literals[literals.count - 1].append(pattern[index])
                index += 1
                continue
            }
            index += 1
            if index < pattern.count, pattern[index] == UInt8(ascii: "%") {
                literals[literals.count - 1].append(pattern[index])
            } else {
                // A conversion ends with a letter, after flags, width and precision.
                while index < pattern.count, !pattern[index].isLetter { index += 1 }
                literals.append([])
            }
            index += 1
        }
        return literals.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether scripts may join the given name from quoted texts and numbers.
    ///
    /// - Complexity: O(*n*²) in the length of the name.
    package func makes(_ name: String, of names: Set<String>) -> Bool {
        func isPart(_ part: Substring) -> Bool {
            part.utf8.count >= Self.minimumLength && names.contains(String(part))
                || !part.isEmpty && part.utf8.allSatisfy(\.isDigit)
        }
        return name.indices.dropFirst().contains { index in
            let (left, right) = (name[..<index], name[index...])
            guard isPart(left) || prefixes.contains(String(left)) else { return false }
            if prefixes.contains(String(left)), isPart(right) { return true }
            // A single letter, such as the plural 's' in a message, is too short to identify a
            // name.
            if isPart(left), right.utf8.count >= Self.minimumLength,
                suffixes.contains(String(right))
            {
                return true
            }
            if joinsVariables, isPart(left), isPart(right) { return true }
            return separators.contains {
                !$0.isEmpty && right.hasPrefix($0) && isPart(right.dropFirst($0.count))
            }
        }
    }

    /// Whether a name begins or ends with a joined text, or contains a separator.
    package func mayMake(_ name: String) -> Bool {
        prefixes.contains { $0.utf8.count >= Self.minimumLength && name.hasPrefix($0) }
            || suffixes.contains { $0.utf8.count >= Self.minimumLength && name.hasSuffix($0) }
            || separators.contains {
                $0.utf8.count >= Self.minimumLength && name.contains(part: $0)
            }
    }

    /// All joined texts.
    package var texts: Set<String> { prefixes.union(suffixes).union(separators) }

    /// Adds the joined texts of other scripts.
    mutating func formUnion(_ other: JoinedTexts) {
        prefixes.formUnion(other.prefixes)
        suffixes.formUnion(other.suffixes)
        separators.formUnion(other.separators)
        joinsVariables = joinsVariables || other.joinsVariables
        formats = formats || other.formats
        patterns += other.patterns
    }
}
