// SPDX-License-Identifier: MIT

/// Texts that look the same and differ in their bytes: composed (NFC) and decomposed (NFD) accents.
///
/// Lua and this engine compare bytes; a person who compares what is printed sees no difference.
package enum UnicodeForm {
    /// The end of a message about such texts.
    package static let remark =
        "the same letters in another Unicode form: one text is NFC, the other NFD"

    /// Whether two texts are equal but for the form of their letters.
    package static func differs(_ left: String, _ right: String) -> Bool {
        left == right && !left.utf8.elementsEqual(right.utf8)
    }

    /// The end of a message about a text that looks as if another one contained it, else nothing.
    package static func hint(for part: String, in text: String) -> String {
        !text.containsBytes(of: part) && text.contains(part: part) ? " (\(remark))" : ""
    }
}

extension String {
    /// Whether the bytes of another text are among the bytes of this one, as Lua finds plain text.
    package func containsBytes(of part: String) -> Bool {
        utf8.contains(part: part.utf8)
    }
}

extension Value {
    /// The end of a message about a text that looks like the expected one, else nothing.
    package func normalizationHint(for expected: Value) -> String {
        guard let text, let other = expected.text, UnicodeForm.differs(text, other) else {
            return ""
        }
        return " (\(UnicodeForm.remark))"
    }
}
