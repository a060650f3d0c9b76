// SPDX-License-Identifier: MIT

/// The scenarios at some paths, each to be run alone, as a case of a test.
package struct ScenarioCases: Sendable {
    /// The scenarios, in the order in which a run has them; the rows of a table are cases of their own.
    package let cases: [ScenarioCase]
    /// The mistakes and warnings that no case has: files that do not parse, paths that lead nowhere, an
    /// empty selection, scenarios that `only` leaves out.
    package let diagnostics: [Diagnostic]

    /// Reads scenario files; reads no scripts.
    ///
    /// - Parameters:
    ///   - paths: Files, folders and `file:line`, as the command line takes them.
    ///   - tags: Conditions such as `auth,!slow`, of which one must hold; none for all scenarios.
    ///   - names: Parts of names, of which one must be in that of the scenario; none for all.
    ///   - options: The options of the runs.
    package init(_ paths: [String], tags: [String], names: [String], options: RunOptions) {
        var options = options
        var filter = ScenarioFilter()
        filter.names = names
        var failure: [Diagnostic] = []
        for text in tags {
            do throws(UsageError) {
                filter.tags.append(try TagCondition(text))
            } catch {
                failure.append(Diagnostic(.nothingSelected, error.message))
            }
        }
        do throws(LoadedScripts.Failure) {
            try options.readHostFiles()
        } catch {
            failure += error.diagnostics
        }
        guard failure.isEmpty else {
            (cases, diagnostics) = ([], failure)
            return
        }
        let plan = RunPlan(paths, filter, options)
        diagnostics = plan.first + plan.files.flatMap(\.diagnostics) + plan.last
        var counts: [String: Int] = [:]
        cases = plan.files.flatMap { file -> [ScenarioCase] in
            guard let parsed = file.parsed else { return [] }
            let cases = CaseFile(parsed, options)
            let path = Self.shortPath(file.path, under: paths)
            return file.selection.map { index in
                let id = "\(path): \(parsed.scenarios[index].name)"
                counts[id, default: 0] += 1
                let count = counts[id] ?? 1
                return ScenarioCase(cases, index, id: count == 1 ? id : "\(id) #\(count)")
            }
        }
    }

    /// The path from the folder that names it; otherwise the name of the file.
    private static func shortPath(_ path: String, under folders: [String]) -> String {
        let folders = folders.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
        if let folder = folders.first(where: path.hasPrefix) {
            return String(path.dropFirst(folder.count))
        }
        return path.split(separator: "/").last.map(String.init) ?? path
    }
}
