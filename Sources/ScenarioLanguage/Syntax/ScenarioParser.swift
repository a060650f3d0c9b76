// SPDX-License-Identifier: MIT

package import RouteFiles

/// A parser of scenario files.
///
/// After an error, parsing continues with the next line. One pass finds all errors of a file.
package struct ScenarioParser {
    let state: ParseState
    let document: Document
    var file: ScenarioFile
    private var useLine: Int?
    private var settingLines: [ScenarioSettings.Key: Int] = [:]
    /// The names that the background introduces.
    ///
    /// Every scenario can use these names.
    let backgroundNames = NameScope()
    /// The line of each scenario that was read so far, by name.
    private var scenarioLines: [String: Int] = [:]

    private init(_ source: SourceText, in root: FileRoot?, files: Files) {
        file = ScenarioFile(source)
        state = ParseState(source, in: root, files: files)
        document = Document(source, state)
    }

    /// Parses a text, and the files that it names with `include` and `each from`.
    ///
    /// All paths must be in the nearest folder above the file that contains `luaroute.json` or
    /// `.git`, or in the working directory if there is no such folder.
    ///
    /// - Returns: The parsed file, or all errors in the order of their locations.
    package static func parse(_ source: SourceText) -> Result<ScenarioFile, Diagnostics> {
        parse(source, in: nil)
    }

    /// Parses a text whose paths must all be in the given folder.
    package static func parse(
        _ source: SourceText,
        in root: FileRoot?,
        files: Files = .disk
    ) -> Result<ScenarioFile, Diagnostics> {
        let (file, errors) = read(source, in: root, files: files)
        return errors.isEmpty
            ? .success(file) : .failure(Diagnostics(list: errors, inputs: file.inputs))
    }

    /// Parses a text, leaving out lines with errors.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - root: The folder that must contain all paths, or nil for the default.
    ///   - files: The source from which other files are read.
    /// - Returns: The parsed file without the lines that have errors, and all errors in the order
    ///   of their locations.
    package static func read(
        _ source: SourceText,
        in root: FileRoot?,
        files: Files = .disk
    ) -> (file: ScenarioFile, errors: [Diagnostic]) {
        guard source.bytes.count <= ScenarioFile.sizeLimit else {
            let error = BundleError.tooLarge(source.name, limit: ScenarioFile.sizeLimit)
            return (ScenarioFile(source), [Diagnostic(.fileTooLarge, error.message)])
        }
        var parser = ScenarioParser(source, in: root, files: files)
        parser.run()
        parser.file.inputs = parser.state.inputs
        return (parser.file, parser.state.diagnostics)
    }

    private mutating func run() {
        var library = ScenarioLibrary(state)
        library.add(document) { section throws(SyntaxError) in try readSetting(section) }
        readBackgrounds(library)
        readStraySteps()
        for (index, section) in document.sections.enumerated() where !state.isExhausted {
            state.anchor = section.heading.lowerBound
            switch section.block {
            case .scenario(let heading): readScenario(heading, index)
            case .explore(let heading): readExploration(heading, section)
            case nil: readBroken(section)
            case .use, .include, .set, .background, .macro: break
            }
        }
        checkUncalledMacros()
    }

    // MARK: Settings

    private mutating func readSetting(_ section: Document.Section) throws(SyntaxError) {
        switch section.block {
        case .use(let path):
            if let useLine { throw .twice("use", section.word, firstLine: useLine) }
            useLine = section.line
            file.use = path
        case .set(let setting):
            if let line = settingLines[setting.key] {
                throw .twice("set \(setting.key.rawValue)", section.word, firstLine: line)
            }
            settingLines[setting.key] = section.line
            file.settings.apply(setting)
        case .include, .background, .macro, .scenario, .explore, nil: break
        }
    }

    // MARK: Background steps

    private mutating func readBackgrounds(_ library: ScenarioLibrary) {
        for background in library.backgrounds where !state.isExhausted {
            var writer = StepWriter(state, backgroundNames)
            for line in background.document.lines[background.body] where !state.isExhausted {
                writer.read(line.range, in: background.document.text)
            }
            writer.closeLoops()
            file.background += writer.steps
        }
    }

    /// Parses steps outside of blocks, in order to report any further errors in these steps.
    private func readStraySteps() {
        let blocks = document.sections.compactMap { section -> Range<Int>? in
            switch section.block {
            case .use, .include, .set: section.body
            case .background, .macro, .scenario, .explore, nil: nil
            }
        }
        for body in [document.stray] + blocks {
            for line in document.lines[body] where !state.isExhausted {
                var writer = StepWriter(state, .unknown)
                guard writer.read(line.range, in: document.text) else { continue }
                let parser = StepParser(document.text.bytes, at: line.range, names: .unknown)
                state.add(.stepOutside(parser.wordAhead()), in: document.text)
            }
        }
    }

    /// Parses the steps of a block whose heading has an error, in order to report errors in the
    /// steps.
    private func readBroken(_ section: Document.Section) {
        var writer = StepWriter(state, NameScope(after: backgroundNames))
        for line in document.lines[section.body] where !state.isExhausted {
            if StepParser.opensTable(line.range, in: document.text.bytes) { break }
            writer.readBroken(line.range, in: document.text)
        }
        writer.closeLoops()
    }

    /// Checks the macros that no step calls.
    ///
    /// Lines with parameters cannot be checked, because there are no arguments.
    private mutating func checkUncalledMacros() {
        let uncalled = state.macros.filter { !state.calledMacros.contains($0.key) }
        state.forgetCounts()
        for (name, macro) in uncalled.sorted(by: { $0.key < $1.key }) where !state.isExhausted {
            guard !state.calledMacros.contains(name) else { continue }
            var writer = StepWriter(state, .unknown, in: name)
            writer.read(macro.lines, nil, in: macro.lines.text)
            file.uncalledSteps += writer.steps
        }
    }

    // MARK: Scenarios

    private mutating func readScenario(
        _ heading: Vocabulary.ScenarioHeading,
        _ index: Int
    ) {
        let section = document.sections[index]
        let lines = document.lines[section.body]
        let text = document.text
        checkName(of: heading, section)
        let problemCount = state.problemCount
        defer { checkSteps(of: heading, index, problemCount) }
        if let table = lines.firstIndex(where: { StepParser.opensTable($0.range, in: text.bytes) })
        {
            return readRows(heading, section, table: table)
        }
        var writer = StepWriter(
            state,
            NameScope(after: backgroundNames),
            lineCount: lines.count
        )
        for line in lines where !state.isExhausted { writer.read(line.range, in: text) }
        writer.closeLoops()
        var scenario = Scenario(heading, section, of: file.source)
        scenario.steps = writer.steps
        file.scenarios.append(scenario)
    }
}

