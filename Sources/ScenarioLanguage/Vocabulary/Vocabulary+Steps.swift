// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension Vocabulary {
    /// The steps that set a tree or make a request to the router.
    static let drive: [StepForm] = [
        Form(
            "given [window NAME] TREE",
            "sets the tree of a window directly, without navigating",
            example: ["given tabs[*nav[Home], nav[Search]]", "expect top Home"]
        ) {
            parser throws(SyntaxError) in
            let window = try parser.window()
            return .given(window: window ?? "main", try parser.tree(.tree))
        },
        Form(
            "start[(NAME=VALUE, …)] [as NAME]",
            "builds the first tree with the scripts' 'router.start'",
            example: ["restart", "start", "expect tree nav[Home]"]
        ) { parser throws(SyntaxError) in
            .act(.start(info: try parser.fields()), nil)
        },
        Form(
            "navigate SERVICE/TASK[(…)] [via ACTION[(…)]] [from SCREEN] [with (…)] [as NAME]",
            "navigates to a route; the actions `present` and `addTab` take the same options as in Lua",
            example: [
                "navigate Show/open(id=7)", "expect top Show(id=7)",
                "navigate Show/open(id=8) via present(style=\"sheet\")",
                "expect ops present(Show(id=8), style=\"sheet\")",
            ]
        ) { parser throws(SyntaxError) in
            let (target, info) = try parser.target { .route($0) }
            return .act(.route(target, info: info), try parser.clauses())
        },
        Form(
            "open TEXT [from SCREEN] [origin ORIGIN] [with (…)] [as NAME]",
            "opens a URL or a route string. Without quotes, the text ends at the first white space outside of its JSON object",
            example: ["open podcast://shows/7", "expect top Show(id=7)"]
        ) { parser throws(SyntaxError) in
            let text = try parser.plainText("a URL or a route string")
            return .act(.url(text), try parser.clauses(opening: true))
        },
        Form(
            "dispatch URL [timeout DURATION|none] [origin ORIGIN] [as NAME]",
            "dispatches a URL to the matching routing; the URL is queued until the routing has an action",
            example: [
                "dispatch podcast://promo/SUMMER timeout 30s", "call acceptPromotions",
                "expect state.promo = \"SUMMER\"",
            ]
        ) { parser throws(SyntaxError) in
            let url = try parser.plainText("a URL")
            var options = NavigationOptions()
            while try parser.clause(ofDispatch: &options) {}
            return .dispatch(url, options)
        },
        Form(
            "doTask SERVICE/TASK[(…)] [as NAME]",
            "runs a task, which shows no screen",
            example: ["doTask Cart/total(count=3)", "expect result 15"]
        ) {
            parser throws(SyntaxError) in
            let (target, info) = try parser.target { .task($0) }
            return .doTask(target, info)
        },
        Form(
            "cancel [NAME | links]",
            "cancels the last request, the named request, or all queued deep links",
            example: ["navigate Orders/show", "cancel", "expect cancelled"]
        ) { parser throws(SyntaxError) in
            parser.take("links") ? .cancelLinks : .cancel(try parser.requestToCancel())
        },
    ]

    /// The steps that make a request to leave screens.
    static let leave: [StepForm] = [
        leaving(
            "back [COUNT]",
            "goes back by the given number of screens; default: one screen",
            example: ["navigate Show/open(id=7)", "back", "expect top Home"]
        ) {
            parser throws(SyntaxError) in
            .back(parser.isAtRequestEnd ? 1 : try parser.count("a count", from: 1))
        },
        leaving(
            "pop to SCREEN | root",
            "goes back to the topmost screen that matches, or to the first screen of the visible stack",
            example: [
                "given nav[Home, Show(id=1), Show(id=2)]", "pop to root", "expect tree nav[Home]",
            ]
        ) {
            parser throws(SyntaxError) in
            guard parser.take("to") else { throw parser.expected("'to'") }
            return parser.take("root") ? .popToRoot : .pop(to: try parser.screen())
        },
        leaving(
            "dismiss [all]",
            "dismisses the topmost level, or all levels above the first one",
            example: ["given nav[Home] ^ nav[Login]", "dismiss", "expect tree nav[Home]"]
        ) {
            parser throws(SyntaxError) in
            parser.take("all") ? .dismissAll : .dismiss
        },
        leaving(
            "close SCREEN [VALUE]",
            "closes the topmost screen that matches; the value is the result for the code that opened the screen",
            example: ["navigate Orders/show", "close Login {name=\"ann\"}", "expect top Orders"]
        ) {
            parser throws(SyntaxError) in
            let screen = try parser.screen()
            return .close(screen, value: parser.isAtRequestEnd ? .value(.nil) : try parser.value())
        },
        leaving(
            "select SCREEN | NUMBER",
            "makes the topmost screen that matches visible, or selects a tab by its number",
            example: ["given tabs[*nav[Home], nav[Search]]", "select Search", "expect top Search"]
        ) {
            parser throws(SyntaxError) in
            parser.isAtDigit
                ? .selectTab(try parser.count("a tab number", from: 1))
                : .select(try parser.screen())
        },
        leaving(
            "replace SCREEN with TREE [value VALUE]",
            "replaces the topmost screen that matches with new screens; the value is the result for the code that opened the old screen",
            example: [
                "navigate Orders/show", "replace Login with Welcome value {name=\"ann\"}",
                "expect state.user.name = ann",
            ]
        ) {
            parser throws(SyntaxError) in
            let screen = try parser.screen()
            guard parser.take("with") else { throw parser.expected("'with'") }
            let tree = try parser.tree(.tree)
            let hasValue = parser.take("value")
            return .replace(
                screen,
                with: tree,
                value: hasValue ? try parser.value() : .value(.nil)
            )
        },
    ]

    /// Returns the form of a step that leaves screens.
    ///
    /// The form includes the options that are common to all of these steps.
    private static func leaving(
        _ signature: String,
        _ help: String,
        example: [String],
        parse: @escaping @Sendable (inout StepParser) throws(SyntaxError) -> Act<ScreenNotation>
    ) -> StepForm {
        Form("\(signature) [with (…)] [as NAME]", help, example: example) {
            parser throws(SyntaxError) in
            .act(try parse(&parser), try parser.optionsOfLeaving())
        }
    }

    /// The steps that do not change the state.
    static let look: [StepForm] = [
        Form(
            "expect [NAME] [not] CONDITION",
            "fails the scenario and skips its remaining steps unless the condition is true",
            example: [
                "navigate Orders/show as order", "expect order pending login",
                "expect not top Orders",
            ]
        ) {
            parser throws(SyntaxError) in
            .expect(try parser.expectation(isCheck: false))
        },
        Form(
            "check [NAME] [not] CONDITION",
            "fails the scenario unless the condition is true; the remaining steps run in either case",
            example: ["navigate Show/open(id=7)", "check depth 2", "check top Show(id=7)"]
        ) {
            parser throws(SyntaxError) in
            .expect(try parser.expectation(isCheck: true))
        },
        Form(
            "let NAME = [window NAME] top | [window NAME] screen SCREEN | result | state.KEY",
            "gives a name to a value; later steps can write the name, without quotes, instead of the value",
            example: [
                "navigate Show/open(id=7)", "let show = top", "navigate Show/open(id=8)", "back",
                "expect top is show",
            ]
        ) {
            parser throws(SyntaxError) in
            try parser.binding()
        },
        Form(
            "note \"TEXT\"",
            "prints a text in the report",
            example: [
                "note \"a show that is already open\"", "given nav[Home, Show(id=1)]",
                "navigate Show/open(id=1)",
            ]
        ) { parser throws(SyntaxError) in
            .note(try parser.quoted("text"))
        },
        Form(
            "show [tree | state | pending | events]",
            "prints the trees of all windows, the state, the pending requests or the events in the report",
            example: ["start", "navigate Show/open(id=1)", "show", "show events"]
        ) {
            parser throws(SyntaxError) in
            .show(parser.isAtEnd ? .tree : try parser.word("part", as: ShownPart.self))
        },
    ]
}

