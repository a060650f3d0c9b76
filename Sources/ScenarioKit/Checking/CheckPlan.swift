// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The inputs of a check: scripts, and parsed scenario files.
struct CheckPlan {
    enum Input {
        case script(String)
        case scenarios(ScenarioInput)
    }

    /// A scenario file.
    struct ScenarioInput {
        let path: String
        /// The errors in the file; empty if the file parses.
        let diagnostics: [Diagnostic]
        let code: ExitCode
        let parsed: ScenarioFile?
        /// The path of the scripts that the file names; nil if the file names no scripts.
        let script: String?
    }

    /// The inputs in the given order, without duplicates.
    private(set) var inputs: [Input] = []
    /// The errors for paths at which nothing exists.
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var exitCode = ExitCode.success

    private let options: RunOptions
    private var seen: Set<ByteString> = []
    /// The scripts that at least one scenario file marks as trusted.
    private var trusted: Set<ByteString> = []
    /// The first `use` line for each of the scripts that the command line does not name.
    private var uses: [ByteString: Span] = [:]

    init(_ paths: [String], _ options: RunOptions) {
        self.options = options
        for path in paths {
            switch SourceFiles.kind(of: path) {
            case .file:
                if path.hasByteSuffix(Selection.fileExtension) {
                    addScenarios(Selection.File(path: path))
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

    /// Adds the bundle in a folder, if there is one, and the scenario files in the folder.
    private mutating func addFolder(_ path: String) {
        var ownOptions = options
        ownOptions.fileRoot = nil
        let selection = Selection([path], ownOptions)
        let files = selection.files
        diagnostics += selection.diagnostics + selection.warnings
        if !selection.diagnostics.isEmpty { exitCode = .inputMissing }
        let isBundle = SourceFiles.kind(of: "\(path)/main.lua") == .file
        // A folder with neither a `main.lua` nor scenario files is added as scripts, so that
        // loading reports the missing entry.
        if isBundle || files.isEmpty { addScript(path) }
        for file in files { addScenarios(file) }
    }

    /// Returns whether a scenario file marks the scripts at a path as trusted.
    func isTrusted(_ path: String) -> Bool { trusted.contains(Self.key(of: path)) }

    /// Returns the first `use` line that names the scripts at a path; nil if the command line names
    /// the scripts.
    func use(of path: String) -> Span? { uses[Self.key(of: path)] }

    private mutating func addScript(
        _ path: String,
        isTrusted: Bool = false,
        usedAt use: Span? = nil
    ) {
        let key = Self.key(of: path)
        if isTrusted { trusted.insert(key) }
        if seen.insert(key).inserted {
            inputs.append(.script(path))
            uses[key] = use
        } else if use == nil {
            uses[key] = nil
        }
    }

    /// Returns a key for a bundle.
    ///
    /// The path of the bundle's folder and the path of its entry have the same key.
    static func key(of path: String) -> ByteString {
        let entry =
            SourceFiles.kind(of: path) == .folder ? Paths.path("main.lua", from: path) : path
        return ByteString(SourceFiles.resolved(entry) ?? entry)
    }

    private mutating func addScenarios(_ selected: Selection.File) {
        let path = selected.path
        guard seen.insert(Self.key(of: path)).inserted else { return }
        let file = RunPlan.File(reading: selected, options)
        let parsed = file.parsed
        let script = parsed.flatMap { ScenarioRunner.scriptPath(of: $0, options) }
        inputs.append(
            .scenarios(
                ScenarioInput(
                    path: path,
                    diagnostics: file.diagnostics,
                    code: file.exitCode,
                    parsed: parsed,
                    script: script
                )
            )
        )
        if let script {
            addScript(
                script,
                isTrusted: parsed?.settings.profile == .trusted,
                usedAt: parsed.flatMap { ScenarioRunner.usePlace(in: $0, options) }
            )
        } else if let script = options.script {
            addScript(script)
        }
    }
}
