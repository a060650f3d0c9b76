// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteFiles

/// A line of a scenario file for editors, with its block, its keyword and its names.
///
/// Each line is parsed independently of the rest of the file. A line with an error contains the
/// names before the error.
package struct LineOutline {
    /// The meaning of a name.
    package enum Meaning {
        /// A name that belongs to the scripts, such as a class or a service.
        case script(NameReference.Meaning)
        /// The name of a macro.
        case macro
        /// The name of a request, a value or a snapshot that the line introduces.
        case local
        /// The path of a file.
        case path
    }

    /// A name in the line.
    package struct Name {
        package let meaning: Meaning
        /// The range of the name in the file.
        package let range: Range<Int>
        /// Whether the line declares the name.
        package var isNew = false
    }

    /// The range of the line, from its first word.
    ///
    /// The range extends over several lines of the file if a bracket is open at the end of a line.
    package let range: Range<Int>
    /// Whether this is an indented line of a block, and not a heading.
    package let isIndented: Bool
    /// The block that the line opens, or nil if the line is indented or is a heading with an error.
    package private(set) var block: Vocabulary.Block?
    /// The range of the keyword of the line, or an empty range if the keyword is unknown.
    package private(set) var word = 0..<0
    /// The signature, the description and the example lines of the line's form; nil for an unknown
    /// word.
    package private(set) var form: (signature: String, help: String, example: [String])?
    /// The names in the line, in the order in which they are parsed.
    package private(set) var names: [Name] = []

    /// Returns the lines of a file, except blank lines and comments.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package static func all(in source: SourceText) -> [LineOutline] {
        let reader = LineReader(source)
        let bytes = LineLayout.withoutParameters(reader.bytes)
        return reader.lines.map { LineOutline($0, bytes: bytes, in: source) }
    }

    private init(_ line: LineReader.Line, bytes: [UInt8], in source: SourceText) {
        (range, isIndented) = (line.range, line.isIndented)
        var parser = StepParser(bytes, at: range, names: .unknown)
        parser.references = []
        if isIndented { readStep(&parser) } else { readHeading(&parser) }
        // Names that contain a parameter are unknown until the parameter is replaced.
        names.removeAll { name in
            name.range.contains { bytes[$0] != source.bytes[$0] && !source.bytes[$0].isSpace }
        }
    }

    private mutating func note<Parsed>(_ form: Vocabulary.Form<Parsed>, upTo end: Int) {
        self.form = (form.signature, form.help, form.example)
        word = range.lowerBound..<end
    }

    private mutating func readHeading(_ parser: inout StepParser) {
        guard let index = parser.take(from: Vocabulary.blockWords) else { return }
        let form = Vocabulary.blocks[index]
        note(form, upTo: range.lowerBound + form.word.utf8.count)
        block = try? form.parse(&parser)
        switch block {
        case .use(let path), .include(let path):
            names.append(Name(meaning: .path, range: path.range))
        case .macro(let heading):
            names.append(Name(meaning: .macro, range: heading.range, isNew: true))
        default: break
        }
    }

    private mutating func readStep(_ parser: inout StepParser) {
        let start = parser.position
        if let index = parser.take(from: Vocabulary.structureWords) {
            let form = Vocabulary.structure[index]
            note(form, upTo: start + form.word.utf8.count)
            switch try? form.parse(&parser) {
            case .optional: readStep(&parser)
            case .call(let name, _): names.append(Name(meaning: .macro, range: name))
            case .each(let path?): names.append(Name(meaning: .path, range: path.range))
            default: break
            }
        } else if let index = parser.take(from: Vocabulary.exploringWords) {
            let form = Vocabulary.exploring[index]
            note(form, upTo: start + form.word.utf8.count)
            switch try? form.parse(&parser) {
            case .can(let step, let screen):
                readParts([step], screens: [screen].compactMap(\.self), parser)
            case .never(let condition, let when):
                readParts(conditions: [condition] + [when].compactMap(\.self), parser)
            case .always(let condition, _): readParts(conditions: [condition], parser)
            case .neverDeeper, .neverError, .bound, nil: break
            }
        } else if let index = parser.takeStep() {
            let form = Vocabulary.steps[index]
            note(form, upTo: start + form.word.utf8.count)
            let action = try? form.parse(&parser)
            addReferences(of: parser)
            let rest = parser.position
            if let action, action.isRequest, parser.take("as") {
                let name = parser.wordAhead()
                if !name.isEmpty { names.append(Name(meaning: .local, range: name, isNew: true)) }
            }
            switch action {
            case .bind(let name, _), .snapshot(let name):
                let start = start + form.word.utf8.count + 1
                guard rest >= start + name.utf8.count else { break }
                let range = start..<start + name.utf8.count
                if parser.text(range) == name {
                    names.append(Name(meaning: .local, range: range, isNew: true))
                }
            default: break
            }
        }
    }

    /// Parses the steps, screens and conditions in a line of an `explore` block.
    private mutating func readParts(
        _ steps: [Range<Int>] = [],
        screens: [Range<Int>] = [],
        conditions: [Range<Int>] = [],
        _ whole: StepParser
    ) {
        for range in steps + screens + conditions {
            var parser = StepParser(whole.bytes, at: range, names: .unknown)
            parser.references = []
            if steps.contains(range) {
                if let index = parser.takeStep() { _ = try? Vocabulary.steps[index].parse(&parser) }
            } else if screens.contains(range) {
                _ = try? parser.screen()
            } else {
                _ = try? parser.expectation(isCheck: false)
            }
            addReferences(of: parser)
        }
    }

    private mutating func addReferences(of parser: StepParser) {
        for reference in parser.references ?? [] {
            names.append(Name(meaning: .script(reference.meaning), range: reference.range))
        }
    }
}
