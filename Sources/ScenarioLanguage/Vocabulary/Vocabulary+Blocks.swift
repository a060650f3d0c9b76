// SPDX-License-Identifier: MIT

internal import RouteEngine

extension Vocabulary {
    /// A block or a setting.
    ///
    /// The first line of a block or setting is not indented.
    package enum Block: Sendable {
        /// A `use` line.
        case use(FilePath)
        /// An `include` line.
        case include(FilePath)
        /// A `set` line.
        case set(ScenarioSettings.Setting)
        /// A `background` block.
        case background
        /// A `macro` block.
        case macro(MacroHeading)
        /// A `scenario`, `skip`, `only` or `known` block.
        case scenario(ScenarioHeading)
        /// An `explore` block.
        case explore(ScenarioHeading)
    }

    /// The heading of a macro.
    package struct MacroHeading: Sendable {
        package let name: String
        package let parameters: [String]
        /// The range of the macro's name.
        package let range: Range<Int>
    }

    /// The heading of a scenario or an exploration.
    package struct ScenarioHeading: Sendable {
        package let name: String
        package let tags: [String]
        let mode: Scenario.Mode
    }

    /// The forms of all blocks and settings.
    package static let blocks: [Form<Block>] = [
        Form(
            "use PATH",
            "sets the script to run, or the folder that contains the scripts; the path is relative to the scenario file",
            example: [
                "use app.lua", "", "scenario \"The first screen\"", "  start",
                "  expect tree nav[Home]",
            ]
        ) {
            parser throws(SyntaxError) in
            .use(try parser.path("the path of a script"))
        },
        Form(
            "include PATH",
            "adds the macros and the background of another file",
            example: [
                "include common.scenario", "", "scenario \"A show\"", "  start", "  do watch 7",
            ]
        ) {
            parser throws(SyntaxError) in
            .include(try parser.path("the path of a scenario file"))
        },
        Form(
            "set KEY = VALUE",
            "changes a setting of the file: 'seed', 'start', 'strict', 'timeout', 'windows' or 'profile'",
            example: [
                "set seed = 7", "set start = 2026-01-01T09:00", "set strict = true", "",
                "scenario \"At noon\"", "  start", "  at 2026-01-01T12:00",
            ]
        ) {
            parser throws(SyntaxError) in
            .set(try parser.setting())
        },
        Form(
            "background",
            "contains the steps that run before every 'scenario' and 'explore' block of the file",
            example: [
                "background", "  given nav[Home, Show(id=1)]", "",
                "scenario \"The show is visible\"", "  expect top Show(id=1)",
            ]
        ) {
            _ throws(SyntaxError) in
            .background
        },
        Form(
            "macro NAME [<PARAMETER>…]",
            "contains the steps that 'do NAME' runs",
            example: [
                "macro watch <id>", "  navigate Show/open(id=<id>)", "  expect top Show(id=<id>)",
                "", "scenario \"Two shows\"", "  start", "  do watch 7", "  do watch 8",
            ]
        ) {
            parser throws(SyntaxError) in
            .macro(try parser.macro())
        },
        Form(
            "scenario \"NAME\" [@TAG…]",
            "contains the steps of one scenario",
            example: [
                "scenario \"The first screen\"  @smoke", "  start", "  expect tree nav[Home]",
            ]
        ) {
            parser throws(SyntaxError) in
            .scenario(try parser.scenario(.plain))
        },
        Form(
            "skip \"NAME\" [@TAG…]",
            "contains a scenario that does not run",
            example: [
                "skip \"Waits for the new player\"", "  start", "  expect top Player", "",
                "scenario \"The first screen\"", "  start",
            ]
        ) {
            parser throws(SyntaxError) in
            .scenario(try parser.scenario(.skip))
        },
        Form(
            "only \"NAME\" [@TAG…]",
            "contains a scenario that runs; all scenarios without 'only' are skipped",
            example: ["only \"The first screen\"", "  start", "  expect tree nav[Home]"]
        ) {
            parser throws(SyntaxError) in
            .scenario(try parser.scenario(.only))
        },
        Form(
            "known \"ISSUE\" \"NAME\" [@TAG…]",
            "contains a scenario that is expected to fail because of a known issue; if the scenario passes, it is reported as an error",
            example: ["known \"#12\" \"The player is first\"", "  start", "  expect top Player"]
        ) { parser throws(SyntaxError) in
            let issue = try parser.quoted("a known issue")
            return .scenario(try parser.scenario(.known(issue: issue)))
        },
        Form(
            "explore \"NAME\" [@TAG…]",
            "contains the steps and rules of a search; 'luaroute explore' runs the search, and 'luaroute run' ignores it",
            example: [
                "explore \"Nobody sees orders without a user\"  @nightly", "  start",
                "  can navigate Orders/show", "  can close Login {name=\"ann\"} | nothing",
                "  can user back", "  never top Orders when state.user = nil", "  bound depth 3",
                "",
                "scenario \"The first screen\"", "  start", "  expect tree nav[Home]",
            ]
        ) { parser throws(SyntaxError) in
            .explore(try parser.scenario(.plain))
        },
    ]
}

