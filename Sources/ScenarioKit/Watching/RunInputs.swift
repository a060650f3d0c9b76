// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The files on which the last run of a scenario file depended.
///
/// `watch` and editors run the scenario file again if any of these files has changed.
struct RunInputs {
    /// The scenario file and the files that it names, each with the outcome of reading it.
    private(set) var files: [String: FileOutcome]
    private let selection: [Int]
    /// The scripts that the scenarios ran with; nil if there were none.
    private let scripts: ScriptBundle?
    /// The additional scripts that each scenario loaded, by the index of the scenario in the file.
    private(set) var others: [Int: [Result<ScriptBundle, BundleError>]] = [:]

    init(_ file: RunPlan.File, _ scripts: ScriptBundle?, after older: RunInputs?) {
        (files, selection, self.scripts) = (file.inputs, file.selection, scripts)
        // The indices of scenarios are valid only if the file is unchanged.
        if let older, older.isSame(as: file) { others = older.others }
    }

    /// Records the additional scripts that a scenario loaded.
    ///
    /// `report` is nil if the scenario has not run.
    mutating func note(_ report: ScenarioReport?, of index: Int) {
        others[index] = report?.otherScripts
    }

    /// Returns whether a file and the files that it names are unchanged, and the same scenarios are
    /// selected.
    func isSame(as file: RunPlan.File) -> Bool {
        files == file.inputs && selection == file.selection
    }

    /// Returns whether a run would give the same results as the last one.
    func isCurrent(
        _ file: RunPlan.File,
        with scripts: ScriptBundle?,
        disk: Files = .disk
    ) -> Bool {
        let hasSameScripts =
            switch (scripts, self.scripts) {
            case (let scripts?, let older?): scripts.isSame(as: older)
            case (nil, nil): true
            default: false
            }
        return isSame(as: file) && hasSameScripts && !hasOtherScripts(disk)
    }

    /// Returns whether any of the scripts that steps loaded have changed since the last run.
    func hasOtherScripts(_ disk: Files = .disk) -> Bool {
        others.values.joined().contains { other in
            switch other {
            case .success(let bundle): (try? bundle.snapshot(disk).isSame(as: bundle)) != true
            case .failure(let error): error.isOver(disk)
            }
        }
    }
}

extension ScriptBundle {
    /// Reads the scripts at a path.
    ///
    /// Returns nil if the scripts are the same as `last`.
    static func newer(
        than last: ScriptBundle?,
        at path: String,
        _ disk: Files = .disk
    ) throws(BundleError) -> ScriptBundle? {
        guard let last else { return try ScriptBundle(path: path, files: disk) }
        let newer = try last.snapshot(disk)
        return newer.isSame(as: last) ? nil : newer
    }
}

extension BundleError {
    /// Returns whether the bundle can now be read, or cannot be read for a different reason than
    /// before.
    fileprivate func isOver(_ disk: Files) -> Bool {
        do throws(BundleError) {
            _ = try ScriptBundle(path: path, files: disk)
            return true
        } catch {
            return error.reason != reason
        }
    }
}
