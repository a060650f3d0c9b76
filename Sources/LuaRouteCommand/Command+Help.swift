// SPDX-License-Identifier: MIT

extension Command {
    static var help: String {
        let operands = operandsHelp.map { " \($0)" } ?? ""
        let usage = "luaroute \(name)\(options.isEmpty ? "" : " [options]")\(operands)"
        var text = "\(summary).\n\nusage: \(usage)\n"
        let lines =
            options.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) }
            + [("--help", "say this")]
        text += "\noptions:\n" + columns(lines)
        return remarks.isEmpty ? text : "\(text)\n\(remarks)\n"
    }
}

/// Lines of two columns.
func columns(_ lines: [(String, String)]) -> String {
    let width = lines.map(\.0.count).reduce(0, max)
    return lines.map { left, right in
        "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)\n"
    }.joined()
}
