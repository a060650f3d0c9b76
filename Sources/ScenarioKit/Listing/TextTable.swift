// SPDX-License-Identifier: MIT

/// A table of texts in aligned columns.
struct TextTable {
    /// The number of spaces between two columns.
    private static let gap = 2
    /// The minimum width of a truncated column.
    private static let leastWidth = 8

    private var rows: [[PrintedText]] = []
    /// The indices of the rows that consist of a label and a text that spans all other columns.
    private var notes: Set<Int> = []
    /// The text that precedes each row.
    var indent = ""
    /// The indices of the columns that are truncated last.
    var kept: Set<Int> = []

    /// Adds a row.
    mutating func add(_ row: [String]) { rows.append(row.map { "\($0)" }) }

    /// Adds a row with a text that spans all columns after the first.
    mutating func addNote(_ label: String, _ text: String) {
        notes.insert(rows.count)
        add([label, text])
    }

    /// Returns a list of names with their descriptions, one per line.
    static func list(_ rows: [(name: String, text: String)]) -> PrintedText {
        var table = TextTable()
        for row in rows { table.add([row.name, row.text]) }
        return table.lines().map { "\($0)\n" }.joined()
    }

    /// Returns the rows as lines.
    ///
    /// - Parameter width: The maximum number of terminal columns of a line; `nil` for no limit.
    /// - Returns: One line for each row, without a line break.
    func lines(width: Int? = nil) -> [PrintedText] {
        let widths = columnWidths(width)
        return rows.enumerated().map { index, row in
            if notes.contains(index) {
                let label = row[0].padded(to: widths[0] + Self.gap)
                let line: PrintedText = "\(indent)\(label)\(row[1])"
                return width.map { Self.cut(line, to: $0) } ?? line
            }
            var line: PrintedText = "\(indent)"
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                let cell = Self.cut(cell, to: widths[column])
                let isLast = row[(column + 1)...].allSatisfy(\.isEmpty)
                line += isLast ? cell : cell.padded(to: widths[column] + Self.gap)
                if isLast { break }
            }
            return width.map { Self.cut(line, to: $0) } ?? line
        }
    }

    private func columnWidths(_ width: Int?) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = [Int](repeating: 0, count: count)
        for (index, row) in rows.enumerated() {
            for (column, cell) in row.enumerated() where column == 0 || !notes.contains(index) {
                widths[column] = max(widths[column], cell.width)
            }
        }
        guard let width else { return widths }
        let gaps = max(0, widths.count { $0 > 0 } - 1) * Self.gap
        var excess = widths.reduce(gaps + indent.count - width, +)
        for isKept in [false, true] {
            let columns = widths.indices.filter { kept.contains($0) == isKept }
            while excess > 0, let widest = columns.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.leastWidth
            {
                widths[widest] -= 1
                excess -= 1
            }
        }
        return widths
    }

    /// Returns a text truncated to a number of terminal columns.
    ///
    /// The last column of a truncated text is `…`.
    static func cut(_ text: PrintedText, to width: Int) -> PrintedText {
        text.mapped { cut($0, to: width) }
    }

    /// Returns a text truncated like ``cut(_:to:)-(PrintedText,_)``.
    static func cut(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text.unicodeScalars) > width else { return text }
        guard width > 0 else { return "" }
        var cut = ""
        for character in text {
            let next = cut + String(character)
            guard DisplayWidth.of(next.unicodeScalars) < width else { break }
            cut = next
        }
        return cut + "…"
    }
}
