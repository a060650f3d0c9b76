// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute run`, which runs scenarios.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the scenarios of files and folders.",
        discussion: """
            luaroute run scripts/podcast           the scenarios of a folder
            luaroute run podcast.scenario:12       the scenario at line 12
            luaroute run --tags 'auth,!slow'       scenarios tagged 'auth', but not 'slow'
            luaroute run --failed                  scenarios that last failed or did not run
            luaroute run podcast.scenario --trace  also print the events of each step
            luaroute run --report junit=run.xml    also write a report for CI
            luaroute run --shard 2/4               the second of four parts of the files
            luaroute run --json=lines              print an object when each scenario ends

            '--json' prints one document at the end. '--json=lines' prints one object per line: an \
            object for each scenario, with its duration in seconds, and an object for the run. The \
            scenarios are in the order of their files, regardless of '--jobs'.

            If the environment variable 'CI' is set, a scenario marked 'only' makes the exit \
            code 1, because CI should run all scenarios.

            Exit codes: 0 all scenarios passed, 1 a scenario failed, or '--min-coverage' is not \
            reached, 2 a scenario does not parse, 3 a script failed to load, 4 nothing was \
            selected, 64 usage error, 66 an input is missing, 70 an internal error of luaroute, 74 \
            a result could not be written, 130 interrupted, 143 terminated (both with partial \
            results).
            """
    )

    @Argument(
        help: ArgumentHelp("Scenario files, folders, or file:line.", valueName: "paths"),
        completion: .file(extensions: ["scenario"])
    )
    var paths: [String] = []

    @OptionGroup var scenarios: ScenarioOptions

    @Flag(help: "List the scenarios that would run, without running them.")
    var list = false

    @Flag(help: "Run only the scenarios that failed or did not run in the previous run.")
    var failed = false

    @Flag(
        help: "Replace '?' and wrong expectations in scenario files with the actual values."
    )
    var update = false

    @Flag(help: "Print the failures of all failed scenarios, not only of the first 50.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Also write a report: junit=FILE, json=FILE, html=FILE, lcov=FILE, events=FILE, "
                + "sarif=FILE or github. The file '-' is the standard output; repeatable.",
            valueName: "format=file"
        ),
        transform: { text in try ReportFile(text) }
    )
    var report: [ReportFile] = []

    @Flag(help: "Print the lines, routes and other parts of the scripts that no scenario reaches.")
    var coverage = false

    @Option(
        help: ArgumentHelp(
            "Fail if the scenarios reach less than this percentage (0–100) of the lines of the "
                + "scripts, or of their routes and other parts.",
            valueName: "percent"
        ),
        transform: { text in try UsageError.number(text, in: 0...100) }
    )
    var minCoverage: Int?

    @Option(
        help: ArgumentHelp(
            "Write the events of the scenarios to a file for 'luaroute events'; '-' is the "
                + "standard output.",
            valueName: "file"
        ),
        transform: { path in try ReportFile("events=\(path)") }
    )
    var events: ReportFile?

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @Flag(help: "Stop after the first failure.")
    var failFast = false

    @Flag(help: "Print the five slowest scenarios and their times.")
    var slowest = false

    @Option(
        help: ArgumentHelp(
            "Run only one part of the files: '2/4' runs the second of four parts. Each file "
                + "belongs to exactly one part.",
            valueName: "number/count"
        ),
        transform: { text in try Shard(text) }
    )
    var shard: Shard?

    // The parser does not support flags with an optional value. So `LuaRoute.main()` replaces
    // '--json=lines' with this option.
    @Option(help: .hidden)
    var jsonForm: String?

    @OptionGroup var layout: LayoutOption

    @OptionGroup var loading: LoadOptions

    /// The reports to write, including the report that `--events` requests.
    private var reports: [ReportFile] { report + [events].compactMap(\.self) }

    private var jsonLines: Bool { jsonForm != nil }

    /// Whether the results are printed as JSON, either one document or lines.
    private var isJSON: Bool { loading.json || jsonLines }

    func validate() throws {
        try layout.validate(isJSON: isJSON)
        if let form = jsonForm, form != "lines" {
            throw ValidationError("expected '--json' or '--json=lines', got '--json=\(form)'")
        }
        if loading.json, jsonLines {
            throw ValidationError("'--json' and '--json=lines' cannot be combined")
        }
        let textOption = scenarios.detailOption ?? (slowest ? "--slowest" : nil)
        if isJSON || layout.isShort, let option = textOption {
            let other = isJSON ? "'--json'" : "'--format short'"
            throw ValidationError(
                "'\(option)' changes the text output, and cannot be combined with \(other)"
            )
        }
        if let minCoverage, shard != nil {
            throw ValidationError(
                """
                '--min-coverage' cannot be combined with '--shard', which runs only some of the \
                files: run each part with '--report lcov=FILE', add up the reports with \
                'lcov -a 1.info -a 2.info -o all.info', and check the lines of the sum with \
                'lcov --summary all.info --fail-under-lines \(minCoverage)'
                """
            )
        }
        if minCoverage != nil, failed {
            throw ValidationError(
                """
                '--min-coverage' cannot be combined with '--failed', which runs only some of the \
                scenarios: run all scenarios to check their coverage
                """
            )
        }
        if failed, list { throw ValidationError("'--failed' and '--list' cannot be combined") }
        if update, isJSON || list {
            throw ValidationError("'--update' cannot be combined with '--json' or '--list'")
        }
        if list, let file = reports.first {
            throw ValidationError(
                "'--list' runs no scenarios, so '\(file.option)' has nothing to report"
            )
        }
        try reports.check(besides: jsonLines ? "--json=lines" : loading.json ? "--json" : nil)
        // This is the default command, so a misspelled command name is parsed as a path.
        if let error = Streams.misspelled(paths.first, among: LuaRoute.names) { throw error }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = RunCommand(
            paths: paths.isEmpty ? project.paths : paths,
            options: loading.options(project)
        )
        scenarios.selection.apply(to: &command.filter)
        command.filter.shard = shard
        // 'file:line' selects a scenario regardless of its tags.
        let isNamed = paths.contains(where: RunCommand.selectsLine)
        if command.filter.tags.isEmpty, !isNamed { command.filter.setDefault(project.tags) }
        scenarios.apply(to: &command.options)
        command.options.fileRoot = files.root
        host.apply(to: &command.options, project)
        command.options.measuresCoverage =
            coverage || minCoverage != nil || report.contains { $0.format == .lcov }
        command.minimumCoverage = minCoverage
        command.options.writesPages = report.contains { $0.format == .html }
        command.options.isUnattended = streams.isUnattended
        command.jobs = scenarios.steps.jobCount
        command.stopsAtFailure = failFast
        command.runsOnlyFailed = failed
        // Failures are recorded for '--failed', but not in CI, where no run follows on the same
        // machine.
        if !streams.isUnattended { command.failures = Streams.failures }
        command.showsAllFailures = all
        command.format = jsonLines ? .lines : loading.json ? .json : .text
        (command.isQuiet, command.showsSlowest) = (scenarios.quiet, slowest)
        command.showsCoverage = coverage || !scenarios.quiet
        command.isShort = layout.isShort
        command.options.keepsEvents = reports.contains { $0.format == .events }
        let console = streams.console(loading.color)
        if !list { Signals.begin() }
        command.interruption = { Signals.end }
        if list {
            throw streams.exit(command.list(console))
        }
        let code = reports.makeFolders(by: { Streams.makeFolder($0) }, console)
        guard code == .success else { throw streams.exit(code) }
        var results = console
        if reports.contains(where: \.fillsOutput) {
            (results.output, results.style) = (console.errors, console.errorStyle)
        }
        let written = update ? command.update(results) : .success
        // A program may wait for each line.
        if jsonLines {
            results.output = { [output = results.output] text in
                output(text)
                streams.flush()
            }
        }
        let start = ContinuousClock.now
        let result = command.run(results)
        // The duration is not printed for other programs, so that their input is reproducible.
        if streams.isErrorsTerminal, !isJSON, !layout.isShort {
            let tenths = Int((.now - start) / .milliseconds(100))
            streams.errors("in \(tenths / 10).\(tenths % 10) s\n")
        }
        let reported = command.write(reports, of: result, to: console)
        throw streams.exit(max(result.exitCode, reported, written))
    }
}

extension ColorChoice: ExpressibleByArgument {}
#endif
