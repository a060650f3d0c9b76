// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// An interactive session, in which a user enters steps line by line and can undo lines.
///
/// Undo restores the whole state: the screens, the script state, the clock, pending work, and the
/// variables and waiting coroutines of the scripts.
struct Repl {
    /// The maximum number of lines that can be undone.
    ///
    /// Each line keeps a copy of the whole state in memory.
    static let undoLimit = 200

    /// A line that has been executed, with the information that is needed to save the line.
    private struct Entry {
        let line: String
        /// The step; nil if the line is not a step.
        let step: ScenarioStep?
        /// The sequence number of the last event after the line.
        let sequence: Int
        /// The later `expect` lines that were true in the state after this line.
        var looks: [String] = []
    }

    /// A state that can be restored.
    private struct Point {
        let names: NameScope
        let restore: () -> Void
    }

    /// The text that is printed for a line.
    struct Output {
        var text: PrintedText = ""
        /// Whether the line failed.
        var isFailed = false
    }

    let session: Session
    private let script: String
    private var names = NameScope()
    /// The lines so far, followed by the undone lines.
    ///
    /// The first entry represents the loading of the scripts.
    private var entries: [Entry] = []
    /// The states after the most recent entries.
    private var points: [Point] = []
    /// The index of the last entry that has not been undone.
    private var current = 0
    private var style = TerminalStyle()
    private let width: Int?

    /// The source of the steps.
    ///
    /// The source has no content, because there is no file.
    private static let source = SourceText(name: "repl", content: [])

    /// Loads the scripts at a path.
    init(
        _ script: String,
        _ options: RunOptions,
        style: TerminalStyle,
        width: Int?
    ) throws(LoadedScripts.Failure) {
        let bundle: ScriptBundle
        do throws(BundleError) {
            bundle = try ScriptBundle(path: script)
        } catch {
            throw LoadedScripts.Failure(error, at: nil)
        }
        var file = ScenarioFile(Self.source)
        file.settings.apply(.strict(false))
        var options = options
        options.script = script
        do throws(RouteError) {
            session = try Session(
                Scenario(Exploration(name: "Lines of a session"), of: Self.source),
                of: file,
                scripts: bundle,
                options
            )
            (self.script, self.style, self.width) = (script, style, width)
            try keep("", nil)
        } catch {
            throw LoadedScripts.Failure(loading: error, of: bundle, usedAt: nil)
        }
    }

    // MARK: Lines

    /// Executes a line.
    mutating func enter(_ line: String) -> Output {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first, !word.hasPrefix("#") else { return Output() }
        let rest = words.count > 1 ? words[1] : ""
        if let command = Self.commands.first(where: { $0.word == word }) {
            return command.run(&self, rest.split(separator: " ").joined(separator: " "))
        }
        if word == "reload", rest.isEmpty { return reload() }
        return Self.isStep(line) ? take(line) : assign(line) ?? evaluate(line)
    }

    /// Runs a line `router.state.KEY = VALUE` as the step `set`, so that the assignment can be
    /// saved.
    ///
    /// - Returns: The output; nil if the line is not such an assignment, or if the step `set`
    ///   cannot express the value.
    private mutating func assign(_ line: String) -> Output? {
        let prefix = "router.state."
        guard line.hasPrefix(prefix), let sign = line.firstIndex(of: "="),
            line[line.index(after: sign)...].first != "="
        else { return nil }
        let name = line[..<sign].dropFirst(prefix.count).split(separator: " ")
        let expression = line[line.index(after: sign)...]
        let router = session.app.router
        // Only a single expression can be the operand of `return`.
        guard name.count == 1, !name[0].contains("."), Name.isValid(String(name[0])),
            (try? router.evaluate("function() return (\(expression)\n) end")) != nil
        else { return nil }
        let count = session.log.events.count
        let value = try? router.evaluate(String(expression))
        let isNil = expression.allSatisfy { "nil ".contains($0) }
        guard let value, value.isNil == isNil, value.pathToReference == nil,
            session.log.events.count == count
        else {
            restore()
            return nil
        }
        let text = "set state.\(name[0]) = \(RecordedText.printer.value(value))"
        return StepWriter.step(text) == nil ? nil : take(text)
    }

    /// Returns whether a line begins with the words of a step, possibly misspelled.
    private static func isStep(_ line: String) -> Bool {
        let words = line.split(separator: " ").prefix(2)
        let first = words.first.map(String.init) ?? ""
        if allWords.contains(first) { return true }
        // Excludes calls and assignments in Lua.
        guard first.allSatisfy({ $0.isLetter }), words.last != "=" else { return false }
        return !Suggestion.hint(for: first, among: allWords).isEmpty
    }

    /// The names of all steps and commands, and each word in these names.
    static var allWords: [String] {
        var words = Vocabulary.steps.map(\.word) + commands.map(\.word) + ["save", "quit"]
        words += words.flatMap { $0.split(separator: " ").map(String.init) }
        return Set(words).sorted()
    }

