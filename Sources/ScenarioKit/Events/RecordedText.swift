// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A namespace for converting the values of events to the text of steps.
enum RecordedText {
    /// The printer for values in notation.
    static let printer = NotationPrinter()

    /// Returns a value in notation.
    static func value(_ value: Value) throws(RecordingLoss) -> String {
        try checked(printer.value(value.withNumbers))
    }

    /// Returns parameters in parentheses; empty if there are none.
    static func parameters(_ value: Value) throws(RecordingLoss) -> String {
        guard case .table(let table) = value else { return "" }
        guard let text = printer.fields(table.withNumbers) else {
            throw RecordingLoss("parameters that are truncated, or whose keys are not names")
        }
        return try checked(text)
    }

    /// Returns a screen or a tree as written in the event.
    static func tree(_ value: Value) throws(RecordingLoss) -> String {
        guard let text = value.text, !text.isEmpty else { throw RecordingLoss("an unknown screen") }
        guard !text.hasPrefix("#") else { throw RecordingLoss("a screen that is gone") }
        return try checked(text)
    }

    /// Returns a pattern for a screen, or for a tree of existing screens.
    ///
    /// Fields with private values are omitted.
    static func pattern(_ value: Value) throws(RecordingLoss) -> String {
        let text = try tree(value)
        guard isHidden(text) else { return text }
        guard let tree = try? TreeNotation(text) else { throw RecordingLoss.noStep }
        let bytes = Array(text.utf8)
        var (pattern, position) = ([UInt8](), 0)
        func add(_ screen: ScreenNotation) {
            let fields = (screen.fields ?? []).map {
                String(decoding: bytes[$0.range], as: UTF8.self)
            }
            let shown = fields.filter { !isHidden($0) }
            if shown.count < fields.count {
                pattern += bytes[position..<screen.fieldsRange.lowerBound]
                if !shown.isEmpty { pattern += "(\(shown.joined(separator: ", ")))".utf8 }
                position = screen.fieldsRange.upperBound
            }
            for case .child(let child, _) in screen.children ?? [] { child.levels.forEach(add) }
        }
        tree.levels.forEach(add)
        return String(decoding: pattern + bytes[position...], as: UTF8.self)
    }

    /// Returns an action with its options; `nil` if the text contains a private value or a removed
    /// screen, or was truncated in the event.
    static func action(_ text: String) -> String? {
        isHidden(text) || text.contains(part: "(start=#") ? nil : try? checked(text)
    }

    /// Returns a condition for the visible screen.
    ///
    /// The condition contains only the class if the fields of the screen were truncated.
    static func top(_ value: Value) -> String? {
        if let pattern = try? pattern(value) { return pattern }
        guard let text = value.text, !text.hasPrefix("#") else { return nil }
        return text.firstIndex(of: "(").map { String(text[..<$0]) }
    }

    /// Returns whether a text contains a hidden value.
    static func isHidden(_ text: String) -> Bool { text.contains(part: #""•••""#) }

    /// Returns a duration as written in a step.
    static func duration(_ seconds: Double) -> String {
        let milliseconds = seconds * 1000
        return seconds == seconds.rounded()
            ? number(seconds) + "s" : number((milliseconds * 1000).rounded() / 1000) + "ms"
    }

    private static func number(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func checked(_ text: String) throws(RecordingLoss) -> String {
        if text.contains(part: "… (") || text.hasSuffix(" bytes)") || text.hasSuffix("...") {
            throw RecordingLoss("a value that is too long for an event")
        }
        if text.contains("\u{FFFD}") { throw RecordingLoss("text that is not UTF-8") }
        return text
    }
}

extension Value {
    /// A copy of the value in which table keys that look like integers are integers, because the
    /// keys of JSON objects are always strings.
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
