// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension Vocabulary {
    /// The conditions about the events since the last step with an action.
    static let aboutEvents: [ConditionForm] = [
        Form(
            "ops none | NAME[(SCREEN, … ATTRIBUTE=VALUE, …)]…",
            "the host received exactly these operations; the attributes `style`, `transition`, `size`, `modal` and `options` of a presentation are compared only if they are listed",
            example: ["navigate Show/open(id=7)", "expect ops push"]
        ) {
            parser throws(SyntaxError) in
            try parser.operations()
        },
        Form(
            "log LEVEL \"TEXT\"",
            "a message that contains the text was logged at the given level",
            example: ["call remind", "advance 5m", "expect log info \"time to listen\""]
        ) {
            parser throws(SyntaxError) in
            let level = try parser.word("level", as: LogLevel.self)
            if parser.takeLast("?") {
                return .asked(.log, like: .log(level: level.rawValue, text: ""))
            }
            return .log(level: level.rawValue, text: try parser.quoted("text"))
        },
        Form(
            "trace KIND[:NAME]…",
            "the events happened in this order, possibly with other events in between",
            example: ["navigate Show/open(id=7)", "expect trace plan build:Show commit done"]
        ) {
            parser throws(SyntaxError) in
            var words: [TraceWord] = []
            repeat { words.append(try parser.traceWord()) } while !parser.isAtEnd
            return .trace(words)
        },
        Form(
            "called SERVICE/TASK[(…)] [times COUNT]",
            "the task was called; with 'times', exactly the given number of times",
            example: ["doTask Cart/total(count=3)", "expect called Cart/total(count=3) times 1"]
        ) {
            parser throws(SyntaxError) in
            let pattern = try parser.callPattern { .registration($0) }
            parser.note(parameters: pattern.info ?? [])
            if parser.takeLast("?") { return .asked(.called, like: .called(pattern, times: nil)) }
            let times = parser.take("times") ? try parser.count("a count", from: 0) : nil
            return .called(pattern, times: times)
        },
    ]

    /// The conditions about registrations and about the state of the scripts.
    static let aboutScripts: [ConditionForm] = [
        Form(
            "services none | SERVICE[/TASK]…",
            "exactly these services or tasks are registered; the condition must list them in alphabetical order",
            example: ["expect services Cart Login Orders Profile Show"]
        ) {
            parser throws(SyntaxError) in
            .services(try parser.services())
        },
        Form(
            "state.KEY = VALUE | contains VALUE | > NUMBER",
            "the value of the key in the scripts' state equals the given value, or satisfies the comparison",
            example: [
                "navigate Orders/show", "close Login {name=\"ann\"}",
                "expect state.user = {name=\"ann\"}",
            ]
        ) {
            parser throws(SyntaxError) in
            guard let path = try parser.statePath() else { throw parser.expected("'state.key'") }
            if parser.take(byte: "=") {
                parser.skipSpace()
                if parser.takeLast("?") { return .asked(.state(path)) }
                return .state(path, try parser.value())
            }
            guard let comparison = try parser.comparison() else {
                throw parser.expected(
                    "'=' or a comparison",
                    after: "'state.\(path.joined(separator: "."))'"
                )
            }
            return .state(path, comparison)
        },
    ]

    /// The index of the condition that begins with the prefix `state.` instead of a word.
    static let stateCondition = conditions.firstIndex { $0.word.hasPrefix("state.") }
}

/// The levels of log messages.
private enum LogLevel: String, CaseIterable {
    case debug
    case info
    case warn
    case error
}

extension StepParser {
    fileprivate mutating func operations() throws(SyntaxError) -> Expectation.Condition {
        if take("none") { return .operations([]) }
        var operations: [OperationNotation] = []
        repeat { operations.append(try operation()) } while !isAtEnd
        return .operations(operations)
    }

    private mutating func operation() throws(SyntaxError) -> OperationNotation {
        let ahead = wordAhead()
        let name = try operationName("an operation or 'none'")
        var operation = OperationNotation(name: name, range: ahead)
        guard take(byte: "(") else { return operation }
        skipSpace()
        var screens: [ScreenNotation] = []
        if !take(byte: ")") {
            repeat {
                skipSpace()
                if isAtField {
                    operation.attributes = try attributes(of: name)
                    break
                }
                screens.append(try screen())
            } while take(byte: ",")
            if operation.attributes.isEmpty, !take(byte: ")") { throw expected("',' or ')'") }
        }
        if !screens.isEmpty || operation.attributes.isEmpty { operation.screens = screens }
        let close = bytes[..<position].lastIndex(of: UInt8(ascii: ")")) ?? ahead.lowerBound
        operation.range = ahead.lowerBound..<close + 1
        skipSpace()
        return operation
    }

