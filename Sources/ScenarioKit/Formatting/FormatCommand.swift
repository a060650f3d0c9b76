// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute fmt`: formats scenario files, or checks that they are formatted.
///
/// This type does everything except parsing the command line, writing files and ending the process,
/// so that tests can run it in their own process.
package struct FormatCommand: Sendable {
    /// The path that means standard input.
    ///
    /// The formatted text is then printed to standard output.
    package static let inputMark = "-"

    /// The files and folders to format; empty for the current folder.
    package var paths: [String]
    /// The folder that paths in scenario files must not leave; nil to determine the folder for each
    /// file.
    package var fileRoot: String?
    /// Whether to print differences instead of writing files.
    package var isChecking = false
    /// Returns the exit code of an interrupted command; nil if the command was not interrupted.
    ///
    /// The closure is called before each file, so that a file is written completely or not at all.
    package var interruption: @Sendable () -> ExitCode? = { nil }
    /// The reports of a check, and whether each finding is printed on one line.
    package var findings = FindingOutput()

    /// Creates a command.
    package init(paths: [String]) { self.paths = paths }

    /// Formats the files.
    ///
    /// - Parameters:
    ///   - input: Returns the next bytes of standard input; nil at the end.
    ///   - console: The output. Results are the paths of changed files, the differences or the
    ///     formatted text.
    /// - Returns: The exit code.
    package func run(
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) -> ExitCode {
        var found: [Diagnostic] = []
        let code = format(input: input, console.short(findings.isShort)) { found.append($0) }
        return findings.write(found, at: paths.first, code: code, to: console)
    }

    private func format(
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console,
        onFinding: (Diagnostic) -> Void
    ) -> ExitCode {
        func report(_ diagnostics: [Diagnostic]) {
            for diagnostic in diagnostics {
                onFinding(diagnostic)
                console.writeFinding(diagnostic)
            }
        }
        func reportDifference(_ text: FormattedText) {
            let diagnostic = Diagnostic.notFormatted(text)
            onFinding(diagnostic)
            if findings.isShort {
                console.writeFinding(diagnostic)
            } else {
                console.output(text.difference)
            }
        }
        if paths == [Self.inputMark] {
            let file = inputFile(input)
            report(file.diagnostics)
            guard let parsed = file.parsed else { return file.exitCode }
            let text = ScenarioFormatter.format(parsed.source)
            guard isChecking else {
                console.output(PrintedText(source: text.text))
                return .success
            }
            if text.isUnchanged { return .success }
            reportDifference(text)
            return .failed
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
                report([.unwritable(file.path, "the result would exceed the limit of \(limit)")])
                code = max(code, .outputFailed)
                continue
            }
            count += 1
            if isChecking {
                reportDifference(text)
                code = max(code, .failed)
            } else if let reason = console.save(text.text, file.path) {
                report([.unwritable(file.path, reason)])
                code = max(code, .outputFailed)
            } else {
                console.output("\(path: file.path)\n")
            }
        }
        report(selection.warnings)
        if let stopped = interruption() { return max(code, stopped) }
        if selection.files.isEmpty, selection.diagnostics.isEmpty {
            let help = selection.helpWithNothing
            report([Diagnostic(.nothingSelected, "there is no file to format", help: help)])
            return max(code, .nothingSelected)
        }
        if isChecking, count > 0, !findings.isShort {
            console.errors("\(count) of \(selection.files.count) files not formatted\n")
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

extension Diagnostic {
    /// Creates the finding about a file that is not formatted, located at the first line that would
    /// change.
    fileprivate static func notFormatted(_ text: FormattedText) -> Diagnostic {
        let source = text.source
        return Diagnostic(
            .notFormatted,
            "the file is not formatted",
            at: Span(source, source.line(text.firstChangedLine)),
            label: "the first line that would change",
            help: "run 'luaroute fmt' to format the file"
        )
    }
}
