// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The scenarios of a project that failed in their last run, or that were selected but not run.
///
/// A scenario is identified by its file, its name and the number of its table record, because line
/// numbers change with each edit.
struct FailedScenarios {
    /// The identity of a scenario, or of a whole file if there is no name.
    private struct Key: Hashable {
        let file: String
        var name: String?
        var record: Int?
    }

    private static let schema = "luaroute.failed/1"

    private var keys: Set<Key> = []

    /// Whether the record contains no scenarios.
    var isEmpty: Bool { keys.isEmpty }

    /// Creates an empty record.
    init() {}

    /// Parses a record; `nil` if the data is not a record of this version.
    init?(_ bytes: [UInt8]) {
        guard let table = try? JSONDocument.object(bytes), table["schema"].text == Self.schema,
            case .table(let list) = table["scenarios"]
        else { return nil }
        for case .table(let entry) in list.list {
            guard let file = entry["file"].text else { return nil }
            let record = entry["record"].integer.map { Int(clamping: $0) }
            keys.insert(Key(file: file, name: entry["name"].text, record: record))
        }
    }

    /// The record as text.
    var text: String {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", Self.schema)
        let sorted = keys.sorted { one, other in
            (one.file, one.name ?? "", one.record ?? 0)
                < (other.file, other.name ?? "", other.record ?? 0)
        }
        json.list("scenarios", elements: sorted) { json, key in
            json.begin("{")
            json.member("file", key.file)
            if let name = key.name { json.member("name", name) }
            if let record = key.record { json.member("record", record) }
            json.end("}")
        }
        json.end("}")
        return json.text + "\n"
    }

    /// Returns whether the record contains the given scenario, or the scenario's whole file.
    func contains(_ scenario: Scenario, of file: RunPlan.File) -> Bool {
        let path = file.resolved
        return keys.contains(Key(file: path))
            || keys.contains(Key(file: path, name: scenario.name, record: scenario.record))
    }

    /// Records the results of a run.
    ///
    /// Entries of scenarios that were not selected are kept.
    mutating func note(_ reports: [FileReport], of files: [RunPlan.File]) {
        for (index, file) in files.enumerated() {
            let path = file.resolved
            keys.remove(Key(file: path))
            guard let parsed = file.parsed else {
                keys.insert(Key(file: path))
                continue
            }
            for index in file.selection {
                let scenario = parsed.scenarios[index]
                keys.insert(Key(file: path, name: scenario.name, record: scenario.record))
            }
            guard index < reports.count else { continue }
            // The background of the file failed, regardless of the results of its scenarios.
            if !reports[index].failures.isEmpty { keys.insert(Key(file: path)) }
            for scenario in reports[index].scenarios where scenario.outcome != .failed {
                keys.remove(Key(file: path, name: scenario.name, record: scenario.record))
            }
        }
    }
}

/// The folder in which runs store the failed scenarios of each project.
package struct FailureStore: Sendable {
    /// The maximum size of a record, in bytes.
    private static let sizeLimit = 16 << 20

    private let folder: String
    private let save: @Sendable (_ text: String, _ path: String) -> String?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store. `save` creates the folder if it is missing.
    ///   - save: Writes a file completely or not at all. Returns the system's description of the
    ///     error if writing fails; `nil` otherwise.
    package init(
        folder: String,
        save: @escaping @Sendable (_ text: String, _ path: String) -> String?
    ) {
        self.folder = folder
        self.save = save
    }

    /// Returns the path of the record for the project to which the plan's files belong; `nil` if
    /// the plan has no files.
    private func path(of plan: RunPlan) -> String? {
        guard let file = plan.files.first else { return nil }
        var digest = ContentDigest()
        digest.add(FileRoot(of: file.path).path.utf8)
        return "\(folder)/\(digest.text).json"
    }

    func read(for plan: RunPlan) -> FailedScenarios? {
        guard let path = path(of: plan),
            let bytes = try? SourceFiles.read(path, limit: Self.sizeLimit)
        else { return nil }
        return FailedScenarios(bytes)
    }

    /// Records the results of a run.
    ///
    /// - Returns: A warning if the record cannot be written; `nil` otherwise.
    func note(_ report: RunReport, of plan: RunPlan) -> Diagnostic? {
        guard let path = path(of: plan) else { return nil }
        let old = read(for: plan)
        var failed = old ?? FailedScenarios()
        failed.note(report.files, of: plan.files)
        let text = failed.text
        guard old?.text != text, let reason = save(text, path) else { return nil }
        return Diagnostic(
            .inputUnreadable,
            "the list of failed scenarios cannot be saved: '\(path)' cannot be written (\(reason))",
            severity: .warning
        )
    }
}
