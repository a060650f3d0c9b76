// SPDX-License-Identifier: MIT

/// A formatter of scenario files.
///
/// The formatter changes indentation, the white space between words, the quotes of plain text and
/// the padding of tables, and breaks long lines inside of brackets. All other bytes remain the
/// same. Line breaks of the file are kept, except for repeated blank lines. Formatting a text that
/// is already formatted changes nothing.
package struct ScenarioFormatter {
    private let source: SourceText
    /// The text, with comments replaced by spaces.
    private let bytes: [UInt8]
    private let layouts: [LineLayout]
    private var result: FormattedText

    private init(_ source: SourceText) {
        let reader = LineReader(source)
        self.source = source
        bytes = reader.bytes
        layouts = LineLayout.all(of: reader.lines, in: reader.bytes)
        result = FormattedText(source)
    }

    /// Formats a text that has no errors.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text, if the length of its lines is
    ///   bounded.
    package static func format(_ source: SourceText) -> FormattedText {
        var formatter = ScenarioFormatter(source)
        formatter.run()
        return formatter.result
    }

    private mutating func run() {
        var number = 1
        var index = 0
        while index < layouts.count {
            let range = layouts[index].line.range
            let first = source.lineNumber(at: range.lowerBound)
            addComments(number..<first, before: index)
            if case .row = layouts[index].kind {
                let end = endOfTable(index)
                number = addRows(index..<end)
                index = end
            } else {
                number = add(layouts[index], from: first)
                index += 1
            }
        }
        addComments(number..<source.lineCount + 1, before: index)
        result.finish()
    }

    // MARK: Comments

    /// Adds blank lines and comment lines.
    private mutating func addComments(_ numbers: Range<Int>, before index: Int) {
        for number in numbers {
            let comment = comment(in: number)
            let level = comment.isEmpty ? 0 : level(ofComment: number, before: index)
            result.add(.init(number: number, text: "", comment: indentation(level) + comment))
        }
    }

    /// Returns the level of a comment.
    ///
    /// This is the level of the next line. If no step follows and the comment is indented, it is
    /// the level of the preceding step.
    private func level(ofComment number: Int, before index: Int) -> Int {
        if index < layouts.count, layouts[index].line.isIndented {
            return layouts[index].level + (layouts[index].isEnd ? 1 : 0)
        }
        let start = source.line(number).lowerBound
        guard index > 0, source.bytes[start] != UInt8(ascii: "#") else { return 0 }
        return max(1, layouts[index - 1].level)
    }

    /// Returns the comment on a line, without trailing white space, or an empty text if there is
    /// none.
    private func comment(in number: Int) -> String {
        let range = source.line(number)
        // In `bytes`, comments are replaced by spaces.
        guard
            let start = range.first(where: {
                source.bytes[$0] == UInt8(ascii: "#") && bytes[$0] == UInt8(ascii: " ")
            })
        else { return "" }
        return source.text(TokenScanner.trimmed(start..<range.upperBound, of: source.bytes))
    }

    private func indentation(_ level: Int) -> String { String(repeating: " ", count: 2 * level) }

    // MARK: Steps and headings

    /// Adds a line, and returns the number of the next line of the file.
    private mutating func add(_ layout: LineLayout, from first: Int) -> Int {
        let last = source.lineNumber(at: layout.line.range.upperBound - 1)
        guard let words = LineDivider.words(of: layout, in: bytes, of: source) else {
            for number in first...last {
                result.add(.init(number: number, text: source.text(source.line(number))))
            }
            return last + 1
        }
        var rest = words[...]
        var margin = ""
        for number in first...last {
            let part = rest.prefix { $0.line == number }
            rest = rest[part.endIndex...]
            let comment = comment(in: number)
            if let word = part.first {
                margin = indentation(layout.level + word.indentation)
                addParts(of: part, .init(number: number, text: margin, comment: comment))
            } else {
                let text = comment.isEmpty ? "" : margin + comment
                result.add(.init(number: number, text: "", comment: text))
            }
        }
        return last + 1
    }

    /// Adds words, broken into as many lines as necessary.
    private mutating func addParts(of words: ArraySlice<LineWord>, _ start: FormattedText.Line) {
        var words = words
        var line = start
        let level = start.text.utf8.count / 2 - (words.first?.indentation ?? 0)
        while let end = endOfLine(words, start: line.text.utf8.count) {
            append(words[..<end], to: &line)
            result.add(.init(number: line.number, text: line.text))
            words = words[end...]
            line.text = indentation(level + words[end].indentation)
        }
        append(words, to: &line)
        result.add(line)
    }

    private func append(_ words: ArraySlice<LineWord>, to line: inout FormattedText.Line) {
        for (offset, word) in words.enumerated() {
            if offset > 0 { line.text += String(repeating: " ", count: word.spaces) }
            line.text += word.text
        }
    }

    /// Returns the index of the word that begins the next line, or nil if the words fit in one line
    /// or cannot be broken.
    private func endOfLine(_ words: ArraySlice<LineWord>, start: Int) -> Int? {
        var width = start
        var best: (index: Int, depth: Int)?
        for (index, word) in zip(words.indices, words) {
            if index > words.startIndex, word.mayBreak,
                best.map({ width <= FormattedText.width && word.depth <= $0.depth }) ?? true
            {
                best = (index, word.depth)
            }
            width += (index > words.startIndex ? word.spaces : 0)
            width += FormattedText.width(of: word.text)
        }
        return width > FormattedText.width ? best?.index : nil
    }

    // MARK: Tables

    private func endOfTable(_ start: Int) -> Int {
        layouts[start...].firstIndex { layout in
            if case .row = layout.kind { return false }
            return true
        } ?? layouts.count
    }

    /// Adds the rows of a table with aligned columns.
    ///
    /// Returns the number of the next line of the file.
    private mutating func addRows(_ rows: Range<Int>) -> Int {
        let cells = layouts[rows].map { layout -> [String] in
            guard case .row(let ranges) = layout.kind else { return [] }
            return ranges.map(source.text)
        }
        let widths = Self.widths(of: cells)
        var number = source.lineNumber(at: layouts[rows.lowerBound].line.range.lowerBound)
        for (index, row) in zip(rows, cells) {
            let line = source.lineNumber(at: layouts[index].line.range.lowerBound)
            addComments(number..<line, before: index)
            var text = indentation(layouts[index].level) + "|"
            for (cell, width) in zip(row, widths) {
                let padding = max(0, width - FormattedText.width(of: cell))
                text += " " + cell + String(repeating: " ", count: padding) + " |"
            }
            result.add(.init(number: line, text: text, comment: comment(in: line)))
            number = line + 1
        }
        return number
    }

    /// Returns the widths of the columns.
    ///
    /// A cell that would end beyond the maximum width of a line does not affect the width of its
    /// column.
    private static func widths(of cells: [[String]]) -> [Int] {
        let count = cells.first?.count ?? 0
        // The width of the indentation and the first bar.
        var start = 5
        return (0..<count).map { column in
            let widths = cells.map { $0.count > column ? FormattedText.width(of: $0[column]) : 0 }
            let room = FormattedText.width - start - 3
            let width = widths.filter { $0 <= room }.max() ?? 0
            start += width + 3
            return width
        }
    }
}