extension StepParser {
    /// Parses a path, which is quoted or extends to the end of the line.
    package mutating func path(_ what: String) throws(SyntaxError) -> FilePath {
        let start = position
        if isAtEnd { throw expected(what) }
        if isAtQuote {
            let path = try quoted("a path")
            spacing?.verbatim.append(TokenScanner.trimmed(start..<position, of: bytes))
            return FilePath(path: path, range: start..<position)
        }
        skip(to: end)
        spacing?.verbatim.append(start..<end)
        return FilePath(path: text(start..<end), range: start..<end)
    }

    fileprivate mutating func scenario(
        _ mode: Scenario.Mode
    ) throws(SyntaxError) -> Vocabulary.ScenarioHeading {
        let start = position
        let name = try quoted("a name")
        guard !name.isEmpty else { throw .expected("a name", got: "\"\"", start..<start + 2) }
        var tags: [String] = []
        while take(byte: "@") {
            tags.append(try self.name("a tag", after: "'@'"))
            skipSpace()
        }
        return Vocabulary.ScenarioHeading(name: name, tags: tags, mode: mode)
    }

    fileprivate mutating func macro() throws(SyntaxError) -> Vocabulary.MacroHeading {
        let start = position
        let name = try name("a name")
        let range = start..<position
        skipSpace()
        var parameters: [String] = []
        while take(byte: "<") {
            let start = position
            let parameter = try self.name("a name", after: "'<'")
            if parameters.contains(parameter) {
                throw .parameterTwice(parameter, start..<position)
            }
            parameters.append(parameter)
            guard take(byte: ">") else { throw expected("'>'", after: "'<\(parameter)'") }
            skipSpace()
        }
        return Vocabulary.MacroHeading(name: name, parameters: parameters, range: range)
    }

    /// Parses `KEY = VALUE`.
    package mutating func setting() throws(SyntaxError) -> ScenarioSettings.Setting {
        if isAtEnd { throw expected("a setting") }
        let key = try word("setting", as: ScenarioSettings.Key.self)
        guard take(byte: "=") else {
            let help = "the form is 'set \(key.rawValue) = \(key.example)'"
            var error = expected("'='", after: "'\(key.rawValue)'")
            error.help = help
            throw error
        }
        skipSpace()
        switch key {
        case .seed: return .seed(try count("a seed", from: 0))
        case .start: return .start(try moment())
        case .strict: return .strict(try word("boolean", as: Answer.self).isYes)
        case .timeout: return .timeout(try deadline())
        case .windows: return .windows(try windows())
        case .profile: return .profile(try word("profile", as: ScenarioSettings.Profile.self))
        }
    }

    /// Parses window names that are separated by commas.
    ///
    /// The first name must be `main`.
    private mutating func windows() throws(SyntaxError) -> [String] {
        var names: [String] = []
        repeat {
            skipSpace()
            let start = position
            let name = try name("the name of a window")
            let range = start..<position
            guard !names.isEmpty || name == "main" else {
                throw .firstWindow(name, range)
            }
            guard !names.contains(name) else { throw .windowTwice(name, range) }
            guard names.count < Stage.windowLimit else { throw .tooManyWindows(range) }
            names.append(name)
            skipSpace()
        } while take(byte: ",")
        return names
    }
}

private enum Answer: String, CaseIterable {
    case on
    case off
    case `true`
    case `false`

    var isYes: Bool { self == .on || self == .true }
}

extension SyntaxError {
    fileprivate static func firstWindow(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .missing,
            message: "the first window must be 'main', got '\(name)'",
            range: range
        )
    }

    fileprivate static func windowTwice(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .twice, message: "window '\(name)' is named twice", range: range)
    }

    fileprivate static func tooManyWindows(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "too many windows (at most \(Stage.windowLimit) at the same time)",
            range: range
        )
    }

    fileprivate static func parameterTwice(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .twice, message: "parameter '\(name)' is declared twice", range: range)
    }
}
