// SPDX-License-Identifier: MIT

internal import RouteCore

/// The text from which steps are read, with the source location of each part of it.
///
/// The text of a whole file is the file itself. The text of a step with parameters is composed of
/// the step's own words and of the arguments that replace the parameters.
package final class StepText: Sendable {
    /// The row or call that a step is run for.
    package enum Context {
        /// A row of a table; the steps run once for each row.
        case row(StepText, Range<Int>)
        /// A `do` step, which calls a macro.
        case call(StepText, Range<Int>)
    }

    /// A part of a composed text.
    package struct Piece {
        enum Origin {
            /// The step's own words, beginning at the given byte offset in the file.
            case words(Int)
            /// An argument, and the range of the parameter that it replaces.
            case argument(StepArgument, Range<Int>)
        }

        let start: Int
        let origin: Origin
    }

    /// The file that contains the words.
    let source: SourceText
    /// The text, with comments replaced by spaces.
    let bytes: [UInt8]
    private let pieces: [Piece]
    /// The step in its file, for a composed text.
    private let line: Range<Int>
    private let context: Context?

    /// Creates the text of a file, or of the file for one row or call.
    package init(_ source: SourceText, _ bytes: [UInt8], in context: Context? = nil) {
        self.source = source
        self.bytes = bytes
        pieces = []
        line = 0..<0
        self.context = context
    }

    /// Creates the text of one line of another text, composed of pieces.
    init(_ bytes: [UInt8], _ pieces: [Piece], for line: Range<Int>, of text: StepText) {
        source = text.source
        self.bytes = bytes
        self.pieces = pieces
        self.line = line
        context = text.context
    }

    /// Returns the same text in the context of a row or a call.
    func brought(by context: Context) -> StepText { StepText(source, bytes, in: context) }

    // MARK: Places

    /// Returns the location of a part of the text: in the file, or where the argument is written.
    package func location(of range: Range<Int>) -> Place {
        guard let index = piece(at: range.lowerBound) else {
            return Place(span: Span(source, range), related: related)
        }
        switch pieces[index].origin {
        case .words(let offset):
            let start = offset + range.lowerBound - pieces[index].start
            let end = range.isEmpty ? start : self.end(of: range)
            return Place(span: Span(source, start..<end), related: related)
        case .argument(let argument, _):
            let start = pieces[index].start
            let end = index + 1 < pieces.count ? pieces[index + 1].start : bytes.count
            var location = argument.location(
                of: range.lowerBound - start..<max(range.lowerBound, min(range.upperBound, end))
                    - start
            )
            let step = Diagnostic.Related(label: "in this step", span: Span(source, line))
            location.related.insert(step, at: 0)
            return location
        }
    }

    /// Returns the range of a step in its file, including parameters.
    package func ownSpan(of range: Range<Int>) -> Span {
        Span(source, pieces.isEmpty ? range : line)
    }

    /// Returns the location where a part can be replaced: in its file, if it has no comment; or in
    /// the cell of a table, if the cell is the only argument of the part.
    ///
    /// - Returns: The range to replace, and a function that returns the replacement for a new text
    ///   of the part, or nil if no argument results in that text. Nil if the part cannot be
    ///   replaced.
    package func replacing(_ range: Range<Int>) -> (span: Span, write: (String) -> String?)? {
        guard !pieces.isEmpty else {
            let isWhole = range.allSatisfy {
                bytes[$0] == source.bytes[$0] || source.bytes[$0].isSpace
            }
            return isWhole ? (Span(source, range), { $0 }) : nil
        }
        let ends = pieces.dropFirst().map(\.start) + [bytes.count]
        var cell: (argument: StepArgument, range: Range<Int>)?
        for (piece, end) in zip(pieces, ends)
        where piece.start < range.upperBound && end > range.lowerBound {
            guard case .argument(let argument, _) = piece.origin else { continue }
            guard cell == nil, piece.start >= range.lowerBound, end <= range.upperBound else {
                return nil
            }
            cell = (argument, piece.start..<end)
        }
        guard let cell, let span = cell.argument.cellSpan else { return nil }
        let before = text(range.lowerBound..<cell.range.lowerBound)
        let after = text(cell.range.upperBound..<range.upperBound)
        return (
            span,
            { text in
                guard text.hasPrefix(before), text.hasSuffix(after),
                    text.utf8.count > before.utf8.count + after.utf8.count
                else { return nil }
                let middle = text.dropFirst(before.count).dropLast(after.count)
                return cell.argument.written(String(middle))
            }
        )
    }

    /// Returns a part of the text, with arguments in place of parameters.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func piece(at offset: Int) -> Int? {
        // The error of an empty argument is at the position after it.
        let empty = pieces.indices.first { index in
            guard pieces[index].start == offset,
                case .argument(let argument, _) = pieces[index].origin
            else { return false }
            return argument.bytes.isEmpty
        }
        return empty ?? pieces.lastIndex { $0.start <= offset }
    }

    /// Returns the end of a part that starts in the step's own words.
    private func end(of range: Range<Int>) -> Int {
        let last = range.upperBound - 1
        guard let piece = pieces.last(where: { $0.start <= last }) else { return range.upperBound }
        return switch piece.origin {
        case .words(let offset): offset + range.upperBound - piece.start
        case .argument(_, let parameter): parameter.upperBound
        }
    }

    private var related: [Diagnostic.Related] {
        switch context {
        case nil: return []
        case .row(let text, let range):
            return [Diagnostic.Related(label: "in this row", span: text.location(of: range).span)]
        case .call(let text, let range):
            let call = text.location(of: range)
            return [Diagnostic.Related(label: "called here", span: call.span)] + call.related
        }
    }
}

