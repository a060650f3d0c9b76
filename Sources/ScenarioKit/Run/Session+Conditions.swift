// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What an expectation names that is not so.
struct Mismatch {
    let range: Range<Int>
    let label: String
    var actual: String?
}

extension Session {
    /// Compares an expectation with what is; nil where it holds.
    func mismatch(_ expectation: Expectation, _ request: Request?) -> Mismatch? {
        if expectation.isAboutRequest, request == nil {
            if case .pending(nil) = expectation.condition { return nil }
            return Mismatch(
                range: expectation.range,
                label: "no 'navigate' or 'doTask' stands before it"
            )
        }
        let mismatch = mismatch(expectation.condition, expectation.range, request)
        guard expectation.isNegated else { return mismatch }
        return mismatch == nil ? Mismatch(range: expectation.range, label: "it holds") : nil
    }

    private func mismatch(
        _ condition: Expectation.Condition,
        _ range: Range<Int>,
        _ request: Request?
    ) -> Mismatch? {
        switch condition {
        case .tree(let window, let tree):
            tree.mismatch(in: router.tree, window: window, printer: printer).map { mismatch in
                Mismatch(
                    range: mismatch.range,
                    label: mismatch.reason,
                    actual: router.tree.window(window) == nil
                        ? nil : printer.tree(router.tree, window: window)
                )
            }
        case .top(let screen):
            mismatch(top: screen)
        case .topIs(let name):
            mismatch(topIs: name, range)
        case .operations(let operations):
            mismatch(operations: operations, range)
        case .log(let level, let text):
            mismatch(log: level, text, range)
        case .done, .error, .stayed, .cancelled, .pending, .result, .completions:
            request.flatMap { mismatch(condition, range, about: $0) }
        }
    }

    // MARK: Requests

    private func mismatch(
        _ condition: Expectation.Condition,
        _ range: Range<Int>,
        about request: Request
    ) -> Mismatch? {
        let outcome = request.outcome
        let other = Mismatch(
            range: range,
            label: outcome.sentence,
            actual: outcome.condition(printer)
        )
        switch (condition, outcome) {
        case (.done, .done), (.stayed, .stayed), (.cancelled(nil), .cancelled): return nil
        case (.cancelled(let code?), .cancelled(let error)):
            return error.code == code ? nil : other
        case (.error(let code, let text), .failed(let error)):
            let actual = outcome.condition(printer)
            guard error.code == code else {
                let label = "the code is '\(error.code.rawValue)'"
                return Mismatch(range: range, label: label, actual: actual)
            }
            guard let text, !error.description.contains(text) else { return nil }
            return Mismatch(range: range, label: "not in the message", actual: actual)
        case (.pending(nil), .pending): return other
        case (.pending(nil), _): return nil
        case (.pending(let name?), .pending(let actual)): return name == actual ? nil : other
        case (.result(let value), _):
            let result = request.result
            guard !result.isEqual(to: value) else { return nil }
            let actual = printer.value(result)
            return Mismatch(range: range, label: "not the result", actual: actual)
        case (.completions(let count), _):
            let actual = request.completions
            guard actual != count else { return nil }
            return Mismatch(
                range: range,
                label: actual == 1 ? "told once" : "told \(actual) times",
                actual: String(actual)
            )
        default: return other
        }
    }

    // MARK: Screens

    private func mismatch(top pattern: ScreenNotation) -> Mismatch? {
        guard let window = router.tree.window("main") else {
            return Mismatch(range: pattern.range, label: "there is no tree yet")
        }
        let leaf = router.tree.visibleLeaf(of: window)
        return pattern.mismatch(leaf, in: router.tree, printer: printer).map { mismatch in
            Mismatch(
                range: mismatch.range,
                label: mismatch.reason,
                actual: printer.screen(leaf, in: router.tree)
            )
        }
    }

    private func mismatch(topIs name: String, _ range: Range<Int>) -> Mismatch? {
        guard let window = router.tree.window("main") else {
            return Mismatch(range: range, label: "there is no tree yet")
        }
        let leaf = router.tree.visibleLeaf(of: window)
        guard bindings[name] != .screen(leaf) else { return nil }
        var label = "'\(name)' is another value"
        if case .screen(let screen) = bindings[name] {
            label =
                router.tree.isAlive(screen)
                ? "'\(name)' is \(printer.screen(screen, in: router.tree, deep: false)), elsewhere"
                : "'\(name)' is gone"
        }
        return Mismatch(
            range: range,
            label: label,
            actual: printer.screen(leaf, in: router.tree)
        )
    }

    // MARK: What happened

    private func mismatch(
        operations expected: [OperationNotation],
        _ range: Range<Int>
    ) -> Mismatch? {
        let actual = host.changes.flatMap { change in
            change.operations.map { (operation: $0, tree: change.tree) }
        }
        var mismatch: Mismatch?
        for (index, notation) in expected.enumerated() where mismatch == nil {
            guard index < actual.count else {
                mismatch = Mismatch(range: notation.range, label: "the host was given no more")
                break
            }
            mismatch = self.mismatch(notation, actual[index].operation, in: actual[index].tree)
        }
        if mismatch == nil, actual.count > expected.count {
            let label = "the host was also given '\(actual[expected.count].operation.name)'"
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
        _ operation: Operation,
        in tree: ScreenTree
    ) -> Mismatch? {
        guard notation.name == operation.name else {
            return Mismatch(range: notation.range, label: "the host was given '\(operation.name)'")
        }
        guard let patterns = notation.screens else { return nil }
        let screens = operation.screens
        guard patterns.count == screens.count else {
            let count = screens.count == 1 ? "one screen" : "\(screens.count) screens"
            return Mismatch(range: notation.range, label: "it is about \(count)")
        }
        for (pattern, screen) in zip(patterns, screens) {
            if let mismatch = pattern.mismatch(screen, in: tree, printer: printer) {
                return Mismatch(range: mismatch.range, label: mismatch.reason)
            }
        }
        return nil
    }

    private func text(of operation: Operation, in tree: ScreenTree) -> String {
        let screens = operation.screens
        guard !screens.isEmpty else { return operation.name }
        let texts = screens.map { printer.screen($0, in: tree, deep: false) }
        return "\(operation.name)(\(texts.joined(separator: ", ")))"
    }

    private func mismatch(log level: String, _ text: String, _ range: Range<Int>) -> Mismatch? {
        let messages = latestEvents.filter { $0.kind == .log }
            .map { (level: $0["level"].text ?? "", text: $0["message"].text ?? "") }
        if messages.contains(where: { $0.level == level && $0.text.contains(text) }) { return nil }
        let actual = messages.map {
            "\($0.level) \(printer.value(.string(ByteString($0.text))))"
        }
        return Mismatch(
            range: range,
            label: "not in the log",
            actual: actual.isEmpty ? "nothing" : actual.joined(separator: ", ")
        )
    }
}
