// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute fmt`, which formats scenario files.
struct Format: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Format scenario files.",
        discussion: """
            luaroute fmt                    format the files of the current folder
            luaroute fmt a.scenario         format a file
            luaroute fmt scripts --check    print what would change, for CI
            luaroute fmt - <a.scenario      print the formatted text

            Formatting changes the indentation, the spaces, the quotes of plain text and the \
            padding of tables, and breaks lines of more than 100 columns inside brackets. Comments \
            and the meaning of the file do not change. The paths of changed files are printed. A \
            file that does not parse is reported and not changed.

            Exit codes: 0 success, 1 a file is not formatted ('--check'), 2 a file does not parse, \
            4 no file was found, 64 usage error, 66 an input is missing, 74 a file could not be \
            written, 130 interrupted, 143 terminated. After an interruption or termination, the \
            remaining files are unchanged.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scenario files, folders, or '-' for the standard input. Default: the current folder.",
            valueName: "paths"
        ),
        completion: .file(extensions: ["scenario"])
    )
    var paths: [String] = []

    @Flag(help: "Compare with the existing file, and write nothing.")
    var check = false

    @OptionGroup var findings: FindingOptions

    @OptionGroup var files: FileOptions

    @OptionGroup var style: ColorOption

    func validate() throws {
        guard paths.count < 2 || !paths.contains(FormatCommand.inputMark) else {
            throw ValidationError(
                "'-' reads the standard input, and cannot be combined with other paths"
            )
        }
        guard check || (findings.report.isEmpty && !findings.layout.isShort) else {
            throw ValidationError("'--report' and '--format short' need '--check'")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(style.color)
        var command = FormatCommand(paths: paths.isEmpty ? project.paths : paths)
        command.fileRoot = files.root
        command.isChecking = check
        command.findings = findings.output
        try findings.makeFolders(streams)
        // When the command reads the standard input, signals keep their default action: they end
        // the process.
        if paths != [FormatCommand.inputMark] {
            Signals.begin()
            command.interruption = { Signals.end }
        }
        let code = command.run(
            input: { () throws(InputError) in try StandardInput.next() },
            streams.console(style.color)
        )
        throw streams.exit(code)
    }
}
#endif
