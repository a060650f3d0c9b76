// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Writes coverage as an LCOV tracefile.
///
/// Parts of scripts are written as functions, and cases as branches.
///
/// Source: the manual page `geninfo(1)` of LCOV 1.16.
enum LCOVReport {
    static func text(of coverage: Coverage) -> PrintedText {
        coverage.files.map { file in
            let parts = coverage.parts.filter { $0.source?.file == file.path }
            return record(of: file, parts)
        }.joined()
    }

    private static func record(of file: Coverage.File, _ parts: [Coverage.Part]) -> PrintedText {
        var lines: [PrintedText] = ["TN:luaroute", "SF:\(path: file.path)"]
        let functions = parts.filter { $0.kind != .case }
        lines += functions.map { "FN:\($0.source?.line ?? 0),\(title($0))" }
        lines += functions.map { "FNDA:\($0.count),\(title($0))" }
        lines.append("FNF:\(functions.count)")
        lines.append("FNH:\(functions.count { $0.count > 0 })")
        let branches = parts.filter { $0.kind == .case }
        var numbers: [Int: Int] = [:]
        for branch in branches {
            let line = branch.source?.line ?? 0
            let number = numbers[line, default: 0]
            numbers[line] = number + 1
            lines.append("BRDA:\(line),0,\(number),\(branch.count)")
        }
        lines.append("BRF:\(branches.count)")
        lines.append("BRH:\(branches.count { $0.count > 0 })")
        lines += file.lines.map { "DA:\($0.line),\($0.count)" }
        lines.append("LF:\(file.lines.count)")
        lines.append("LH:\(file.reached)")
        return "\(lines.joined(separator: "\n"))\nend_of_record\n"
    }

    private static func title(_ part: Coverage.Part) -> String {
        "\(part.kind.rawValue) \(part.name)"
    }
}
