// SPDX-License-Identifier: MIT

/// Measurements as people or programs read them.
struct Report {
    let measurements: [Measurement]
    let rounds: Int

    // MARK: For people

    var table: String {
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
        let isNumber = [false, false, false, true, true, true, true, true, false]
        let widths = isNumber.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (isNumber[column] ? padding + cell : cell + padding) + "  "
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
        return """
            {"format":"luaroute.performance/1","rounds":\(rounds),\
            "benchmarks":[\(benchmarks.joined(separator: ","))]}

            """
    }

    /// A text of this program in JSON: there is nothing but quotes to escape.
    private func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

extension Double {
    /// The number with so many decimals.
    fileprivate func text(_ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(self < 0 ? "-" : "")\(scaled / scale).\(zeros)\(fraction)"
    }
}