extension StepParser {
    fileprivate mutating func window() throws(SyntaxError) -> String? {
        guard take("window") else { return nil }
        let name = try name("the name of a window")
        skipSpace()
        return name
    }

    /// Parses the clauses of `navigate` or `open`.
    ///
    /// The clauses can be in any order, and each can occur only once. Returns nil if nothing
    /// follows.
    fileprivate mutating func clauses(
        opening: Bool = false
    ) throws(SyntaxError) -> Boxed<ActOptions>? {
        guard !isAtEnd else { return nil }
        var options = ActOptions()
        while true {
            if !opening, options.others.via == nil, take("via") {
                let start = position
                let word = try name("an action")
                note(.action(word), start..<position)
                options.others.via = try action(word, presenter: &options.presenter)
                skipSpace()
            } else if options.from == nil, take("from") {
                options.from = try screen()
            } else if opening, options.others.origin == nil, take("origin") {
                options.others.origin = try word("origin", as: Origin.self, among: Origin.ofRoutes)
            } else if try !takeOptions(RequestOption.allCases, into: &options.others) {
                return Boxed(options)
            }
        }
    }

    /// Parses the options of an action, if they come next.
    private mutating func action(
        _ word: String,
        presenter: inout ScreenNotation?
    ) throws(SyntaxError) -> Action {
        guard isAtParenthesis else { return Action(word: word) }
        let (start, known) = (position, Action.options(of: word))
        var values = InfoTable()
        for option in try self.options(screenName: "start") {
            guard !known.isEmpty else { throw .hasNoOptions(word, start..<position) }
            let parameter = try option.one(of: known, named: \.name)
            if let screen = option.screen {
                presenter = screen
                continue
            }
            let arguments = ArgumentTree([option.value])
            do throws(RouteError) {
                try ArgumentCheck.check(arguments[0], type: parameter.type) { RouteError($1, $0) }
            } catch {
                throw .badOption(option, error.message)
            }
            values[.string(ByteString(option.name))] = option.value
        }
        return Action(word: word, options: values)
    }

