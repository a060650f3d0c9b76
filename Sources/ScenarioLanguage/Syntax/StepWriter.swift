// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// A type that reads the lines of a block, and expands loops, macros and parameters into steps.
package struct StepWriter {
    /// The maximum depth of nested macro calls.
    ///
    /// The limit prevents a stack overflow.
    private static let callLimit = 64

    private struct Loop {
        let firstStep: Int
        let count: Int
        package let text: StepText
        package let range: Range<Int>
        /// Whether the line that opens the loop has an error.
        var isBroken = false
    }

    /// The steps that have been read so far.
    package private(set) var steps: [ScenarioStep] = []

    private let state: ParseState
    private let names: NameScope
    private var loops: [Loop] = []
    /// The number of open loops outside of the current macro.
    private var outerLoops = 0
    /// The names of the macros that are being expanded, outermost first.
    private var calls: [String]

    /// Creates a writer for the lines of a block, or for the lines of a macro.
    ///
    /// If the number of lines is given, reserves space for this number of steps.
    package init(
        _ state: ParseState,
        _ names: NameScope,
        in macro: String? = nil,
        lineCount: Int = 0
    ) {
        self.state = state
        self.names = names
        calls = macro.map { [$0] } ?? []
        // Reserve space, because growing the array is expensive and most lines are one step each.
        steps.reserveCapacity(lineCount)
    }

    /// Parses a text that consists of a single step and uses no names from other steps.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isOpen: Whether parameters of a table or a macro in the text are treated as plain text.
    /// - Returns: The step, or nil if the text does not consist of exactly one step.
    package static func step(_ text: String, isOpen: Bool = false) -> ScenarioStep? {
        let source = SourceText(name: "explore", content: Array(text.utf8))
        var writer = StepWriter(ParseState(source, in: nil), NameScope())
        let words = StepText(source, source.bytes)
        guard writer.read(source.bytes.indices, in: words, isOpen: isOpen) else { return nil }
        return writer.steps.count == 1 ? writer.steps[0] : nil
    }

    // MARK: Lines

    /// Reads the given lines, replacing their parameters with arguments.
    ///
    /// If `arguments` is nil, lines that contain parameters are ignored.
    package mutating func read(_ lines: StepLines, _ arguments: [StepArgument]?, in text: StepText)
    {
        let outer = outerLoops
        outerLoops = loops.count
        for line in lines.lines where !state.isExhausted {
            switch line {
            case .plain(let range):
                read(range, in: text)
            case .template(let template):
                guard let arguments else {
                    readBrokenLoop(template.line, in: text)
                    continue
                }
                do throws(SyntaxError) {
                    let filled = try template.filled(with: arguments, in: text, state)
                    let range = TokenScanner.trimmed(filled.bytes.indices, of: filled.bytes)
                    read(range, in: filled, isOpen: true)
                } catch {
                    state.add(error, in: text)
                    readBrokenLoop(template.line, in: text)
                }
            case .broken(let range):
                readBrokenLoop(range, in: text)
            }
        }
        closeLoops()
        outerLoops = outer
    }

    /// Reads one line, and returns whether the line has no errors.
    ///
    /// If `isOpen` is false, it is an error if the line contains a parameter. If `isOpen` is true,
    /// parameters are treated as plain text, because they have already been replaced or their
    /// declarations are unknown.
    @discardableResult
    package mutating func read(_ range: Range<Int>, in text: StepText, isOpen: Bool = false) -> Bool
    {
        do throws(SyntaxError) {
            if !isOpen { try LineTemplate.checkAbsence(in: range, of: text.bytes) }
            try readStep(range, in: text)
            return true
        } catch {
            state.add(error, in: text)
            readBrokenLoop(range, in: text)
            return false
        }
    }

    /// Reads one line of a block whose heading has an error.
    ///
    /// Lines that contain parameters are ignored, because the declarations are unknown.
    mutating func readBroken(_ range: Range<Int>, in text: StepText) {
        do throws(SyntaxError) {
            try LineTemplate.checkAbsence(in: range, of: text.bytes)
            read(range, in: text, isOpen: true)
        } catch {
            readBrokenLoop(range, in: text)
        }
    }

    /// Opens or closes a loop if a `repeat` or `end` line has an error.
    ///
    /// Otherwise, the matching `end` or `repeat` line would cause a further error.
    private mutating func readBrokenLoop(_ range: Range<Int>, in text: StepText) {
        var parser = StepParser(text.bytes, at: range, names: names)
        guard let index = parser.take(from: Vocabulary.structureWords) else { return }
        switch Vocabulary.structure[index].word {
        case "repeat":
            let first = steps.count
            loops.append(
                Loop(firstStep: first, count: 1, text: text, range: range, isBroken: true)
            )
        case "end": if loops.count > outerLoops { loops.removeLast() }
        default: break
        }
    }

    /// Ends the block, and reports loops that are not closed.
    mutating func closeLoops() {
        while loops.count > outerLoops {
            let loop = loops.removeLast()
            // Lines are not read after the limit of steps is exceeded, so the `end` line may be
            // among them.
            guard !state.isExhausted, !loop.isBroken else { continue }
            state.add(.loopWithoutEnd(loop.range), in: loop.text)
        }
    }

    private mutating func readStep(_ range: Range<Int>, in text: StepText) throws(SyntaxError) {
        var parser = StepParser(text.bytes, at: range, names: names)
        guard let index = parser.takeStep() else {
            return try readStructure(&parser, range, in: text)
        }
        try readStep(index, parser: &parser, at: range, in: text)
    }

    /// Parses the part of a step after its first word.
    private mutating func readStep(
        _ index: Int,
        parser: inout StepParser,
        at range: Range<Int>,
        in text: StepText,
        isOptional: Bool = false
    ) throws(SyntaxError) {
        try state.countSteps(1, at: range)
        let form = Vocabulary.steps[index]
        let action = try form.parse(&parser)
        var name: String?
        if action.isRequest, parser.take("as") {
            let requestName = try parser.requestName()
            name = requestName
            names.addRequest(requestName)
        }
        try parser.checkEnd(of: form.signature)
        switch action {
        case .bind(let name, _): names.addBinding(name)
        case .snapshot(let name): names.addSnapshot(name)
        case .reload(let path?, _): try checkRoot(of: path, range)
        default: break
        }
        steps.append(
            ScenarioStep(
                action: action,
                word: form.word,
                name: name,
                isOptional: isOptional,
                text: text,
                range: range
            )
        )
    }

    /// Checks that the path of scripts to reload is inside of the root folder.
    ///
    /// The path is relative to the parsed file, even if a macro in another file contains the step.
    private func checkRoot(of path: String, _ range: Range<Int>) throws(SyntaxError) {
        let full = Paths.path(path, from: Paths.folder(of: state.source.name))
        guard state.root.contains(full) else { throw .outsideRoot(path, in: state.root, at: range) }
    }

    // MARK: Structure

    private mutating func readStructure(
        _ parser: inout StepParser,
        _ range: Range<Int>,
        in text: StepText
    ) throws(SyntaxError) {
        let word = parser.wordAhead()
        guard let index = parser.take(from: Vocabulary.structureWords) else {
            if let (subject, act) = parser.subjectAndAct() {
                throw .unknownAct(parser.text(act), act, of: parser.text(subject))
            }
            let found = word.isEmpty ? parser.found() : word
            if Vocabulary.blockWords.index(of: found, in: text.bytes) != nil {
                throw .indentedBlock(parser.text(found), found)
            }
            if Vocabulary.exploringWords.index(of: found, in: text.bytes) != nil {
                throw .exploringOutside(parser.text(found), found)
            }
            throw .unknownStep(parser.text(found), found)
        }
        let form = Vocabulary.structure[index]
        let structure = try form.parse(&parser)
        if case .optional = structure {
            return try readOptional(&parser, range, in: text)
        }
        try parser.checkEnd(of: form.signature)
        switch structure {
        case .loop(let count):
            loops.append(Loop(firstStep: steps.count, count: count, text: text, range: range))
        case .end:
            guard loops.count > outerLoops else { throw .endWithoutLoop(word) }
            try close(loops.removeLast())
        case .call(let name, let arguments):
            try call(name, arguments: arguments, at: range, in: text)
        case .each:
            throw .tableOutside(word)
        case .optional: break
        }
    }

    private mutating func readOptional(
        _ parser: inout StepParser,
        _ range: Range<Int>,
        in text: StepText
    ) throws(SyntaxError) {
        let start = parser
        let index = parser.takeStep()
        guard let index else { throw start.expected(SyntaxError.optionalSteps, after: "'maybe'") }
        let count = steps.count
        try readStep(index, parser: &parser, at: range, in: text, isOptional: true)
        guard steps.count > count, !steps[count].action.isPreparation else { return }
        steps.removeLast()
        throw start.expected(SyntaxError.optionalSteps, after: "'maybe'")
    }

    private mutating func close(_ loop: Loop) throws(SyntaxError) {
        let body = Array(steps[loop.firstStep...])
        let (count, isTooLarge) = body.count.multipliedReportingOverflow(by: loop.count - 1)
        // If the count is too large to compute, use a count that exceeds the limit.
        try state.countSteps(isTooLarge ? ScenarioFile.stepLimit + 1 : count, at: loop.range)
        guard !body.isEmpty else { return }
        for _ in 1..<loop.count { steps += body }
    }

    private mutating func call(
        _ nameRange: Range<Int>,
        arguments: [Range<Int>],
        at range: Range<Int>,
        in text: StepText
    ) throws(SyntaxError) {
        try state.countCall(at: range)
        let name = String(decoding: text.bytes[nameRange], as: UTF8.self)
        guard let macro = state.macros[name] else {
            // If a line that may declare the macro has an error, that error is sufficient.
            let known = state.macros.keys.sorted()
            if state.lacksMacros, Suggestion.nearest(to: name, among: known) == nil { return }
            throw .unknownMacro(name, nameRange, among: known)
        }
        state.calledMacros.insert(name)
        if let start = calls.firstIndex(of: name) {
            throw .macroCycle(calls[start...] + [name], nameRange)
        }
        guard calls.count < Self.callLimit else { throw .callsTooDeep(nameRange, Self.callLimit) }
        let parameters = macro.lines.parameters
        guard arguments.count == parameters.count else {
            throw .wrongArguments(
                macro,
                count: arguments.count,
                arguments.count > parameters.count ? arguments[parameters.count] : nameRange
            )
        }
        calls.append(name)
        read(
            macro.lines,
            arguments.map { StepArgument($0, of: text) },
            in: macro.lines.text.brought(by: .call(text, range))
        )
        calls.removeLast()
    }
}

