// SPDX-License-Identifier: MIT

extension CodeArticle {
    /// The error for a Markdown file that is not a valid article.
    struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The line number, starting at 1.
        let line: Int
        let message: String

        var description: String { "\(line): \(message)" }
    }

    /// Reads an article from Markdown.
    ///
    /// The file consists of a heading with the code and the title, paragraphs, and up to two
    /// sections, 'Found in' and 'Fixed'. Each fenced block in a section contains one text of the
    /// example.
    ///
    /// - Throws: `Malformed` if the file has any other structure.
    init(markdown: String) throws(Malformed) {
        var parser = CodeArticleParser(markdown)
        (code, title) = try parser.heading()
        explanation = try parser.paragraphs()
        example = try parser.section("Found in")
        remedy = example == nil ? nil : try parser.section("Fixed")
        try parser.end()
    }
}

/// Reads the Markdown of an article, line by line.
private struct CodeArticleParser {
    private typealias Language = CodeArticle.Language

    /// The lines that have not been read.
    ///
    /// The indices of the slice are the indices of the lines in the file.
    private var lines: ArraySlice<Substring>

    init(_ markdown: String) {
        lines = markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    }

    mutating func heading() throws(CodeArticle.Malformed) -> (code: String, title: String) {
        let line = lines.first ?? ""
        let text = line.dropFirst(2)
        let code = text.prefix { $0.isLetter || $0.isNumber }
        let title = text[code.endIndex...].dropFirst(2)
        guard !code.isEmpty, !title.isEmpty, line == "# \(code): \(title)" else {
            throw expected("'# CODE: title'")
        }
        lines = lines.dropFirst()
        return (String(code), Self.plain(title))
    }

    /// Reads the paragraphs before the first section.
    mutating func paragraphs() throws(CodeArticle.Malformed) -> String {
        let prose = lines.prefix { !$0.hasPrefix("#") && !$0.hasPrefix("```") }
        lines = lines[prose.endIndex...]
        let paragraphs = prose.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
        if paragraphs.isEmpty { throw expected("a paragraph") }
        return Self.plain(paragraphs.joined(separator: "\n\n"))
    }

    /// Reads the section with the given name; returns nil if the next section has another name.
    mutating func section(_ name: String) throws(CodeArticle.Malformed) -> CodeArticle.Example? {
        guard lines.first == "## \(name)" else { return nil }
        lines = lines.dropFirst()
        var example: CodeArticle.Example = [:]
        while true {
            skipEmptyLines()
            guard let line = lines.first, !line.hasPrefix("## ") else { break }
            guard line.hasPrefix("```"), let language = Language(rawValue: "\(line.dropFirst(3))")
            else {
                throw expected("a block", Language.allCases.map(\.rawValue).joined(separator: ", "))
            }
            guard example[language] == nil else { throw expected("one block of '\(language)'") }
            example[language] = try block()
        }
        if example.isEmpty { throw expected("a block") }
        return example
    }

    /// Reads a fenced block, and returns its content.
    private mutating func block() throws(CodeArticle.Malformed) -> String {
        let text = lines.dropFirst().prefix { $0 != "```" }
        guard text.endIndex < lines.endIndex else { throw expected("a closed block") }
        lines = lines[(text.endIndex + 1)...]
        return text.joined(separator: "\n")
    }

    mutating func end() throws(CodeArticle.Malformed) {
        skipEmptyLines()
        if !lines.isEmpty { throw expected("a section", "'## Found in', then '## Fixed'") }
    }

    /// Returns a text in which single quotes replace the backticks around code, as in messages.
    private static func plain(_ text: some StringProtocol) -> String {
        String(text.map { $0 == "`" ? "'" : $0 })
    }

    private mutating func skipEmptyLines() { lines = lines.drop(while: \.isEmpty) }

    private func expected(_ what: String, _ forms: String? = nil) -> CodeArticle.Malformed {
        let found = lines.first.map { "'\($0)'" } ?? "the end of the file"
        let hint = forms.map { " (\($0))" } ?? ""
        return CodeArticle.Malformed(
            line: lines.startIndex + 1,
            message: "\(what)\(hint) expected, got \(found)"
        )
    }
}
