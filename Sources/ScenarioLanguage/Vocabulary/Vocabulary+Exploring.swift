// SPDX-License-Identifier: MIT

package import RouteCore

extension Vocabulary {
    /// A line of an `explore` block that is not a step.
    ///
    /// The ranges are the parts of the line that are parsed later as steps or conditions.
    package enum Exploring: Sendable {
        /// `can`, with a step and the pattern of the visible screen that is required for this step.
        case can(Range<Int>, from: Range<Int>?)
        /// `never CONDITION`, with the condition under which the rule applies.
        case never(Range<Int>, when: Range<Int>?)
        /// `never depth over COUNT`.
        case neverDeeper(than: Int)
        /// `never error CODE`.
        case neverError(RouteError.Code)
        /// `always reach CONDITION by user in COUNT`.
        case always(Range<Int>, steps: Int)
        /// `bound`, with the limits of the search.
        case bound(Exploration.Bounds)
    }

    static let exploringWords = NameIndex(exploring.map(\.word))

    /// The lines of `explore` blocks that are not steps.
    package static let exploring: [Form<Exploring>] = [
        Form(
            "can STEP [from SCREEN]",
            "allows the search to take the step; with 'from', only while the given screen is visible. If the block has no 'can' line, the search takes every step that the scripts offer. '|' separates alternatives, as in '1|2'; the alternative 'nothing' leaves the text out",
            example: [
                "can navigate Show/open(id=1|2)", "can navigate Orders/show from Home",
                "can close Login {name=\"ann\"} | nothing", "can user back", "bound depth 3",
            ]
        ) { parser throws(SyntaxError) in
            let end = parser.end
            let from = parser.separator("from")
            let step = try parser.part(upTo: from?.lowerBound ?? end, "a step") {
                part throws(SyntaxError) in
                part.readStep()
            }
            guard let from else { return .can(step, from: nil) }
            parser.skip(to: from.upperBound)
            return .can(
                step,
                from: try parser.part(upTo: end, "a screen") { part throws(SyntaxError) in
                    try part.screen()
                }
            )
        },
        Form(
            "never CONDITION [when CONDITION] | depth over COUNT | error CODE",
            "forbids a condition after every step (with 'when', only while the second condition is true), a visible stack of more than COUNT screens, or an error",
            example: [
                "can navigate Show/open(id=1)", "can user back",
                "never top Orders when state.user = nil", "never depth over 3",
                "never error script", "bound depth 3",
            ]
        ) { parser throws(SyntaxError) in
            var ahead = parser
            if ahead.take("depth"), ahead.take("over") {
                parser = ahead
                return .neverDeeper(than: try parser.count("a count", from: 0))
            }
            if ahead.take("error"), ahead.isLastWord {
                parser = ahead
                return .neverError(try parser.word("error code", as: RouteError.Code.self))
            }
            let end = parser.end
            let when = parser.separator("when")
            let condition = try parser.condition(upTo: when?.lowerBound ?? end)
            guard let when else { return .never(condition, when: nil) }
            parser.skip(to: when.upperBound)
            return .never(condition, when: try parser.condition(upTo: end))
        },
        Form(
            "always reach CONDITION by user in COUNT",
            "requires that, from every state, the user can make the condition true within the given number of 'user' and 'close' steps",
            example: [
                "can navigate Show/open(id=1)", "always reach top Home by user in 2",
                "bound depth 2",
            ]
        ) { parser throws(SyntaxError) in
            guard parser.take("reach") else { throw parser.expected("'reach'") }
            guard let by = parser.separator("by") else {
                parser.skip(to: parser.end)
                throw parser.expected("'by user in' and a count")
            }
            let condition = try parser.condition(upTo: by.lowerBound)
            parser.skip(to: by.upperBound)
            guard parser.take("user") else { throw parser.expected("'user'") }
            guard parser.take("in") else { throw parser.expected("'in'") }
            return .always(condition, steps: try parser.count("a count", from: 0))
        },
        Form(
            "bound [depth COUNT] [states COUNT] [time DURATION]",
            "limits the number of steps from the start, the number of states, and the time of the search",
            example: ["can navigate Show/open(id=1)", "bound depth 2 states 100 time 10s"]
        ) { parser throws(SyntaxError) in
            .bound(try parser.bounds())
        },
    ]
}

