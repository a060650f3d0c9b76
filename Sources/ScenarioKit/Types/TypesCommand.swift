// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
package import RouteTypes

/// The command `luaroute types`: loads scripts, and writes a Swift file with typed routes, a
/// definition file for the Lua language server, or both.
///
/// The type does everything except parsing the command line, writing files and ending the process,
/// so tests can run the command in process.
package struct TypesCommand: Sendable {
    /// A file to write; the path `-` means standard output.
    package enum File: Sendable {
        /// A Swift file with typed routes.
        case swift(String)
        /// A definition file for the Lua language server.
        case lua(String)

        var path: String {
            switch self {
            case .swift(let path), .lua(let path): path
            }
        }

        /// The language of the file.
        ///
        /// The raw value of the language is the name of the command-line option.
        var language: Language {
            switch self {
            case .swift: .swift
            case .lua: .lua
            }
        }
    }

    /// The scripts: a file, or a folder with a `main.lua`; nil to write definitions of only the
    /// API.
    package var script: String?
    /// The options for loading the scripts.
    package var options: RunOptions
    /// The files to write.
    package var files: [File]
    /// Whether to compare the existing files with the scripts, instead of writing the files.
    package var isChecking = false
    /// The name of the Swift type that contains everything except the routes and tasks themselves.
    package var name = "Routes"
    /// The access level of the declarations.
    package var access = SwiftTypes.Access.internal
    /// Whether to print one JSON document.
    package var isJSON = false

    /// The language of a file.
    package enum Language: String, Sendable, CaseIterable, DocumentValue {
        case swift, lua
    }

    /// The outcome for a file.
    enum Outcome: String, Sendable, CaseIterable, DocumentValue {
        case written, unchanged, stale, printed, failed
    }

    /// Creates a command.
    package init(script: String?, files: [File], options: RunOptions = RunOptions()) {
        self.script = script
        self.files = files
        self.options = options
    }

    /// Writes the files, or compares the existing files with the scripts.
    ///
    /// - Parameters:
    ///   - console: The output.
    ///   - makeFolder: Creates a folder and its missing parent folders; returns the system's
    ///     description of the error if the folder cannot be created, and nil otherwise.
    /// - Returns: The exit code.
    package func run(
        _ console: Console,
        makeFolder: (_ path: String) -> String?
    ) -> ExitCode {
        var code = ExitCode.success
        var diagnostics: [Diagnostic] = []
        var outcomes = files.map { _ in Outcome.failed }
        do throws(LoadedScripts.Failure) {
            let interface: ScriptInterface? =
                if let script { try LoadedScripts(script, options).router.interface } else { nil }
            for (index, file) in files.enumerated() {
                let (outcome, itsCode, diagnostic) = write(
                    text(of: file, for: interface),
                    to: file,
                    console,
                    makeFolder: makeFolder
                )
                outcomes[index] = outcome
                code = max(code, itsCode)
                if let diagnostic { diagnostics.append(diagnostic) }
            }
        } catch {
            code = error.code
            diagnostics = error.diagnostics
        }
        diagnostics.forEach(console.write)
        if isJSON {
            let files = zip(files, outcomes).map {
                WrittenFile(language: $0.language, path: $0.path, outcome: $1)
            }
            console.output(
                Self.document.text(
                    of: CommandResult((script, files), diagnostics: diagnostics, code: code)
                )
            )
        } else {
            for (file, outcome) in zip(files, outcomes)
            where outcome == .written || outcome == .unchanged {
                console.errors("\(path: file.path) is \(outcome.rawValue)\n")
                guard script == nil, !isChecking else { continue }
                console.errors(
                    "it describes only the Lua API, because no scripts are named: add them with "
                        + "'luaroute types --lua \(ShellWord(file.path)) SCRIPTS', or set 'script' "
                        + "in 'luaroute.json'\n"
                )
            }
        }
        return code
    }

    private func text(of file: File, for interface: ScriptInterface?) -> String {
        switch file {
        case .swift:
            let types = SwiftTypes(name: name, access: access)
            return types.file(for: interface ?? ScriptInterface())
        case .lua: return LuaDefinitions(interface: interface).text
        }
    }

    private func write(
        _ text: String,
        to file: File,
        _ console: Console,
        makeFolder: (_ path: String) -> String?
    ) -> (Outcome, ExitCode, Diagnostic?) {
        let path = file.path
        if path == "-" {
            console.output(PrintedText(source: text))
            return (.printed, .success, nil)
        }
        let existing: [UInt8]?
        do throws(BundleError) {
            existing = try SourceFiles.read(path, limit: Self.sizeLimit)
        } catch {
            if isChecking, error.reason != .missing {
                let diagnostic = Diagnostic(.inputUnreadable, Paths.message(of: error))
                return (.failed, .inputMissing, diagnostic)
            }
            existing = nil
        }
        if let existing, existing.elementsEqual(text.utf8) { return (.unchanged, .success, nil) }
        if isChecking {
            return (.stale, .failed, stale(existing, text: text, file: file))
        }
        if let reason = console.create(text, at: path, makeFolder: makeFolder) {
            return (.failed, .outputFailed, .unwritable(path, reason))
        }
        return (.written, .success, nil)
    }

    /// The maximum size of a file to read, in bytes.
    static let sizeLimit = 16 << 20

    /// Returns the diagnostic for an outdated file, located at the first line that differs.
    private func stale(_ existing: [UInt8]?, text: String, file: File) -> Diagnostic {
        let words = [file.path] + (script.map { [$0] } ?? [])
        let arguments = words.map { ShellWord($0).description }.joined(separator: " ")
        let help = "write the file with: luaroute types --\(file.language.rawValue) \(arguments)"
        let path = file.path
        guard let existing else {
            return Diagnostic(.staleTypes, "there is no file '\(path)'", help: help)
        }
        let source = SourceText(name: path, content: existing)
        let old = existing.split(separator: 10, omittingEmptySubsequences: false)
        let new = Array(text.utf8).split(separator: 10, omittingEmptySubsequences: false)
        let index =
            zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let line =
            index < old.count
            ? old[index].startIndex..<old[index].endIndex : existing.count..<existing.count
        let expected = index < new.count ? String(decoding: new[index], as: UTF8.self) : ""
        return Diagnostic(
            .staleTypes,
            "'\(path)' does not match these scripts",
            at: Span(source, line),
            label: expected.isEmpty
                ? "the file should end here"
                : "'\(expected.drop { $0 == " " })' is expected here",
            help: help
        )
    }

    // MARK: Fields

    typealias Content = (script: String?, files: [WrittenFile])

    static let document = DocumentFields<CommandResult<Content>>.result("types") {
        DocumentField<Content>("script", \.script, help: "The path of the scripts.")
        DocumentField("file", { $0.files.first?.path }, help: "The path of the first file.")
        DocumentField(
            "outcome",
            { $0.files.first?.outcome },
            help: "The outcome of the first file."
        )
        DocumentField("files", \.files, help: "All files, in the order of the options.")
    }

    struct WrittenFile: DocumentRecord {
        let language: Language
        let path: String
        let outcome: Outcome

        static let document = DocumentFields<Self>("file") {
            Field("language", \.language, help: "The language of the file.")
            Field("file", \.path, help: "The path of the file.")
            Field("outcome", \.outcome, help: "The outcome for the file.")
        }
    }
}
