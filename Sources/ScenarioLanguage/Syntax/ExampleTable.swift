// SPDX-License-Identifier: MIT

internal import RouteCore

/// The table of an `each` line, with a column for each parameter and a row for each run.
struct ExampleTable {
    struct Row {
        let arguments: [StepArgument]
        package let text: StepText
        /// The range of the row in the text.
        package let range: Range<Int>
    }

    private(set) var columns: [String] = []
    /// The ranges of the column names.
    private(set) var columnRanges: [Range<Int>] = []
    private(set) var rows: [Row] = []
    package let text: StepText
    private let form: StepArgument.Table

    // MARK: Rows with bars

    /// Parses rows of the form `| … | … |`.
    ///
    /// The first row contains the names of the columns.
    init(_ lines: some Collection<LineReader.Line>, of text: StepText, _ state: ParseState) {
        self.text = text
        form = .bars
        for line in lines {
            do throws(SyntaxError) {
                let cells = try Self.cells(line.range, of: text.bytes)
                guard add(cells, at: line.range, in: state) else { return }
            } catch {
                state.add(error, in: text)
                if columns.isEmpty { return }
            }
        }
    }

    /// Returns the cells of a row with bars.
    static func cells(_ line: Range<Int>, of bytes: [UInt8]) throws(SyntaxError) -> [Cell] {
        var scanner = TokenScanner(bytes, line)
        guard case .bar = scanner.next() else {
            throw .expected(
                "a row of the form '| … | … |'",
                got: String(decoding: bytes[line], as: UTF8.self),
                line,
                help: "only rows of the table can follow 'each'"
            )
        }
        var cells: [Cell] = []
        var start = scanner.position
        while true {
            let end = scanner.position
            guard let token = scanner.next() else { break }
            guard case .bar = token else { continue }
            let range = TokenScanner.trimmed(start..<end, of: bytes)
            cells.append(Cell(range: range, bytes: unescaped(range, of: bytes)))
            start = scanner.position
        }
        guard start == line.upperBound else {
            throw .expected(
                "'|'",
                after: "the last cell",
                got: nil,
                line.upperBound..<line.upperBound
            )
        }
        return cells
    }

    private static func unescaped(_ range: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound {
                if bytes[index + 1] != UInt8(ascii: "|") { result.append(bytes[index]) }
                index += 1
            }
            result.append(bytes[index])
            index += 1
        }
        return result
    }

    // MARK: Records of a CSV file

    /// Reads a CSV file (RFC 4180).
    ///
    /// The first record contains the names of the columns.
    init(_ source: SourceText, _ state: ParseState) {
        text = StepText(source, source.bytes)
        form = .records
        var reader = RecordReader(source.bytes)
        do throws(SyntaxError) {
            while let record = try reader.next() {
                guard add(record.cells, at: record.range, in: state) else { return }
            }
        } catch {
            state.add(error, in: text)
        }
    }

    // MARK: Cells

    /// A cell, with its range and its text.
    struct Cell {
        package let range: Range<Int>
        let bytes: [UInt8]
    }

    /// Adds a row, or sets the column names if the table has no columns yet.
    ///
    /// Returns `false` if the table has no columns afterwards.
    private mutating func add(_ cells: [Cell], at range: Range<Int>, in state: ParseState) -> Bool {
        do throws(SyntaxError) {
            if columns.isEmpty { try addColumns(cells) } else { try addRow(cells, range) }
        } catch {
            state.add(error, in: text)
        }
        return !columns.isEmpty
    }

    private mutating func addRow(_ cells: [Cell], _ range: Range<Int>) throws(SyntaxError) {
        guard cells.count == columns.count else {
            throw .wrongCells(cells.count, expected: columns.count, range)
        }
        var arguments: [StepArgument] = []
        arguments.reserveCapacity(cells.count)
        for cell in cells { arguments.append(try argument(cell)) }
        rows.append(Row(arguments: arguments, text: text, range: range))
    }

    private func argument(_ cell: Cell) throws(SyntaxError) -> StepArgument {
        let argument = StepArgument(
            cell.bytes,
            at: cell.range,
            of: text,
            isVerbatim: cell.bytes.count == cell.range.count,
            in: form
        )
        do throws(SyntaxError) {
            try TokenScanner.checkWhole(cell.bytes)
            return argument
        } catch {
            var error = error
            error.range = argument.location(of: error.range).span.range
            throw error
        }
    }

    private mutating func addColumns(_ cells: [Cell]) throws(SyntaxError) {
        var columns: [String] = []
        for cell in cells {
            let name = String(decoding: cell.bytes, as: UTF8.self)
            guard Name.isValid(name) else {
                throw .expected("the name of a column", got: name.isEmpty ? nil : name, cell.range)
            }
            guard !columns.contains(name) else { throw .columnTwice(name, cell.range) }
            columns.append(name)
        }
        self.columns = columns
        columnRanges = cells.map(\.range)
    }
}

extension SyntaxError {
    private static func table(_ message: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .badTable, message: message, range: range)
    }

    fileprivate static func wrongCells(
        _ count: Int,
        expected: Int,
        _ range: Range<Int>
    ) -> SyntaxError {
        table(
            "the row has \(count) \(count == 1 ? "cell" : "cells"), but the table has "
                + "\(expected) \(expected == 1 ? "column" : "columns")",
            range
        )
    }

    fileprivate static func columnTwice(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .twice, message: "column '\(name)' is declared twice", range: range)
    }

    static func noRows(_ range: Range<Int>) -> SyntaxError {
        table("a row with the names of the columns and at least one more row expected", range)
    }

    static func unusedColumn(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .unusedColumn,
            message: "column '\(name)' is never used",
            range: range,
            help: "use '<\(name)>' in the name or in a step of the scenario, or remove the column"
        )
    }
}
