// SPDX-License-Identifier: MIT

/// Writes trees, screens and values in the one form that ``NotationParser`` reads back.
///
/// Fields come in declared order, then by name, and nil ones not at all; keys of tables are
/// sorted, the selected child is marked, and a kind is written where the class does not tell it.
/// Values that scripts declare private are written as `"•••"`.
/// What no text can say is written so that it cannot be read as something else: NaN is `0/0`,
/// references are `<screen 7>`, `<function>` and `<host object>`.
public struct NotationPrinter: Sendable {
    private let classes: ScreenClasses
    private let limit: Int
    private let stringLimit: Int

    /// Creates a printer that knows the kinds and the order of fields of some classes.
    ///
    /// - Parameters:
    ///   - classes: The classes.
    ///   - limit: The number of bytes after which a text is cut, and ends with `...`. A text that is
    ///     cut cannot be read back.
    ///   - stringLimit: The number of bytes after which a string value is cut, and ends with its
    ///     length.
    public init(
        classes: ScreenClasses = ScreenClasses(),
        limit: Int = .max,
        stringLimit: Int = .max
    ) {
        self.classes = classes
        self.limit = limit
        self.stringLimit = stringLimit
    }

    /// A text that is written until the limit is reached.
    private func text(_ write: (inout String) -> Void) -> String {
        var text = ""
        write(&text)
        return isFull(text) ? RouteError.cut(text, at: limit) : text
    }

    private func isFull(_ text: String) -> Bool { text.utf8.count > limit }

    // MARK: Screens

    /// The levels of a window; empty where there is no window of that name.
    public func tree(_ tree: some ScreenLookup, window name: String) -> String {
        guard let window = tree.window(name) else { return "" }
        return tree.levels(of: window).map { screen($0, in: tree) }.joined(separator: " ^ ")
    }

    /// Writes a screen, without the modal that it holds.
    ///
    /// - Parameters:
    ///   - id: The screen, held by the tree.
    ///   - tree: The tree.
    ///   - isDeep: Whether what stands in the screen is written too.
    /// - Returns: The text.
    public func screen(_ id: ScreenID, in tree: some ScreenLookup, deep isDeep: Bool = true)
        -> String
    {
        text { write(tree[id], in: tree, deep: isDeep, to: &$0) }
    }

    private func write(
        _ screen: Screen,
        in tree: some ScreenLookup,
        deep isDeep: Bool,
        to text: inout String
    ) {
        text += screen.class
        if classes[screen.class].kind != screen.kind { text += ":\(screen.kind.rawValue)" }
        text += fields(screen.fields, of: screen.class)
        guard isDeep, screen.kind.isContainer else { return }
        text += "["
        for (index, child) in screen.childList.enumerated() where !isFull(text) {
            if index > 0 { text += ", " }
            if screen.shows == .selected, index == screen.selection { text += "*" }
            write(tree[child], in: tree, deep: true, to: &text)
            var presenter = child
            while let modal = tree[presenter].modal {
                text += " ^ "
                write(tree[modal], in: tree, deep: true, to: &text)
                presenter = modal
            }
        }
        text += "]"
    }

    // MARK: Fields

    /// The fields of a screen in parentheses; empty where none is set.
    public func fields(_ fields: Fields, of className: String) -> String {
        let declared = classes[className].fields.filter { !fields[$0].isNil }
        let others = fields.names.filter { !declared.contains($0) }.sorted()
        return parenthesized((declared + others).map { ($0, fields[$0]) })
    }

    /// What a route is given, in parentheses, as if its keys were fields; empty where it is
    /// given nothing, nil where some key is not a name.
    public func fields(_ info: InfoTable) -> String? {
        var fields: [(String, Value)] = []
        guard info.list.isEmpty else { return nil }
        for (key, value) in info.entries {
            guard case .string(let string) = key, let name = string.text, Name.isValid(name) else {
                return nil
            }
            fields.append((name, value))
        }
        return parenthesized(fields)
    }

    private func parenthesized(_ fields: [(name: String, value: Value)]) -> String {
        if fields.isEmpty { return "" }
        var text = "("
        for (index, field) in fields.enumerated() where !isFull(text) {
            if index > 0 { text += ", " }
            text += field.name
            text += "="
            let isHidden = classes.privateNames.contains(field.name)
            write(isHidden ? ScreenClasses.hidden : field.value, to: &text)
        }
        text += ")"
        return text
    }

    // MARK: Values

    /// A value.
    public func value(_ value: Value) -> String {
        text { write(value, to: &$0) }
    }

    /// - Parameters:
    ///   - value: The value.
    ///   - text: What it is added to.
    ///   - levels: How many tables may stand in it in each other: no more could be read back.
    private func write(
        _ value: Value,
        to text: inout String,
        levels: Int = NotationParser.maximumDepth
    ) {
        switch value {
        case .nil: text += "nil"
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .number(let number): text += Self.text(of: number)
        case .string(let string): write(string, to: &text)
        case .table(let table) where levels > 0: write(table, to: &text, levels: levels - 1)
        case .table: text += "<\(value.kindName)>"
        case .screen(let id): text += "<screen \(id.serial)>"
        case .function, .object: text += "<\(value.kindName)>"
        }
    }

    /// The shortest decimal text that is read back as the same float.
    private static func text(of number: Double) -> String {
        if number.isNaN { return "0/0" }
        if number.isInfinite { return number < 0 ? "-1e999" : "1e999" }
        return number.description
    }

    private func write(_ table: InfoTable, to text: inout String, levels: Int) {
        text += "{"
        var separator = ""
        for value in table.list where !isFull(text) {
            text += separator
            write(value, to: &text, levels: levels)
            separator = ", "
        }
        for (key, value) in table.entries where !isFull(text) {
            text += separator
            write(key, to: &text)
            text += "="
            var isHidden = false
            if case .string(let name) = key, let name = name.text {
                isHidden = classes.privateNames.contains(name)
            }
            write(isHidden ? ScreenClasses.hidden : value, to: &text, levels: levels)
            separator = ", "
        }
        text += "}"
    }

    private func write(_ key: InfoTable.Key, to text: inout String) {
        switch key {
        case .integer(let integer):
            text += "[\(integer)]"
        case .string(let string):
            if let name = string.text, Name.isValid(name) {
                text += name
            } else {
                text += "["
                write(string, to: &text)
                text += "]"
            }
        }
    }

    /// Writes a string in quotes: control characters, and bytes of a string that is not UTF-8,
    /// as escapes.
    private func write(_ string: ByteString, to text: inout String) {
        let string = string.cut(at: stringLimit)
        let isText = string.text != nil
        text += "\""
        string.withBytes { bytes in
            // What follows the limit is cut from the text; a character that the limit is in is
            // complete until then.
            var count = min(bytes.count, max(0, limit - text.utf8.count) + 1)
            while isText, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count += 1 }
            text.append(bytes.prefix(count), isText: isText, escape: Self.write)
        }
        text += "\""
    }

    private static func write(_ byte: UInt8, to text: inout String) {
        switch Unicode.Scalar(byte) {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            // Always three digits, so that a digit may follow.
            let digits = String(byte)
            text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
}
