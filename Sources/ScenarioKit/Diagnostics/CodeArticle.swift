// SPDX-License-Identifier: MIT

/// The documentation of a diagnostic code, such as `S0107`, or of an error code, such as
/// `notFound`.
///
/// Each article is a Markdown file in the folder `Articles`, which is embedded in the library:
///
/// ```swift
/// if let article = CodeArticle.named("S0107") { print(article.text) }
/// ```
package struct CodeArticle: Sendable, CustomStringConvertible {
    /// The kind of text in an example, as written after the opening fence of the code block.
    enum Language: String, CaseIterable {
        /// A script.
        case lua
        /// Steps, or a whole scenario file.
        case scenario
        /// A host manifest.
        case json
        /// The contract of an app, as written in the app's Swift file.
        case contract

        /// The words that introduce the text if it is not the first text of the example.
        var introduction: String {
            switch self {
            case .lua, .scenario: "with"
            case .json: "with the host"
            case .contract: "with the app"
            }
        }
    }

    /// The texts of an example, by kind: a script, the steps that run with the script, and the host
    /// or app of the script.
    typealias Example = [Language: String]

    /// The code, such as `S0107` or `notFound`.
    package let code: String
    /// The meaning of the code, in a few words.
    package let title: String
    /// The meaning, the usual cause and the fix.
    ///
    /// Paragraphs are separated by empty lines.
    package let explanation: String
    /// An example that produces the code; nil if there is none.
    let example: Example?
    /// The corrected example.
    ///
    /// The script is omitted if the script of the example is already correct.
    let remedy: Example?

    /// All articles: the articles of diagnostics in the order of their codes, then the articles of
    /// errors.
    package static let all: [CodeArticle] = files.compactMap {
        // Tests reject malformed articles. A malformed article is skipped, so its code is unknown.
        try? CodeArticle(markdown: String(decoding: $0, as: UTF8.self))
    }

    /// Returns the article of a code, ignoring case; nil if the code does not exist.
    package static func named(_ name: String) -> CodeArticle? {
        all.first { $0.code.lowercased() == name.lowercased() }
    }

    // MARK: Text

    /// The code of the article.
    package var description: String { code }

    /// All codes with their titles, one per line.
    package static var list: PrintedText { TextTable.list(all.map { ($0.code, $0.title) }) }

    /// The article as plain text, wrapped at 80 columns.
    package var text: String {
        var text = "\(code): \(title)\n\n\(Self.wrapped(explanation))\n"
        if let example { text += "\nFound in\n\n\(Self.text(of: example))" }
        if let remedy { text += "\nFixed\n\n\(Self.text(of: remedy))" }
        return text
    }

    private static func text(of example: Example) -> String {
        var parts: [String] = []
        for language in Language.allCases {
            guard let text = example[language] else { continue }
            if !parts.isEmpty { parts.append("\(language.introduction)\n") }
            parts.append(indented(text) + "\n")
        }
        return parts.joined(separator: "\n")
    }

    /// Returns the lines of a code block, indented by four columns.
    static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String) -> String {
        text.split(separator: "\n").map { $0.wrapped().joined(separator: "\n") }
            .joined(separator: "\n\n")
    }
}

extension StringProtocol {
    /// Returns the words of the text, wrapped into lines of at most the given width.
    ///
    /// A word that is longer than a line gets its own line.
    func wrapped(to width: Int = 80) -> [String] {
        var lines = [""]
        for word in split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
