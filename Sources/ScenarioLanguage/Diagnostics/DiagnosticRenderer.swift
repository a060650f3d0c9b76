// SPDX-License-Identifier: MIT

/// A renderer that prints a diagnostic with its message, location, source line, carets and notes.
///
/// ```
/// error[S0107]: unknown step 'navigat', did you mean 'navigate'?
///   --> podcast.scenario:7:3
///    |
///  7 |   navigat ShowPage/open(showId=1)
///    |   ^^^^^^^
/// ```
package struct DiagnosticRenderer {
    /// The maximum number of bytes of a source line to show after the start of the marked range.
    private static let lengthBehindFocus = 160

    /// Whether to show the previous source line too.
    package var showsLineBefore: Bool
    package var style: TerminalStyle

    package init(showsLineBefore: Bool = false, style: TerminalStyle = TerminalStyle()) {
        (self.showsLineBefore, self.style) = (showsLineBefore, style)
    }

    /// Returns the whole diagnostic, which ends with a line break.
    package func text(of diagnostic: Diagnostic) -> PrintedText {
        style.bold("\(diagnostic.severity.rawValue)[\(diagnostic.code)]")
            + ": \(diagnostic.message)\n" + body(of: diagnostic)
    }

    /// Returns the diagnostic as one line in the format that compilers use.
    ///
    /// An example is `shop.lua:7:3: error[L0107]: message: label`. The result ends with a line
    /// break.
    package func line(of diagnostic: Diagnostic) -> PrintedText {
        let place: PrintedText =
            diagnostic.span.map { "\(path: $0.source.name):\($0.line):\($0.column)" } ?? "luaroute"
        let texts = [diagnostic.message, diagnostic.label].compactMap(\.self)
        let text = texts.joined(separator: ": ").split(separator: "\n").joined(separator: " ")
        return place + ": \(diagnostic.severity.rawValue)[\(diagnostic.code)]: \(text)\n"
    }

    /// Returns all lines of the diagnostic except the first.
    package func body(of diagnostic: Diagnostic) -> PrintedText {
        let spans = [diagnostic.span].compactMap(\.self) + diagnostic.related.map(\.span)
        // At least two columns, so that excerpts have the same margin for low and high line
        // numbers.
        let gutter = spans.map { String($0.line).count }.reduce(2, max)
        let bar = String(repeating: " ", count: gutter) + " |"
        var text: PrintedText = ""
        if let span = diagnostic.span {
            text += excerpt(of: span, label: diagnostic.label, gutter: gutter)
        }
        let expected = diagnostic.span.map { $0.source.text($0.range) }
        for detail in diagnostic.details {
            text += "\(bar)   \(detail.topic) \(marked(detail.text, expected: expected))\n"
        }
        for related in diagnostic.related {
            text += excerpt(of: related.span, label: related.label, gutter: gutter)
        }
        for note in diagnostic.notes {
            let topic = note.topic + String(repeating: " ", count: max(0, 7 - note.topic.count))
            text += "\(String(repeating: " ", count: gutter)) = \(topic) \(note.text)\n"
        }
        return text
    }

    private func excerpt(of span: Span, label: String?, gutter: Int) -> PrintedText {
        let source = span.source
        let number = span.line
        let margin = String(repeating: " ", count: gutter)
        var text: PrintedText =
            "\(margin)--> \(path: source.name):\(number):\(span.column)\n\(margin) |\n"
        if showsLineBefore, number > 1, !isBlank(number - 1, in: source) {
            text += line(number - 1, of: source, from: 0, gutter: gutter)
        }
        text += line(number, of: source, from: span.range.lowerBound, gutter: gutter)
        let (space, carets) = underline(span)
        text += "\(margin) | \(space)\(style.green(carets))\(label.map { " \($0)" } ?? "")\n"
        return text
    }

    private func line(
        _ number: Int,
        of source: SourceText,
        from focus: Int,
        gutter: Int
    ) -> PrintedText {
        let digits = String(number)
        let margin = String(repeating: " ", count: gutter - digits.count)
        let line = source.line(number)
        let end = end(of: line, in: source, from: focus)
        let text = source.text(line.lowerBound..<end) + (end < line.upperBound ? "…" : "")
        return "\(margin)\(digits) | \(text)\n"
    }

    /// Returns where to truncate a line: its end, or an earlier byte if the line continues far
    /// beyond the marked range.
    private func end(of line: Range<Int>, in source: SourceText, from focus: Int) -> Int {
        var end = min(line.upperBound, max(line.lowerBound, focus) + Self.lengthBehindFocus)
        while end < line.upperBound, source.bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Returns the text, with the part that differs from the expected text in red.
    private func marked(_ actual: String, expected: String?) -> PrintedText {
        guard style.isColored, let expected else { return "\(actual)" }
        let scalars = Array(actual.unicodeScalars)
        let others = Array(expected.unicodeScalars)
        let start = zip(scalars, others).prefix { $0 == $1 }.count
        let limit = min(scalars.count, others.count) - start
        let tail = zip(scalars.reversed(), others.reversed()).prefix(limit).prefix { $0 == $1 }
            .count
        func text(_ part: Range<Int>) -> PrintedText {
            "\(String(String.UnicodeScalarView(scalars[part])))"
        }
        let end = scalars.count - tail
        return text(0..<start) + (start < end ? style.red(text(start..<end)) : "")
            + text(end..<scalars.count)
    }

    private func isBlank(_ number: Int, in source: SourceText) -> Bool {
        source.bytes[source.line(number)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// Returns the carets, and the white space before them.
    ///
    /// Tabs in the source line are kept as tabs.
    private func underline(_ span: Span) -> (space: String, carets: PrintedText) {
        let source = span.source
        let line = source.line(span.line)
        let start = min(span.range.lowerBound, line.upperBound)
        let cut = end(of: line, in: source, from: start)
        let end = max(start, min(span.range.upperBound, cut))
        let before = Terminal.escaped(source.text(line.lowerBound..<start)).unicodeScalars
        let width = DisplayWidth.of(Terminal.escaped(source.text(start..<end)).unicodeScalars)
        let text = before.split(separator: "\t", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: DisplayWidth.of($0)) }
            .joined(separator: "\t")
        return (text, "\(String(repeating: "^", count: max(1, width)))")
    }
}
