// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute check`: loads scripts, and reports errors and suspicious code, without
/// running scenarios.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct CheckCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// Human-readable text.
        case text
        /// A single JSON document.
        case json
    }

    /// The scripts, folders and scenario files to check.
    ///
    /// If empty, the script in ``options`` is checked, or otherwise the current folder.
    package var paths: [String]
    /// The options for loading scripts.
    ///
    /// If the options name a script, that script is used instead of the scripts that scenario files
    /// name.
    ///
    /// The manifest is the `host.json` next to the entry of the scripts, unless the options name
    /// another manifest.
    package var options: RunOptions
    /// The path of the `apple-app-site-association` file or Android manifest to compare the URL
    /// patterns with; nil to skip this comparison.
    package var linksPath: String?
    /// Whether to add a call to `router.api` to an entry file that does not declare an API level.
    package var isFixing = false
    /// The reports to write, and whether each finding is printed on one line.
    package var findings = FindingOutput()
    /// The output format.
    package var format = Format.text

    /// Creates a command.
    package init(paths: [String] = [], options: RunOptions = RunOptions()) {
        self.paths = paths
        self.options = options
    }

    /// Checks each script and scenario file once, in the given order.
    ///
    /// - Returns: The exit code. Any finding counts as a failure.
    package func run(_ console: Console) -> ExitCode {
        let console = console.short(findings.isShort)
        let plan = CheckPlan(paths.isEmpty ? [options.script ?? "."] : paths, options)
        var code = plan.exitCode
        for diagnostic in plan.diagnostics { console.writeFinding(diagnostic) }
        let results = ConsoleReport(style: console.style)
        var files: [CheckedFile] = []
        var scripts = CheckedScripts(self, plan)
        for input in plan.inputs {
            let (file, itsCode) = check(input, &scripts, to: console)
            let log = scripts.takeLog()
            if !log.isEmpty { console.errors(log) }
            code = max(code, itsCode)
            files.append(file)
            guard format == .text else { continue }
            if findings.isShort {
                for diagnostic in file.diagnostics { console.writeFinding(diagnostic) }
                continue
            }
            if let fixed = file.fixed {
                console.output(
                    "\(path: fixed): added 'router.api(\(Router.apiLevels.upperBound))'\n"
                )
            }
            for diagnostic in file.diagnostics.grouped {
                console.output(results.text(of: diagnostic))
            }
            let needs = BundleNeed.summary(of: file.needs)
            if !needs.isEmpty {
                console.output(
                    "\(path: file.path): this bundle needs: \(needs)\n"
                )
            }
        }
        switch format {
        case .text: if !findings.isShort { console.output(summary(of: files)) }
        case .json:
            console.output(
                Self.document.text(
                    of: CommandResult(files, diagnostics: plan.diagnostics, code: code)
                )
            )
        }
        let own = files.flatMap { file in file.diagnostics.map { $0.located(in: file.path) } }
        return findings.write(
            plan.diagnostics + own,
            at: paths.first ?? options.script,
            code: code,
            to: console
        )
    }

    private func check(
        _ input: CheckPlan.Input,
        _ scripts: inout CheckedScripts,
        to console: Console
    ) -> (file: CheckedFile, code: ExitCode) {
        switch input {
        case .scenarios(let input):
            let found = input.diagnostics + scripts.nameFindings(in: input)
            let file = CheckedFile(path: input.path, isScript: false, diagnostics: found)
            return (file, found.isEmpty ? input.code : max(input.code, .failed))
        case .script(let path):
            do throws(LoadedScripts.Failure) {
                let loaded = try scripts.load(path).get()
                let router = loaded.scripts.router
                var diagnostics = loaded.findings
                if let linksPath {
                    diagnostics += try LinksFile(path: linksPath).findings(about: loaded.scripts)
                }
                var file = CheckedFile(
                    path: path,
                    isScript: true,
                    diagnostics: diagnostics,
                    needs: router.needs()
                )
                if isFixing, !router.namesLevel { try file.addLevel(to: router, console) }
                return (file, diagnostics.isEmpty ? .success : .failed)
            } catch {
                let file = CheckedFile(path: path, isScript: true, diagnostics: error.diagnostics)
                return (file, error.code)
            }
        }
    }

    // MARK: Writing

    /// Returns the summary, which is the last line of the output.
    private func summary(of files: [CheckedFile]) -> PrintedText {
        let diagnostics = files.flatMap(\.diagnostics)
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let scripts = files.count(where: \.isScript)
        let what = list([(scripts, "script"), (files.count - scripts, "scenario file")])
        guard !what.isEmpty else { return "" }
        let findings = list([(errors, "error"), (warnings, "warning")])
        return "\(what): \(findings.isEmpty ? "nothing found" : findings)\n"
    }

    private func list(_ counts: [(Int, String)]) -> String {
        counts.filter { $0.0 > 0 }.map { $0.counted($1) }.joined(separator: ", ")
    }

    static let document = DocumentFields<CommandResult<[CheckedFile]>>("check") {
        DocumentField<CommandResult<[CheckedFile]>>.schema("check")
        DocumentField("files", \.content, help: "The checked scripts and scenario files.")
        DocumentField<CommandResult<[CheckedFile]>>.diagnostics(\.diagnostics)
        DocumentField(
            "counts",
            object: counts,
            { $0.content.flatMap(\.diagnostics) },
            help: "The numbers of errors and warnings."
        )
        DocumentField<CommandResult<[CheckedFile]>>.exitCode(\.code)
    }

    private static let counts = DocumentFields<[Diagnostic]>("findings") {
        DocumentField(
            "errors",
            { $0.count { $0.severity == .error } },
            help: "The number of errors."
        )
        DocumentField(
            "warnings",
            { $0.count { $0.severity == .warning } },
            help: "The number of warnings."
        )
    }
}

