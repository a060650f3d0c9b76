// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute types`: loads scripts, and writes the Swift file of their typed routes.
///
/// It does everything except parsing the command line, writing files and ending the process, so
/// tests call it in process.
public struct TypesCommand: Sendable {
    /// The access level of the Swift declarations.
    public enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`
    }

    /// The scripts: a file, or a folder with a `main.lua`.
    public var script: String
    /// The options for loading them.
    public var options: RunOptions
    /// The Swift file; `-` prints it.
    public var file: String
    /// Whether to compare the file, without writing it.
    public var isChecking = false
    /// The name of the Swift type that contains everything except the routes and tasks themselves.
    public var name = "Routes"
    /// The access level of the declarations.
    public var access = Access.internal
    /// Whether to print one JSON document.
    public var isJSON = false
    /// Whether diagnostics are coloured.
    public var isErrorsColored = false

    /// The outcome for the file.
    private enum Outcome: String {
        case written, unchanged, stale, printed, failed
    }

    /// Creates a command.
    public init(script: String = ".", file: String, options: RunOptions = RunOptions()) {
        self.script = script
        self.file = file
        self.options = options
    }

    /// Returns whether a text can be the name of a generated type.
    public static func isTypeName(_ text: String) -> Bool {
        var names = SwiftNames()
        return SwiftNames.member(text) == text && names.give(text) == text
    }

    /// Writes the file, or compares it with the existing one.
    ///
    /// - Parameters:
    ///   - output: Called with results.
    ///   - errors: Called with all other text.
    ///   - save: Writes a file completely or not at all; returns the system's reason if it fails.
    /// - Returns: The exit code.
    public func run(
        output: (String) -> Void,
        errors: (String) -> Void,
        save: (_ text: String, _ path: String) -> String?
    ) -> ExitCode {
        let (outcome, code, diagnostics) = outcome(output, save)
        let console = ConsoleReport(style: TerminalStyle(isColored: isErrorsColored))
        for diagnostic in diagnostics { errors(console.text(of: diagnostic)) }
        if isJSON {
            output(document(outcome, diagnostics, code))
        } else if outcome == .written || outcome == .unchanged {
            errors("\(file) is \(outcome.rawValue)\n")
        }
        return code
    }

    private func outcome(
        _ output: (String) -> Void,
        _ save: (_ text: String, _ path: String) -> String?
    ) -> (Outcome, ExitCode, [Diagnostic]) {
        let text: String
        do throws(LoadedScripts.Failure) {
            var types = SwiftTypes()
            types.name = name
            types.access = access
            text = types.file(for: try LoadedScripts(script, options).router.interface)
        } catch {
            return (.failed, error.code, error.diagnostics)
        }
        if file == "-" {
            output(text)
            return (.printed, .success, [])
        }
        let existing: [UInt8]?
        do throws(BundleError) {
            existing = try SourceFiles.read(file, limit: Self.sizeLimit)
        } catch {
            if isChecking, error.reason != .missing {
                let diagnostic = Diagnostic(.inputUnreadable, Paths.message(of: error))
                return (.failed, .inputMissing, [diagnostic])
            }
            existing = nil
        }
        if let existing, existing.elementsEqual(text.utf8) { return (.unchanged, .success, []) }
        if isChecking {
            return (.stale, .failed, [stale(existing, text)])
        }
        if let reason = save(text, file) {
            return (.failed, .outputFailed, [.unwritable(file, reason)])
        }
        return (.written, .success, [])
    }

    /// The maximum size of a Swift file to read, in bytes.
    static let sizeLimit = 16 << 20

    /// Returns the diagnostic for a file that differs, at the first different line.
    private func stale(_ existing: [UInt8]?, _ text: String) -> Diagnostic {
        let help = "write it again: luaroute types --swift \(ShellWord(file)) \(ShellWord(script))"
        guard let existing else {
            return Diagnostic(.staleTypes, "there is no file '\(file)'", help: help)
        }
        let source = SourceText(name: file, content: existing)
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
            "'\(file)' is not the file of these scripts",
            at: Span(source, line),
            label: expected.isEmpty
                ? "the file ends here for these scripts"
                : "'\(expected.drop { $0 == " " })' for these scripts",
            help: help
        )
    }

    private func document(
        _ outcome: Outcome,
        _ diagnostics: [Diagnostic],
        _ code: ExitCode
    ) -> String {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", "luaroute.types/1")
        json.member("script", script)
        json.member("file", file)
        json.member("outcome", outcome.rawValue)
        json.list("diagnostics", diagnostics) { $0.write($1) }
        json.member("exitCode", Int(code.rawValue))
        json.end("}")
        return json.text + "\n"
    }
}
