// SPDX-License-Identifier: MIT

package import RouteFiles

/// The state of parsing a file.
///
/// The state contains the errors and the number of expanded steps. All parts of the parser share
/// the same state.
package final class ParseState {
    private struct Problem {
        /// The sort key of an error: the position in the parsed file at which the error is
        /// reported, then the other file that contains the error, then the position in that file.
        let order: (anchor: Int, file: Int, offset: Int)
        package let diagnostic: Diagnostic
    }

    private struct Key: Hashable {
        let source: ObjectIdentifier
        package let offset: Int
        package let message: String
    }

    /// The file that is being parsed.
    let source: SourceText
    /// The macros by name, including those of included files.
    var macros: [String: Macro] = [:]
    /// Whether macros may be missing, because a line that declares or includes macros has an error.
    var lacksMacros = false
    /// The names of the macros that are called by a step.
    var calledMacros: Set<String> = []
    /// The other files by path, with the result of reading each file.
    package var inputs: [String: FileOutcome] = [:]
    /// The current position in the parsed file.
    ///
    /// Errors in other files are reported at this position.
    var anchor = 0
    /// Whether parsing has stopped because a limit was exceeded.
    private(set) var isExhausted = false

    private var problems: [Problem] = []
    private var known: Set<Key> = []
    private var files: [ObjectIdentifier] = []
    private var stepCount = 0
    private var callCount = 0
    private var expandedSize = 0

    /// The folder that must contain all files named in the file.
    private(set) lazy var root = givenRoot ?? FileRoot(of: source.name)
    private let givenRoot: FileRoot?
    /// The source from which other files are read.
    let disk: Files

    package init(_ source: SourceText, in root: FileRoot?, files: Files = .disk) {
        (self.source, givenRoot, disk) = (source, root, files)
    }

    // MARK: Problems

    /// Adds an error, unless the same error was already added.
    ///
    /// Several rows or calls may expand the same line.
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

    /// All errors, in the order of their locations.
    package var diagnostics: [Diagnostic] {
        problems.sorted { $0.order < $1.order }.map(\.diagnostic)
    }

    // MARK: Limits

    /// Counts expanded steps, and stops parsing if there are too many.
    func countSteps(_ count: Int, at range: Range<Int>) throws(SyntaxError) {
        stepCount += count
        guard stepCount > ScenarioFile.stepLimit else { return }
        isExhausted = true
        throw .tooManySteps(range)
    }

    /// Counts a call to a macro.
    ///
    /// Macros without steps need this limit too, because they could call each other very often.
    func countCall(at range: Range<Int>) throws(SyntaxError) {
        callCount += 1
        guard callCount > ScenarioFile.stepLimit else { return }
        isExhausted = true
        throw .tooManySteps(range)
    }

    /// Adds the bytes of an expanded line to the total, and throws if the total exceeds the limit.
    ///
    /// Without the limit, the expanded text of a hundred thousand steps could use too much memory.
    func countExpansion(
        _ size: Int,
        parameterCount: Int,
        at range: Range<Int>
    ) throws(SyntaxError) {
        expandedSize += size + parameterCount * Self.parameterSize
        guard expandedSize > ScenarioFile.expansionLimit else { return }
        isExhausted = true
        throw .expansionTooLarge(range)
    }

    /// The approximate number of bytes for the location of a replaced parameter.
    private static let parameterSize = 64

    /// Resets the counts.
    ///
    /// Call this method after all scenarios are parsed and before the macros that no step calls are
    /// checked.
    func forgetCounts() {
        stepCount = 0
        callCount = 0
        expandedSize = 0
    }
}

/// A macro: a named block of steps with parameters.
struct Macro {
    let name: String
    /// The location of the macro's name.
    package let location: Span
    let lines: StepLines
}

/// The lines of a macro, or of a scenario with a table.
///
/// These lines are read several times.
package struct StepLines {
    enum Line {
        case plain(Range<Int>)
        case template(LineTemplate)
        /// A line that contains an undeclared parameter.
        case broken(Range<Int>)
    }

    package let text: StepText
    let parameters: [String]
    private(set) var lines: [Line] = []
    /// The indices of the parameters that the lines use.
    private(set) var used: Set<Int> = []

    /// Finds the parameters in the lines.
    ///
    /// Lines that contain undeclared parameters are reported and ignored.
    init(
        _ lines: some Sequence<LineReader.Line>,
        of text: StepText,
        parameters: [String],
        in state: ParseState
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
