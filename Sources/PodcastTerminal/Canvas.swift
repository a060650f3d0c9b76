// SPDX-License-Identifier: MIT

internal import ScenarioKit

/// A part of the terminal, in columns and rows.
struct Area: Equatable {
    var x = 0
    var y = 0
    var width: Int
    var height: Int

    /// Returns the area without a margin of the given number of columns and rows on each side.
    func inset(_ columns: Int, _ rows: Int) -> Area {
        Area(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows)
    }

    /// Removes the given number of rows from the top, and returns them.
    mutating func takeTop(_ rows: Int) -> Area {
        let top = Area(x: x, y: y, width: width, height: max(0, min(rows, height)))
        y += top.height
        height -= top.height
        return top
    }

    /// Removes the given number of columns from the left, and returns them.
    mutating func takeLeft(_ columns: Int) -> Area {
        let left = Area(x: x, y: y, width: max(0, min(columns, width)), height: height)
        x += left.width
        width -= left.width
        return left
    }
}

/// A grid of characters, each one or two columns wide; text outside of it is ignored.
struct Canvas {
    /// The texts by row and column; the second column of a wide character is empty.
    private var cells: [[String]]

    /// Creates a canvas of spaces.
    init(width: Int, height: Int) {
        let row = [String](repeating: " ", count: max(0, width))
        cells = [[String]](repeating: row, count: max(0, height))
    }

    /// The rows as text.
    var lines: [String] { cells.map { $0.joined() } }

    /// Writes a text in one row of an area.
    ///
    /// A text that is too long is cut and ends with `…`.
    mutating func put(_ text: String, in area: Area, row: Int = 0) {
        guard row >= 0, row < area.height, area.width > 0 else { return }
        let text = Self.cells(of: text)
        let width = text.reduce(0) { $0 + $1.width }
        let limit = width <= area.width ? area.width : area.width - 1
        var x = 0
        for cell in text {
            guard x + cell.width <= limit else { break }
            set(cell.text, width: cell.width, x: area.x + x, y: area.y + row)
            x += cell.width
        }
        if width > area.width { set("…", width: 1, x: area.x + x, y: area.y + row) }
    }

    /// Fills an area with spaces.
    mutating func clear(_ area: Area) {
        for y in 0..<max(0, area.height) {
            for x in 0..<max(0, area.width) { set(" ", width: 1, x: area.x + x, y: area.y + y) }
        }
    }

    /// Clears an area and draws a box around it, with a title in its upper edge.
    mutating func box(_ area: Area, _ title: String = "") {
        clear(area)
        guard area.width > 1, area.height > 1 else { return }
        let edge = String(repeating: "─", count: area.width - 2)
        put("┌\(edge)┐", in: area)
        for row in 1..<area.height - 1 {
            set("│", width: 1, x: area.x, y: area.y + row)
            set("│", width: 1, x: area.x + area.width - 1, y: area.y + row)
        }
        put("└\(edge)┘", in: area, row: area.height - 1)
        if !title.isEmpty { put(" \(title) ", in: area.inset(2, 0)) }
    }

    private mutating func set(_ text: String, width: Int, x: Int, y: Int) {
        guard cells.indices.contains(y), x >= 0, x + width <= cells[y].count else { return }
        // If one half of a wide character is overwritten, the other half becomes a space.
        if cells[y][x].isEmpty { cells[y][x - 1] = " " }
        let next = x + width
        if next < cells[y].count, cells[y][next].isEmpty { cells[y][next] = " " }
        cells[y][x] = text
        if width == 2 { cells[y][x + 1] = "" }
    }

    /// Breaks a text into lines of at most the given width, between words if possible.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        var rest = width
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let word = cells(of: (rest < width ? " " : "") + word)
            let isLate = word.reduce(0) { $0 + $1.width } > rest && rest < width
            if isLate { rest = 0 }
            for cell in isLate ? word.dropFirst() : word[...] {
                if cell.width > rest {
                    lines.append("")
                    rest = width
                }
                lines[lines.count - 1] += cell.text
                rest -= cell.width
            }
        }
        return lines
    }

    /// Splits a text into cells.
    ///
    /// Characters that would control the terminal are escaped.
    private static func cells(of text: String) -> [(text: String, width: Int)] {
        var cells: [(text: String, width: Int)] = []
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                cells += "\\u{\(hex)}".map { (String($0), 1) }
            default:
                let width = DisplayWidth.of(scalar)
                if width > 0 {
                    cells.append((String(scalar), width))
                } else if let last = cells.indices.last, cells[last].text.utf8.count < 16,
                    !scalar.properties.isVariationSelector
                {
                    cells[last].text.unicodeScalars.append(scalar)
                }
            }
        }
        return cells
    }
}