/// The location of a diagnostic, and the locations of the calls that led to it.
package struct Place {
    package let span: Span
    package var related: [Diagnostic.Related]
}

/// The argument that replaces a parameter.
package final class StepArgument: Sendable {
    /// The tokens.
    let bytes: [UInt8]
    /// The text in which they are written.
    private let text: StepText
    private let range: Range<Int>
    /// Whether the tokens are the same bytes as in that text.
    private let isVerbatim: Bool
    /// The form of the table that contains the argument as a cell; nil for other arguments.
    private let table: Table?

    /// The forms of tables.
    package enum Table: Sendable {
        /// Lines of cells between bars.
        case bars
        /// A CSV file.
        case records
    }

    package init(
        _ bytes: [UInt8],
        at range: Range<Int>,
        of text: StepText,
        isVerbatim: Bool,
        in table: Table? = nil
    ) {
        self.bytes = bytes
        self.text = text
        self.range = range
        self.isVerbatim = isVerbatim
        self.table = table
    }

    /// The location of a cell; nil for another argument.
    fileprivate var cellSpan: Span? { table == nil ? nil : Span(text.source, range) }

    /// Returns the tokens in the form for the cell.
    fileprivate func written(_ tokens: String) -> String? {
        switch table {
        case nil: return nil
        case .bars:
            return tokens.split(separator: "|", omittingEmptySubsequences: false).joined(
                separator: "\\|"
            )
        case .records:
            let doubled = tokens.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            let isQuoted =
                range.lowerBound > 0
                && text.bytes[range.lowerBound - 1] == UInt8(ascii: "\"")
            if isQuoted { return doubled }
            return tokens.contains { ",\"\r\n".contains($0) } ? "\"\(doubled)\"" : tokens
        }
    }

    /// Creates the argument from a range of a text.
    convenience init(_ range: Range<Int>, of text: StepText) {
        self.init(Array(text.bytes[range]), at: range, of: text, isVerbatim: true)
    }

    /// Returns the location of a part of the tokens; the location of all tokens if the part is
    /// unknown.
    package func location(of part: Range<Int>) -> Place {
        guard isVerbatim else { return text.location(of: range) }
        let start = range.lowerBound
        return text.location(of: start + part.lowerBound..<start + part.upperBound)
    }

    /// The tokens on one line, for use in the name of a scenario.
    var title: String {
        plainText.split { $0.isNewline }.joined(separator: " ")
    }

    /// The tokens; quoted text without its quotes.
    private var plainText: String {
        var parser = NotationParser(bytes)
        if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
            let text = try? parser.parseValue().text, parser.position == bytes.count
        {
            return text
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The argument in the form for quotes of either kind.
    var quoted: StepArgument {
        var result: [UInt8] = []
        for byte in plainText.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                result += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): result += Array("\\n".utf8)
            case UInt8(ascii: "\r"): result += Array("\\r".utf8)
            default: result.append(byte)
            }
        }
        return StepArgument(result, at: range, of: text, isVerbatim: isVerbatim && result == bytes)
    }
}
