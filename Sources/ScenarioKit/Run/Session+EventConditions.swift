// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The conditions about events since the last step that acts.
extension Session {
    /// The operations that the host received, each with the tree after the change.
    var givenOperations: [(operation: TreeOperation, tree: ScreenTree)] {
        app.host.given.flatMap { tree, change in
            change.operations.map { (operation: $0, tree: tree) }
        }
    }

    func mismatch(
        operations expected: [OperationNotation],
        _ range: Range<Int>
    ) -> Mismatch? {
        let actual = givenOperations
        var mismatch: Mismatch?
        for (index, notation) in expected.enumerated() where mismatch == nil {
            guard index < actual.count else {
                mismatch = Mismatch(
                    range: notation.range,
                    label: "the host received no other operation"
                )
                break
            }
            mismatch = self.mismatch(notation, actual[index].operation, in: actual[index].tree)
        }
        if mismatch == nil, actual.count > expected.count {
            let label = "the host also received '\(actual[expected.count].operation.name)'"
            mismatch = Mismatch(range: range, label: label)
        }
        mismatch?.actual =
            actual.isEmpty
            ? "none"
            : actual.map { text(of: $0.operation, in: $0.tree) }.joined(separator: " ")
        return mismatch
    }

    private func mismatch(
        _ notation: OperationNotation,
        _ operation: TreeOperation,
        in tree: ScreenTree
    ) -> Mismatch? {
        guard notation.name == operation.name else {
            return Mismatch(
                range: notation.range,
                label: "the host received '\(operation.name)' here"
            )
        }
        for field in notation.attributes {
            let attribute = Screen.Presentation.Attribute(rawValue: field.name)
            let actual = attribute.flatMap { operation.presentation?[$0] } ?? .nil
            if let mismatch = field.mismatch(actual, printer: printer, names: names) {
                return Mismatch(range: mismatch.range, label: mismatch.reason)
            }
        }
        guard let patterns = notation.screens else { return nil }
        let screens = operation.screens
        guard patterns.count == screens.count else {
            let count = screens.count == 1 ? "one screen" : "\(screens.count) screens"
            return Mismatch(range: notation.range, label: "the operation has \(count)")
        }
        for (pattern, screen) in zip(patterns, screens) {
            if let mismatch = mismatch(pattern, screen, in: tree) { return mismatch }
        }
        return nil
    }

    /// Returns an operation as text.
    ///
    /// If an expected operation is given, the text can replace that operation: it has the same
    /// level of detail, and contains the same matchers where they match.
    func text(
        of operation: TreeOperation,
        in tree: ScreenTree,
        like expected: OperationNotation? = nil
    ) -> String {
        let patterns = expected?.screens ?? []
        let screens = operation.screens.enumerated().map { index, screen in
            let pattern = patterns.indices.contains(index) ? patterns[index] : nil
            return text(of: screen, in: tree, like: pattern, deep: false)
        }
        let listed = expected?.attributes ?? []
        var attributes = operation.presentation?.attributes ?? []
        if expected != nil, let presentation = operation.presentation {
            attributes = Screen.Presentation.Attribute.allCases
                .filter { attribute in listed.contains { $0.name == attribute.rawValue } }
                .map { ($0.rawValue, presentation[$0]) }
        }
        return printer.call(operation.name, of: screens, with: attributes, keeping: listed, names)
    }

    /// Returns a screen as text, with the matchers of the given pattern where they match.
    func text(
        of screen: ScreenID,
        in tree: ScreenTree,
        like pattern: ScreenNotation?,
        deep isDeep: Bool = true
    ) -> String {
        guard let pattern else { return printer.screen(screen, in: tree, deep: isDeep) }
        let printer = printer.keeping(
            pattern,
            id: screen,
            isExact: pattern.isExact,
            in: tree,
            names: names
        )
        return (pattern.isExact ? "exactly " : "") + printer.screen(screen, in: tree, deep: isDeep)
    }

    // MARK: Messages

    /// Returns the indices of the log events since the last act that have the given level and
    /// contain the given text.
    func messages(_ level: String, _ text: String) -> [Int] {
        latestEvents.indices.filter { number in
            let event = log.events[number]
            return event.kind == .log && event["level"].text == level
                && event["message"].text?.containsBytes(of: text) == true
        }
    }

    func mismatch(log level: String, _ text: String, _ range: Range<Int>) -> Mismatch? {
        guard messages(level, text).isEmpty else { return nil }
        let logs = latestEvents.filter { $0.kind == .log }
        let actual = logs.map { event in
            "\(event["level"].text ?? "") \(printer.value(event["message"]))"
        }
        let hints = logs.lazy.filter { $0["level"].text == level }.map { event in
            UnicodeForm.hint(for: text, in: event["message"].text ?? "")
        }
        return Mismatch(
            range: range,
            label: "no such message in the log\(hints.first { !$0.isEmpty } ?? "")",
            actual: actual.isEmpty ? "nothing" : actual.joined(separator: ", ")
        )
    }

    // MARK: Traces and calls

    /// The events since the last step that acts, without the events that report the step itself.
    var effects: [Event] { effects(in: latestEvents) }

    /// Returns the given events without those of kind `host`, which report the steps themselves.
    func effects(in events: some Sequence<Event>) -> [Event] {
        events.filter { $0.kind != .host }
    }

    func mismatch(trace words: [TraceWord]) -> Mismatch? {
        var rest = latestEvents
        for (index, word) in words.enumerated() {
            if let next = rest.firstIndex(where: word.fits) {
                rest = rest[(next + 1)...]
                continue
            }
            let hasHappened = latestEvents.contains(where: word.fits)
            return Mismatch(
                range: word.range,
                label: "this event did not happen"
                    + (hasHappened ? " after '\(words[index - 1].text)'" : ""),
                actual: effects.isEmpty
                    ? "nothing" : effects.map(TraceWord.text(of:)).joined(separator: " ")
            )
        }
        return nil
    }

    func mismatch(called pattern: CallPattern, _ times: Int?, _ range: Range<Int>) -> Mismatch? {
        let calls = app.tasks.state.calls
        let count = calls.count { pattern.fits($0.target, with: $0.info, names: names) }
        guard times.map({ $0 != count }) ?? (count == 0) else { return nil }
        var label = count == 1 ? "called once" : "called \(count) times"
        if times == nil { label = "not called" }
        let actual = calls.map { call in
            "\(call.target)\(parameters(call.info))"
        }
        return Mismatch(
            range: range,
            label: label,
            actual: actual.isEmpty ? "none" : actual.joined(separator: " ")
        )
    }

    func parameters(_ info: InfoTable) -> String {
        let fields = info.entries.map { entry in
            "\(entry.key.pathComponent.drop { $0 == "." })=\(printer.value(entry.value))"
        }
        return fields.isEmpty ? "" : "(\(fields.joined(separator: ", ")))"
    }
}

extension TraceWord {
    fileprivate var text: String { kind.rawValue + (detail.map { ":\($0)" } ?? "") }

    fileprivate func fits(_ event: Event) -> Bool {
        event.kind == kind && (detail == nil || detail == Self.detail(of: event))
    }

    static func text(of event: Event) -> String {
        let isDetailed = kindsWithDetail.contains(event.kind.rawValue)
        let detail = isDetailed ? detail(of: event).map { ":\($0)" } : nil
        return event.kind.rawValue + (detail ?? "")
    }

    private static func detail(of event: Event) -> String? {
        event["class"].text ?? event["name"].text ?? event["phase"].text
    }
}