    /// Executes a step.
    private mutating func take(_ line: String) -> Output {
        let source = SourceText(name: "repl", content: Array(line.utf8))
        // The user at the prompt may name any file.
        let state = ParseState(source, in: FileRoot(folder: "/"))
        let names = NameScope(after: names)
        var writer = StepWriter(state, names)
        writer.read(source.bytes.indices, in: StepText(source, source.bytes))
        let diagnostics = state.diagnostics
        guard let step = writer.steps.first, diagnostics.isEmpty else {
            return failure(diagnostics)
        }
        let (before, count) = (session.app.router.tree, session.log.events.count)
        do throws(Diagnostic) {
            try session.take(step)
        } catch {
            // A failed step has changed nothing.
            let output = failure([error])
            restore()
            return output
        }
        self.names = names
        return end(line, step: step, before: before, count: count)
    }

    /// Executes a line of Lua.
    private mutating func evaluate(_ line: String) -> Output {
        let (before, count) = (session.app.router.tree, session.log.events.count)
        do throws(RouteError) {
            let value = try session.app.router.evaluate(line)
            var output = end(line, step: nil, before: before, count: count)
            if !value.isNil {
                output.text = "\(session.printer.value(value))\n\(output.text)"
            }
            return output
        } catch {
            restore()
            return Output(
                text: "\(style.red("✘")) \(error.code.rawValue): \(error.message)\n",
                isFailed: true
            )
        }
    }

    /// Returns the effects of an executed line as text, and keeps the state after the line for
    /// `undo`.
    private mutating func end(
        _ line: String,
        step: ScenarioStep?,
        before: ScreenTree,
        count: Int
    ) -> Output {
        var output = Output()
        for event in session.log.events[count...] where event.kind == .log {
            output.text += "\(EventLine(event: event, printer: session.printer).text)\n"
        }
        if let step { output.text += shown(by: step) }
        output.text += changes(since: before)
        if step.map(\.action.isLooking) != true {
            keep(line, step: step, output: &output)
        } else if case .expect(let expectation) = step?.action, expectation.name == nil {
            entries[current].looks.append(line)
        }
        return output
    }

    private mutating func keep(_ line: String, step: ScenarioStep?, output: inout Output) {
        while true {
            do throws(RouteError) {
                return try keep(line, step)
            } catch {
                // Removes the older half of the states to free memory.
                if points.count > 1 {
                    points.removeFirst(points.count / 2)
                    continue
                }
                output.text += "this line cannot be undone: \(error.message)\n"
                return
            }
        }
    }

    /// Records a line and the current state, and discards undone lines.
    ///
    /// - Throws: `budget` if there is not enough memory for the state.
    private mutating func keep(_ line: String, _ step: ScenarioStep?) throws(RouteError) {
        let undone = entries.count - min(entries.count, current + 1)
        points.removeLast(undone)
        entries.removeLast(undone)
        points.append(Point(names: NameScope(after: names), restore: try session.restoration()))
        entries.append(
            Entry(line: line, step: step, sequence: session.log.events.last?.sequence ?? 0)
        )
        if points.count > Self.undoLimit + 1 { points.removeFirst() }
        current = entries.count - 1
    }

    /// The index of the first entry whose state is kept.
    private var firstKept: Int { entries.count - points.count }

    /// Restores the state after the entry with the given index, or after the current entry if the
    /// index is nil.
    private func restore(_ index: Int? = nil) {
        points[(index ?? current) - firstKept].restore()
    }

    // MARK: Printing

    /// Returns the text that a step prints, or the status of the request that the step made.
    private func shown(by step: ScenarioStep) -> PrintedText {
        let index = session.cursor.steps.count - 1
        switch step.action {
        case .show:
            return session.log.notes.filter { $0.index == index }
                .map { TraceWriter.text(of: $0.note, margin: "") }.joined()
        case .expect: return "\(style.green("✔"))\n"
        case .reload:
            let reload = session.log.events.last { $0.kind == .reload }
            guard let reload, reload["status"].text == "accepted" else { return "" }
            return "\(style.green("✔")) generation \(reload.generation) is active\n"
        default: break
        }
        guard let outcome = session.requests.all[index]?.outcome else { return "" }
        let condition = outcome.condition(session.printer)
        switch outcome {
        case .done: return "\(style.green("✔")) done\n"
        case .pending, .stayed: return "  \(condition)\n"
        case .failed, .cancelled, .unfinished: return "\(style.red("✘")) \(condition)\n"
        }
    }

    /// Returns the windows that changed, with the changes marked.
    private func changes(since before: ScreenTree) -> PrintedText {
        let changes = TreeChanges(from: before, to: session.app.router.tree)
        var text: PrintedText = ""
        for (name, before, after) in changes.texts(session.printer) where before != after {
            let tree = after.isEmpty ? "closed" : after
            text += "  \(name == "main" && !after.isEmpty ? "" : "\(name): ")\(tree)\n"
        }
        return text
    }

