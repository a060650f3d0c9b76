// SPDX-License-Identifier: MIT

/// A namespace for matching the path patterns of Apple and Android.
enum LinkGlob {
    /// Returns whether an Apple pattern matches a text.
    static func apple(_ pattern: String, _ text: String, ignoringCase: Bool = false) -> Bool {
        guard ignoringCase else { return apple(Array(pattern.utf8), Array(text.utf8)) }
        return apple(pattern.lowercased(), text.lowercased())
    }

    /// Returns whether a pattern matches a text.
    ///
    /// `*` matches any text, and `?` matches any byte.
    ///
    /// - Complexity: O(*n* · *m*), where *n* and *m* are the lengths of the pattern and the text.
    static func apple(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (next, position) = (0, 0)
        /// The position in the pattern after the last `*`, and the position in the text up to which
        /// this `*` matches.
        var last: (next: Int, position: Int)?
        while position < text.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                next += 1
                last = (next, position)
            } else if next < pattern.count,
                pattern[next] == UInt8(ascii: "?") || pattern[next] == text[position]
            {
                next += 1
                position += 1
            } else if let back = last {
                last = (back.next, back.position + 1)
                (next, position) = (back.next, back.position + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns whether an Android `pathPattern` matches a text.
    ///
    /// `.*` matches any text up to the first occurrence of the next character in the pattern, and
    /// `x*` matches any number of the character `x`.
    static func android(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
        var (next, position) = (0, 0)
        while next < pattern.count, position < text.count {
            let isEscaped = pattern[next] == "\\" && next + 1 < pattern.count
            if isEscaped { next += 1 }
            let scalar = pattern[next]
            let isAny = scalar == "." && !isEscaped
            next += 1
            guard next < pattern.count, pattern[next] == "*" else {
                guard isAny || text[position] == scalar else { return false }
                position += 1
                continue
            }
            next += 1
            if !isAny {
                while position < text.count, text[position] == scalar { position += 1 }
                continue
            }
            if next < pattern.count, pattern[next] == "\\" { next += 1 }
            guard next < pattern.count else { return true }
            while position < text.count, text[position] != pattern[next] { position += 1 }
            guard position < text.count else { return false }
            next += 1
            position += 1
        }
        return position == text.count && (next == pattern.count || pattern[next...] == [".", "*"])
    }
}
