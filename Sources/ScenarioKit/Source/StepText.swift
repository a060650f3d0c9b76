// SPDX-License-Identifier: MIT

internal import RouteCore

/// A text that steps are read from, and where each part of it stands in a file.
///
/// That of a whole file stands there as it is. That of one step with parameters is put
/// together from parts of the step and the arguments that take the parameters' places.
package final class StepText: Sendable {
    /// What brings a step to where it is run, if it does not stand there itself.
    enum Context {
        /// A row of a table, one for each run.
        case row(StepText, Range<Int>)
        /// A step `do`.
        case call(StepText, Range<Int>)
    }

    /// A part of a text that was put together.
    struct Piece {
        enum Origin {
            /// The step's own words, from an offset on.
            case words(Int)
            /// An argument, and where the parameter stands whose place it takes.
            case argument(StepArgument, Range<Int>)
        }

        let start: Int
        let origin: Origin
    }

    /// The file in which the words stand.
    let source: SourceText
    /// The text, with comments blanked.
    let bytes: [UInt8]
    private let pieces: [Piece]
    /// The step in its file, for a text that was put together.
    private let line: Range<Int>
    private let context: Context?

    /// The text of a file, or of that file as it is read for a row or a call.
    init(_ source: SourceText, _ bytes: [UInt8], in context: Context? = nil) {
        self.source = source
        self.bytes = bytes
        pieces = []
        line = 0..<0
        self.context = context
    }

    /// The text of one line of another text, put together.
    init(_ bytes: [UInt8], _ pieces: [Piece], for line: Range<Int>, of text: StepText) {
        source = text.source
        self.bytes = bytes
        self.pieces = pieces
        self.line = line
        context = text.context
    }

    /// The same text as a row or a call brings it.
    func brought(by context: Context) -> StepText { StepText(source, bytes, in: context) }

    // MARK: Places

    /// Where a part of the text stands: in its file, or where the argument is written.
    func location(of range: Range<Int>) -> Place {
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

    /// Where a step stands in its file, whatever takes the place of its parameters.
    func ownSpan(of range: Range<Int>) -> Span {
        Span(source, pieces.isEmpty ? range : line)
    }

    private func piece(at offset: Int) -> Int? {
        // What an empty argument leaves out is missed at the place behind it.
        let empty = pieces.indices.first { index in
            guard pieces[index].start == offset,
                case .argument(let argument, _) = pieces[index].origin
            else { return false }
            return argument.bytes.isEmpty
        }
        return empty ?? pieces.lastIndex { $0.start <= offset }
    }

    /// The end of a part that starts among the step's own words.
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

/// A place that a diagnostic is about, and the places that led there.
struct Place {
    let span: Span
    var related: [Diagnostic.Related]
}

/// What takes the place of a parameter.
final class StepArgument: Sendable {
    /// The tokens.
    let bytes: [UInt8]
    /// Where they are written.
    private let text: StepText
    private let range: Range<Int>
    /// Whether they are written there byte by byte.
    private let isVerbatim: Bool

    init(_ bytes: [UInt8], at range: Range<Int>, of text: StepText, isVerbatim: Bool) {
        self.bytes = bytes
        self.text = text
        self.range = range
        self.isVerbatim = isVerbatim
    }

    /// The argument that a text holds at a place.
    convenience init(_ range: Range<Int>, of text: StepText) {
        self.init(Array(text.bytes[range]), at: range, of: text, isVerbatim: true)
    }

    /// Where a part of the tokens is written; all of them, where the part cannot be told.
    func location(of part: Range<Int>) -> Place {
        guard isVerbatim else { return text.location(of: range) }
        let start = range.lowerBound
        return text.location(of: start + part.lowerBound..<start + part.upperBound)
    }

    /// The tokens as a name shows them: in one line.
    var title: String {
        plainText.split { $0.isNewline }.joined(separator: " ")
    }

    /// The tokens, but quoted text without its quotes.
    private var plainText: String {
        var parser = NotationParser(bytes)
        if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
            let text = try? parser.parseValue().text, parser.position == bytes.count
        {
            return text
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The argument as it stands inside of quotes, of either kind.
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
