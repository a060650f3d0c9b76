// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The files of findings in a folder.
///
/// Each finding has one file, even if several runs find it.
struct FindingFiles {
    /// The path of the folder.
    let folder: String
    /// Writes a file and creates its folder.
    ///
    /// Returns the system's description of the error if writing fails; `nil` otherwise.
    let save: (_ text: String, _ path: String) -> String?

    /// The path of a finding's file, and whether the file existed before.
    enum Outcome {
        case written(String)
        case known(String)
        /// No scenario can show the finding.
        case none
        case failed(path: String, reason: String)
    }

    /// Writes the scenario of a finding, unless the folder already contains the scenario.
    func write(_ finding: ExplorationFinding, from start: ReplayedApp.Start) -> Outcome {
        guard let steps = finding.scenario else { return .none }
        let slug = Self.slug(of: finding)
        let mark = Array(FindingScenario.mark(of: finding).utf8)
        let names = SourceFiles.names(in: folder).filter {
            $0.hasBytePrefix("\(finding.code)-") && $0.hasByteSuffix(Selection.fileExtension)
        }
        let root = SourceFiles.resolved(folder)
        for name in names {
            let path = "\(folder)/\(name)"
            let limit = ScenarioFile.sizeLimit
            guard let bytes = try? SourceFiles.read(path, limit: limit, in: root) else { continue }
            if bytes.split(separator: UInt8(ascii: "\n")).contains(where: { $0.elementsEqual(mark) }
            ) {
                return .known(path)
            }
        }
        let use = Paths.relative(
            start.scripts.displayPath(of: start.scripts.entry),
            to: folder
        )
        let text = FindingScenario.text(of: finding, steps, from: start, use: use)
        var number = 1
        var name = "\(finding.code)-\(slug)"
        while names.contains(name + Selection.fileExtension) {
            number += 1
            name = "\(finding.code)-\(slug)-\(number)"
        }
        let path = "\(folder)/\(name)\(Selection.fileExtension)"
        if let reason = save(text, path) { return .failed(path: path, reason: reason) }
        return .written(path)
    }

    /// Returns a word for the file name of a finding: the first capitalized word of the key or, if
    /// there is none, of the last step.
    ///
    /// If neither contains a capitalized word, returns the first word of the key.
    private static func slug(of finding: ExplorationFinding) -> String {
        func words(of text: String) -> [Substring] {
            text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        }
        let own = words(of: finding.key).dropFirst()
        // The key of a failure contains the text of a line. Words of that line would be misleading.
        let names = finding.code == .failureInSearch ? [] : own
        let word = (names + words(of: finding.steps.last ?? "")).first {
            $0.first?.isUppercase == true
        }
        return (word ?? own.first ?? "finding").lowercased()
    }
}

extension Paths {
    /// Returns a path relative to a folder.
    static func relative(_ path: String, to folder: String) -> String {
        let parts = absolute(path).pathNames
        let base = absolute(folder).pathNames
        let common = zip(parts, base).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let up = [String](repeating: "..", count: base.count - common)
        let relative = up + parts[common...]
        return relative.isEmpty ? "." : relative.joined(separator: "/")
    }

    private static func absolute(_ path: String) -> String {
        if let resolved = SourceFiles.resolved(path.isEmpty ? "." : path) { return resolved }
        if path.isAbsolutePath { return path }
        // The folder does not exist yet.
        return Paths.path(path, from: SourceFiles.resolved(".") ?? "")
    }
}