    private func failure(_ diagnostics: [Diagnostic]) -> Output {
        let console = ConsoleReport(style: style)
        return Output(text: diagnostics.map { console.text(of: $0) }.joined(), isFailed: true)
    }

    /// The trees of all windows.
    var trees: PrintedText {
        session.app.router.tree.windows.map { window in
            let tree = session.printer.tree(session.app.router.tree, window: window.name)
            let name = window.name == "main" ? "" : "\(window.name): "
            return "  \(name)\(tree)\n"
        }.joined()
    }

    // MARK: Commands

    /// Undoes or redoes lines.
    ///
    /// - Parameter count: The number of lines; negative to redo.
    /// - Returns: The lines that were undone or redone, and the trees.
    mutating func go(back count: Int) -> Output {
        let goal = min(max(firstKept, current - count), entries.count - 1)
        guard goal != current else {
            var text = count > 0 ? "nothing to undo" : "nothing to redo"
            if count > 0, firstKept > 0 { text += " (earlier lines can no longer be undone)" }
            return Output(text: "\(text)\n", isFailed: true)
        }
        var lines = entries[(min(goal, current) + 1)...max(goal, current)].map(\.line)
        if count > 0 { lines.reverse() }
        current = goal
        restore()
        names = NameScope(after: points[current - firstKept].names)
        let word = count > 0 ? "undone" : "redone"
        let texts: [PrintedText] = lines.map { "\(word): \($0)\n" }
        return Output(text: texts.joined() + trees)
    }

    /// Returns the trace of the last executed line.
    func traced() -> Output {
        guard let first = session.log.acts.last?.firstEvent else {
            return Output(text: "nothing to trace\n", isFailed: true)
        }
        let lines = TraceWriter.lines(of: session.log.events[first...], session.printer)
        return Output(text: lines.map { "  \($0)\n" }.joined())
    }

    /// Explains the plan of the last navigation, in the state before that navigation.
    func why() -> Output {
        let index = entries[...current].lastIndex { entry in
            switch entry.step?.action {
            case .act(.route, _), .act(.url, _): true
            default: false
            }
        }
        guard let index, index > firstKept, let step = entries[index].step else {
            let range = firstKept > 0 ? "in the lines that can be undone" : "so far"
            return Output(text: "no step 'navigate' or 'open' \(range)\n", isFailed: true)
        }
        restore(index - 1)
        defer { restore() }
        guard let plan = session.explanation(of: step) else {
            return Output(text: "the last navigation cannot be explained\n", isFailed: true)
        }
        let text = entries[index].line
        var explanation = TargetExplanation(text: text, kind: "target", plan: plan)
        (explanation.fields, explanation.problem) = ("", plan.failure?.error.description)
        let row = plan.target.flatMap(LoadedScripts(session.app.router).inventory.row)
        if let row { explanation.matches = [TargetExplanation.Match(row: row, parameters: [:])] }
        return Output(text: writer.text(of: explanation))
    }

    /// Explains a target in the same way as `luaroute explain`.
    func explained(_ text: String) -> Output {
        guard !text.isEmpty else {
            let text: PrintedText =
                "'explain' needs a target: a URL, 'Service/task' or 'unready NAME leaving'\n"
            return Output(text: text, isFailed: true)
        }
        let explainer = LoadedScripts(session.app.router).explainer(showsAll: false)
        return Output(text: writer.text(of: explainer.explanation(of: ByteString(text))))
    }

    private var writer: ExplanationWriter {
        var writer = ExplanationWriter(width: width)
        writer.style = style
        let scripts = LoadedScripts(session.app.router)
        writer.path = { scripts.path($0) }
        return writer
    }

    /// Reloads the scripts from disk.
    mutating func reload() -> Output {
        take("reload \(RecordedText.printer.value(Value(script)))")
    }

    /// The comment in the first line of saved files.
    static let heading = "Saved by 'luaroute repl'."

    /// Returns the executed lines as the text of a scenario file, and the number of lines of Lua.
    ///
    /// Lines of Lua become comments. Paths in the text are relative to the folder of the given
    /// path.
    func scenario(at path: String) throws(Diagnostic) -> (text: String, luaLineCount: Int) {
        let stream = SourceText(name: "repl", content: Array(session.eventStream.utf8))
        let folder = Paths.folder(of: path)
        var writer = EventScenario(script: Paths.relative(script, to: folder))
        (writer.heading, writer.folder) = (Self.heading, folder)
        var luaLineCount = 0
        for (index, entry) in entries[...current].enumerated() {
            if index > 0, entry.step == nil {
                luaLineCount += 1
                let text = writer.comment("this line of Lua is not reproduced: \(entry.line)")
                writer.extraLines.append((entries[index - 1].sequence, text))
            }
            writer.extraLines += entry.looks.map { (entry.sequence, $0) }
        }
        return (try writer.file(for: EventFile(stream).recordings), luaLineCount)
    }
}
