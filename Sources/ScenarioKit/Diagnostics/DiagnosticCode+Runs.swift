// SPDX-License-Identifier: MIT

/// What keeps scenarios from being run, what a run finds, and what a command line lacks.
extension DiagnosticCode {
    static let scriptUnreadable = DiagnosticCode(
        CodeArticle(
            "S0201",
            "a script cannot be read",
            """
            The scripts that 'use', 'reload' or the command line names are not there, are a folder \
            without a 'main.lua', are not UTF-8, or may not be read. A path in a scenario file \
            starts at the folder of that file, one of the command line where you are.
            """
        )
    )

    static let noScript = DiagnosticCode(
        CodeArticle(
            "S0202",
            "the file names no script",
            """
            A scenario needs scripts to run with. 'use PATH' in the first line names them; \
            '--script PATH' does for all files of a run.
            """,
            found: .steps(
                """
                scenario "Begins"
                  start
                """
            ),
            mended: .steps(
                """
                use app.lua
                scenario "Begins"
                  start
                """
            )
        )
    )

    static let scenarioUnreadable = DiagnosticCode(
        CodeArticle(
            "S0203",
            "a scenario file cannot be read",
            """
            A path of the command line, an 'include' or the table of an 'each from' leads to nothing, \
            or to what may not be read. The message names what is near. A path in a scenario file \
            starts at the folder of that file.
            """,
            found: .steps(
                """
                include no-such-file.scenario
                scenario "Begins"
                  start
                """
            )
        )
    )

    static let outsideRoot = DiagnosticCode(
        CodeArticle(
            "S0204",
            "a path leads out of the root of the files",
            """
            The paths of 'use', 'include', 'each from' and 'reload' stay in one folder, links \
            followed: the nearest folder above the scenario file with a 'luaroute.json' or '.git', \
            else the working directory. '--file-root DIR' names another folder.
            """,
            found: .steps(
                """
                include ../../elsewhere.scenario
                scenario "Begins"
                  start
                """
            )
        )
    )

    static let unknownNameOfScripts = DiagnosticCode(
        CodeArticle(
            "S0205",
            "a step names what the scripts do not have",
            """
            'luaroute check' compares the names in scenario files with those of their scripts: \
            routes, tasks, classes and their declared fields, gates, interceptors, actions and \
            exported functions. A misspelt name in 'expect not top Mian' would let a scenario pass \
            for ever. What 'given' or the manifest of the host brings is known, and so are names \
            that functions of the scripts may join from texts in quotes. A 'stub' must name a task \
            that the scripts expect of the host in 'router.expects', or that its manifest has. \
            Skipped scenarios and uncalled macros are compared too. 'expect error notFound' allows \
            an unknown name in the step that it looks at.
            """
        )
    )

    static let expectationFailed = DiagnosticCode(
        CodeArticle(
            "S0301",
            "an expectation does not hold",
            """
            An 'expect' or a 'check' says something that is not so. The caret stands under what \
            differs, 'actual' is what there is, and 'because' tells which step led to it, with the \
            route, the finder and the operations. Either the scripts are wrong, or the scenario is.
            """,
            found: .script(
                appScript,
                steps: """
                    start
                    navigate Show/open
                    expect top Main
                    """
            ),
            mended: .steps(
                """
                start
                navigate Show/open
                expect top Show
                """
            )
        )
    )

    static let stepFailed = DiagnosticCode(
        CodeArticle(
            "S0302",
            "a step failed",
            """
            A step could not be done, or what it asked for failed and no later step looks at that. \
            Where the failure is meant, 'expect error CODE' says so; 'luaroute explain-error CODE' \
            tells what the code means, and 'luaroute explain TARGET' why a route ends as it does.
            """,
            found: .script(
                appScript,
                steps: """
                    start
                    navigate Show/close
                    """
            ),
            mended: .steps(
                """
                start
                navigate Show/close
                expect error notFound
                """
            )
        )
    )

    static let leftPending = DiagnosticCode(
        CodeArticle(
            "S0303",
            "work is pending at the end",
            """
            A navigation, a task or a link still waits as the scenario ends, and no step said that \
            it would. Usually a gate is not open, a task of the host has no 'stub', or a screen that \
            somebody waits for is still there. End it, or say 'expect pending NAME'.
            """,
            found: .script(
                appScript,
                steps: """
                    navigate Show/open
                    """
            ),
            mended: .steps(
                """
                navigate Show/open
                expect pending started
                """
            )
        )
    )

    static let unexpectedWarning = DiagnosticCode(
        CodeArticle(
            "S0304",
            "a warning that nobody expected",
            """
            A function of a script failed whose caller cannot catch errors: of a timer, a completion, \
            an event handler, 'after' or 'closed'. The error was logged in the step. It is a warning, \
            and an error where the file is strict ('set strict = on'); there, any logged warning or \
            error is one. Fix what it says, or say 'expect log LEVEL "…"' behind the step.
            """,
            found: .script(
                appScript,
                steps: """
                    set strict = on
                    scenario "Warns"
                      call warn
                    """
            ),
            mended: .steps(
                """
                set strict = on
                scenario "Warns"
                  call warn
                  expect log warn "low"
                """
            )
        )
    )

