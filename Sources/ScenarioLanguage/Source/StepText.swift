// SPDX-License-Identifier: MIT

internal import RouteCore

/// The text from which steps are parsed, with the source location of each of its parts.
///
/// The text of a whole file is the file itself. The text of a step with parameters is composed of
/// the words of the step and the arguments that replace its parameters.
package final class StepText: Sendable {
    /// The table row or the macro call for which a step runs.
    package enum Context {
        /// A row of a table, for which the steps run once.
        case row(StepText, Range<Int>)
        /// A `do` step that calls a macro.
        case call(StepText, Range<Int>)
    }

    /// A part of a composed text.
    package struct Piece {
        enum Origin {
            /// The step's own words, beginning at the given byte offset in the file.
            case words(Int)
            /// An argument, with the range of the parameter that it replaces.
            case argument(StepArgument, Range<Int>)
        }

        let start: Int
        let origin: Origin
    }

    /// The file that contains the words of the step.
    let source: SourceText
    /// The text, with comments replaced by spaces.
    let bytes: [UInt8]
    private let pieces: [Piece]
    /// The range of the step in its file.
    ///
    /// The range is used only for a composed text.
    private let line: Range<Int>
    private let context: Context?

    /// Creates the text of a file, or the text of a file in the context of a row or a call.
    package init(_ source: SourceText, _ bytes: [UInt8], in context: Context? = nil) {
        self.source = source
        self.bytes = bytes
        pieces = []
        line = 0..<0
        self.context = context
    }

    /// Creates the text of one line of another text, composed of the given pieces.
    init(_ bytes: [UInt8], _ pieces: [Piece], for line: Range<Int>, of text: StepText) {
        source = text.source
        self.bytes = bytes
        self.pieces = pieces
        self.line = line
        context = text.context
    }

    /// Returns the same text in the context of a row or a call.
    func brought(by context: Context) -> StepText { StepText(source, bytes, in: context) }

    // MARK: Locations

    /// Returns the source location of a part of the text.
    ///
    /// This is a location in the file, or the location of the argument that contains the part.
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

    /// Returns the range of a step in its file.
    ///
    /// The range includes the parameters of the step.
    package func ownSpan(of range: Range<Int>) -> Span {
        Span(source, pieces.isEmpty ? range : line)
    }

    /// Returns the source location at which a part of the text can be replaced.
    ///
    /// In the text of a file, this is the part itself, which must not contain a comment. In a
    /// composed text, this is the argument in the part. The part must contain only one argument,
    /// and this argument must be a cell of a table.
    ///
    /// - Returns: The range to replace, and a function that converts the new text of the part to
    ///   the text to write there. The function returns nil if no argument produces the new text.
    ///   The result is nil if the part cannot be replaced.
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

    /// Returns a part of the text, in which arguments have replaced the parameters.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func piece(at offset: Int) -> Int? {
        // An error about an empty argument is reported at the position after the argument.
        let empty = pieces.indices.first { index in
            guard pieces[index].start == offset,
                case .argument(let argument, _) = pieces[index].origin
            else { return false }
            return argument.bytes.isEmpty
        }
        return empty ?? pieces.lastIndex { $0.start <= offset }
    }

    /// Returns the end of a part that starts in the words of the step itself.
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

/// The location of a diagnostic, with the locations of the calls that led to it.
package struct Place {
    package let span: Span
    package var related: [Diagnostic.Related]
}

/// An argument that replaces a parameter.
package final class StepArgument: Sendable {
    /// The bytes of the argument.
    let bytes: [UInt8]
    /// The text that contains the argument.
    private let text: StepText
    private let range: Range<Int>
    /// Whether the bytes of the argument are the same as in `text`.
    private let isVerbatim: Bool
    /// The format of the table in which the argument is a cell, or nil if the argument is not a
    /// cell.
    private let table: Table?

    /// The formats of tables.
    package enum Table: Sendable {
        /// Rows in which bars separate the cells.
        case bars
        /// Records of a CSV file.
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

    /// The source location of a cell, or nil if the argument is not a cell.
    fileprivate var cellSpan: Span? { table == nil ? nil : Span(text.source, range) }

    /// Returns a new value in the syntax of the table, or nil if the argument is not a cell.
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

    /// Creates an argument from a range of a text.
    convenience init(_ range: Range<Int>, of text: StepText) {
        self.init(Array(text.bytes[range]), at: range, of: text, isVerbatim: true)
    }

    /// Returns the source location of a part of the argument.
    ///
    /// If the exact location is unknown, returns the location of the whole argument.
    package func location(of part: Range<Int>) -> Place {
        guard isVerbatim else { return text.location(of: range) }
        let start = range.lowerBound
        return text.location(of: start + part.lowerBound..<start + part.upperBound)
    }

    /// The argument on one line, for use in the name of a scenario.
    var title: String {
        plainText.split { $0.isNewline }.joined(separator: " ")
    }

    /// The argument without its quotes, if it is quoted text.
    private var plainText: String {
        var parser = NotationParser(bytes)
        if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
            let text = try? parser.parseValue().text, parser.position == bytes.count
        {
            return text
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The argument with escapes, so that it can be inserted into quotes of either kind.
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
