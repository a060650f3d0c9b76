// SPDX-License-Identifier: MIT

/// The report of measurements, for people or for programs.
struct Report {
    var measurements: [Measurement] = []
    var growths: [Growth.Measurement] = []
    var footprint: Footprint?
    var commit: CommitTime?
    var search: SearchMemory?
    let rounds: Int

    // MARK: For people

    /// The tables that are not empty.
    var table: String {
        [ratioTable, growthTable, footprintTable, commitTable, searchTable].filter { !$0.isEmpty }
            .joined(
                separator: "\n"
            )
    }

    private var ratioTable: String {
        guard !measurements.isEmpty else { return "" }
        var rows = [
            ["", "what", "against", "ours ns", "its ns", "ratio", "spread", "bound", "reached"]
        ]
        for measurement in measurements {
            let benchmark = measurement.benchmark
            rows.append([
                benchmark.name,
                benchmark.text,
                benchmark.baselineText,
                measurement.ours.median.text(1),
                measurement.baseline.median.text(1),
                measurement.ratio.text(2),
                "\(measurement.ratios[0].text(2))..\(measurement.ratios[rounds - 1].text(2))",
                list(benchmark.bounds.map { $0.text(2) }),
                list(measurement.reached.map { $0 ? "yes" : "no" }),
            ])
        }
        return align(rows, texts: [0, 1, 2, 8])
    }

    private var growthTable: String {
        guard !growths.isEmpty else { return "" }
        var rows = [["", "what", "size", "", "ns", "times the first"]]
        for measurement in growths {
            let growth = measurement.growth
            for (index, point) in growth.points.enumerated() {
                rows.append([
                    index == 0 ? growth.name : "",
                    index == 0 ? growth.text : "",
                    "\(point.size)",
                    growth.unit,
                    measurement.nanoseconds[index].text(1),
                    measurement.ratios[index].text(2),
                ])
            }
        }
        return align(rows, texts: [0, 1, 3])
    }

    private var commitTable: String {
        guard let commit else { return "" }
        let rows = [
            ["", "what", "median ns", "longest ns", "bound"],
            [
                CommitTime.name, CommitTime.text, commit.median.text(1), commit.longest.text(1),
                CommitTime.bound.text(1),
            ],
        ]
        return align(rows, texts: [0, 1])
    }

    private var searchTable: String {
        guard let search else { return "" }
        let rows = [
            ["", "what", "states", "bytes a state, one job", "two jobs", "bound"],
            [SearchMemory.name, SearchMemory.text, "\(search.states)"]
                + search.bytes.map(String.init) + ["\(SearchMemory.bound)"],
        ]
        return align(rows, texts: [0, 1])
    }

    private var footprintTable: String {
        guard let footprint else { return "" }
        func row(_ name: String, _ text: String, _ bytes: Footprint.Bytes) -> [String] {
            [name, text, "\(bytes.heap)", "\(bytes.lua)", "\(bytes.heap - bytes.lua)"]
        }
        let rows = [
            ["", "what", "bytes", "of Lua", "of Swift"],
            row(Footprint.name, Footprint.text, footprint.whole),
            row("", "with classes and URLs, in modules", footprint.modules),
            row("", "a router without routes", footprint.base),
            row("", "a route", footprint.route),
            row("", "a screen", footprint.screen),
        ]
        return align(rows, texts: [0, 1])
    }

    /// Formats rows as columns, with texts aligned to the left and numbers to the right.
    private func align(_ rows: [[String]], texts: Set<Int>) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (texts.contains(column) ? cell + padding : padding + cell) + "  "
            }
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    private func list(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: " / ")
    }

    // MARK: For programs

    var json: String {
        let benchmarks = measurements.map { measurement in
            let benchmark = measurement.benchmark
            let fields = [
                "\"name\":\(quoted(benchmark.name))",
                "\"what\":\(quoted(benchmark.text))",
                "\"against\":\(quoted(benchmark.baselineText))",
                "\"ours\":\(measurement.ours.median.text(3))",
                "\"baseline\":\(measurement.baseline.median.text(3))",
                "\"ratio\":\(measurement.ratio.text(4))",
                "\"ratios\":[\(measurement.ratios.map { $0.text(4) }.joined(separator: ","))]",
                "\"bounds\":[\(benchmark.bounds.map { $0.text(2) }.joined(separator: ","))]",
                "\"reached\":[\(measurement.reached.map(String.init).joined(separator: ","))]",
            ]
            return "{\(fields.joined(separator: ","))}"
        }
        let growths = growths.map { measurement in
            let growth = measurement.growth
            let points = growth.points.indices.map { index in
                "[\(growth.points[index].size),\(measurement.nanoseconds[index].text(3))]"
            }
            return """
                {"name":\(quoted(growth.name)),"what":\(quoted(growth.text)),\
                "unit":\(quoted(growth.unit)),"points":[\(points.joined(separator: ","))]}
                """
        }
        let footprints = footprint.map { footprint in
            """
            {"name":\(quoted(Footprint.name)),"what":\(quoted(Footprint.text)),\
            "bytes":\(footprint.whole.heap),"lua":\(footprint.whole.lua),\
            "modules":\(footprint.modules.heap),\
            "base":\(footprint.base.heap),"route":\(footprint.route.heap),\
            "screen":\(footprint.screen.heap)}
            """
        }
        let commits = commit.map { commit in
            """
            {"name":\(quoted(CommitTime.name)),"what":\(quoted(CommitTime.text)),\
            "median":\(commit.median.text(1)),"longest":\(commit.longest.text(1))}
            """
        }
        let searches = search.map { search in
            """
            {"name":\(quoted(SearchMemory.name)),"what":\(quoted(SearchMemory.text)),\
            "states":\(search.states),"bytes":\(search.bytes)}
            """
        }
        return """
            {"format":"luaroute.performance/1","rounds":\(rounds),\
            "benchmarks":[\(benchmarks.joined(separator: ","))],\
            "growths":[\(growths.joined(separator: ","))],\
            "footprints":[\(footprints ?? "")],\
            "commits":[\(commits ?? "")],\
            "searches":[\(searches ?? "")]}

            """
    }

    /// Returns a text of this program as a JSON string.
    ///
    /// Such texts need no escapes other than for quotes.
    private func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

extension Double {
    /// Returns the number with the given number of decimals.
    fileprivate func text(_ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(self < 0 ? "-" : "")\(scaled / scale).\(zeros)\(fraction)"
    }
}