extension StepParser {
    fileprivate mutating func requestName() throws(SyntaxError) -> String {
        let start = position
        let name = try name("a name", after: "'as'")
        let range = start..<position
        guard name != "not", name != "links", !name.hasPrefix("state."),
            Vocabulary.conditionWords.index(of: range, in: bytes) == nil
        else {
            throw .takenName(
                name,
                what: "a keyword of '\(name == "links" ? "cancel" : "expect")'",
                at: range
            )
        }
        skipSpace()
        return name
    }
}

extension SyntaxError {
    fileprivate static func loopWithoutEnd(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOpen,
            message: "'repeat' has no 'end'",
            range: range,
            help: "end the repeated steps with 'end' on a separate line"
        )
    }

    fileprivate static func unknownAct(
        _ act: String,
        _ range: Range<Int>,
        of subject: String
    ) -> SyntaxError {
        let acts = Vocabulary.acts[subject] ?? []
        guard act.isEmpty else {
            return .unknown("'\(subject)' step", word: act, at: range, among: acts)
        }
        let list = acts.map { "'\($0)'" }
        let known = list.dropLast().joined(separator: ", ") + " or " + (list.last ?? "")
        return .expected(known, after: "'\(subject)'", got: nil, range)
    }

    /// The steps that are allowed after `maybe`.
    fileprivate static let optionalSteps = "'stub', 'host refuses' or 'ready'"

    fileprivate static func endWithoutLoop(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .misplaced, message: "'end' has no matching 'repeat'", range: range)
    }

    fileprivate static func exploringOutside(
        _ word: String,
        _ range: Range<Int>
    ) -> SyntaxError {
        SyntaxError(
            code: .misplaced,
            message: "'\(word)' is allowed only in an 'explore' block",
            range: range,
            help: "begin the block with 'explore \"NAME\"' in the first column"
        )
    }

    fileprivate static func tableOutside(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .misplaced,
            message: "'each' must be at the end of a scenario",
            range: range
        )
    }

    fileprivate static func unknownMacro(
        _ name: String,
        _ range: Range<Int>,
        among known: [String]
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "no macro is named '\(name)'" + Suggestion.hint(for: name, among: known),
            range: range,
            help: "declare the macro with 'macro \(name)' in the first column"
        )
    }

    fileprivate static func macroCycle(
        _ names: [String],
        _ range: Range<Int>
    ) -> SyntaxError {
        SyntaxError(
            code: .cycle,
            message: "macro '\(names[0])' calls itself (\(names.joined(separator: " → ")))",
            range: range
        )
    }

    fileprivate static func callsTooDeep(_ range: Range<Int>, _ limit: Int) -> SyntaxError {
        SyntaxError(
            code: .tooManySteps,
            message: "macro calls are nested too deeply (at most \(limit) levels expected)",
            range: range
        )
    }

    fileprivate static func wrongArguments(
        _ macro: Macro,
        count: Int,
        _ range: Range<Int>
    ) -> SyntaxError {
        let parameters = macro.lines.parameters.map { " <\($0)>" }.joined()
        let expected =
            switch macro.lines.parameters.count {
            case 0: "no arguments"
            case 1: "1 argument"
            case let count: "\(count) arguments"
            }
        return SyntaxError(
            code: .missing,
            message: "macro '\(macro.name)' takes \(expected), got \(count)",
            range: range,
            help: "the form is 'do \(macro.name)\(parameters)'"
        )
    }
}