    /// Parses the attributes of an operation and the closing parenthesis.
    private mutating func attributes(of operation: String) throws(SyntaxError) -> [FieldNotation] {
        let start = position
        let attributes = try restOfFields()
        guard operation == TreeOperation.Kind.present.rawValue else {
            throw .hasNoAttributes(operation, start..<position)
        }
        let known = Screen.Presentation.Attribute.allCases.map(\.rawValue)
        for field in attributes where !known.contains(field.name) {
            let start = field.range.lowerBound
            let range = start..<start + field.name.utf8.count
            throw .unknown("presentation attribute", word: field.name, at: range, among: known)
        }
        return attributes
    }

    /// Parses the name of an operation.
    mutating func operationName(_ what: String) throws(SyntaxError) -> String {
        let ahead = wordAhead()
        guard !ahead.isEmpty else { throw expected(what) }
        let name = text(ahead)
        guard TreeOperation.Kind(rawValue: name) != nil else {
            let names = TreeOperation.Kind.allCases.map(\.rawValue)
            throw .unknown("operation", word: name, at: ahead, among: names)
        }
        skip(to: ahead.upperBound)
        return name
    }

    fileprivate mutating func traceWord() throws(SyntaxError) -> TraceWord {
        let ahead = wordAhead()
        guard !ahead.isEmpty else { throw expected("a kind of event") }
        let colon = bytes[ahead].firstIndex(of: UInt8(ascii: ":"))
        let kindRange = ahead.lowerBound..<(colon ?? ahead.upperBound)
        let word = text(kindRange)
        guard let kind = Event.Kind(rawValue: word) else {
            throw .unknown(
                "kind of event",
                word: word,
                at: kindRange,
                among: Event.Kind.allCases.map(\.rawValue)
            )
        }
        skip(to: ahead.upperBound)
        guard let colon else { return TraceWord(kind: kind, detail: nil, range: ahead) }
        guard TraceWord.kindsWithDetail.contains(word) else {
            throw .needsNoDetail(word, colon..<ahead.upperBound)
        }
        let detail = text(colon + 1..<ahead.upperBound)
        guard Name.isValid(detail) else {
            throw .expected(
                "a name",
                after: "'\(word):'",
                got: detail,
                colon + 1..<ahead.upperBound
            )
        }
        let detailRange = colon + 1..<ahead.upperBound
        switch kind {
        case .find, .build, .update, .after: note(.screenClass(detail), detailRange)
        case .intercept: note(.interceptor(detail), detailRange)
        case .gate: note(.gate(detail), detailRange)
        default: break
        }
        return TraceWord(kind: kind, detail: detail, range: ahead)
    }

    fileprivate mutating func services() throws(SyntaxError) -> [ServiceWord] {
        if take("none") { return [] }
        var words: [ServiceWord] = []
        repeat {
            let start = position
            let service = try name("a service or 'none'")
            let task = take(byte: "/") ? try name("a task", after: "'\(service)/'") : nil
            let meaning: NameReference.Meaning =
                task.map { .registration(Target(service, $0)) } ?? .service(service)
            note(meaning, start..<position)
            words.append(ServiceWord(service: service, task: task, range: start..<position))
            skipSpace()
        } while !isAtEnd
        return words
    }
}

extension TraceWord {
    /// The kinds of events that can be followed by a name or a phase, such as `find:ShowPage`.
    package static let kindsWithDetail = [
        "gate", "wait", "intercept", "find", "build", "update", "after", "link",
    ]
}

extension SyntaxError {
    fileprivate static func hasNoAttributes(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'\(name)' takes no attributes (only 'present' does)",
            range: range
        )
    }

    fileprivate static func needsNoDetail(_ kind: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'\(kind)' takes no name",
            range: range,
            help: "a name can follow "
                + TraceWord.kindsWithDetail.map { "'\($0):'" }.joined(separator: ", ")
        )
    }
}
