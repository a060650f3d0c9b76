// SPDX-License-Identifier: MIT

/// A printer of trees, screens and values in the canonical form that ``NotationParser`` reads.
///
/// Fields are printed in declared order, then by name; nil fields are left out. Table keys are
/// sorted, the selected child is marked, and the kind of a screen is printed only if it differs
/// from the kind of the class. Values that scripts declare private are printed as `"•••"`. Values
/// without a notation are printed in forms that no other value has: NaN is `0/0`, and references
/// are `<screen 7>`, `<function>` and `<host object>`.
///
/// ```swift
/// let printer = NotationPrinter(classes: router.classes)
/// print(printer.tree(router.tree, window: "main"))  // nav[Home, Page(id=7)]
/// print(printer.value(["tags": ["new", "red"]]))  // {tags={"new", "red"}}
/// ```
public struct NotationPrinter: Sendable {
    let classes: ScreenClasses
    private let limit: Int
    private let stringLimit: Int
    private var marks: [ScreenID: Character] = [:]
    /// The parts of a large tree to print; nil to print the whole tree.
    private var focus: Focus?
    /// The detail for each screen that an expectation describes.
    private var details: [ScreenID: Detail] = [:]

    /// The detail with which a screen is printed.
    private struct Detail {
        /// The texts to print for fields that contain matchers, by field name.
        var texts: [String: String] = [:]
        /// The names of the fields to print; nil to print all fields.
        var names: Set<String>?
    }

    /// The parts of a large tree to print.
    struct Focus: Sendable {
        /// The indices of the children to print, by container.
        ///
        /// The neighbours of these children are also printed.
        var children: [ScreenID: Set<Int>] = [:]
        /// The presenting screens that are printed although they are covered by a modal.
        var levels: Set<ScreenID> = []
    }

    /// Creates a printer that knows the kinds and the field order of classes.
    ///
    /// - Parameters:
    ///   - classes: The declared classes.
    ///   - limit: The maximum length of the text, in bytes. A longer text is cut, ends with `...`,
    ///     and cannot be parsed again.
    ///   - stringLimit: The maximum length of a string value, in bytes. A longer string is cut and
    ///     followed by its length.
    public init(
        classes: ScreenClasses = ScreenClasses(),
        limit: Int = .max,
        stringLimit: Int = .max
    ) {
        self.classes = classes
        self.limit = limit
        self.stringLimit = stringLimit
    }

    /// Returns a printer that writes the given marks before the names of screens.
    package func marking(_ marks: [ScreenID: Character]) -> NotationPrinter {
        var printer = self
        printer.marks = marks
        return printer
    }

    /// Returns a printer that shortens a tree.
    ///
    /// For a container, the printer writes the children in the focus and their neighbours, the
    /// selected child, and the last child. For a stack of modals, it writes the levels in the focus
    /// and the topmost modal. Everything else is written as `...`.
    func focusing(on focus: Focus) -> NotationPrinter {
        var printer = self
        printer.focus = focus
        return printer
    }

    /// Returns the indices of the children to print, in order.
    private func shownChildren(of screen: Screen) -> [Int] {
        let count = screen.childCount
        guard let focus else { return Array(0..<count) }
        guard let places = focus.children[screen.id] else { return [] }
        var shown = places.union([count - 1])
        if screen.shows == .selected { shown.insert(screen.selection) }
        for place in places { shown.formUnion([place - 1, place + 1]) }
        return shown.filter { (0..<count).contains($0) }.sorted()
    }

    /// Writes a screen and the modals above it, the lowest first.
    private func write(
        levels: some Sequence<ScreenID>,
        in tree: some ScreenLookup,
        to text: inout String
    ) {
        var separator = ""
        var isCut = false
        var rest = levels.makeIterator()
        var next = rest.next()
        while let level = next, !isFull(text) {
            next = rest.next()
            if let focus, next != nil, !focus.levels.contains(level) {
                isCut = true
                continue
            }
            text += isCut ? "\(separator)... ^ " : separator
            write(tree[level], in: tree, deep: true, to: &text)
            (separator, isCut) = (" ^ ", false)
        }
    }

