// SPDX-License-Identifier: MIT

extension String {
    /// The word with its indefinite article, such as `an integer` or `a table`, for messages.
    ///
    /// The word `nil` has no article.
    package var withArticle: String {
        self == "nil" ? self : first.map("aeiou".contains) == true ? "an \(self)" : "a \(self)"
    }
}
