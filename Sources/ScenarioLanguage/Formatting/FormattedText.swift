// SPDX-License-Identifier: MIT

/// The formatted text of a scenario file, stored line by line.
package struct FormattedText {
    /// A line, divided into its words and its comment.
    struct Line {
        /// The number of the line of the source from which this line was formatted.
        let number: Int
        package var text: String
        /// The comment, including the leading `#`; empty if the line has no comment.
        var comment = ""

        var isBlank: Bool { text.isEmpty && comment.isEmpty }
    }

    /// The maximum width of a line, in columns.
    ///
    /// Lines that cannot be broken may be wider.
    static let width = 100

    package let source: SourceText
    private(set) var lines: [Line] = []

    package init(_ source: SourceText) { self.source = source }

    /// The limit for scenario files that the text exceeds, or nil if the text is within all limits.
    package var exceededLimit: String? {
        let bytes = Array(text.utf8)
        if bytes.count > ScenarioFile.sizeLimit { return "\(ScenarioFile.sizeLimit) bytes" }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.contains(where: { $0.count > ScenarioFile.lineLimit }) else { return nil }
        return "\(ScenarioFile.lineLimit) bytes a line"
    }

    /// Adds a line, unless it is a blank line at the start or after another blank line.
    mutating func add(_ line: Line) {
        if line.isBlank, lines.last?.isBlank ?? true { return }
        lines.append(line)
    }

    /// Completes the text by aligning comments and removing blank lines at the end.
    mutating func finish() {
        while lines.last?.isBlank == true { lines.removeLast() }
        var start = 0
        while start < lines.count {
            var end = start
            while end < lines.count, !lines[end].text.isEmpty, !lines[end].comment.isEmpty {
                end += 1
            }
            if end > start { alignComments(start..<end) }
            start = max(end, start + 1)
        }
    }

    /// Aligns the comments of consecutive lines, unless this would make a line too long.
    private mutating func alignComments(_ range: Range<Int>) {
        let widths = lines[range].map { Self.width(of: $0.text) }
        let column = (widths.max() ?? 0) + 2
        let isAligned = lines[range].allSatisfy {
            column + Self.width(of: $0.comment) <= Self.width
        }
        for (index, width) in zip(range, widths) {
            lines[index].text += String(repeating: " ", count: isAligned ? column - width : 2)
        }
    }

    static func width(of text: String) -> Int { DisplayWidth.of(text.unicodeScalars) }

    /// The line break that follows the first line of the source.
    private var lineBreak: String {
        let end = source.line(1).upperBound
        return end < source.bytes.count && source.bytes[end] == 0x0D ? "\r\n" : "\n"
    }

    /// The text, with the byte order mark and the line breaks of the source.
    package var text: String {
        let lineBreak = lineBreak
        var text = source.hasByteOrderMark ? "\u{FEFF}" : ""
        for line in lines {
            text += line.text
            text += line.comment
            text += lineBreak
        }
        return text
    }

    /// Whether the formatted text equals the source.
    package var isUnchanged: Bool {
        text.utf8.dropFirst(source.hasByteOrderMark ? 3 : 0).elementsEqual(source.bytes)
    }

    /// The number of the first line of the source that differs from the formatted text.
    ///
    /// If lines are only added at the end, this is the last line of the source.
    package var firstChangedLine: Int {
        let lineBreak = UInt8(ascii: "\n")
        let old = source.bytes.split(separator: lineBreak, omittingEmptySubsequences: false)
        let new = Array(text.utf8.dropFirst(source.hasByteOrderMark ? 3 : 0))
            .split(separator: lineBreak, omittingEmptySubsequences: false)
        return min(zip(old, new).prefix { $0.elementsEqual($1) }.count + 1, source.lineCount)
    }

    /// The changed lines in the format of `diff -U0`.
    package var difference: PrintedText {
        let lineBreak = lineBreak
        var text: PrintedText = "--- \(path: source.name)\n+++ \(path: source.name)\n"
        var index = 0
        var number = 1
        var removed: [String] = []
        var added: [String] = []
        func close() {
            guard !removed.isEmpty || !added.isEmpty else { return }
            text += "@@ -\(Self.range(endingBefore: number, removed.count))"
            text += " +\(Self.range(endingBefore: index + 1, added.count)) @@\n"
            for line in removed { text += "-\(line)\n" }
            for line in added { text += "+\(line)\n" }
            (removed, added) = ([], [])
        }
        while number <= source.lineCount {
            let range = source.line(number)
            var end = index
            while end < lines.count, lines[end].number == number { end += 1 }
            let old = source.text(range)
            let new = lines[index..<end].map { $0.text + $0.comment }
            let rest = source.bytes[range.upperBound...].prefix(lineBreak.utf8.count)
            if new == [old], rest.elementsEqual(lineBreak.utf8) {
                close()
            } else {
                removed.append(old)
                added += new
            }
            (index, number) = (end, number + 1)
        }
        close()
        return text
    }

    private static func range(endingBefore line: Int, _ count: Int) -> String {
        let start = line - count - (count == 0 ? 1 : 0)
        return count == 1 ? "\(start)" : "\(start),\(count)"
    }
}
