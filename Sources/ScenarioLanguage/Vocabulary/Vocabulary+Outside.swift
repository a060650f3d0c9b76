// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension Vocabulary {
    /// The steps that act from outside of the scripts, for example on the host, a gate or the
    /// state.
    static let outside: [StepForm] = [
        Form(
            "stub SERVICE/TASK[(…)] [finished | failed] [(RESULT)]",
            "sets the result of the next call to a host task",
            example: [
                "stub Account/load finished (name=\"ann\")", "doTask Account/load",
                "expect result {name=\"ann\"}",
            ]
        ) { parser throws(SyntaxError) in
            let pattern = try parser.callPattern { .stub($0) }
            return .stub(pattern, try parser.taskEnd())
        },
        Form(
            "complete SERVICE/TASK [finished | failed] [(INFO)]",
            "ends the oldest pending call to a host task",
            example: [
                "doTask Account/load", "complete Account/load finished (name=\"ann\")",
                "expect result {name=\"ann\"}",
            ]
        ) { parser throws(SyntaxError) in
            let start = parser.position
            let pattern = try parser.callPattern { .hostTask($0) }
            if pattern.info != nil { throw .needsNoParameters(start..<pattern.range.upperBound) }
            return .complete(pattern.target, try parser.taskEnd())
        },
        Form(
            "call NAME[(NAME=VALUE, …)] [as NAME]",
            "calls a function that the scripts export",
            example: ["call greet(name=\"ann\")", "expect result \"hello, ann\""]
        ) {
            parser throws(SyntaxError) in
            let start = parser.position
            let name = try parser.name("the name of a function")
            parser.note(.export(name), start..<parser.position)
            return .call(name, try parser.fields())
        },
        Form(
            "host holds",
            "the host delays its changes until 'host applies'",
            example: [
                "host holds", "navigate Show/open(id=7)", "expect not done", "host applies",
                "expect done",
            ],
            wordCount: 2
        ) {
            _ throws(SyntaxError) in
            .host(.holds)
        },
        Form(
            "host applies",
            "the host applies the delayed changes, and applies every later change immediately",
            example: ["host holds", "navigate Show/open(id=7)", "host applies", "expect done"],
            wordCount: 2
        ) {
            _ throws(SyntaxError) in
            .host(.applies)
        },
        Form(
            "host refuses OPERATION",
            "the host refuses the next change that contains the operation",
            example: ["host refuses push", "navigate Show/open(id=7)", "expect error host"],
            wordCount: 2
        ) { parser throws(SyntaxError) in
            .host(.refuses(try parser.operationName("an operation")))
        },
        Form(
            "ready NAME",
            "opens a gate; requests that wait at the gate continue",
            example: [
                "navigate Profile/show", "expect pending session", "ready session",
                "expect top Profile",
            ]
        ) {
            parser throws(SyntaxError) in
            .openGate(try parser.gate())
        },
        Form(
            "unready NAME [leaving [with (…)] [as NAME]]",
            "closes a gate; requests that have passed the gate continue. With 'leaving', these requests wait at the gate again, and the screens of the gate's routes are removed",
            example: [
                "ready session", "navigate Profile/show", "unready session leaving",
                "expect top Home", "navigate Profile/show", "expect pending session",
            ]
        ) {
            parser throws(SyntaxError) in
            let gate = try parser.gate()
            guard parser.take("leaving") else { return .closeGate(gate) }
            return .act(.unready(gate), try parser.optionsOfLeaving())
        },
        Form(
            "set state.KEY = VALUE",
            "sets a value in the state of the scripts",
            example: [
                "set state.user = {name=\"ann\"}", "navigate Orders/show", "expect top Orders",
            ]
        ) {
            parser throws(SyntaxError) in
            guard let path = try parser.statePath() else {
                let key = parser.text(parser.wordAhead())
                if ScenarioSettings.Key(rawValue: key) != nil {
                    throw .indentedBlock("set \(key)", parser.wordAhead())
                }
                throw parser.expected("'state.key'")
            }
            guard parser.take(byte: "=") else {
                throw parser.expected("'='", after: "'state.\(path.joined(separator: "."))'")
            }
            parser.skipSpace()
            return .setState(path, try parser.value())
        },
    ]
}

extension StepParser {
    /// Parses a target, and parameters in parentheses if they follow without white space.
    mutating func callPattern(
        _ meaning: (Target) -> NameReference.Meaning
    ) throws(SyntaxError) -> CallPattern {
        let start = position
        let target = try plainTarget(meaning)
        let info = isAtParenthesis ? try fields() : nil
        let range = TokenScanner.trimmed(start..<position, of: bytes)
        skipSpace()
        return CallPattern(target: target, info: info, range: range)
    }

    fileprivate mutating func gate() throws(SyntaxError) -> String {
        let start = position
        let name = try name("the name of a gate")
        note(.gate(name), start..<position)
        skipSpace()
        return name
    }

    fileprivate mutating func taskEnd() throws(SyntaxError) -> TaskEnd {
        let isFailed = take("failed")
        if !isFailed { _ = take("finished") }
        guard !isAtEnd else { return TaskEnd(isFinished: !isFailed, info: .value(.nil)) }
        return TaskEnd(isFinished: !isFailed, info: try info())
    }

    /// Parses `(name=value, …)`, which is a table, or `(value)`.
    private mutating func info() throws(SyntaxError) -> ValueNotation {
        var ahead = self
        guard ahead.take(byte: "(") else {
            var error = expected("'finished', 'failed', '(VALUE)' or '(NAME=VALUE, …)'")
            error.help = "put the value in parentheses, such as '(\"gold\")'"
            throw error
        }
        ahead.skipSpace()
        var name = ahead
        let isNamed = (try? name.name("a name")) != nil
        name.skipSpace()
        if ahead.take(byte: ")") || (isNamed && name.take(byte: "=")) {
            let entries = try fields().map { field in
                (key: InfoTable.Key.string(ByteString(field.name)), value: field.notation)
            }
            return .table([], entries, isOpen: false)
        }
        skip(to: ahead.position)
        let value = try value()
        guard take(byte: ")") else { throw expected("')'") }
        skipSpace()
        return value
    }
}

extension SyntaxError {
    fileprivate static func needsNoParameters(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'complete' takes no parameters of the call: it always ends the oldest call",
            range: range,
            help: "to pass info, put white space before the parenthesis: "
                + "'complete Service/task (name=value)'"
        )
    }
}