    /// Returns a printer that writes a screen and its descendants with the same detail as an
    /// expectation.
    ///
    /// Matchers that the actual value satisfies are written instead of the value. For a screen of
    /// the expected class, only the expected fields are written, if the screen has all of them and
    /// the expectation is not `exactly`.
    package func keeping(
        _ pattern: ScreenNotation,
        id: ScreenID,
        isExact: Bool,
        in tree: some ScreenLookup,
        names: ValueNotation.Names
    ) -> NotationPrinter {
        var printer = self
        printer.keep([pattern], screens: [id], isExact: isExact, in: tree, names: names)
        return printer
    }

    private mutating func keep(
        _ levels: [ScreenNotation],
        screens: [ScreenID],
        isExact: Bool,
        in tree: some ScreenLookup,
        names: ValueNotation.Names
    ) {
        for (pattern, id) in zip(levels, screens) {
            let screen = tree[id]
            guard pattern.isAnyClass || pattern.name == screen.class else { continue }
            var detail = Detail()
            // Empty parentheses in an expectation compare all fields.
            if !isExact, pattern.fields?.isEmpty != true {
                let fields = Set((pattern.fields ?? []).map(\.name))
                if fields.allSatisfy({ !screen.fields[$0].isNil }) { detail.names = fields }
            }
            detail.texts = texts(of: pattern.fields ?? [], names) { screen.fields[$0] }
            details[id] = detail
            let list = pattern.children ?? []
            let rest = list.firstIndex { if case .rest = $0 { true } else { false } } ?? list.count
            for (index, child) in list.enumerated() {
                let place = index < rest ? index : screen.childList.count - list.count + index
                guard case .child(let child, _) = child, screen.childList.indices.contains(place)
                else { continue }
                let modals = sequence(first: screen.childList[place]) { tree[$0].modal }
                keep(child.levels, screens: Array(modals), isExact: isExact, in: tree, names: names)
            }
        }
    }

    /// Returns the texts of the fields that contain matchers.
    private func texts(
        of fields: [FieldNotation],
        _ names: ValueNotation.Names,
        _ actual: (String) -> Value
    ) -> [String: String] {
        var texts: [String: String] = [:]
        for field in fields where field.notation.isMatcher {
            let value = classes.hidingPrivate(actual(field.name), of: field.name)
            texts[field.name] = field.notation.field(
                field.name,
                of: value,
                printer: self,
                names: names
            )
        }
        return texts
    }

    /// Returns the text that the given closure writes, truncated at the limit.
    private func text(_ write: (inout String) -> Void) -> String {
        var text = ""
        write(&text)
        return isFull(text) ? RouteError.cut(text, at: limit) : text
    }

    private func isFull(_ text: String) -> Bool { text.utf8.count > limit }

    // MARK: Screens

    /// Returns the levels of a window as text; empty if there is no such window.
    public func tree(_ tree: some ScreenLookup, window name: String) -> String {
        guard let window = tree.window(name) else { return "" }
        return text { write(levels: tree.levels(of: window), in: tree, to: &$0) }
    }

