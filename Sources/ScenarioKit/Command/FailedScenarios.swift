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
            guard let parsed = file.parsed else {
                keys.insert(Key(file: path))
                continue
            }
            let isWhole = keys.remove(Key(file: path)) != nil
            for index in isWhole ? Array(parsed.scenarios.indices) : file.selection {
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

    /// Adds whole files, of which no run is known.
    mutating func add(_ files: [RunPlan.File]) {
        keys.formUnion(files.map { Key(file: $0.resolved) })
    }

    /// Adds the entries of another record.
    mutating func formUnion(_ other: FailedScenarios) { keys.formUnion(other.keys) }
}

/// The folder in which runs store the failed scenarios of each project.
package struct FailureStore: Sendable {
    /// The maximum size of a record, in bytes.
    private static let sizeLimit = 16 << 20

    private let folder: String
    private let makeFolder: @Sendable (_ path: String) -> String?
    private let save: @Sendable (_ text: String, _ path: String) -> String?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - makeFolder: Creates a folder unless it exists. Returns the system's description of an
    ///     error; `nil` if there is none.
    ///   - save: Writes a file completely or not at all. Returns the system's description of the
    ///     error if writing fails; `nil` otherwise.
    package init(
        folder: String,
        makeFolder: @escaping @Sendable (_ path: String) -> String?,
        save: @escaping @Sendable (_ text: String, _ path: String) -> String?
    ) {
        self.folder = folder
        self.makeFolder = makeFolder
        self.save = save
    }

    /// Returns the indices of the plan's files, by the path of the record of their project.
    private func records(of plan: RunPlan) -> [String: [Int]] {
        var paths: [String: String] = [:]
        return Dictionary(grouping: plan.files.indices) { index in
            let file = plan.files[index].path
            let parent = Paths.folder(of: file)
            if let known = paths[parent] { return known }
            var digest = ContentDigest()
            digest.add(FileRoot(of: file).path.utf8)
            let path = "\(folder)/\(digest.text).json"
            paths[parent] = path
            return path
        }
    }

    private func read(_ path: String) -> FailedScenarios? {
        (try? SourceFiles.read(path, limit: Self.sizeLimit)).flatMap(FailedScenarios.init)
    }

    /// Returns the records of the projects to which the plan's files belong; `nil` if there are
    /// none.
    ///
    /// The files of a project without a record count as failed.
    func read(for plan: RunPlan) -> FailedScenarios? {
        let all = records(of: plan).map { (record: read($0.key), files: $0.value) }
        guard all.contains(where: { $0.record != nil }) else { return nil }
        return all.reduce(into: FailedScenarios()) { failed, its in
            if let record = its.record {
                failed.formUnion(record)
            } else {
                failed.add(its.files.map { plan.files[$0] })
            }
        }
    }

    /// Records the results of a run.
    ///
    /// Another process may record its results at the same time. Entries of scenarios that were not
    /// selected are kept.
    ///
    /// - Returns: A warning if a record cannot be written; `nil` otherwise.
    func note(_ report: RunReport, of plan: RunPlan) -> Diagnostic? {
        let failures = records(of: plan).sorted { $0.key < $1.key }.compactMap { path, indices in
            // After an interruption, the last files have no reports.
            let reports = indices.prefix { $0 < report.files.count }.map { report.files[$0] }
            let reason =
                makeFolder(folder)
                ?? SourceFiles.withLock(on: folder) {
                    let old = read(path)
                    var failed = old ?? FailedScenarios()
                    failed.note(reports, of: indices.map { plan.files[$0] })
                    let text = failed.text
                    return old?.text == text ? nil : save(text, path)
                }
            return reason.map { (path: path, reason: $0) }
        }
        guard let (path, reason) = failures.first else { return nil }
        return Diagnostic(
            .inputUnreadable,
            "the list of failed scenarios cannot be saved: '\(path)' cannot be written (\(reason))",
            severity: .warning
        )
    }
}