    static let unusedStep = DiagnosticCode(
        CodeArticle(
            "S0305",
            "a preparation that nothing used",
            """
            A 'stub', a 'host refuses' or a 'ready' prepares for something that did not happen: the \
            task was not called, the host was given no such change, or no route names the gate. \
            Usually the name is misspelt, or the scripts have changed. Remove the step, or write \
            'maybe' before it if it need not be used. A step of a background is judged when all \
            scenarios of its file have run.
            """,
            found: .script(
                appScript,
                steps: """
                    stub Player/play
                    start
                    """
            ),
            mended: .steps(
                """
                maybe stub Player/play
                start
                """
            )
        )
    )

    static let unawaitedFailure = DiagnosticCode(
        CodeArticle(
            "S0306",
            "a failure that nobody awaits",
            """
            A script began a navigation or a task that failed, and nothing in the scripts hears of it: no \
            ':await()', no ':result()', no 'completion'. It is a warning, and an error where the file \
            is strict ('set strict = on'). Usually the name of the route is misspelt, or its screen \
            could not be built.
            """,
            found: .script(
                appScript,
                steps: """
                    set strict = on
                    scenario "Goes nowhere"
                      start
                      call nowhere
                    """
            ),
            mended: .steps(
                """
                set strict = on
                scenario "Goes somewhere"
                  start
                  call somewhere
                """
            )
        )
    )

    /// The script of the examples.
    private static let appScript = """
        router.expects { tasks = { "Player/play" } }
        router.start(function() return router.nav { router.screen "Main" } end)
        router.export("nowhere", function() router.navigate("Show", "close") end)
        router.export("somewhere", function() router.navigate("Show", "open") end)
        router.register("Show", "open", function() return router.screen "Show" end)
        router.export("warn", function() router.log.warn("the battery is low") end)
        """

    static let ofRuns: [DiagnosticCode] = [
        scriptUnreadable, noScript, scenarioUnreadable, outsideRoot, unknownNameOfScripts,
        expectationFailed, stepFailed, leftPending, unexpectedWarning, unusedStep,
        unawaitedFailure,
    ]

    // MARK: The command line

    static let nothingSelected = DiagnosticCode(
        CodeArticle(
            "C0101",
            "nothing is selected to run",
            """
            No scenario, or no route, is left of what the command line names. Usually a folder holds \
            no '*.scenario' file, the line of 'file:line' is outside of all scenarios, or nothing has \
            the text of '--filter', the tags of '--tags' or the text of '--grep'. \
            'luaroute --list' tells what would run.
            """
        )
    )

    static let onlyIsLeft = DiagnosticCode(
        CodeArticle(
            "C0102",
            "a scenario keeps all others from running",
            """
            A scenario is marked 'only', which is for the desk: where 'CI' is set, or in a canary, \
            all scenarios are meant to run. Make it a 'scenario' again.
            """,
            found: .steps(
                """
                only "Begins"
                  start
                """
            ),
            mended: .steps(
                """
                scenario "Begins"
                  start
                """
            )
        )
    )

    static let inputUnreadable = DiagnosticCode(
        CodeArticle(
            "C0103",
            "the input cannot be read",
            """
            'luaroute explain -' reads targets from its input, and the system gave an error in the \
            middle of it. Usually the input is a folder, or a device that is gone. What was read \
            before has been explained.
            """
        )
    )

    static let manifestUnreadable = DiagnosticCode(
        CodeArticle(
            "C0104",
            "a file about the host cannot be read",
            """
            The file of '--host' or '--capabilities', or the 'host.json' beside the scripts, does not \
            exist, is not JSON, or has another form. A manifest of a host is an object with the schema \
            'luaroute.host/1' and with lists of what the host brings. Capabilities are an object with \
            the schema 'luaroute.capabilities/1', or the field 'capabilities' of a manifest.
            """,
            found: .host(#"{ "schema": "luaroute.host/1", "task": ["Player/play"] }"#),
            mended: .host(#"{ "schema": "luaroute.host/1", "tasks": ["Player/play"] }"#)
        )
    )

    static let staleTypes = DiagnosticCode(
        CodeArticle(
            "C0105",
            "the file of typed routes is not that of the scripts",
            """
            'luaroute types --swift FILE --check' compares a file with what it would write, and writes \
            nothing. The scripts have changed since the file was written, somebody has edited it, or \
            it was written with other options. Write it again without '--check', and build the app with \
            it.
            """
        )
    )

    static let ofCommands: [DiagnosticCode] = [
        nothingSelected, onlyIsLeft, inputUnreadable, manifestUnreadable, staleTypes,
    ]

}
