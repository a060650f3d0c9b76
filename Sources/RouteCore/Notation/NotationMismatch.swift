// SPDX-License-Identifier: MIT

/// The smallest part of an expectation that a tree does not match, and the reason.
///
/// ```swift
/// let expected = try TreeNotation("nav[..., Page(id=8)]", .pattern)
/// if let mismatch = expected.mismatch(in: router.tree, window: "main") {
///     print(mismatch.range)  // 14..<18
///     print(mismatch.reason)  // id is 7
/// }
/// ```
public struct NotationMismatch: Error, Sendable, Equatable {
    /// The range of the part in the text of the expectation.
    public let range: Range<Int>
    /// The difference in the tree, such as `not in the tree` or `showId is 1`.
    public let reason: String

    /// Creates a mismatch.
    public init(range: Range<Int>, reason: String) {
        self.range = range
        self.reason = reason
    }
}

extension TreeNotation {
    /// Compares the expectation with a window.
    ///
    /// - Parameters:
    ///   - tree: The tree.
    ///   - name: The name of the window.
    ///   - printer: The printer for screens in the reason.
    /// - Returns: The first mismatch from the left, or nil if the tree matches.
    /// - Complexity: O(*n*) in the size of the expectation.
    public func mismatch(
        in tree: some ScreenLookup,
        window name: String,
        printer: NotationPrinter = NotationPrinter()
    ) -> NotationMismatch? {
        mismatch(in: tree, window: name, printer: printer) { _ in .nil }
    }

    /// Compares the expectation with a window.
    ///
    /// A placeholder in the expectation has the value that `names` returns for its name.
    package func mismatch(
        in tree: some ScreenLookup,
        window name: String,
        printer: NotationPrinter,
        _ names: @escaping ValueNotation.Names
    ) -> NotationMismatch? {
        guard let window = tree.window(name) else {
            return NotationMismatch(range: range, reason: "there is no window '\(name)'")
        }
        return Matching(tree: tree, printer: printer, names: names, isExact: isExact).run {
            matching throws(NotationMismatch) in
            try matching.compare(levels, with: tree.levels(of: window))
        }
    }
}

extension ScreenNotation {
    /// Compares the expectation with one screen and its descendants.
    ///
    /// A modal that the screen itself presents is ignored.
    ///
    /// - Parameters:
    ///   - id: A screen of the tree.
    ///   - tree: The tree.
    ///   - printer: The printer for screens in the reason.
    /// - Returns: The first mismatch from the left, or nil if the screen matches.
    /// - Complexity: O(*n*) in the size of the expectation.
    public func mismatch(
        _ id: ScreenID,
        in tree: some ScreenLookup,
        printer: NotationPrinter = NotationPrinter()
    ) -> NotationMismatch? {
        mismatch(id, in: tree, printer: printer) { _ in .nil }
    }

    /// Compares the expectation with one screen and its descendants.
    ///
    /// A placeholder in the expectation has the value that `names` returns for its name.
    package func mismatch(
        _ id: ScreenID,
        in tree: some ScreenLookup,
        printer: NotationPrinter,
        _ names: @escaping ValueNotation.Names
    ) -> NotationMismatch? {
        Matching(tree: tree, printer: printer, names: names, isExact: isExact).run {
            matching throws(NotationMismatch) in
            try matching.compare(self, with: id)
        }
    }
}

extension FieldNotation {
    /// Compares the expectation with the value of a field or an attribute.
    package func mismatch(
        _ actual: Value,
        printer: NotationPrinter,
        names: ValueNotation.Names
    ) -> NotationMismatch? {
        guard !notation.matches(actual, names) else { return nil }
        let shown = printer.classes.hidingPrivate(actual, of: name)
        let text = shown.isNil ? "not set" : printer.value(shown)
        return NotationMismatch(
            range: range,
            reason: "\(name) is \(text)" + shown.normalizationHint(for: notation.value(names))
        )
    }
}

private struct Matching<Tree: ScreenLookup> {
    let tree: Tree
    let printer: NotationPrinter
    let names: ValueNotation.Names
    /// Whether screens may have no fields other than the expected fields.
    let isExact: Bool

