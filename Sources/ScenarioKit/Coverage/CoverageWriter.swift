// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Writes coverage as text for people.
struct CoverageWriter {
    /// The maximum number of parts, and of ranges of lines in a file, that are listed.
    private static let limit = 10

    var style = TerminalStyle()

    /// Returns the shares of the parts and of the lines, with the ones that were not reached.
    func text(of coverage: Coverage) -> String {
        var rows: [(title: String, share: Coverage.Share, rest: [String])] = []
        for kind in ScriptPart.Kind.allCases {
            let share = coverage.share(of: kind)
            guard share.total > 0 else { continue }
            let rest = coverage.parts.filter { $0.kind == kind && $0.count == 0 }.map { part in
                let place = kind == .case ? nil : part.source.map { " (\($0))" }
                return part.name + (place ?? "")
            }
            rows.append((kind.title, share, rest))
        }
        rows.append(("lines", coverage.lineShare, []))
        for file in coverage.files {
            let share = Coverage.Share(reached: file.reached, total: file.lines.count)
            rows.append(("  " + file.path, share, file.missedRanges))
        }
        let width = rows.map { $0.title.count }.max() ?? 0
        let numbers = rows.map { "\($0.share.reached) of \($0.share.total)" }
        let numberWidth = numbers.map(\.count).max() ?? 0
        var text = "coverage\n"
        for (row, number) in zip(rows, numbers) {
            let title = row.title.padded(to: width)
            let space = String(repeating: " ", count: numberWidth - number.count)
            let share = String(repeating: " ", count: max(0, 8 - row.share.text.count))
            text += "  \(title)  \(space)\(number)\(share)\(row.share.text)"
            let more = row.rest.count - Self.limit
            let rest = row.rest.prefix(Self.limit).map { DiagnosticRenderer.printable($0) }
            let tail = more > 0 ? ["\(more) more"] : []
            if row.title.hasPrefix(" ") {
                if !rest.isEmpty {
                    text += "  \(style.yellow("not")) " + (rest + tail).joined(separator: ", ")
                }
                text += "\n"
            } else {
                text += "\n" + (rest + tail).map { "    \(style.yellow("not")) \($0)\n" }.joined()
            }
        }
        return text + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension ScriptPart.Kind {
    /// The name of several parts.
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
    /// The lines that did not run: `7–9`, `12`.
    ///
    /// Lines without code between two that did not run belong to the range.
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
