// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteFiles

/// The declarations that scenarios share: the macros and backgrounds of a file and of the files
/// that it includes.
struct ScenarioLibrary {
    /// The steps of a background, as lines that have not been parsed yet.
    struct Background {
        let document: Document
        package let body: Range<Int>
    }

    /// The backgrounds.
    ///
    /// The background of an included file precedes the background of the including file.
    private(set) var backgrounds: [Background] = []

    private let state: ParseState
    /// The paths of the files that were read, with symbolic links resolved.
    ///
    /// Each file is read only once.
    private var known: Set<String> = []
    /// The files that are being read, outermost first.
    private var open: [(path: String, name: String)] = []

    init(_ state: ParseState) { self.state = state }

    /// Adds the declarations of a file, and calls the given closure with each section of another
    /// kind.
    mutating func add(
        _ document: Document,
        onOther: (Document.Section) throws(SyntaxError) -> Void
    ) {
        let name = document.text.source.name
        let path = SourceFiles.resolved(name) ?? name
        known.insert(path)
        open.append((path, name))
        var own: Background?
        var backgroundLine: Int?
        for section in document.sections {
            if open.count == 1 { state.anchor = section.heading.lowerBound }
            do throws(SyntaxError) {
                switch section.block {
                case .include(let path): try include(path, from: document)
                case .macro(let heading): try add(heading, section, of: document)
                case .background:
                    if let line = backgroundLine {
                        throw .twice("background", section.word, firstLine: line)
                    }
                    backgroundLine = section.line
                    own = Background(document: document, body: section.body)
                case .use, .set, .scenario, .explore, nil: try onOther(section)
                }
            } catch {
                if case .include = section.block { state.lacksMacros = true }
                state.add(error, in: document.text)
            }
            let word = document.text.source.text(section.word)
            if section.block == nil, ["macro", "include"].contains(word) {
                state.lacksMacros = true
            }
        }
        if let own { backgrounds.append(own) }
        open.removeLast()
    }

    private mutating func add(
        _ heading: Vocabulary.MacroHeading,
        _ section: Document.Section,
        of document: Document
    ) throws(SyntaxError) {
        let lines = StepLines(
            document.lines[section.body],
            of: document.text,
            parameters: heading.parameters,
            in: state
        )
        if let first = state.macros[heading.name] {
            throw .macroTwice(heading.name, at: heading.range, first: first.location)
        }
        state.macros[heading.name] = Macro(
            name: heading.name,
            location: Span(document.text.source, heading.range),
            lines: lines
        )
    }

    private mutating func include(_ path: FilePath, from document: Document) throws(SyntaxError) {
        let source = try path.read(from: document.text.source, state)
        let resolved = SourceFiles.resolved(source.name) ?? source.name
        if let start = open.firstIndex(where: { $0.path == resolved }) {
            throw .includeCycle(open[start...].map(\.name) + [source.name], path.range)
        }
        guard !known.contains(resolved) else { return }
        let included = Document(source, state)
        for line in included.lines[included.stray] {
            state.add(.stepOutside(line.range), in: included.text)
        }
        add(included) { section throws(SyntaxError) in
            guard section.block != nil else { return }
            throw .notForIncluding(included.text.source.text(section.word), section.word)
        }
    }
}

/// The path of a file as written in a scenario file.
package struct FilePath: Sendable {
    /// The path, relative to the scenario file.
    package let path: String
    /// The range of the path in the scenario file.
    package let range: Range<Int>

    /// Reads the file and records the result in `state`.
    package func read(from source: SourceText, _ state: ParseState) throws(SyntaxError)
        -> SourceText
    {
        let path = Paths.path(path, from: Paths.folder(of: source.name))
        guard state.root.contains(path) else {
            throw .outsideRoot(self.path, in: state.root, at: range)
        }
        if let other = state.inputs.otherForm(of: path) {
            throw SyntaxError(
                code: .scenarioUnreadable,
                message: "two files are named '\(other)' (\(UnicodeForm.remark))",
                range: range,
                help: "rename one of them: on other file systems, the two names are the same"
            )
        }
        do throws(BundleError) {
            let bytes = try state.disk.read(
                path,
                limit: ScenarioFile.sizeLimit,
                in: state.root.path
            )
            state.inputs[path] = .success(bytes)
            return SourceText(name: path, content: bytes)
        } catch {
            state.inputs[path] = .failure(error)
            throw SyntaxError(
                code: error.reason == .tooLarge ? .fileTooLarge : .scenarioUnreadable,
                message: Paths.message(of: error),
                range: range
            )
        }
    }
}

extension SyntaxError {
    fileprivate static func macroTwice(
        _ name: String,
        at range: Range<Int>,
        first: Span
    ) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "macro '\(name)' is declared twice (first at "
                + "\(first.source.name):\(first.line))",
            range: range
        )
    }

    fileprivate static func includeCycle(_ names: [String], _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .cycle,
            message: "'\(names[0])' includes itself (\(names.joined(separator: " → ")))",
            range: range
        )
    }

    fileprivate static func notForIncluding(_ word: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .misplaced,
            message: "'\(word)' is not allowed in an included file",
            range: range,
            help: "an included file can contain only 'macro', 'background' and 'include'"
        )
    }
}
