// SPDX-License-Identifier: MIT

/// A type that writes the results of searches as human-readable text.
struct ExploreWriter {
    /// The width of the first column.
    private static let width = 48

    var style = TerminalStyle()
    /// Whether to name all parts of scripts that a block with `can` lines did not reach.
    var namesAll = false

    /// Returns a line for the search, followed by the lines for each finding.
    func text(of block: ExploreResults.Block) -> PrintedText {
        let report = block.report
        let name: PrintedText = report.line == nil ? "" : "  \(report.name)"
        var lines: [PrintedText] = [
            padded("\(path: block.location)\(name)")
                + "  \(report.stateCount.counted("state"))"
                + "  \(report.stepCount.counted("step"))  \(ending(of: report))"
        ]
        for found in block.findings {
            let finding = found.finding
            let sign = finding.isWarning || found.isKnown ? style.yellow("!") : style.red("✘")
            let steps = finding.stepCount.counted("step")
            var line = padded("  \(sign) \(finding.code) \(finding.title)") + "  \(steps)"
            if let file = found.file { line += "   \(path: file)" }
            if found.isKnown { line += "   known" }
            lines.append(line)
            let path =
                finding.steps.isEmpty ? "at the start" : finding.steps.joined(separator: " · ")
            lines += ([path] + finding.details).map { "      \($0)" }
        }
        lines += advice(on: report).map { ["  ? \($0)"] } ?? []
        lines += list("in the baseline, but not found again", block.gone)
        lines += list("not reproduced", report.notReproduced)
        lines += list("not explored", report.notExplored)
        if report.hasChoices && !namesAll {
            lines += list("not entered", counts(of: report.notEntered))
        } else {
            lines += list("not entered", report.notEntered)
        }
        lines += list("not compared", report.notSeen)
        return lines.map { "\($0)\n" }.joined()
    }

    private func list(_ title: String, _ names: [String]) -> [PrintedText] {
        names.isEmpty ? [] : ["  ? \(title): \(names.joined(separator: ", "))"]
    }

    /// Returns the number of parts of each kind.
    ///
    /// The kind is the first word of a part's name.
    private func counts(of parts: [String]) -> [String] {
        let kinds = parts.map { String($0.prefix { $0 != " " }) }
        let counts = Set(kinds).sorted().map { kind in
            kinds.count { $0 == kind }.counted(kind)
        }
        return counts.isEmpty ? [] : [counts.joined(separator: ", ") + " ('--all' lists them)"]
    }

    private func ending(of report: ExplorationReport) -> PrintedText {
        switch report.ending {
        case .complete:
            "complete to depth \(report.depth)" + (report.isExhausted ? ", no more states" : "")
        case .states: style.yellow("inconclusive: the limit of states was reached")
        case .time: style.yellow("inconclusive: the time limit was reached")
        case .unreproduced: style.yellow("inconclusive: a defect did not occur again")
        case .unexplored: style.yellow("inconclusive: not all routes were explored")
        case .interrupted: style.yellow("interrupted")
        }
    }

    /// Returns advice about a search without `can` lines that ended at a limit; `nil` for other
    /// searches.
    private func advice(on report: ExplorationReport) -> PrintedText? {
        let limit: PrintedText
        switch report.ending {
        case .time: limit = "a longer '--time'"
        case .states: limit = "a higher '--states'"
        default: return nil
        }
        return report.hasChoices
            ? nil
            : "the search tries every step: choose the steps with 'can' lines in an 'explore' block, or set a lower '--depth' or \(limit)"
    }

    private func padded(_ text: PrintedText) -> PrintedText { text.padded(to: Self.width) }
}
