// SPDX-License-Identifier: MIT

/// Detects texts that look the same but have different bytes: one text has composed accents (NFC),
/// the other text has decomposed accents (NFD).
///
/// Lua and this engine compare bytes, and the difference is invisible in printed text.
package enum UnicodeForm {
    /// The end of a message about texts that differ only in their Unicode form.
    package static let remark =
        "the same characters in another Unicode normalization form: one text is NFC, the other is NFD"

    /// Whether two texts differ only in their Unicode form.
    package static func differs(_ left: String, _ right: String) -> Bool {
        left == right && !left.utf8.elementsEqual(right.utf8)
    }

    /// Returns a hint for the end of a message if `text` contains `part` only in another Unicode
    /// form; otherwise an empty string.
    package static func hint(for part: String, in text: String) -> String {
        !text.containsBytes(of: part) && text.contains(part: part) ? " (\(remark))" : ""
    }
}

extension Dictionary where Key == String {
    /// Returns the key that differs from a text only in its Unicode form; nil if there is none.
    package func otherForm(of text: String) -> String? {
        guard let index = index(forKey: text), UnicodeForm.differs(self[index].key, text) else {
            return nil
        }
        return self[index].key
    }
}

extension String {
    /// Whether the text contains the bytes of another text, like a plain `string.find` in Lua.
    package func containsBytes(of part: String) -> Bool {
        utf8.contains(part: part.utf8)
    }
}

extension Value {
    /// Returns a hint for the end of a message if the value differs from the expected text only in
    /// its Unicode normalization form; otherwise an empty string.
    package func normalizationHint(for expected: Value) -> String {
        guard let text, let other = expected.text, UnicodeForm.differs(text, other) else {
            return ""
        }
        return " (\(UnicodeForm.remark))"
    }
}
