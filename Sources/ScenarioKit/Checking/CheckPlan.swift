// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What is to be checked: scripts, and files of scenarios as they were parsed.
struct CheckPlan {
    enum Input {
        case script(String)
        case scenarios(path: String, diagnostics: [Diagnostic], code: ExitCode)
    }

    /// The inputs, each once, in the order in which they are named.
    private(set) var inputs: [Input] = []
    /// The paths at which there is nothing.
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var exitCode = ExitCode.success

    private let script: String?
    private var seen: Set<String> = []

    init(_ paths: [String], _ options: RunOptions) {
        script = options.script
        for path in paths {
            switch SourceFiles.kind(of: path) {
            case .file:
                if path.hasSuffix(Selection.fileExtension) {
                    addScenarios(path)
                } else {
                    addScript(path)
                }
            case .folder: addFolder(path)
            case .missing:
                diagnostics.append(.missingInput(path))
                exitCode = .inputMissing
            }
        }
    }

    /// Adds a bundle, and the files of scenarios in the folder.
    private mutating func addFolder(_ path: String) {
        let files = Selection([path]).files
        let isBundle = SourceFiles.kind(of: "\(path)/main.lua") == .file
        // Without either, there is no entry: loading it says so.
        if isBundle || files.isEmpty { addScript(path) }
        for file in files { addScenarios(file.path) }
    }

    private mutating func addScript(_ path: String) {
        // A folder and its entry are one bundle.
        let entry =
            SourceFiles.kind(of: path) == .folder ? Paths.path("main.lua", from: path) : path
        if seen.insert(SourceFiles.resolved(entry) ?? entry).inserted {
            inputs.append(.script(path))
        }
    }

    private mutating func addScenarios(_ path: String) {
        guard seen.insert(SourceFiles.resolved(path) ?? path).inserted else { return }
        let plan = RunPlan([path], ScenarioFilter(), RunOptions())
        let diagnostics = plan.files.flatMap(\.diagnostics)
        let code = diagnostics.isEmpty ? .success : plan.exitCode
        inputs.append(.scenarios(path: path, diagnostics: diagnostics, code: code))
        if let script {
            addScript(script)
        } else if let use = plan.files.first?.parsed?.use {
            addScript(Paths.path(use.path, from: Paths.folder(of: path)))
        }
    }
}
