// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What the parts of one parse share: what is wrong, and how much was written out.
final class ParseState {
    private struct Problem {
        /// Where in the file that is parsed it is told, in which other file, and where there.
        let order: (anchor: Int, file: Int, offset: Int)
        let diagnostic: Diagnostic
    }

    private struct Key: Hashable {
        let source: ObjectIdentifier
        let offset: Int
        let message: String
    }

    /// The file that is parsed.
    let source: SourceText
    /// The macros, those of included files among them, by their names.
    var macros: [String: Macro] = [:]
    /// Whether a macro may be missing because the line that declares or includes it has an error.
    var lacksMacros = false
    /// The macros that a step calls.
    var calledMacros: Set<String> = []
    /// The other files that were read, or could not be, by their paths.
    var inputs: [String: FileOutcome] = [:]
    /// Where in the file that is parsed the work goes on, for what is wrong in another file.
    var anchor = 0
    /// Whether there are so many steps that parsing ends.
    private(set) var isExhausted = false

    private var problems: [Problem] = []
    private var known: Set<Key> = []
    private var files: [ObjectIdentifier] = []
    private var stepCount = 0
    private var callCount = 0

    /// The folder that the paths in the files must stay in.
    private(set) lazy var root = givenRoot ?? FileRoot(of: source.name)
    private let givenRoot: FileRoot?

    init(_ source: SourceText, _ root: FileRoot?) { (self.source, givenRoot) = (source, root) }

    // MARK: Problems

    /// Notes what is wrong, once: a row or a call may bring the same line again.
    func add(_ error: SyntaxError, in text: StepText) {
        add(error.diagnostic(in: text))
    }

    private func add(_ diagnostic: Diagnostic) {
        guard let span = diagnostic.span else { return }
        let offset = span.range.lowerBound
        let id = ObjectIdentifier(span.source)
        let key = Key(source: id, offset: offset, message: diagnostic.message)
        guard known.insert(key).inserted else { return }
        var order = (anchor: offset, file: 0, offset: 0)
        if span.source !== source {
            if !files.contains(id) { files.append(id) }
            order = (anchor, files.firstIndex(of: id) ?? 0, offset)
        }
        problems.append(Problem(order: order, diagnostic: diagnostic))
    }

    var problemCount: Int { problems.count }

    /// All that is wrong, in the order of the file.
    var diagnostics: [Diagnostic] {
        problems.sorted { $0.order < $1.order }.map(\.diagnostic)
    }

    // MARK: Limits

    /// Counts steps that are written out.
    func countSteps(_ count: Int, at range: Range<Int>) throws(SyntaxError) {
        stepCount += count
        guard stepCount > ScenarioFile.stepLimit else { return }
        isExhausted = true
        throw .tooManySteps(range)
    }

    /// Counts a call of a macro, as macros without steps could call each other for ever.
    func countCall(at range: Range<Int>) throws(SyntaxError) {
        callCount += 1
        guard callCount > ScenarioFile.stepLimit else { return }
        isExhausted = true
        throw .tooManySteps(range)
    }

    /// Starts to count anew, for what is checked and not kept.
    func forgetCounts() {
        stepCount = 0
        callCount = 0
    }
}

/// Steps that have a name, and parameters.
struct Macro {
    let name: String
    /// Where the name stands.
    let location: Span
    let lines: StepLines
}

/// Lines that are read more than once: those of a macro, or of a scenario for each row.
struct StepLines {
    enum Line {
        case plain(Range<Int>)
        case template(LineTemplate)
        /// A line with a parameter that nothing declares.
        case broken(Range<Int>)
    }

    let text: StepText
    let parameters: [String]
    private(set) var lines: [Line] = []
    /// The numbers of the parameters that stand in the lines.
    private(set) var used: Set<Int> = []

    /// Finds the parameters in some lines; a line with one that nothing declares is left out.
    init(
        _ lines: some Sequence<LineReader.Line>,
        of text: StepText,
        _ parameters: [String],
        _ state: ParseState
    ) {
        self.text = text
        self.parameters = parameters
        for line in lines {
            do throws(SyntaxError) {
                let template = try LineTemplate(line.range, of: text.bytes, parameters)
                self.lines.append(template.map { .template($0) } ?? .plain(line.range))
                if let template { used.formUnion(template.used) }
            } catch {
                state.add(error, in: text)
                self.lines.append(.broken(line.range))
            }
        }
    }
}
