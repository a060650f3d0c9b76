// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The parsed files of a run, and the selected scenarios in these files.
struct RunPlan {
    struct File {
        let path: String
        /// The path with symbolic links resolved.
        ///
        /// This path does not depend on the working directory.
        let resolved: String
        /// The errors of the file; empty if the file parses.
        var diagnostics: [Diagnostic] = []
        var parsed: ScenarioFile?
        /// The indices of the selected scenarios.
        var selection: [Int] = []
        /// The file itself and all files that it names, with the outcome of reading each.
        var inputs: [String: FileOutcome] = [:]
        /// The folder that must contain all paths in the file; `nil` if the file was not read.
        var root: FileRoot?
        /// The exit code for the errors of the file.
        var exitCode = ExitCode.success

        /// Returns the scenarios with the given indices.
        func scenarios(_ numbers: [Int]) -> [Scenario] {
            numbers.compactMap { parsed?.scenarios[$0] }
        }

        init(path: String) {
            self.path = path
            resolved = SourceFiles.resolved(path) ?? path
        }
    }

    private(set) var files: [File] = []
    /// The diagnostics to print before the run.
    private(set) var first: [Diagnostic]
    /// The diagnostics to print after the run.
    private(set) var last: [Diagnostic] = []
    private(set) var exitCode = ExitCode.success
    private var options = RunOptions()

    /// Reads and parses all files before the first one is run, because a single `only` applies to
    /// all files.
    ///
    /// The plan of an interrupted run has no files.
    init(_ paths: [String], filter: ScenarioFilter, options: RunOptions) {
        self.options = options
        let selection = Selection(paths.isEmpty ? ["."] : paths, options)
        first = selection.diagnostics
        if !first.isEmpty { exitCode = .inputMissing }
        for file in selection.files where !options.isInterrupted() { read(file, filter) }
        last += selection.warnings
        guard !options.isInterrupted() else {
            files = []
            return
        }
        keepOnly(isUnattended: options.isUnattended)
        let tags = Set(files.compactMap(\.parsed).flatMap(\.scenarios).flatMap(\.tags))
        if first.isEmpty,
            files.allSatisfy({ $0.diagnostics.isEmpty && $0.selection.isEmpty })
        {
            let help =
                filter.help(for: tags) ?? selection.helpWithNothing ?? helpWithEmptyFiles
            last.append(.nothingSelected(help: help))
            exitCode = .nothingSelected
        } else if files.allSatisfy(\.diagnostics.isEmpty) {
            last += filter.warnings(for: tags)
        }
        if let shard = filter.shard { keep(shard) }
        exitCode = files.reduce(exitCode) { max($0, $1.exitCode) }
    }

    /// Creates the plan for a run that cannot start.
    init(_ failure: LoadedScripts.Failure) {
        first = failure.diagnostics
        exitCode = failure.code
    }

    /// Removes all scenarios that are not in the given record, and keeps the files with errors.
    ///
    /// - Returns: Whether any scenario or file with errors is left. If not, the plan does not
    ///   change.
    mutating func keep(_ failed: FailedScenarios) -> Bool {
        let kept = files.map { file in
            file.selection.filter { index in
                file.parsed.map { failed.contains($0.scenarios[index], of: file) } ?? false
            }
        }
        guard
            kept.contains(where: { !$0.isEmpty })
                || files.contains(where: { !$0.diagnostics.isEmpty })
        else { return false }
        for index in files.indices { files[index].selection = kept[index] }
        files.removeAll { $0.selection.isEmpty && $0.diagnostics.isEmpty }
        return true
    }

    /// Removes the files that do not belong to a shard.
    private mutating func keep(_ shard: Shard) {
        let isUsed = files.map { !$0.selection.isEmpty || !$0.diagnostics.isEmpty }
        let isOwn = shard.contains(
            files.indices.map { index in
                let file = files[index]
                // The path relative to the root of the project is the same on all machines.
                let root = file.root?.path ?? ""
                let key = file.resolved.hasPrefix(root) ? file.resolved.dropFirst(root.count) : ""
                return (String(key), max(file.selection.count, isUsed[index] ? 1 : 0))
            }
        )
        let count = isUsed.count(where: \.self)
        if count > 0, !zip(isUsed, isOwn).contains(where: { $0 && $1 }) {
            last.append(.emptyShard(shard, of: count))
        }
        files = zip(files, isOwn).filter { $1 }.map { $0.0 }
    }

