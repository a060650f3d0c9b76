// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The texts of values of events in steps.
enum RecordedText {
    /// The printer of values.
    static let printer = NotationPrinter()
    private static let hidden = #""•••""#
    /// The maximum size of a pattern with its private values, in bytes.
    ///
    /// Each is searched for from the beginning. A step has one line, so little is left of a longer one.
    private static let patternLimit = 16 << 10

    /// Returns a value in notation.
    static func value(_ value: Value) throws(RecordingLoss) -> String {
        try checked(printer.value(value.withNumbers))
    }

    /// Returns parameters in parentheses; empty if there are none.
    static func parameters(_ value: Value) throws(RecordingLoss) -> String {
        guard case .table(let table) = value else { return "" }
        guard let text = printer.fields(table.withNumbers) else {
            throw RecordingLoss("parameters that are cut, or whose keys are not names")
        }
        return try checked(text)
    }

    /// Returns a screen or a tree in the form of the event.
    static func tree(_ value: Value) throws(RecordingLoss) -> String {
        guard let text = value.text, !text.isEmpty else { throw RecordingLoss("an unknown screen") }
        guard !text.hasPrefix("#") else { throw RecordingLoss("a screen that is gone") }
        return try checked(text)
    }

    /// Returns a pattern of a screen, or a tree of existing ones, without private values.
    static func pattern(_ value: Value) throws(RecordingLoss) -> String {
        var text = try tree(value)
        guard text.utf8.count <= patternLimit else {
            throw RecordingLoss("a step of more than one line")
        }
        while let hidden = text.range(of: hidden) {
            let field = field(around: hidden.lowerBound, in: text)
            var (start, end) = (field.lowerBound, field.upperBound)
            if text[end...].hasPrefix(", ") {
                end = text.index(end, offsetBy: 2)
            } else if text[..<start].hasSuffix(", ") {
                start = text.index(start, offsetBy: -2)
            } else if text[..<start].hasSuffix("("), text[end...].hasPrefix(")") {
                start = text.index(before: start)
                end = text.index(after: end)
            }
            text.removeSubrange(start..<end)
        }
        return text
    }

    /// Returns the whole field of a screen that a place is in, however deep in its value.
    private static func field(around place: String.Index, in text: String) -> Range<String.Index> {
        var (depths, fields) = ([Character](), [String.Index]())
        var (isQuoted, isEscaped) = (false, false)
        var start = text.startIndex
        for index in text.indices {
            let character = text[index]
            if isQuoted {
                if character == "\"", !isEscaped { isQuoted = false }
                isEscaped = character == "\\" && !isEscaped
                continue
            }
            // Only the fields of screens are left out: `{` and `(` within a value belong to it.
            let isInValue = depths.last == "{"
            switch character {
            case "\"": isQuoted = true
            case "(", "[", "{":
                depths.append(isInValue ? "{" : character)
                fields.append(start)
                if !isInValue, character != "{" { start = text.index(after: index) }
            case ")", "]", "}", ",":
                if index > place, !isInValue { return start..<index }
                if character == "," {
                    let next = text.index(index, offsetBy: 2, limitedBy: text.endIndex)
                    if !isInValue { start = next ?? text.endIndex }
                } else if !depths.isEmpty {
                    depths.removeLast()
                    start = fields.removeLast()
                }
            default: break
            }
        }
        return start..<text.endIndex
    }

    /// Returns a condition for the visible screen: the class alone if its fields are cut.
    static func top(_ value: Value) -> String? {
        if let pattern = try? pattern(value) { return pattern }
        guard let text = value.text, !text.hasPrefix("#") else { return nil }
        return text.firstIndex(of: "(").map { String(text[..<$0]) }
    }

    /// Whether a text has a value that was hidden.
    static func isHidden(_ text: String) -> Bool { text.range(of: hidden) != nil }

    /// Returns a duration in the form for a step.
    static func duration(_ seconds: Double) -> String {
        let milliseconds = seconds * 1000
        return seconds == seconds.rounded()
            ? number(seconds) + "s" : number((milliseconds * 1000).rounded() / 1000) + "ms"
    }

    private static func number(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func checked(_ text: String) throws(RecordingLoss) -> String {
        if text.range(of: "… (") != nil || text.hasSuffix(" bytes)") || text.hasSuffix("...") {
            throw RecordingLoss("a value that is longer than events keep")
        }
        if text.contains("\u{FFFD}") { throw RecordingLoss("text that is not UTF-8") }
        return text
    }
}

extension String {
    /// Returns the first range of a text.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let index = self[start...].firstIndex(of: first) {
            if self[index...].hasPrefix(text) {
                return index..<self.index(index, offsetBy: text.count)
            }
            start = self.index(after: index)
        }
        return nil
    }
}

extension Value {
    /// The value with numbers for the keys of tables that are numbers: JSON has only texts.
    fileprivate var withNumbers: Value {
        if case .table(let table) = self { .table(table.withNumbers) } else { self }
    }
}

extension InfoTable {
    fileprivate var withNumbers: InfoTable {
        var table = InfoTable(list: list.map(\.withNumbers))
        for (key, value) in entries {
            var key = key
            if case .string(let text) = key, let text = text.text, let number = Int64(text),
                "\(number)" == text
            {
                key = .integer(number)
            }
            table[key] = value.withNumbers
        }
        return table
    }
}
