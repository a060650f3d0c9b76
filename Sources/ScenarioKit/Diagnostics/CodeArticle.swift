// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What is told about a code: that of a diagnostic, such as `S0107`, or that of an error, such as
/// `notFound`.
public final class CodeArticle: Sendable, CustomStringConvertible {
    /// Texts that belong together: scripts, what runs with them, what the host brings.
    struct Example: Sendable {
        var script: String?
        /// Steps, or a whole scenario file.
        var steps: String?
        /// The manifest of a host, as JSON.
        var host: String?
        /// The contract of an app, as in its Swift file.
        var contract: String?

        static func script(_ script: String, steps: String? = nil) -> Example {
            Example(script: script, steps: steps)
        }

        static func steps(_ steps: String) -> Example { Example(steps: steps) }

        static func host(_ host: String) -> Example { Example(host: host) }
    }

    /// The code itself.
    public let code: String
    /// What it stands for, in a few words.
    public let title: String
    /// What it means, what usually brings it, and how to mend it.
    public let explanation: String
    /// Where it is found; nil where no text shows it.
    let example: Example?
    /// The same as it was probably meant.
    let remedy: Example?

    init(
        _ code: String,
        _ title: String,
        _ explanation: String,
        found example: Example? = nil,
        mended remedy: Example? = nil
    ) {
        self.code = code
        self.title = title
        self.explanation = explanation
        self.example = example
        self.remedy = remedy
    }

    convenience init(_ code: Finding.Code) {
        self.init(
            code.description,
            code.title,
            code.explanation,
            found: Example(script: code.example, host: code.host, contract: code.contract),
            mended: .script(code.remedy)
        )
    }

    /// All articles: those of diagnostics in the order of their codes, then those of errors.
    public static let all: [CodeArticle] =
        DiagnosticCode.all.map(\.article) + RouteError.Code.allCases.map(\.article)

    /// The article of a code, whatever the case of its letters; nil where there is no such code.
    public static func named(_ name: String) -> CodeArticle? {
        all.first { $0.code.lowercased() == name.lowercased() }
    }

    // MARK: Text

    /// The code.
    public var description: String { code }

    /// All codes with their titles, one a line.
    public static var list: String {
        let width = all.map(\.code.count).max() ?? 0
        let lines = all.map { article in
            let margin = String(repeating: " ", count: width - article.code.count)
            return "\(article.code)\(margin)  \(article.title)\n"
        }
        return lines.joined()
    }

    /// The whole, as text of some lines.
    public var text: String {
        var text = "\(code): \(title)\n\n\(Self.wrapped(explanation))\n"
        if let example { text += "\nFound in\n\n\(Self.text(of: example))" }
        if let remedy { text += "\nand not in\n\n\(Self.text(of: remedy))" }
        return text
    }

    private static func text(of example: Example) -> String {
        let parts = [
            example.script.map(indented),
            example.steps.map { (example.script == nil ? "" : "with\n\n") + indented($0) },
            example.host.map { (example.script == nil ? "" : "with the host\n\n") + indented($0) },
            example.contract.map { "with the app\n\n" + indented($0) },
        ]
        return parts.compactMap(\.self).map { "\($0)\n" }.joined(separator: "\n")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= 80 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
