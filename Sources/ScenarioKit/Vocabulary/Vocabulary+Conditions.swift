// SPDX-License-Identifier: MIT

internal import LuaRouting

extension Vocabulary {
    /// The conditions about the screens that stand.
    static let aboutScreens: [ConditionForm] = [
        Form("tree TREE", "the main window holds the tree") { parser throws(SyntaxError) in
            .tree(window: "main", try parser.tree(.pattern))
        },
        Form("window NAME TREE", "a window holds the tree") { parser throws(SyntaxError) in
            let name = try parser.name("the name of a window")
            parser.skipSpace()
            return .tree(window: name, try parser.tree(.pattern))
        },
        Form("top SCREEN | is NAME", "the main window shows the screen") {
            parser throws(SyntaxError) in
            try parser.top()
        },
    ]

    /// The conditions about the last request, or one that has a name.
    static let aboutRequests: [ConditionForm] = [
        Form("done", "the request ended well") { _ throws(SyntaxError) in
            .done
        },
        Form("error CODE [\"TEXT\"]", "the request failed; its message has the text in it") {
            parser throws(SyntaxError) in
            let code = try parser.word("error code", as: RouteError.Code.self)
            return .error(code, text: parser.isAtEnd ? nil : try parser.quoted("a text"))
        },
        Form("stayed", "the request ended without going anywhere") { _ throws(SyntaxError) in
            .stayed
        },
        Form("cancelled [superseded]", "the request was cancelled") { parser throws(SyntaxError) in
            .cancelled(parser.take("superseded") ? .superseded : nil)
        },
        Form("pending NAME | none", "the request waits for something, or for nothing") {
            parser throws(SyntaxError) in
            try parser.pending()
        },
        Form("result VALUE", "the task gave the value") { parser throws(SyntaxError) in
            .result(try parser.value())
        },
        Form("completions COUNT", "the end of the request was told so often") {
            parser throws(SyntaxError) in
            .completions(try parser.count("a count", from: 0))
        },
    ]

    /// The conditions about what happened since the last step that does something.
    static let aboutEvents: [ConditionForm] = [
        Form("ops none | NAME[(SCREEN, …)]…", "the host was given the operations, no others") {
            parser throws(SyntaxError) in
            try parser.operations()
        },
        Form("log LEVEL \"TEXT\"", "a message was logged that has the text in it") {
            parser throws(SyntaxError) in
            let level = try parser.word("level", as: LogLevel.self)
            return .log(level: level.rawValue, text: try parser.quoted("a text"))
        },
    ]
}

/// The levels of messages in the log.
private enum LogLevel: String, CaseIterable {
    case debug
    case info
    case warn
    case error
}

extension StepParser {
    /// Goes past `[NAME] [not] CONDITION`.
    mutating func expectation(isCheck: Bool) throws(SyntaxError) -> Expectation {
        let ahead = wordAhead()
        var name: String?
        var nameRange = ahead
        var isNegated = take("not")
        if !isNegated, isName(ahead) {
            let text = text(ahead)
            guard names.requests.contains(text) else {
                throw .unknownName(text, ahead, among: names.requests)
            }
            name = text
            nameRange = ahead
            skip(to: ahead.upperBound)
            isNegated = take("not")
        }
        let word = wordAhead()
        guard let index = take(from: Vocabulary.conditionWords) else {
            guard !word.isEmpty else { throw expected("an expectation") }
            throw .unknown(
                "expectation",
                text(word),
                word,
                among: Vocabulary.conditions.map(\.word)
            )
        }
        let form = Vocabulary.conditions[index]
        let start = position
        let expectation = Expectation(
            condition: try form.parse(&self),
            range: start < position ? start..<trimmed(position) : word,
            word: form.word,
            name: name,
            isNegated: isNegated,
            isCheck: isCheck
        )
        if name != nil, !expectation.isAboutRequest { throw .needsNoName(form.word, nameRange) }
        try checkEnd(of: form.signature)
        return expectation
    }

    /// Whether a word is meant as the name of a request: it is one, or a condition follows.
    private func isName(_ word: Range<Int>) -> Bool {
        guard !word.isEmpty, !isCondition(word) else { return false }
        if names.requests.contains(text(word)) { return true }
        var ahead = self
        ahead.skip(to: word.upperBound)
        return ahead.take("not") || ahead.isCondition(ahead.wordAhead())
    }

    private func isCondition(_ word: Range<Int>) -> Bool {
        Vocabulary.conditionWords.index(of: word, in: bytes) != nil
    }

    fileprivate mutating func top() throws(SyntaxError) -> Expectation.Condition {
        let start = position
        guard take("is"), !isAtEnd else {
            skip(to: start)
            return .top(try screen())
        }
        let nameStart = position
        let name = try name("a name")
        guard names.bindings.contains(name) else {
            throw .unboundName(name, nameStart..<position, among: names.bindings)
        }
        skipSpace()
        return .topIs(name)
    }

    fileprivate mutating func pending() throws(SyntaxError) -> Expectation.Condition {
        let ahead = wordAhead()
        guard !ahead.isEmpty else {
            throw expected("the name of an interceptor, a gate or a task, or 'none'")
        }
        skip(to: ahead.upperBound)
        let name = text(ahead)
        return .pending(name == "none" ? nil : name)
    }

    fileprivate mutating func operations() throws(SyntaxError) -> Expectation.Condition {
        if take("none") { return .operations([]) }
        var operations: [OperationNotation] = []
        repeat { operations.append(try operation()) } while !isAtEnd
        return .operations(operations)
    }

    private mutating func operation() throws(SyntaxError) -> OperationNotation {
        let ahead = wordAhead()
        guard !ahead.isEmpty else { throw expected("an operation, or 'none'") }
        let name = text(ahead)
        guard OperationNotation.names.contains(name) else {
            throw .unknown("operation", name, ahead, among: OperationNotation.names)
        }
        skip(to: ahead.upperBound)
        guard take(byte: "(") else {
            return OperationNotation(name: name, screens: nil, range: ahead)
        }
        skipSpace()
        var screens: [ScreenNotation] = []
        if !take(byte: ")") {
            repeat {
                skipSpace()
                screens.append(try screen())
            } while take(byte: ",")
            guard take(byte: ")") else { throw expected("',' or ')'") }
        }
        let range = ahead.lowerBound..<position
        skipSpace()
        return OperationNotation(name: name, screens: screens, range: range)
    }

    /// The end of what was read, without the white space behind it.
    private func trimmed(_ offset: Int) -> Int {
        var end = offset
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return end
    }
}

extension OperationNotation {
    /// The names of all operations.
    static let names = [
        "root", "dismiss", "push", "pop", "children", "select", "present", "update",
        "openWindow", "closeWindow",
    ]
}

extension SyntaxError {
    fileprivate static func unboundName(
        _ name: String,
        _ range: Range<Int>,
        among known: Set<String>
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "nothing before this step is named '\(name)'"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: "'let \(name) = …' gives the name"
        )
    }
}
