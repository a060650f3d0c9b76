// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The form in which findings are printed.
enum FindingLayout: String, ExpressibleByArgument, CaseIterable {
    case text, short
}

/// The option `--format` of commands that print findings.
struct LayoutOption: ParsableArguments {
    @Option(
        help: """
            The format of findings: 'text', or 'short' for one line per finding, as printed by \
            compilers.
            """
    )
    var format = FindingLayout.text

    var isShort: Bool { format == .short }

    /// Throws an error if the short format is combined with `--json`.
    func validate(isJSON: Bool) throws {
        if isShort, isJSON {
            throw ValidationError("'--format short' and '--json' cannot be combined")
        }
    }
}

extension [ReportFile] {
    /// Throws an error if a report would overwrite another file, or if two documents would be
    /// printed to the standard output.
    func check(besides document: String?, _ files: [(option: String, path: String?)] = []) throws {
        do throws(UsageError) {
            try validate(besides: document, files)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

/// The options of the commands that report findings about files.
struct FindingOptions: ParsableArguments {
    @OptionGroup var layout: LayoutOption

    @Option(
        help: ArgumentHelp(
            "Also write a report: sarif=FILE or github; repeatable.",
            valueName: "format=file"
        ),
        transform: { text in try ReportFile(text, among: ReportFile.Format.findings) }
    )
    var report: [ReportFile] = []

    /// The settings for the output of findings.
    var output: FindingOutput {
        var output = FindingOutput()
        (output.reports, output.isShort) = (report, layout.isShort)
        return output
    }

    /// Throws an error if options would print two documents, or write two files to the same path.
    func validate(_ loading: LoadOptions, _ files: [(option: String, path: String?)] = []) throws {
        try layout.validate(isJSON: loading.json)
        try report.check(besides: loading.json ? "--json" : nil, files)
    }

    /// Creates the folders for the report files.
    func makeFolders(_ streams: Streams) throws {
        let code = report.makeFolders(by: { Streams.makeFolder($0) }, streams.console(.auto))
        if code != .success { throw streams.exit(code) }
    }

    /// Throws an error if a report would be printed to the standard output, between the findings.
    func validate() throws {
        try report.check(besides: nil)
        if report.contains(where: \.fillsOutput) {
            throw ValidationError(
                "'--report sarif=-' would mix the report with the printed findings: name a file"
            )
        }
    }
}
#endif
