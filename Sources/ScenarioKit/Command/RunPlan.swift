// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What is to be run: the files as they were read, and the scenarios of them that are meant.
struct RunPlan {
    struct File {
        let path: String
        /// What is wrong with it, nothing where it parses.
        var diagnostics: [Diagnostic] = []
        var parsed: ScenarioFile?
        /// The numbers of the scenarios that are meant.
        var selection: [Int] = []
        /// The file itself and those that it names, as they were read.
        var inputs: [String: FileOutcome] = [:]
    }

    private(set) var files: [File] = []
    /// What is told before anything is run, and what after.
    private(set) var first: [Diagnostic]
    private(set) var last: [Diagnostic] = []
    private(set) var exitCode = ExitCode.success
    private var options = RunOptions()

    /// Reads and parses all files before the first is run: one `only` holds for all of them.
    init(_ paths: [String], _ filter: ScenarioFilter, _ options: RunOptions) {
        self.options = options
        let selection = Selection(paths.isEmpty ? ["."] : paths)
        first = selection.diagnostics
        if let root = options.fileRoot, SourceFiles.kind(of: root) != .folder {
            first.append(.missingInput(root))
        }
        if !first.isEmpty { exitCode = .inputMissing }
        for file in selection.files { read(file, filter) }
        last += selection.warnings
        keepOnly(isUnattended: options.isUnattended)
        if files.allSatisfy({ $0.diagnostics.isEmpty && $0.selection.isEmpty }), first.isEmpty {
            let scenarios = files.compactMap(\.parsed).flatMap(\.scenarios)
            let help = filter.help(for: scenarios) ?? selection.helpWithNothing
            last.append(.nothingSelected(help: help))
            exitCode = .nothingSelected
        }
    }

    /// Makes the plan of a run that cannot begin.
    init(_ failure: LoadedScripts.Failure) {
        first = failure.diagnostics
        exitCode = failure.code
    }

    /// The scenarios that a run would run, those left out that say so themselves.
    var scenarios: [(path: String, Scenario)] {
        files.flatMap { file in
            file.selection.compactMap { file.parsed?.scenarios[$0] }
                .filter { $0.mode != .skip }.map { (file.path, $0) }
        }
    }

    private mutating func read(_ selected: Selection.File, _ filter: ScenarioFilter) {
        var file = File(path: selected.path)
        guard !file.path.hasSuffix(".lua") else {
            file.diagnostics = [.scriptInPlaceOfScenarios(file.path)]
            exitCode = max(exitCode, .scenarioInvalid)
            files.append(file)
            return
        }
        let root =
            options.fileRoot.map(FileRoot.init(folder:))
            ?? FileRoot(of: file.path, base: selected.folder)
        // A link that a folder holds may lead anywhere; one that a person names is meant.
        guard selected.folder == nil || root.contains(file.path) else {
            let message = "'\(file.path)' leads out of '\(root.path)'"
            file.diagnostics = [Diagnostic(.outsideRoot, message)]
            exitCode = max(exitCode, .scenarioInvalid)
            files.append(file)
            return
        }
        do throws(BundleError) {
            let bytes = try SourceFiles.read(file.path, limit: 4 * ScenarioFile.sizeLimit)
            file.inputs[file.path] = .success(bytes)
            let source = SourceText(name: file.path, content: bytes)
            switch ScenarioParser.parse(source, in: root) {
            case .success(let parsed):
                if let diagnostic = parsed.useOutside(root), options.script == nil {
                    file.diagnostics = [diagnostic]
                    exitCode = max(exitCode, .scenarioInvalid)
                    break
                }
                file.parsed = parsed
                file.inputs.merge(parsed.inputs) { own, _ in own }
                file.selection = parsed.scenarios(at: selected.lines).filter {
                    filter.passes(parsed.scenarios[$0])
                }
            case .failure(let failure):
                file.diagnostics = failure.list
                file.inputs.merge(failure.inputs) { own, _ in own }
                // A file that it includes, or takes rows from, may be what is missing.
                let isInputMissing = failure.list.contains { $0.code == .scenarioUnreadable }
                exitCode = max(exitCode, isInputMissing ? .inputMissing : .scenarioInvalid)
            }
        } catch {
            file.inputs[file.path] = .failure(error)
            file.diagnostics = [Diagnostic(.scenarioUnreadable, error.message)]
            exitCode = max(
                exitCode,
                error.reason == .tooLarge ? .scenarioInvalid : .inputMissing
            )
        }
        files.append(file)
    }

    /// Leaves the scenarios marked `only`, if there are some.
    private mutating func keepOnly(isUnattended: Bool) {
        let marked = files.map { file in
            file.selection.filter { file.parsed?.scenarios[$0].mode == .only }
        }
        guard marked.contains(where: { !$0.isEmpty }) else { return }
        for index in files.indices { files[index].selection = marked[index] }
        guard isUnattended else { return }
        last.append(.onlyIsLeft())
        exitCode = max(exitCode, .failed)
    }
}

extension ScenarioFile {
    /// Why the scripts that the file names cannot be used: they are outside of a folder.
    fileprivate func useOutside(_ root: FileRoot) -> Diagnostic? {
        guard let use, !root.contains(Paths.path(use.path, from: Paths.folder(of: source.name)))
        else { return nil }
        let error = SyntaxError.outsideRoot(use.path, root, use.range)
        return error.diagnostic(in: StepText(source, source.bytes))
    }

    /// The numbers of the scenarios whose blocks hold some lines; all where none are given.
    fileprivate func scenarios(at lines: [Int]?) -> [Int] {
        guard let lines else { return Array(scenarios.indices) }
        return scenarios.indices.filter { index in
            let scenario = scenarios[index]
            return lines.contains(where: scenario.isSelected(byLine:))
        }
    }
}

extension Diagnostic {
    fileprivate static func nothingSelected(help: String?) -> Diagnostic {
        Diagnostic(.nothingSelected, "no scenario is selected", help: help)
    }

    fileprivate static func scriptInPlaceOfScenarios(_ path: String) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "'\(path)' is a script, and a scenario file is expected",
            help: "'luaroute check \(path)' looks at it, '--script \(path)' has scenarios use it"
        )
    }

    fileprivate static func onlyIsLeft() -> Diagnostic {
        Diagnostic(.onlyIsLeft, "a scenario is marked 'only', so others were not run")
    }
}
