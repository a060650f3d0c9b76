// SPDX-License-Identifier: MIT

internal import RouteCore

extension Vocabulary {
    /// The conditions about the screens in the tree.
    static let aboutScreens: [ConditionForm] = [
        Form(
            "tree [exactly] TREE",
            "the tree of the main window matches the given tree",
            example: ["navigate Show/open(id=7)", "expect tree nav[Home, Show(id=7)]"]
        ) { parser throws(SyntaxError) in
            .tree(window: "main", try parser.tree(.pattern))
        },
        Form(
            "window NAME [exactly] TREE",
            "the tree of the named window matches the given tree",
            example: ["given window second nav[Search]", "expect window second nav[Search]"]
        ) { parser throws(SyntaxError) in
            let name = try parser.name("the name of a window")
            parser.skipSpace()
            if parser.takeLast("?") { return .asked(.tree(window: name)) }
            return .tree(window: name, try parser.tree(.pattern))
        },
        Form(
            "top [exactly] SCREEN | is NAME",
            "the visible screen of the main window matches the given screen, or is the screen that 'let' named",
            example: ["navigate Show/open(id=7)", "expect top Show(id=7)"]
        ) {
            parser throws(SyntaxError) in
            try parser.top()
        },
        Form(
            "stack SCREEN > SCREEN…",
            "the visible stack consists of the given screens, from first to last; '...' matches any number of screens",
            example: [
                "given nav[Home, Show(id=1), Show(id=2)]", "expect stack Home > ... > Show(id=2)",
            ]
        ) {
            parser throws(SyntaxError) in
            .stack(try parser.stack())
        },
        Form(
            "depth COUNT",
            "the visible stack contains the given number of screens",
            example: ["given nav[Home, Show(id=1)]", "expect depth 2"]
        ) {
            parser throws(SyntaxError) in
            .depth(try parser.count("a count", from: 1))
        },
        Form(
            "modal [exactly] SCREEN | none",
            "the topmost modal, or the screen that is visible in the modal, matches the given screen; 'none': no modal is presented",
            example: ["navigate Login/show", "expect modal Login"]
        ) {
            parser throws(SyntaxError) in
            .modal(parser.takeLast("none") ? nil : try parser.screen())
        },
    ]

    /// The conditions about the last request or about a named request.
    static let aboutRequests: [ConditionForm] = [
        Form(
            "done",
            "the request has succeeded",
            example: ["navigate Show/open(id=7)", "expect done"]
        ) { _ throws(SyntaxError) in
            .done
        },
        Form(
            "error CODE [\"TEXT\"]",
            "the request failed with the given code; if a text is given, the error message contains the text",
            example: ["navigate Show/open(id=true)", "expect error badInfo \"integer expected\""]
        ) {
            parser throws(SyntaxError) in
            let code = try parser.word("error code", as: RouteError.Code.self)
            if parser.takeLast("?") { return .asked(.outcome, like: .error(code, text: "")) }
            return .error(code, text: parser.isAtEnd ? nil : try parser.quoted("text"))
        },
        Form(
            "stayed",
            "the request has ended without navigating",
            example: ["back as leave", "expect leave stayed"]
        ) { _ throws(SyntaxError) in
            .stayed
        },
        Form(
            "cancelled [superseded]",
            "the request was cancelled; with 'superseded', because a newer request replaced it",
            example: ["navigate Orders/show", "cancel", "expect cancelled"]
        ) { parser throws(SyntaxError) in
            .cancelled(parser.take("superseded") ? .superseded : nil)
        },
        Form(
            "pending NAME | none",
            "the request waits for the interceptor, gate or task with this name; 'none': the request does not wait",
            example: [
                "navigate Orders/show", "expect pending login", "close Login {name=\"ann\"}",
                "expect pending none",
            ]
        ) {
            parser throws(SyntaxError) in
            try parser.pending()
        },
        Form(
            "result VALUE | contains VALUE | > NUMBER",
            "the result of the task or function equals the given value, or satisfies the comparison",
            example: ["doTask Cart/total(count=2)", "expect result 10"]
        ) { parser throws(SyntaxError) in
            .result(try parser.value())
        },
        Form(
            "found [exactly] SCREEN",
            "the request found an existing screen that matches the given screen",
            example: [
                "given nav[Home, Show(id=1)]", "navigate Show/open(id=1)",
                "expect found Show(id=1)",
            ]
        ) {
            parser throws(SyntaxError) in
            .found(try parser.screen())
        },
        Form(
            "built SCREEN…",
            "the request built exactly these screens, in this order",
            example: ["navigate Show/open(id=7)", "expect built Show(id=7)"]
        ) {
            parser throws(SyntaxError) in
            var screens: [ScreenNotation] = []
            repeat { screens.append(try parser.screen()) } while !parser.isAtEnd
            return .built(screens)
        },
        Form(
            "route SERVICE/TASK",
            "the request navigates to the route, or runs the task",
            example: ["open podcast://shows/7", "expect route Show/open"]
        ) {
            parser throws(SyntaxError) in
            let target = try parser.plainTarget { .registration($0) }
            parser.skipSpace()
            return .route(target)
        },
        Form(
            "params (NAME=VALUE, …)",
            "the request has these parameters, and may have others; '()' means that the request has no parameters",
            example: ["open podcast://shows/7", "expect params (id=7)"]
        ) {
            parser throws(SyntaxError) in
            guard parser.isAtParenthesis else {
                throw parser.expected("parameters of the form '(name=value)'")
            }
            let fields = try parser.fields()
            parser.note(parameters: fields)
            return .params(fields)
        },
        Form(
            "completions COUNT",
            "the completion of the request was called this number of times",
            example: ["navigate Show/open(id=7)", "expect completions 1"]
        ) {
            parser throws(SyntaxError) in
            .completions(try parser.count("a count", from: 0))
        },
    ]
}

