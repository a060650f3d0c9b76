// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Reads scenario files.
///
/// An error ends its line alone: all errors of a file are found in one pass.
package struct ScenarioParser {
    private enum Open {
        case nothing
        case background
        case scenario
        /// A block whose first line has an error: its steps are read for their own errors.
        case broken
    }

    private let reader: LineReader
    private var file: ScenarioFile
    private var errors: [SyntaxError]
    private var open = Open.nothing
    private var useLine: Int?
    private var backgroundLine: Int?
    private var stepCount = 0

    /// The names given in the background, which hold in every scenario after it.
    private var backgroundNames = NameScope()
    private var names = NameScope()

    private init(_ source: SourceText) {
        file = ScenarioFile(source)
        reader = LineReader(source)
        errors = reader.errors
    }

    /// Parses a text.
    ///
    /// - Returns: The file, or all its errors in the order of their places.
    package static func parse(_ source: SourceText) -> Result<ScenarioFile, Diagnostics> {
        guard source.bytes.count <= ScenarioFile.sizeLimit else {
            let error = SyntaxError.fileTooLarge(source.bytes.count)
            return .failure(Diagnostics(list: [error.diagnostic(in: source)]))
        }
        var parser = ScenarioParser(source)
        parser.run()
        guard parser.errors.isEmpty else {
            let sorted = parser.errors.sorted { $0.range.lowerBound < $1.range.lowerBound }
            return .failure(Diagnostics(list: sorted.map { $0.diagnostic(in: source) }))
        }
        return .success(parser.file)
    }

    private mutating func run() {
        for line in reader.lines {
            do throws(SyntaxError) {
                if line.isIndented {
                    try readStep(line.range)
                } else {
                    closeScenario(before: line.range.lowerBound)
                    try readBlock(line.range)
                }
            } catch {
                errors.append(error)
            }
            if stepCount > ScenarioFile.stepLimit { return }
        }
        closeScenario(before: nil)
    }

    // MARK: Blocks

    private mutating func readBlock(_ range: Range<Int>) throws(SyntaxError) {
        open = .broken
        var parser = StepParser(reader.bytes, range, names)
        let word = parser.wordAhead()
        guard let index = parser.take(from: Vocabulary.blockWords) else {
            let range = word.isEmpty ? parser.found() : word
            throw .unknownBlock(
                parser.text(range),
                range,
                isStep: Vocabulary.stepWords.index(of: word, in: reader.bytes) != nil
            )
        }
        let form = Vocabulary.blocks[index]
        let block = try form.parse(&parser)
        try parser.checkEnd(of: form.signature)
        let line = file.source.lineNumber(at: range.lowerBound)
        switch block {
        case .use(let use):
            open = .nothing
            if let useLine { throw .twice("use", word, firstLine: useLine) }
            useLine = line
            file.use = use
        case .background:
            open = .background
            if let backgroundLine { throw .twice("background", word, firstLine: backgroundLine) }
            backgroundLine = line
            names = NameScope()
        case .scenario(let name, let tags, let mode):
            open = .scenario
            names = NameScope(after: backgroundNames)
            var scenario = Scenario(
                name: name,
                tags: tags,
                mode: mode,
                range: range,
                line: line,
                lastLine: line
            )
            // Most have fewer: growing from one step on is what costs.
            scenario.steps.reserveCapacity(12)
            file.scenarios.append(scenario)
        }
    }

    /// Tells the last scenario where it ends: before an offset, or with the file.
    private mutating func closeScenario(before offset: Int?) {
        guard case .scenario = open else { return }
        let source = file.source
        let last = offset.map { source.lineNumber(at: $0) - 1 } ?? source.lineCount
        file.scenarios[file.scenarios.count - 1].lastLine = last
    }

    // MARK: Steps

    private mutating func readStep(_ range: Range<Int>) throws(SyntaxError) {
        stepCount += 1
        if stepCount > ScenarioFile.stepLimit { throw .tooManySteps(range) }
        var parser = StepParser(reader.bytes, range, names)
        let word = parser.wordAhead()
        guard let index = parser.take(from: Vocabulary.stepWords) else {
            let range = word.isEmpty ? parser.found() : word
            throw .unknownStep(parser.text(range), range)
        }
        let form = Vocabulary.steps[index]
        let action = try form.parse(&parser)
        var name: String?
        if action.isRequest, parser.take("as") {
            let requestName = try parser.requestName()
            name = requestName
            names.requests.insert(requestName)
        }
        try parser.checkEnd(of: form.signature)
        if case .bind(let name, _) = action { names.bindings.insert(name) }
        if case .nothing = open { throw .stepOutside(word) }
        add(Step(action: action, name: name, range: range))
    }

    private mutating func add(_ step: consuming Step) {
        switch open {
        case .nothing, .broken: break
        case .background:
            file.background.append(step)
            backgroundNames = names
        case .scenario:
            file.scenarios[file.scenarios.count - 1].steps.append(step)
        }
    }
}

/// All that is wrong with a file.
package struct Diagnostics: Error {
    /// The diagnostics, in the order of their places.
    package let list: [Diagnostic]
}

extension StepParser {
    fileprivate mutating func requestName() throws(SyntaxError) -> String {
        let start = position
        let name = try name("a name after 'as'")
        let range = start..<position
        guard name != "not", Vocabulary.conditionWords.index(of: range, in: bytes) == nil else {
            throw .takenName(name, range)
        }
        skipSpace()
        return name
    }
}