extension CheckedFile: DocumentRecord {
    static let document = DocumentFields<Self>("file") {
        Field("file", \.path, help: "The path of the file.")
        Field("kind", Kind.init, help: "The kind of file.")
        Field("diagnostics", \.diagnostics, help: "The findings.")
        Field(
            optional: "fixed",
            \.fixed,
            help: "The path of the entry file to which '--fix' added 'router.api'."
        )
        Field(
            optional: "needs",
            { $0.isScript ? $0.needs : nil },
            help: "The capabilities that the scripts need."
        )
    }

    private enum Kind: String, CaseIterable, DocumentValue {
        case script, scenarios

        init(_ file: CheckedFile) { self = file.isScript ? .script : .scenarios }
    }
}

extension BundleNeed: DocumentRecord {
    static let document = DocumentFields<Self>("need") {
        Field("capability", \.capability, help: "The capability.")
        Field(
            optional: "name",
            \.name,
            help: "The class, task or origin that the capability covers."
        )
        Field(
            optional: "file",
            \.location?.file,
            help: "The path of the first script that needs the capability."
        )
        Field(
            optional: "line",
            \.location?.line,
            help: "The first line of that script that needs the capability."
        )
    }
}

/// The result of checking a script or a scenario file.
struct CheckedFile: Sendable {
    let path: String
    let isScript: Bool
    let diagnostics: [Diagnostic]
    /// The capabilities that the scripts need; empty for a scenario file.
    var needs: [BundleNeed] = []
    /// The path of the entry file to which a call to `router.api` was added; nil if no call was
    /// added.
    var fixed: String?

    /// Adds a call to `router.api` with the newest API level to the entry, after the comments at
    /// the beginning of the file.
    mutating func addLevel(
        to router: Router,
        _ console: Console
    ) throws(LoadedScripts.Failure) {
        guard let edit = router.levelEdit,
            var bytes = try? router.bundle.files[router.bundle.entry]?.get()
        else { return }
        bytes.insert(contentsOf: edit.text.utf8, at: edit.offset)
        let (text, path) = (String(decoding: bytes, as: UTF8.self), edit.path)
        if let reason = console.save(text, path) {
            throw LoadedScripts.Failure(
                diagnostics: [.unwritable(path, reason)],
                code: .outputFailed
            )
        }
        fixed = path
    }
}

extension Router {
    /// The edit that adds a call to `router.api` with the newest API level to the entry of the
    /// scripts.
    ///
    /// The call is inserted after the comments at the beginning of the file. The edit is nil if the
    /// scripts are not on disk.
    var levelEdit: (path: String, offset: Int, text: String)? {
        guard let root = bundle.root, let bytes = try? bundle.files[bundle.entry]?.get() else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let first = lines.first { line in
            // A long comment may span several lines, so the call is inserted before it.
            !line.starts(with: "--".utf8) || line.starts(with: "--[".utf8)
        }
        let end = lines.first?.last == UInt8(ascii: "\r") ? "\r\n" : "\n"
        let call = "router.api(\(Self.apiLevels.upperBound))"
        let path = "\(root)/\(bundle.entry)"
        // A file may contain only comments.
        guard let first else { return (path, bytes.count, end + call) }
        return (path, first.startIndex, call + end)
    }
}
