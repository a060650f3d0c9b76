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
            luaroute fmt scripts --check    print what would change, as CI does
            luaroute fmt - <a.scenario      print the formatted text

            Formatting changes indentation, spaces, the quotes of plain text and the padding of \
            tables; breaks lines of more than 100 columns in brackets; and keeps comments and \
            the meaning of the file. The paths of changed files are printed. A file that does \
            not parse is reported and not changed.

            Exit codes: 0 all is fine, 1 a file is not formatted ('--check'), 2 a file does not \
            parse, 4 there is no file, 64 usage, 66 an input is missing, 74 a file could not be \
            written, 130 and 143 interrupted and terminated: the other files are unchanged.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scenario files, folders of them, or '-'; default: the current folder.",
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
            throw ValidationError("'-' reads the input, and takes no other paths")
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