    func run(_ comparison: (Self) throws(NotationMismatch) -> Void) -> NotationMismatch? {
        do throws(NotationMismatch) {
            try comparison(self)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Screens

    func compare(_ notation: ScreenNotation, with id: ScreenID) throws(NotationMismatch) {
        let screen = tree[id]
        if !notation.isAnyClass, notation.name != screen.class {
            throw NotationMismatch(
                range: notation.nameRange,
                reason: "the tree has \(text(of: id)) here"
            )
        }
        if let kind = notation.kind, kind != screen.kind {
            throw NotationMismatch(
                range: notation.kindRange,
                reason: "the kind is \(screen.kind.rawValue)"
            )
        }
        try compareFields(notation, with: screen)
        if let children = notation.children {
            try compare(children, at: notation.childrenRange, with: screen)
        }
    }

    private func compareFields(_ notation: ScreenNotation, with screen: Screen)
        throws(NotationMismatch)
    {
        guard let fields = notation.fields ?? (isExact ? [] : nil) else { return }
        for field in fields {
            if let mismatch = field.mismatch(
                screen.fields[field.name],
                printer: printer,
                names: names
            ) {
                throw mismatch
            }
        }
        guard fields.isEmpty || isExact,
            screen.fields.names.contains(where: { name in !fields.contains { $0.name == name } })
        else { return }
        throw NotationMismatch(
            range: notation.fields == nil ? notation.nameRange : notation.fieldsRange,
            reason: "the tree has \(text(of: screen.id))"
        )
    }

    // MARK: Levels

    /// Compares the levels of an expectation with a screen and the modals above it, in order.
    func compare(_ levels: [ScreenNotation], with screens: [ScreenID]) throws(NotationMismatch) {
        for (level, screen) in zip(levels, screens) { try compare(level, with: screen) }
        if levels.count > screens.count {
            throw NotationMismatch(
                range: levels[screens.count].range,
                reason: "no modal is presented here"
            )
        }
        if screens.count > levels.count {
            throw NotationMismatch(
                range: levels[levels.count - 1].range,
                reason: "modal \(printer.screen(screens[levels.count], in: tree)) is presented"
            )
        }
    }

    private func contextualLevels(from id: ScreenID) -> [ScreenID] {
        Array(sequence(first: id) { tree[$0].modal })
    }

    // MARK: Children

    /// Compares an expected list with the children of a screen.
    ///
    /// The elements before `...` are compared from the front, and the elements after `...` from the
    /// back.
    private func compare(
        _ list: [ChildNotation],
        at range: Range<Int>,
        with screen: Screen
    ) throws(NotationMismatch) {
        let children = screen.childList
        let rest = list.firstIndex { if case .rest = $0 { true } else { false } }
        let front = rest ?? list.count
        let back = rest.map { list.count - $0 - 1 } ?? 0
        for (index, notation) in list[..<front].enumerated() {
            try compare(notation, with: index, of: screen)
        }
        for (index, notation) in list.suffix(back).enumerated() {
            let place = children.count - back + index
            try compare(notation, with: place < front ? children.count : place, of: screen)
        }
        if rest == nil, children.count > front {
            let more = children[front...]
            let names = more.prefix(3).map { text(of: $0) }.joined(separator: ", ")
            throw NotationMismatch(
                range: range,
                reason:
                    "the tree has \(more.count) more screen\(more.count == 1 ? "" : "s"): \(names)\(more.count > 3 ? ", …" : "")"
            )
        }
    }

    private func compare(_ notation: ChildNotation, with index: Int, of screen: Screen)
        throws(NotationMismatch)
    {
        guard case .child(let expected, let star) = notation else { return }
        guard index < screen.childList.count else {
            throw NotationMismatch(range: expected.range, reason: "not in the tree")
        }
        let child = screen.childList[index]
        try compare(expected.levels, with: contextualLevels(from: child))
        guard let star, screen.shows != .selected || screen.selection != index else { return }
        throw NotationMismatch(
            range: star,
            reason: screen.shows == .selected
                ? "\(text(of: screen.childList[screen.selection])) is selected"
                : "\(screen.kind.rawValue.withArticle)\(screen.showing) has no selection"
        )
    }

    private func text(of id: ScreenID) -> String {
        printer.screen(id, in: tree, deep: false)
    }
}

extension Screen {
    /// The part of a message that says which children a declared container shows; empty for other
    /// kinds of screens.
    fileprivate var showing: String {
        switch (kind, shows) {
        case (.container, .last): " that shows the last child"
        case (.container, .all): " that shows all children"
        default: ""
        }
    }
}
