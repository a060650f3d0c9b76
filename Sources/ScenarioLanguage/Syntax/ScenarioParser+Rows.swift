// SPDX-License-Identifier: MIT

internal import RouteCore

extension ScenarioParser {
    /// Reads a scenario that runs once for each row of a table.
    mutating func readRows(
        _ heading: Vocabulary.ScenarioHeading,
        _ section: Document.Section,
        table: Int
    ) {
        let text = document.text
        state.anchor = document.lines[table].range.lowerBound
        let problemCount = state.problemCount
        guard let examples = examples(section, table) else { return }
        guard !examples.columns.isEmpty, !examples.rows.isEmpty else {
            if state.problemCount == problemCount {
                state.add(.noRows(document.lines[table].range), in: text)
            }
            return
        }
        let lines = StepLines(
            document.lines[section.body.lowerBound..<table],
            of: text,
            parameters: examples.columns,
            in: state
        )
        checkColumns(examples, lines.used.union(parameters(in: section, examples.columns)))
        let rowLines = examples.rows.compactMap(line(of:))
        file.scenarios.reserveCapacity(file.scenarios.count + examples.rows.count)
        for (number, row) in examples.rows.enumerated() where !state.isExhausted {
            guard let name = name(of: heading, in: row, examples.columns) else { continue }
            var writer = StepWriter(state, NameScope(after: backgroundNames))
            writer.read(lines, row.arguments, in: text.brought(by: .row(row.text, row.range)))
            var scenario = Scenario(heading, section, of: file.source)
            scenario.name = name
            if let line = line(of: row), let first = rowLines.first, let last = rowLines.last {
                scenario.row = Scenario.Row(line: line, allLines: first...last)
            } else {
                scenario.record = number + 1
            }
            scenario.steps = writer.steps
            file.scenarios.append(scenario)
        }
    }

    /// Returns the name of the scenario for a row.
    ///
    /// If the name is too long, reports an error and returns nil.
    private func name(
        of heading: Vocabulary.ScenarioHeading,
        in row: ExampleTable.Row,
        _ columns: [String]
    ) -> String? {
        var name = heading.name
        for (column, argument) in zip(columns, row.arguments) {
            name = name.replacing(part: "<\(column)>", with: argument.title)
            // A cell may contain the name of a column further to the right, any number of times.
            guard name.utf8.count <= ScenarioFile.lineLimit else {
                state.add(.filledLineTooLong(name.utf8.count, row.range), in: row.text)
                return nil
            }
        }
        return name
    }

    /// Returns the number of the line that contains a row, or nil if the table is in another file.
    private func line(of row: ExampleTable.Row) -> Int? {
        row.text.source === file.source
            ? file.source.lineNumber(at: row.range.lowerBound) : nil
    }

    private func examples(_ section: Document.Section, _ table: Int) -> ExampleTable? {
        let text = document.text
        let line = document.lines[table]
        let rest = document.lines[table + 1..<section.body.upperBound]
        var parser = StepParser(text.bytes, at: line.range, names: .unknown)
        do throws(SyntaxError) {
            guard let path = try parser.table() else {
                return ExampleTable(rest, of: text, state)
            }
            if let next = rest.first {
                throw .leftOver(parser.text(next.range), next.range, after: "each from PATH")
            }
            let source = try path.read(from: file.source, state)
            if let offset = source.invalidOffset {
                throw .notUTF8(path.path, path.range, at: offset)
            }
            return ExampleTable(source, state)
        } catch {
            state.add(error, in: text)
            return nil
        }
    }

    /// Returns the indices of the columns that the name of the scenario uses.
    private func parameters(in section: Document.Section, _ columns: [String]) -> Set<Int> {
        do throws(SyntaxError) {
            let template = try LineTemplate(section.heading, of: document.text.bytes, columns)
            return template?.used ?? []
        } catch {
            state.add(error, in: document.text)
            return []
        }
    }

    private func checkColumns(_ examples: ExampleTable, _ used: Set<Int>) {
        for (index, column) in examples.columns.enumerated() where !used.contains(index) {
            state.add(.unusedColumn(column, examples.columnRanges[index]), in: examples.text)
        }
    }
}

extension StepParser {
    /// Returns whether a line opens a table.
    static func opensTable(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard bytes[range.lowerBound] == UInt8(ascii: "e") else { return false }
        var parser = StepParser(bytes, at: range, names: .unknown)
        return parser.take("each")
    }

    /// Parses `each`, and the path after it if there is one.
    fileprivate mutating func table() throws(SyntaxError) -> FilePath? {
        guard let index = take(from: Vocabulary.structureWords) else { return nil }
        let form = Vocabulary.structure[index]
        let structure = try form.parse(&self)
        try checkEnd(of: form.signature)
        return if case .each(let path) = structure { path } else { nil }
    }
}

extension SyntaxError {
    fileprivate static func notUTF8(
        _ path: String,
        _ range: Range<Int>,
        at offset: Int
    ) -> SyntaxError {
        SyntaxError(
            code: .notUTF8,
            message: "'\(path)' is not UTF-8 text (byte \(offset) is invalid)",
            range: range
        )
    }
}
