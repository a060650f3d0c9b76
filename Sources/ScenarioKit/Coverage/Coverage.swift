// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import LuaVM

/// The parts and lines of scripts that the scenarios of a run reached.
package struct Coverage: Sendable {
    /// A part of the scripts, and the number of scenarios that reached the part.
    struct Part: Sendable {
        let kind: ScriptPart.Kind
        let name: String
        /// The file and line of the part, with the path as written on the command line.
        let source: RouteRow.Source?
        var count: Int
    }

    /// A script file.
    struct File: Sendable {
        let path: String
        /// The lines that contain code, each with the number of scenarios that ran the line.
        var lines: [(line: Int, count: Int)]

        var reached: Int { lines.count { $0.count > 0 } }
    }

    /// The number of parts or lines that were reached, and their total number.
    struct Share: Sendable {
        var reached = 0
        var total = 0

        /// The share in tenths of a percent, rounded down; 1000 if the total is 0.
        var permille: Int { total == 0 ? 1_000 : reached * 1_000 / total }
        /// The share as text, such as `87.5 %`.
        var text: String { "\(permille / 10).\(permille % 10) %" }
    }

    /// The parts, grouped by scripts and by kind.
    private(set) var parts: [Part] = []
    /// The files that scenarios loaded, sorted by path.
    var files: [File] { known.values.sorted { $0.path < $1.path } }

    private struct Key: Hashable {
        let part: ScriptPart.Key
        let file: String
    }

    private var indices: [Key: Int] = [:]
    /// The path with which each file first occurred, by the path with symbolic links resolved.
    private var spellings: [String: String] = [:]
    private var known: [String: File] = [:]

    /// Adds the coverage of a scenario.
    mutating func add(_ scenario: ScenarioCoverage) {
        for part in scenario.parts {
            var path: String?
            if let location = part.location {
                path = self.path(of: location.file, in: scenario.scripts)
            }
            let key = Key(part: part.key, file: path ?? "")
            if indices[key] == nil {
                indices[key] = parts.count
                let source = part.location.map { location in
                    RouteRow.Source(file: path ?? location.file, line: location.line)
                }
                let (kind, name) = (part.key.kind, part.key.name)
                parts.append(Part(kind: kind, name: name, source: source, count: 0))
            }
            if scenario.reached.contains(part.key), let index = indices[key] {
                parts[index].count += 1
            }
        }
        // A scenario that loads a file several times counts once.
        var ran: [String: LineSet] = [:]
        for (bundle, files) in scenario.lines {
            for (name, lines) in files {
                let path = self.path(of: name, in: bundle)
                if known[path] == nil {
                    guard let source = try? bundle.source(of: name),
                        let code = LineSet(codeOf: source)
                    else { continue }
                    known[path] = File(path: path, lines: code.lines.map { ($0, 0) })
                }
                ran[path, default: LineSet()].formUnion(lines)
            }
        }
        for (path, lines) in ran {
            guard var file = known.removeValue(forKey: path) else { continue }
            for index in file.lines.indices where lines.contains(file.lines[index].line) {
                file.lines[index].count += 1
            }
            known[path] = file
        }
    }

    /// Returns the path with which the file first occurred.
    ///
    /// The report uses only this path for the file.
    private mutating func path(of file: String, in bundle: ScriptBundle) -> String {
        let path = bundle.displayPath(of: file)
        let key = SourceFiles.resolved(path) ?? path
        if let first = spellings[key] { return first }
        spellings[key] = path
        return path
    }

    /// Returns the share of the parts of a kind, or of all parts if the kind is nil.
    func share(of kind: ScriptPart.Kind? = nil) -> Share {
        let parts = parts.filter { kind == nil || $0.kind == kind }
        return Share(reached: parts.count { $0.count > 0 }, total: parts.count)
    }

    /// The share of lines that ran.
    var lineShare: Share {
        known.values.reduce(into: Share()) { share, file in
            share.reached += file.reached
            share.total += file.lines.count
        }
    }

    /// Returns an error if less than the given percentage of the parts was reached, and another
    /// error if less than that percentage of the lines ran.
    func shortfall(below percentage: Int) -> [Diagnostic] {
        [("routes and other parts", share()), ("lines", lineShare)].compactMap { what, share in
            guard share.permille < percentage * 10 else { return nil }
            return Diagnostic(
                .coverageTooLow,
                "only \(share.text) of the \(what) are covered (at least \(percentage) % required)",
                help: "'luaroute run --coverage' lists the parts and lines that are not covered"
            )
        }
    }
}
