// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Writes coverage as human-readable text.
struct CoverageWriter {
    /// The maximum number of listed items: missed parts of a kind, or missed line ranges of a file.
    private static let limit = 10

    var style = TerminalStyle()

    /// A row of the summary: the parts of one kind, all lines, or the lines of one file.
    struct Row {
        let title: String
        let share: Coverage.Share
        /// The parts, or the ranges of lines, that were not reached.
        var missed: [String] = []
        var isFile = false
    }

    /// Returns the rows of the summary.
    static func rows(of coverage: Coverage) -> [Row] {
        var rows: [Row] = []
        for kind in ScriptPart.Kind.allCases {
            let share = coverage.share(of: kind)
            guard share.total > 0 else { continue }
            let missed = coverage.parts.filter { $0.kind == kind && $0.count == 0 }.map { part in
                let place = kind == .case ? nil : part.source.map { " (\($0))" }
                return part.name + (place ?? "")
            }
            rows.append(Row(title: kind.title, share: share, missed: missed))
        }
        rows.append(Row(title: "lines", share: coverage.lineShare))
        for file in coverage.files {
            let share = Coverage.Share(reached: file.reached, total: file.lines.count)
            rows.append(
                Row(title: file.path, share: share, missed: file.missedRanges, isFile: true)
            )
        }
        return rows
    }

    /// Returns the summary: the shares of parts and lines, and the parts and lines that were not
    /// reached.
    func text(of coverage: Coverage) -> PrintedText {
        let rows = Self.rows(of: coverage)
        let titles: [PrintedText] = rows.map { "\($0.isFile ? "  " : "")\($0.title)" }
        let numbers: [PrintedText] = rows.map { "\($0.share.reached) of \($0.share.total)" }
        let width = titles.map(\.width).max() ?? 0
        let numberWidth = numbers.map(\.width).max() ?? 0
        var text: PrintedText = "coverage\n"
        for (index, row) in rows.enumerated() {
            text += "  \(titles[index].padded(to: width))"
            text += "  \(numbers[index].padded(to: numberWidth, atStart: true))"
            text += ("\(row.share.text)" as PrintedText).padded(to: 8, atStart: true)
            let more = row.missed.count - Self.limit
            let missed = row.missed.prefix(Self.limit) + (more > 0 ? ["\(more) more"] : [])
            if row.isFile {
                if !missed.isEmpty {
                    text += "  \(style.yellow("not")) \(missed.joined(separator: ", "))"
                }
                text += "\n"
            } else {
                text += "\n"
                text += missed.map { "    \(style.yellow("not")) \($0)\n" }.joined()
            }
        }
        return text + "\n"
    }
}

extension ScriptPart.Kind {
    /// The name of the kind in the summary, usually a plural.
    var title: String {
        switch self {
        case .route: "routes"
        case .task: "tasks"
        case .interceptor: "interceptors"
        case .case: "cases"
        case .fallback: "fallbacks"
        case .reuse: "reuse"
        }
    }
}

extension Coverage.File {
    /// The ranges of lines that did not run, such as `7–9` and `12`.
    ///
    /// Lines without code belong to a range if the lines around them did not run.
    var missedRanges: [String] {
        var ranges: [ClosedRange<Int>] = []
        var isOpen = false
        for (line, count) in lines {
            guard count == 0 else {
                isOpen = false
                continue
            }
            if isOpen, let last = ranges.popLast() {
                ranges.append(last.lowerBound...line)
            } else {
                ranges.append(line...line)
            }
            isOpen = true
        }
        return ranges.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
    }
}