    /// Parses the options of a step that leaves screens.
    mutating func optionsOfLeaving() throws(SyntaxError) -> Boxed<ActOptions>? {
        guard !isAtEnd else { return nil }
        var options = ActOptions()
        _ = try takeOptions(RequestOption.ofLeaving, into: &options.others)
        return Boxed(options)
    }

    /// Parses one of the clauses of `dispatch`, or returns `false` if no clause comes next.
    ///
    /// The clauses can be in any order, and each can occur only once.
    fileprivate mutating func clause(
        ofDispatch options: inout NavigationOptions
    ) throws(SyntaxError) -> Bool {
        if options.timeout == nil, take("timeout") {
            options.timeout = try deadline()
        } else if options.origin == nil, take("origin") {
            options.origin = try word("origin", as: Origin.self, among: Origin.ofRoutes)
        } else {
            return false
        }
        return true
    }

    fileprivate mutating func requestToCancel() throws(SyntaxError) -> String? {
        guard !isAtEnd else { return nil }
        let start = position
        let name = try name("the name of a request")
        guard names.hasRequest(name) else {
            throw .unknownName(name, start..<position, among: names.requests)
        }
        skipSpace()
        return name
    }

    fileprivate mutating func binding() throws(SyntaxError) -> ScenarioStep.Action {
        let start = position
        let name = try name("a name")
        switch name {
        case "nil", "true", "false": throw .takenName(name, what: "a value", at: start..<position)
        case "as", "with":
            throw .takenName(name, what: "a keyword that can follow a value", at: start..<position)
        default: break
        }
        skipSpace()
        guard take(byte: "=") else { throw expected("'='", after: "'\(name)'") }
        skipSpace()
        let window = try window()
        if take("top") { return .bind(name: name, .top(window: window)) }
        if take("screen") { return .bind(name: name, .screen(try screen(), window: window)) }
        guard window == nil else { throw expected("'top' or 'screen'") }
        if take("result") { return .bind(name: name, .result) }
        let ahead = wordAhead()
        guard !ahead.isEmpty else {
            throw expected("'top', 'screen', 'window', 'result' or 'state.key'")
        }
        guard let path = try statePath() else {
            throw .unknown(
                "kind of value",
                word: text(ahead),
                at: ahead,
                among: ["top", "screen", "window", "result", "state.key"]
            )
        }
        return .bind(name: name, .state(path))
    }
}

extension SyntaxError {
    fileprivate static func hasNoOptions(_ action: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "the action '\(action)' takes no options (only 'present' and 'addTab' do)",
            range: range
        )
    }
}
