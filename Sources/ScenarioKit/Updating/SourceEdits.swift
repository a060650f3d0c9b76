// SPDX-License-Identifier: MIT

/// Non-overlapping replacements of ranges in a file.
struct SourceEdits {
    let source: SourceText
    /// The ranges to replace and the new texts, in the order of the file.
    let edits: [(range: Range<Int>, text: String)]

    init(_ source: SourceText, _ edits: [(range: Range<Int>, text: String)]) {
        self.source = source
        self.edits = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The number of replacements.
    var count: Int { edits.count }

    /// The content of the file after all replacements.
    var content: String {
        (source.hasByteOrderMark ? "\u{FEFF}" : "") + text(of: 0..<source.bytes.count, edits)
    }

    /// The changed lines as a unified diff, without context.
    var diff: PrintedText {
        var text: PrintedText = "--- \(path: source.name)\n+++ \(path: source.name)\n"
        var shift = 0
        var index = 0
        while index < edits.count {
            let first = source.lineNumber(at: edits[index].range.lowerBound)
            var last = source.lineNumber(at: edits[index].range.upperBound)
            var end = index + 1
            while end < edits.count, source.lineNumber(at: edits[end].range.lowerBound) <= last + 1
            {
                last = source.lineNumber(at: edits[end].range.upperBound)
                end += 1
            }
            let range = source.line(first).lowerBound..<source.line(last).upperBound
            let old = lines(source.text(range))
            let new = lines(self.text(of: range, Array(edits[index..<end])))
            text += "@@ -\(first),\(old.count) +\(first + shift),\(new.count) @@\n"
            text += old.map { "-\($0)\n" }.joined() + new.map { "+\($0)\n" }.joined()
            shift += new.count - old.count
            index = end
        }
        return text
    }

    private func lines(_ text: String) -> [String] {
        // In Swift, a carriage return and a line feed together are one character.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map(String.init)
    }

    /// Returns a part of the file, with the given replacements applied.
    private func text(
        of range: Range<Int>,
        _ edits: [(range: Range<Int>, text: String)]
    ) -> String {
        var bytes: [UInt8] = []
        var position = range.lowerBound
        for edit in edits {
            bytes += source.bytes[position..<edit.range.lowerBound]
            bytes += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        bytes += source.bytes[position..<range.upperBound]
        return String(decoding: bytes, as: UTF8.self)
    }
}
