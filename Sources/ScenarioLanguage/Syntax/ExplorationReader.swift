// SPDX-License-Identifier: MIT

/// A reader of the lines of an `explore` block.
struct ExplorationReader {
    /// The maximum number of steps to which the alternatives of one line may expand.
    private static let choiceLimit = 1_000

    private var exploration: Exploration
    private let state: ParseState
    private let names: NameScope
    /// The writer for the steps before the search.
    private var writer: StepWriter

    init(_ exploration: Exploration, in state: ParseState, names: NameScope) {
        (self.exploration, self.state, self.names) = (exploration, state, names)
        writer = StepWriter(state, names)
    }

    /// Returns the exploration.
    ///
    /// Call this function after the last line.
    mutating func finish() -> Exploration {
        writer.closeLoops()
        exploration.steps = writer.steps
        return exploration
    }

    /// Reads one line of the block.
    package mutating func read(_ range: Range<Int>, in text: StepText) {
        var parser = StepParser(text.bytes, at: range, names: names)
        guard let index = parser.take(from: Vocabulary.exploringWords) else {
            writer.read(range, in: text)
            return
        }
        do throws(SyntaxError) {
            try LineTemplate.checkAbsence(in: range, of: text.bytes)
            let form = Vocabulary.exploring[index]
            let line = try form.parse(&parser)
            try parser.checkEnd(of: form.signature)
            try add(line, range, in: text)
        } catch {
            state.add(error, in: text)
        }
    }

    private mutating func add(
        _ line: Vocabulary.Exploring,
        _ range: Range<Int>,
        in text: StepText
    ) throws(SyntaxError) {
        func rule(_ property: Exploration.Rule.Property) {
            exploration.rules.append(
                Exploration.Rule(
                    property: property,
                    text: text.text(range).split { $0.isWhitespace }.joined(separator: " "),
                    location: Span(text.source, range)
                )
            )
        }
        func condition(_ part: Range<Int>) -> ScenarioStep? {
            step([part], after: "expect ", range, in: text)
        }
        switch line {
        case .can(let step, let from):
            try addChoices(step, from: from, range, in: text)
        case .never(let part, let when):
            guard let never = condition(part) else { return }
            let whenStep = when.flatMap { condition($0) }
            if (when == nil) == (whenStep == nil) { rule(.never(never, when: whenStep)) }
        case .neverDeeper(let count): rule(.neverDeeper(than: count))
        case .neverError(let code): rule(.neverError(code))
        case .always(let part, let steps):
            if let goal = condition(part) { rule(.always(goal, steps: steps)) }
        case .bound(let bounds):
            let known = exploration.bounds
            if known.depth != nil, bounds.depth != nil { throw .boundTwice("depth", range) }
            if known.states != nil, bounds.states != nil { throw .boundTwice("states", range) }
            if known.time != nil, bounds.time != nil { throw .boundTwice("time", range) }
            exploration.bounds = bounds.completed(by: known)
        }
    }

    private mutating func addChoices(
        _ part: Range<Int>,
        from: Range<Int>?,
        _ line: Range<Int>,
        in text: StepText
    ) throws(SyntaxError) {
        guard
            let alternatives = Alternatives.expand(part, of: text.bytes, limit: Self.choiceLimit)
        else { throw .tooManyAlternatives(part, Self.choiceLimit) }
        let condition = from.flatMap { step([$0], after: "expect top ", line, in: text) }
        for segments in alternatives {
            guard let step = step(segments, after: "", line, in: text) else { return }
            let word = part.lowerBound..<part.lowerBound + step.word.utf8.count
            guard !step.action.isLooking else { throw .onlyReads(step.word, word) }
            guard step.name == nil else { throw .namedChoice(word) }
            exploration.choices.append(Exploration.Choice(step: step, condition: condition))
        }
    }

    /// Parses parts of a line as one step, and reports the errors of the step.
    private func step(
        _ segments: [Range<Int>],
        after word: String,
        _ line: Range<Int>,
        in text: StepText
    ) -> ScenarioStep? {
        var bytes = Array(word.utf8)
        var pieces: [StepText.Piece] = []
        if !bytes.isEmpty {
            let offset = segments.first?.lowerBound ?? line.lowerBound
            pieces.append(StepText.Piece(start: 0, origin: .words(offset)))
        }
        for segment in segments {
            pieces.append(
                StepText.Piece(start: bytes.count, origin: .words(segment.lowerBound))
            )
            bytes += text.bytes[segment]
        }
        let composed = StepText(bytes, pieces, for: line, of: text)
        var writer = StepWriter(state, names)
        let range = TokenScanner.trimmed(bytes.indices, of: bytes)
        guard writer.read(range, in: composed, isOpen: true) else { return nil }
        guard writer.steps.count == 1 else {
            let found = StepParser(bytes, at: range, names: names).wordAhead()
            state.add(
                .expected("a single step", got: composed.text(found), found),
                in: composed
            )
            return nil
        }
        return writer.steps[0]
    }
}

extension SyntaxError {
    fileprivate static func boundTwice(_ bound: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(code: .twice, message: "bound '\(bound)' is given twice", range: range)
    }

    /// The error for a step after `can` that cannot change the state.
    fileprivate static func onlyReads(_ word: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .missing,
            message: "'can' cannot be followed by '\(word)', which does not change the state",
            range: range
        )
    }

    /// The error for a step after `can` with `as NAME`.
    fileprivate static func namedChoice(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .missing,
            message: "a step after 'can' cannot have a name (remove 'as NAME')",
            range: range
        )
    }

    fileprivate static func tooManyAlternatives(
        _ range: Range<Int>,
        _ limit: Int
    ) -> SyntaxError {
        SyntaxError(
            code: .tooManySteps,
            message: "the alternatives expand to more than \(limit) steps",
            range: range
        )
    }
}