    /// The scenarios that would be run.
    ///
    /// Scenarios marked `skip` are not included.
    var scenarios: [(path: String, Scenario)] {
        files.flatMap { file in
            file.scenarios(file.selection)
                .filter { $0.mode != .skip }.map { (file.path, $0) }
        }
    }

    /// The help that is printed if no scenario is selected because the files contain no scenarios.
    private var helpWithEmptyFiles: String? {
        guard !files.isEmpty, files.allSatisfy({ $0.parsed?.scenarios.isEmpty == true }) else {
            return nil
        }
        let names = files.map { "'\($0.path)'" }.joined(separator: ", ")
        let help = "a scenario begins with 'scenario \"NAME\"' in the first column"
        return "there is no scenario in \(names): \(help)"
    }

    private mutating func read(_ selected: Selection.File, _ filter: ScenarioFilter) {
        var file = File(reading: selected, options)
        if let parsed = file.parsed {
            file.selection = parsed.scenarios(at: selected.lines).filter {
                filter.passes(name: parsed.scenarios[$0].name, tags: parsed.scenarios[$0].tags)
            }
        }
        files.append(file)
    }

    /// Keeps only the scenarios that are marked `only`, if there are any.
    private mutating func keepOnly(isUnattended: Bool) {
        let marked = files.map { file in
            file.selection.filter { file.parsed?.scenarios[$0].mode == .only }
        }
        guard marked.contains(where: { !$0.isEmpty }) else { return }
        var places: [Span] = []
        var leftOut: [(path: String, count: Int)] = []
        for index in files.indices {
            if let parsed = files[index].parsed {
                places += marked[index].map { parsed.scenarios[$0].heading }
            }
            let count = files[index].selection.count {
                let mode = files[index].parsed?.scenarios[$0].mode
                return mode != .only && mode != .skip
            }
            if count > 0 { leftOut.append((files[index].path, count)) }
            files[index].selection = marked[index]
        }
        if isUnattended { exitCode = max(exitCode, .failed) }
        guard isUnattended || !leftOut.isEmpty else { return }
        last.append(.only(at: places, leftOut, isUnattended ? .error : .warning))
    }
}

extension ScenarioFile {
    /// Returns an error if the scripts that the file names are outside of the root.
    fileprivate func useOutside(_ root: FileRoot) -> Diagnostic? {
        guard let use, !root.contains(Paths.path(use.path, from: Paths.folder(of: source.name)))
        else { return nil }
        let error = SyntaxError.outsideRoot(use.path, in: root, at: use.range)
        return error.diagnostic(in: StepText(source, source.bytes))
    }

    /// Returns the indices of the scenarios at the given lines; all indices if `lines` is `nil`.
    fileprivate func scenarios(at lines: [Selection.Line]?) -> [Int] {
        guard let lines else { return Array(scenarios.indices) }
        return scenarios.indices.filter { index in
            let scenario = scenarios[index]
            return lines.contains { scenario.isSelected(byLine: $0.number, record: $0.record) }
        }
    }
}

extension RunPlan.File {
    /// Reads and parses a file, and checks that the scripts named in the file are inside of the
    /// root folder.
    init(reading selected: Selection.File, _ options: RunOptions) {
        self.init(reading: selected, fileRoot: options.fileRoot, files: options.files)
        guard let parsed, let root, options.script == nil, let error = parsed.useOutside(root)
        else { return }
        diagnostics = [error]
        exitCode = .scenarioInvalid
        self.parsed = nil
    }