    /// Returns a screen as text, without the modal that it presents.
    ///
    /// - Parameters:
    ///   - id: A screen of the tree.
    ///   - tree: The tree.
    ///   - isDeep: Whether to print the screen's descendants, too.
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
        if !marks.isEmpty, let mark = marks[screen.id] { text.append(mark) }
        text += screen.class
        if classes[screen.class].kind != screen.kind { text += ":\(screen.kind.rawValue)" }
        var fields = shown(screen.fields, of: screen.class)
        let detail = details[screen.id]
        if let names = detail?.names { fields = fields.filter { names.contains($0.0) } }
        text += parenthesized(fields, detail?.texts ?? [:])
        guard isDeep, screen.kind.isContainer else { return }
        text += "["
        var next = 0
        for index in shownChildren(of: screen) where !isFull(text) {
            if index > next { text += next > 0 ? ", ..." : "..." }
            if index > 0 { text += ", " }
            next = index + 1
            let child = screen.child(index)
            if screen.shows == .selected, index == screen.selection { text += "*" }
            write(levels: sequence(first: child) { tree[$0].modal }, in: tree, to: &text)
        }
        if next < screen.childCount { text += next > 0 ? ", ..." : "..." }
        text += "]"
    }

    // MARK: Fields

    /// Returns the fields of a screen in parentheses; empty if no field is set.
    public func fields(_ fields: Fields, of className: String) -> String {
        parenthesized(shown(fields, of: className))
    }

    private func shown(_ fields: Fields, of className: String) -> [(String, Value)] {
        let declared = classes[className].fields.filter { !fields[$0].isNil }
        let others = fields.names.filter { !declared.contains($0) }.sorted()
        return (declared + others).map { ($0, fields[$0]) }
    }

    /// Returns the parameters of a route in parentheses, written like fields.
    ///
    /// The text is empty if there are no parameters, and nil if a key is not a name.
    public func fields(_ info: InfoTable) -> String? { fields(info, keeping: []) { _ in .nil } }

    /// Returns the parameters of a route in parentheses.
    ///
    /// Matchers that the actual value satisfies are written instead of the value.
    package func fields(
        _ info: InfoTable,
        keeping pattern: [FieldNotation],
        _ names: ValueNotation.Names
    ) -> String? {
        var fields: [(String, Value)] = []
        guard info.list.isEmpty else { return nil }
        for (key, value) in info.entries {
            guard case .string(let string) = key, let name = string.text, Name.isValid(name) else {
                return nil
            }
            fields.append((name, value))
        }
        return parenthesized(fields, texts(of: pattern, names) { info[$0] })
    }

    /// Returns an action or an operation as text: the name, followed by the screens and the
    /// attributes of the presentation in parentheses.
    ///
    /// - Parameters:
    ///   - name: The name of the action or operation.
    ///   - screens: The texts of the screens.
    ///   - attributes: The attributes to print.
    ///   - pattern: The attributes of an expectation. Matchers that the actual value satisfies are
    ///     printed instead of the value.
    ///   - names: The values of the names in the expectation.
    /// - Returns: The text, such as `present(Two, style="sheet")`.
    package func call(
        _ name: String,
        of screens: [String] = [],
        with attributes: [(name: String, value: Value)],
        keeping pattern: [FieldNotation] = [],
        _ names: ValueNotation.Names = { _ in .nil }
    ) -> String {
        let kept = texts(of: pattern, names) { name in
            attributes.first { $0.name == name }?.value ?? .nil
        }
        return text { $0 += name + parenthesized(attributes, kept, after: screens) }
    }

    private func parenthesized(
        _ fields: [(name: String, value: Value)],
        _ kept: [String: String] = [:],
        after screens: [String] = []
    ) -> String {
        if fields.isEmpty, screens.isEmpty { return "" }
        var text = "(" + screens.joined(separator: ", ")
        for (index, field) in fields.enumerated() where !isFull(text) {
            if index > 0 || !screens.isEmpty { text += ", " }
            if let kept = kept[field.name] {
                text += kept
                continue
            }
            text += field.name
            text += "="
            write(classes.hidingPrivate(field.value, of: field.name), to: &text)
        }
        text += ")"
        return text
    }

    // MARK: Values

    /// Returns a value as text.
    public func value(_ value: Value) -> String {
        text { write(value, to: &$0) }
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The value to print.
    ///   - text: The text to append to.
    ///   - levels: The number of further levels of nested tables to write. The parser rejects
    ///     deeper tables, so only the kind of a deeper table is written.
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

    /// Returns the shortest decimal text that parses to the same float.
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
            write(classes.hidingPrivate(value, of: key), to: &text, levels: levels)
            separator = ", "
        }
        text += "}"
    }

    /// Returns the key of a table as text.
    func key(_ key: InfoTable.Key) -> String {
        text { write(key, to: &$0) }
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

    /// Writes a string in quotes, with escapes for control characters and for invalid UTF-8.
    private func write(_ string: ByteString, to text: inout String) {
        let string = string.cut(at: stringLimit)
        let isText = string.text != nil
        text += "\""
        string.withBytes { bytes in
            // The text is cut at the limit later. One more byte is written here, so that a
            // character at the limit is complete.
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
            // Write three digits, because a digit may follow the escape.
            let digits = String(byte)
            text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
}