extension StepParser {
    /// Parses `[NAME] [not] CONDITION`.
    package mutating func expectation(isCheck: Bool) throws(SyntaxError) -> Expectation {
        allowsMatchers = true
        defer { allowsMatchers = false }
        let ahead = wordAhead()
        var name: String?
        var nameRange = ahead
        var isNegated = take("not")
        if !isNegated, isName(ahead) {
            let text = text(ahead)
            guard names.hasRequest(text) else {
                throw .unknownName(text, ahead, among: names.requests)
            }
            name = text
            nameRange = ahead
            skip(to: ahead.upperBound)
            isNegated = take("not")
        }
        let word = wordAhead()
        guard let index = takeCondition() else {
            guard !word.isEmpty else { throw expected("a condition") }
            throw .unknown(
                "condition",
                word: text(word),
                at: word,
                among: Vocabulary.conditions.map(\.word)
            )
        }
        let form = Vocabulary.conditions[index]
        let start = position
        let condition: Expectation.Condition
        if let subject = Expectation.Subject.asked[form.word], takeLast("?") {
            condition = .asked(subject)
        } else {
            condition = try form.parse(&self)
        }
        if isNegated, case .asked = condition { throw .askedNegatively(start..<position) }
        let expectation = Expectation(
            condition: condition,
            range: start < position ? TokenScanner.trimmed(start..<position, of: bytes) : word,
            wholeRange: TokenScanner.trimmed(
                word.lowerBound..<max(position, word.upperBound),
                of: bytes
            ),
            word: form.word == "state.KEY" ? text(word) : form.word,
            name: name,
            isNegated: isNegated,
            isCheck: isCheck
        )
        if name != nil, !expectation.isAboutRequest { throw .needsNoName(form.word, nameRange) }
        try checkEnd(of: form.signature)
        return expectation
    }

    /// Returns whether a word is the name of a request.
    ///
    /// This is the case if the name is known or if a condition follows.
    private func isName(_ word: Range<Int>) -> Bool {
        guard !word.isEmpty, !isCondition(word) else { return false }
        if names.requests.contains(text(word)) { return true }
        var ahead = self
        ahead.skip(to: word.upperBound)
        return ahead.take("not") || ahead.isCondition(ahead.wordAhead())
    }

    private func isCondition(_ word: Range<Int>) -> Bool {
        var ahead = self
        ahead.skip(to: word.lowerBound)
        return ahead.takeCondition() != nil
    }

    /// Parses the first word of a condition and returns the index of the condition.
    ///
    /// If the condition begins with `state.`, nothing is consumed, because the prefix is part of
    /// the path.
    private mutating func takeCondition() -> Int? {
        var ahead = self
        if ahead.take(prefix: "state.") { return Vocabulary.stateCondition }
        return take(from: Vocabulary.conditionWords)
    }

    fileprivate mutating func top() throws(SyntaxError) -> Expectation.Condition {
        let start = position
        guard take("is"), !isAtEnd else {
            skip(to: start)
            return .top(try screen())
        }
        let nameStart = position
        let name = try name("a name")
        guard names.hasBinding(name) else {
            throw .unboundName(name, nameStart..<position, among: names.bindings)
        }
        skipSpace()
        return .topIs(name)
    }

    /// Parses the given word if the line ends after it.
    mutating func takeLast(_ word: StaticString) -> Bool {
        var ahead = self
        guard ahead.take(word), ahead.isAtEnd else { return false }
        self = ahead
        return true
    }

    fileprivate mutating func stack() throws(SyntaxError) -> [StackItem] {
        var items: [StackItem] = []
        var hasRest = false
        repeat {
            skipSpace()
            let start = position
            if take(prefix: "...") {
                if hasRest { throw .secondRest(start..<position) }
                hasRest = true
                skipSpace()
                items.append(.rest)
            } else {
                items.append(.screen(try screen()))
            }
        } while take(byte: ">")
        return items
    }

    fileprivate mutating func pending() throws(SyntaxError) -> Expectation.Condition {
        let ahead = wordAhead()
        guard !ahead.isEmpty else {
            throw expected("'none' or the name of an interceptor, gate or task")
        }
        skip(to: ahead.upperBound)
        let name = text(ahead)
        if name == "none" { return .pending(nil) }
        note(.wait(name), ahead)
        return .pending(name)
    }

}

extension Expectation.Subject {
    /// The subjects of the conditions whose first word can be followed directly by `?`, keyed by
    /// this word.
    fileprivate static let asked: [String: Self] = [
        "tree": .tree(window: "main"), "top": .top, "stack": .stack, "depth": .depth,
        "modal": .modal, "ops": .operations, "done": .outcome, "error": .outcome,
        "stayed": .outcome, "cancelled": .outcome, "pending": .outcome, "result": .result,
        "found": .found, "built": .built, "route": .route, "params": .params,
        "completions": .completions, "log": .log, "trace": .trace, "called": .called,
        "services": .services,
    ]
}

extension SyntaxError {
    fileprivate static func askedNegatively(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .misplaced,
            message: "'not' cannot be combined with '?'",
            range: range,
            help: "remove 'not': '?' is replaced by the actual value"
        )
    }

    fileprivate static func unboundName(
        _ name: String,
        _ range: Range<Int>,
        among known: Set<String>
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "no value before this step is named '\(name)'"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: "name a value with 'let \(name) = …' in an earlier step"
        )
    }
    fileprivate static func secondRest(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .notation,
            message: "'...' can occur only once in a stack",
            range: range
        )
    }
}
