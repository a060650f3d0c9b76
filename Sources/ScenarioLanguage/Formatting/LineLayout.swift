// SPDX-License-Identifier: MIT

internal import RouteCore

/// The layout of a line of a scenario file.
///
/// The layout consists of the indentation of the line and the rules for its white space.
struct LineLayout {
    /// The kind of a line.
    enum Kind {
        /// A heading, a step or a line that structures steps, such as `repeat`.
        case words
        /// A row of a table, with the ranges of its cells.
        case row([Range<Int>])
    }

    /// The line to lay out.
    ///
    /// The line covers several lines of the file if a bracket is open at the end of a line.
    let line: LineReader.Line
    /// The level of indentation.
    var level = 0
    var kind = Kind.words
    /// The ranges that have special rules for white space.
    var spacing = StepParser.Spacing()
    /// Whether `=` outside of brackets separates words.
    var isParsed = false
    /// Whether a word that begins with `@` is a tag.
    var hasTags = false
    /// Whether the line closes a loop.
    ///
    /// Comments before such a line are indented one level deeper than the line itself.
    var isEnd = false

    /// Returns the layouts of all lines of a file without errors.
    static func all(of lines: [LineReader.Line], in bytes: [UInt8]) -> [LineLayout] {
        // Once their brackets are replaced, parameters look like names, so that the lines can be
        // parsed.
        let bytes = withoutParameters(bytes)
        var depth = 0
        var isInTable = false
        return lines.map { line in
            var layout = LineLayout(line: line)
            guard line.isIndented else {
                (depth, isInTable) = (0, false)
                layout.readHeading(bytes)
                return layout
            }
            if isInTable, let cells = try? ExampleTable.cells(line.range, of: bytes) {
                layout.level = 2
                layout.kind = .row(cells.map(\.range))
                return layout
            }
            let word = layout.readStep(bytes)
            if word == "end" {
                depth = max(0, depth - 1)
                layout.isEnd = true
            }
            layout.level = 1 + depth
            if word == "repeat" { depth += 1 }
            if word == "each" { isInTable = true }
            return layout
        }
    }

    private mutating func readHeading(_ bytes: [UInt8]) {
        var parser = parser(bytes)
        guard let index = parser.take(from: Vocabulary.blockWords) else { return }
        if let block = try? Vocabulary.blocks[index].parse(&parser) {
            isParsed = true
            switch block {
            case .scenario, .explore: hasTags = true
            case .use, .include, .set, .background, .macro: break
            }
        }
        spacing = parser.spacing ?? spacing
    }

    /// Parses a step, and returns its first word if the line is a control line, such as `repeat`.
    private mutating func readStep(_ bytes: [UInt8]) -> String? {
        var parser = parser(bytes)
        defer { spacing = parser.spacing ?? spacing }
        var form: Vocabulary.Form<Vocabulary.Structure>?
        if let index = parser.take(from: Vocabulary.structureWords) {
            form = Vocabulary.structure[index]
            switch try? form?.parse(&parser) {
            case .optional: break
            case .call(_, let arguments):
                parser.spacing?.verbatim += arguments
                return form?.word
            default: return form?.word
            }
        }
        if let index = parser.take(from: Vocabulary.exploringWords) {
            isParsed = (try? Vocabulary.exploring[index].parse(&parser)) != nil
            return nil
        }
        if let index = parser.takeStep() {
            isParsed = (try? Vocabulary.steps[index].parse(&parser)) != nil
        }
        return form?.word
    }

    private func parser(_ bytes: [UInt8]) -> StepParser {
        var parser = StepParser(bytes, at: line.range, names: .unknown)
        parser.spacing = StepParser.Spacing()
        return parser
    }

    /// Returns the text, with the brackets of each `<name>` replaced by letters.
    ///
    /// Offsets do not change.
    static func withoutParameters(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
            guard let end = Name.end(in: bytes, from: start + 1, to: bytes.count),
                end < bytes.count, bytes[end] == UInt8(ascii: ">")
            else { continue }
            result[start] = UInt8(ascii: "x")
            result[end] = UInt8(ascii: "x")
        }
        return result
    }
}
