// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute fmt`: formats scenario files, or checks that they are formatted.
///
/// It does everything except parsing the command line, writing files and ending the process, so
/// tests call it in process.
package struct FormatCommand: Sendable {
    /// The path that reads the standard input and prints the formatted text.
    package static let inputMark = "-"

    /// The files, and the folders that contain them; empty for the current folder.
    package var paths: [String]
    /// The folder that paths in scenario files must stay in; nil for the default.
    package var fileRoot: String?
    /// Whether to print differences, without writing files.
    package var isChecking = false
    /// The exit code of an interrupted command; nil if it was not interrupted.
    ///
    /// Called before each file, which is then written completely or not at all.
    package var interruption: @Sendable () -> ExitCode? = { nil }
    /// Whether diagnostics are coloured.
    package var isErrorsColored = false

    /// Creates a command.
    package init(paths: [String]) { self.paths = paths }

    /// Formats the files.
    ///
    /// - Parameters:
    ///   - input: Returns the next bytes of the standard input; nil at its end.
    ///   - output: Called with results: the paths of changed files, differences, or the text.
    ///   - errors: Called with all other text.
    ///   - save: Writes a file completely or not at all; returns the system's reason if it fails.
    /// - Returns: The exit code.
    package func run(
        input: () throws(InputError) -> [UInt8]?,
        output: (PrintedText) -> Void,
        errors: (PrintedText) -> Void,
        save: (_ text: String, _ path: String) -> String?
    ) -> ExitCode {
        let console = ConsoleReport(style: TerminalStyle(isColored: isErrorsColored))
        func report(_ diagnostics: [Diagnostic]) {
            for diagnostic in diagnostics { errors(console.text(of: diagnostic)) }
        }
        if paths == [Self.inputMark] {
            let file = inputFile(input)
            report(file.diagnostics)
            guard let parsed = file.parsed else { return file.exitCode }
            let text = ScenarioFormatter.format(parsed.source)
            output(
                !isChecking
                    ? PrintedText(source: text.text)
                    : text.isUnchanged ? "" : text.difference
            )
            return isChecking && !text.isUnchanged ? .failed : .success
        }
        var options = RunOptions()
        options.fileRoot = fileRoot
        options.isInterrupted = { [interruption] in interruption() != nil }
        let selection = Selection(paths.isEmpty ? ["."] : paths, options)
        report(selection.diagnostics)
        var code = selection.diagnostics.isEmpty ? ExitCode.success : .inputMissing
        var count = 0
        for selected in selection.files where interruption() == nil {
            let file = RunPlan.File(reading: selected, fileRoot: fileRoot)
            report(file.diagnostics)
            code = max(code, file.exitCode)
            guard let parsed = file.parsed else { continue }
            let text = ScenarioFormatter.format(parsed.source)
            guard !text.isUnchanged else { continue }
            if let limit = text.exceededLimit {
                report([.unwritable(file.path, "its layout would exceed the limit of \(limit)")])
                code = max(code, .outputFailed)
                continue
            }
            count += 1
            if isChecking {
                output(text.difference)
                code = max(code, .failed)
            } else if let reason = save(text.text, file.path) {
                report([.unwritable(file.path, reason)])
                code = max(code, .outputFailed)
            } else {
                output("\(path: file.path)\n")
            }
        }
        report(selection.warnings)
        if let stopped = interruption() { return max(code, stopped) }
        if selection.files.isEmpty, selection.diagnostics.isEmpty {
            report([.nothingSelected(help: selection.helpWithNothing)])
            return max(code, .nothingSelected)
        }
        if isChecking, count > 0 {
            errors("\(count) of \(selection.files.count) files not formatted\n")
        }
        return code
    }

    private func inputFile(_ input: () throws(InputError) -> [UInt8]?) -> RunPlan.File {
        var file = RunPlan.File(path: Self.inputMark)
        do throws(InputError) {
            let source = try SourceText(input: file.path, limit: ScenarioFile.sizeLimit, input)
            let root = fileRoot.map(FileRoot.init(folder:)) ?? FileRoot(of: file.path)
            file.parse(source, in: root)
        } catch {
            file.diagnostics = [.unreadableInput(error)]
            file.exitCode = .inputMissing
        }
        return file
    }
}