extension StepParser {
    /// Whether exactly one word remains in the line.
    fileprivate var isLastWord: Bool {
        let ahead = wordAhead()
        return !ahead.isEmpty && ahead.upperBound == end
    }

    /// Returns the last occurrence of a word that is outside of brackets and has white space around
    /// it, or nil if there is none.
    fileprivate func separator(_ word: String) -> Range<Int>? {
        var scanner = TokenScanner(bytes, position..<end)
        var depth = 0
        var isAtWordStart = false
        var result: Range<Int>?
        while scanner.position < end {
            let start = scanner.position
            guard let token = scanner.next() else { break }
            switch token {
            case .open: depth += 1
            case .close: depth -= 1
            case .other where isAtWordStart && depth == 0:
                let range = start..<min(end, start + word.utf8.count)
                if bytes[range].elementsEqual(word.utf8), range.upperBound < end,
                    bytes[range.upperBound].isSpace
                {
                    result = range
                }
            default: break
            }
            isAtWordStart = if case .space = token { true } else { false }
        }
        return result
    }

    fileprivate mutating func condition(upTo end: Int) throws(SyntaxError) -> Range<Int> {
        try part(upTo: end, "a condition") { part throws(SyntaxError) in
            try part.expectation(isCheck: false)
        }
    }

    /// Skips a part of the line that is parsed later.
    ///
    /// - Parameters:
    ///   - end: The position after the part and after the white space that follows it.
    ///   - what: The name of the part, for the error if the part is empty.
    ///   - read: Parses the part, in order to find ranges in it that have special rules for white
    ///     space.
    /// - Returns: The range of the part.
    /// - Throws: An error if the part is empty.
    fileprivate mutating func part<Ignored>(
        upTo end: Int,
        _ what: String,
        reading read: (inout StepParser) throws(SyntaxError) -> Ignored
    ) throws(SyntaxError) -> Range<Int> {
        let range = TokenScanner.trimmed(position..<end, of: bytes)
        guard !range.isEmpty else { throw expected(what) }
        if spacing != nil {
            var inner = StepParser(bytes, at: range, names: names)
            inner.spacing = Spacing()
            if (try? read(&inner)) != nil, inner.isAtEnd, let found = inner.spacing {
                spacing?.verbatim += found.verbatim
                spacing?.notations += found.notations
            } else {
                // A part with alternatives cannot be parsed as a step, so its white space is kept.
                spacing?.verbatim.append(range)
            }
        }
        skip(to: end)
        return range
    }

    /// Parses a step, or returns nil if the next words are not a step.
    fileprivate mutating func readStep() -> ScenarioStep.Action? {
        takeStep().flatMap { try? Vocabulary.steps[$0].parse(&self) }
    }

    fileprivate mutating func bounds() throws(SyntaxError) -> Exploration.Bounds {
        var bounds = Exploration.Bounds()
        if isAtEnd { throw expected("'depth', 'states' or 'time'") }
        while !isAtEnd {
            let word = wordAhead()
            if bounds.depth == nil, take("depth") {
                bounds.depth = try count("a count", from: 0)
            } else if bounds.states == nil, take("states") {
                bounds.states = try count("a count", from: 1)
            } else if bounds.time == nil, take("time") {
                bounds.time = try duration()
            } else {
                throw .unknown(
                    "bound",
                    word: text(word),
                    at: word,
                    among: ["depth", "states", "time"]
                )
            }
        }
        return bounds
    }
}
