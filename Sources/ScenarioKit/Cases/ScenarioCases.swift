// SPDX-License-Identifier: MIT

internal import RouteCore

/// The scenarios at the given paths, each of which runs as a separate test case.
package struct ScenarioCases: Sendable {
    /// The scenarios, in the order of a run; each row of a table is a separate case.
    package let cases: [ScenarioCase]
    /// The errors and warnings that belong to no case, such as files that do not parse, missing
    /// paths, an empty selection, or scenarios that do not run because others are marked `only`.
    package let diagnostics: [Diagnostic]

    /// Reads the scenario files, but not the scripts.
    ///
    /// - Parameters:
    ///   - paths: Files, folders and `file:line`, in the same form as on the command line.
    ///   - tags: Tag conditions such as `auth,!slow`. A scenario is selected if one of the
    ///     conditions is true, or if the list is empty.
    ///   - names: Parts of names. A scenario is selected if its name contains one of the parts, or
    ///     if the list is empty.
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
        let plan = RunPlan(paths, filter: filter, options: options)
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

    /// Returns the path relative to the searched folder that contains the file, or only the name of
    /// the file if no searched folder contains it.
    private static func shortPath(_ path: String, under folders: [String]) -> String {
        let folders = folders.map { $0.hasByteSuffix("/") ? $0 : "\($0)/" }
        if let folder = folders.first(where: path.hasPrefix) {
            return String(path.dropFirst(folder.count))
        }
        return path.pathNames.last ?? path
    }
}