extension ScenarioParser {
    private mutating func readExploration(
        _ heading: Vocabulary.ScenarioHeading,
        _ section: Document.Section
    ) {
        checkName(of: heading, section)
        var reader = ExplorationReader(
            Exploration(heading, section),
            in: state,
            names: NameScope(after: backgroundNames)
        )
        for line in document.lines[section.body] where !state.isExhausted {
            reader.read(line.range, in: document.text)
        }
        file.explorations.append(reader.finish())
    }

    /// Checks that a scenario contains steps, unless it is skipped or has another error.
    private func checkSteps(
        of heading: Vocabulary.ScenarioHeading,
        _ index: Int,
        _ problemCount: Int
    ) {
        guard heading.mode != .skip, state.problemCount == problemCount,
            document.isEmptySection(index)
        else { return }
        let word = document.sections[index].word
        state.add(.noSteps(heading.name, word), in: document.text)
    }

    /// Checks that no other scenario has the same name.
    private mutating func checkName(
        of heading: Vocabulary.ScenarioHeading,
        _ section: Document.Section
    ) {
        if let line = scenarioLines[heading.name] {
            state.add(
                .scenarioTwice(heading.name, at: section.heading, line: line),
                in: document.text
            )
        } else {
            scenarioLines[heading.name] = section.line
        }
    }
}

extension SyntaxError {
    fileprivate static func noSteps(_ name: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .noSteps,
            message: "scenario '\(name)' has no steps",
            range: range,
            help: "add indented steps below the heading, or replace 'scenario' with 'skip' "
                + "to add them later"
        )
    }

    fileprivate static func scenarioTwice(
        _ name: String,
        at range: Range<Int>,
        line: Int
    ) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "another scenario is named '\(name)' (on line \(line))",
            range: range,
            help: "give each scenario a unique name, which identifies it in reports"
        )
    }
}
