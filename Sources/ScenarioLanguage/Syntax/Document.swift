// SPDX-License-Identifier: MIT

/// A file divided into sections.
///
/// Each section consists of a heading and the lines below it.
struct Document {
    struct Section {
        /// The block that the heading opens, or nil if the heading has an error.
        let block: Vocabulary.Block?
        /// The range of the heading.
        package let heading: Range<Int>
        /// The range of the first word of the heading.
        let word: Range<Int>
        /// The number of the line that contains the heading.
        let line: Int
        /// The number of the last line before the next section.
        package var lastLine: Int
        /// The lines below the heading, as a range of indices of ``Document/lines``.
        package var body: Range<Int>
    }

    package let text: StepText
    let lines: [LineReader.Line]
    private(set) var sections: [Section] = []
    /// The numbers of the lines that could not be parsed.
    ///
    /// These lines belong to no section.
    private let brokenLines: Set<Int>
    /// The lines before the first section.
    private(set) var stray: Range<Int> = 0..<0

    init(_ source: SourceText, _ state: ParseState) {
        let reader = LineReader(source)
        text = StepText(source, reader.bytes)
        lines = reader.lines
        brokenLines = Set(reader.errors.map { source.lineNumber(at: $0.range.lowerBound) })
        for error in reader.errors { state.add(error, in: text) }
        var broken: Int?
        for (index, line) in lines.enumerated() where !line.isIndented {
            // A table that is not indented belongs to the scenario above it. Do not report an error
            // for each of its rows.
            if case .scenario? = sections.last?.block, opensTable(line.range) {
                if broken != sections.count { _ = section(line.range, body: index + 1, state) }
                broken = sections.count
                continue
            }
            close(before: index, line.range.lowerBound)
            sections.append(section(line.range, body: index + 1, state))
        }
        close(before: lines.count, nil)
    }

    /// Returns whether a section contains no lines.
    ///
    /// A line that could not be parsed counts as a line.
    func isEmptySection(_ index: Int) -> Bool {
        let section = sections[index]
        let first = lines[section.body].first
        guard first.map({ StepParser.opensTable($0.range, in: text.bytes) }) ?? true else {
            return false
        }
        // A step that is not indented becomes a heading with an error.
        if sections.indices.contains(index + 1), sections[index + 1].block == nil { return false }
        return !(section.line...section.lastLine).contains(where: brokenLines.contains)
    }

    /// Returns whether a line opens a table or is a row of a table.
    private func opensTable(_ range: Range<Int>) -> Bool {
        text.bytes[range.lowerBound] == UInt8(ascii: "|")
            || StepParser.opensTable(range, in: text.bytes)
    }

    private func section(_ range: Range<Int>, body: Int, _ state: ParseState) -> Section {
        var parser = StepParser(text.bytes, at: range, names: NameScope())
        let word = parser.wordAhead()
        var block: Vocabulary.Block?
        do throws(SyntaxError) {
            guard let index = parser.take(from: Vocabulary.blockWords) else {
                let range = word.isEmpty ? parser.found() : word
                throw .unknownBlock(
                    parser.text(range),
                    range,
                    isStep: Vocabulary.isStep(word, in: text.bytes)
                )
            }
            let form = Vocabulary.blocks[index]
            let parsed = try form.parse(&parser)
            try parser.checkEnd(of: form.signature)
            block = parsed
        } catch {
            state.add(error, in: text)
        }
        let line = text.source.lineNumber(at: range.lowerBound)
        return Section(
            block: block,
            heading: range,
            word: word,
            line: line,
            lastLine: line,
            body: body..<body
        )
    }

    private mutating func close(before index: Int, _ offset: Int?) {
        guard let last = sections.indices.last else {
            stray = 0..<index
            return
        }
        let source = text.source
        sections[last].body = sections[last].body.lowerBound..<index
        sections[last].lastLine = offset.map { source.lineNumber(at: $0) - 1 } ?? source.lineCount
    }
}