    /// Reads and parses a file.
    init(reading selected: Selection.File, fileRoot: String?, files: Files = .disk) {
        self.init(path: selected.path)
        guard !path.hasByteSuffix(".lrb") else {
            diagnostics = [Diagnostic(.scenarioUnreadable, bundle: path)]
            exitCode = .scenarioInvalid
            return
        }
        guard !path.hasByteSuffix(".lua") else {
            diagnostics = [.scriptInPlaceOfScenarios(path)]
            exitCode = .scenarioInvalid
            return
        }
        let root =
            fileRoot.map(FileRoot.init(folder:)) ?? FileRoot(of: path, base: selected.folder)
        // A symbolic link in a folder may lead anywhere, but a link on the command line is
        // intended.
        guard selected.folder == nil || root.contains(path) else {
            let relation =
                fileRoot == nil ? "is a symbolic link to a file outside of" : "is outside of"
            diagnostics = [Diagnostic(.outsideRoot, "'\(path)' \(relation) '\(root.path)'")]
            exitCode = .scenarioInvalid
            return
        }
        self.root = root
        do throws(BundleError) {
            let bytes = try files.read(
                path,
                limit: ScenarioFile.sizeLimit,
                in: selected.folder == nil ? nil : root.path
            )
            inputs[path] = .success(bytes)
            parse(SourceText(name: path, content: bytes), in: root, files: files)
        } catch {
            inputs[path] = .failure(error)
            let isTooLarge = error.reason == .tooLarge
            diagnostics = [
                Diagnostic(isTooLarge ? .fileTooLarge : .scenarioUnreadable, error.message)
            ]
            exitCode = isTooLarge ? .scenarioInvalid : .inputMissing
        }
    }

    /// Parses the text of the file.
    mutating func parse(_ source: SourceText, in root: FileRoot, files: Files = .disk) {
        switch ScenarioParser.parse(source, in: root, files: files) {
        case .success(let parsed):
            self.parsed = parsed
            inputs.merge(parsed.inputs) { own, _ in own }
        case .failure(let failure):
            diagnostics = failure.list
            inputs.merge(failure.inputs) { own, _ in own }
            // A file that this file includes or reads rows from may be missing.
            let isInputMissing = failure.list.contains { $0.code == .scenarioUnreadable }
            exitCode = isInputMissing ? .inputMissing : .scenarioInvalid
        }
    }
}

extension Diagnostic {
    static func nothingSelected(help: String?) -> Diagnostic {
        Diagnostic(.nothingSelected, "no scenario is selected", help: help)
    }

    fileprivate static func emptyShard(_ shard: Shard, of count: Int) -> Diagnostic {
        Diagnostic(
            .nothingSelected,
            "part \(shard.number)/\(shard.count) contains none of the \(count.counted("selected file"))",
            severity: .warning
        )
    }

    static func noFileRoot(_ path: String) -> Diagnostic {
        guard SourceFiles.kind(of: path) == .file else { return .missingInput(path) }
        return Diagnostic(
            .scenarioUnreadable,
            "'--file-root' requires a folder, but '\(path)' is a file",
            help: "name the folder that contains all files that the scenario files use"
        )
    }

    /// Creates the error for a bundle that was given where scripts or scenario files are expected.
    init(_ code: DiagnosticCode, bundle path: String, at span: Span? = nil) {
        let path = Paths.path(path, from: "")
        self.init(
            code,
            "'\(path)' is a bundle, which this command cannot verify (scripts or scenario files expected)",
            at: span,
            help: "run the bundle with 'luaroute bundle run --public-key FILE \(path)'"
        )
    }

    fileprivate static func scriptInPlaceOfScenarios(_ path: String) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "'\(path)' is a script (scenario file expected)",
            help:
                "check the script with 'luaroute check \(path)', or run scenarios with '--script \(path)'"
        )
    }

    /// Returns the diagnostic about scenarios that are not run because others are marked `only`.
    fileprivate static func only(
        at places: [Span],
        _ leftOut: [(path: String, count: Int)],
        _ severity: Severity
    ) -> Diagnostic {
        let count = leftOut.reduce(0) { $0 + $1.count }
        let scenarios = count == 1 ? "1 scenario" : "\(count == 0 ? "no" : "\(count)") scenarios"
        var diagnostic = Diagnostic(
            .onlyIsLeft,
            "'only' excludes \(scenarios)",
            severity: severity,
            at: places.first
        )
        diagnostic.details = leftOut.map { Note("left out", "\($0.count) of '\($0.path)'") }
        var lines: Set<Int> = [places.first.map(\.line) ?? 0]
        diagnostic.related = places.dropFirst().filter { location in
            // The rows of a table share a heading, so its line is listed only once.
            location.source !== places.first?.source || lines.insert(location.line).inserted
        }.map { Related(label: "also marked", span: $0) }
        return diagnostic
    }
}
