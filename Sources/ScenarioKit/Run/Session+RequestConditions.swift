// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The conditions about requests.
extension Session {
    func mismatch(
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
                let label = "the error code is '\(error.code.rawValue)'"
                return Mismatch(range: range, label: label, actual: actual)
            }
            guard let text, !error.description.containsBytes(of: text) else { return nil }
            let hint = UnicodeForm.hint(for: text, in: error.description)
            return Mismatch(
                range: range,
                label: "the error message does not contain this text\(hint)",
                actual: actual
            )
        case (.pending(nil), .pending): return other
        case (.pending(nil), _): return nil
        case (.pending(let name?), .pending(let actual)):
            return name == actual ?? Request.Outcome.host ? nil : other
        case (.result(let value), _):
            let actual = request.result
            if value.matches(actual, names) { return nil }
            if case .done = outcome {} else if actual.isNil { return other }
            return Mismatch(
                range: range,
                label: request.hasResult
                    ? "the result is different\(actual.normalizationHint(for: value.value(names)))"
                    : "a navigation has no result: the value with which its screen is closed goes to the script that calls ':result()', so check what that script does",
                actual: printer.value(actual)
            )
        case (.completions(let count), _): return mismatch(completions: count, range, request)
        case (.route(let target), _): return mismatch(route: target, range, request)
        case (.params(let fields), _): return mismatch(params: fields, range, request)
        case (.found(let pattern), _): return mismatch(found: pattern, request)
        case (.built(let patterns), _): return mismatch(built: patterns, range, request)
        default: return other
        }
    }

    private func mismatch(
        completions count: Int,
        _ range: Range<Int>,
        _ request: Request
    ) -> Mismatch? {
        let actual = request.completions
        guard actual != count else { return nil }
        return Mismatch(
            range: range,
            label: "the completion handler was called \(actual == 1 ? "once" : "\(actual) times")",
            actual: String(actual)
        )
    }

    // MARK: URLs

    private func mismatch(
        route target: Target,
        _ range: Range<Int>,
        _ request: Request
    ) -> Mismatch? {
        guard request.target != target else { return nil }
        return Mismatch(
            range: range,
            label: request.target == nil ? "the request has no route" : "the route is different",
            actual: request.target?.description ?? request.outcome.condition(printer)
        )
    }

    private func mismatch(
        params fields: [FieldNotation],
        _ range: Range<Int>,
        _ request: Request
    ) -> Mismatch? {
        let params = request.params
        func mismatch(_ range: Range<Int>, _ label: String) -> Mismatch {
            let actual = printer.fields(params) ?? printer.value(.table(params))
            return Mismatch(range: range, label: label, actual: actual.isEmpty ? "()" : actual)
        }
        if fields.isEmpty, !params.isEmpty { return mismatch(range, "the request has parameters") }
        for field in fields {
            let actual = params[field.name]
            guard !field.notation.matches(actual, names) else { continue }
            let hint = actual.normalizationHint(for: field.notation.value(names))
            return mismatch(
                field.range,
                actual.isNil ? "no such parameter" : "the value is different\(hint)"
            )
        }
        return nil
    }

    // MARK: Found and built

    private func mismatch(found pattern: ScreenNotation, _ request: Request) -> Mismatch? {
        let found = screens(.find, of: request)
        var first: Mismatch?
        for screen in found {
            guard let mismatch = mismatch(pattern, screen.id, in: screen.tree) else { return nil }
            first = first ?? mismatch
        }
        var mismatch = first ?? Mismatch(range: pattern.range, label: "no screen was found")
        mismatch.actual = text(of: found)
        return mismatch
    }

    private func mismatch(
        built patterns: [ScreenNotation],
        _ range: Range<Int>,
        _ request: Request
    ) -> Mismatch? {
        let built = screens(.build, of: request)
        var mismatch: Mismatch?
        for (index, pattern) in patterns.enumerated() where mismatch == nil {
            guard index < built.count else {
                mismatch = Mismatch(range: pattern.range, label: "no other screen was built")
                break
            }
            mismatch = self.mismatch(pattern, built[index].id, in: built[index].tree)
        }
        if mismatch == nil, built.count > patterns.count {
            let label = "\(text(of: [built[patterns.count]])) was also built"
            mismatch = Mismatch(range: range, label: label)
        }
        mismatch?.actual = text(of: built)
        return mismatch
    }

    private func text(of screens: [SeenScreen]) -> String {
        let texts = texts(of: screens)
        return texts.isEmpty ? "none" : texts.joined(separator: " ")
    }

    /// Returns screens as text, with the matchers of the given patterns where they match.
    func texts(of screens: [SeenScreen], like patterns: [ScreenNotation] = []) -> [String] {
        screens.enumerated().map { index, screen in
            let pattern = patterns.indices.contains(index) ? patterns[index] : nil
            return text(of: screen.id, in: screen.tree, like: pattern, deep: false)
        }
    }

    /// A screen that a request found or built, and the tree from which its fields are read.
    struct SeenScreen {
        let id: ScreenID
        let tree: ScreenTree
    }

    /// Returns the screens in the events of a request, in order.
    ///
    /// All fields of the destination are read from the tree. For the other screens, only the fields
    /// in the event are known.
    func screens(_ kind: Event.Kind, of request: Request) -> [SeenScreen] {
        guard case .navigation(let navigation) = request else { return [] }
        let events = log.events.filter { $0.navigation == navigation.id }
        let last = events.lastIndex { $0.kind == .find || $0.kind == .build }
        return events.indices.filter { events[$0].kind == kind }.compactMap { index in
            let event = events[index]
            if index == last, let id = navigation.screen,
                app.router.tree.screen(id)?.class == event["class"].text
            {
                return SeenScreen(id: id, tree: app.router.tree)
            }
            var tree = ScreenTree()
            guard let text = event["screen"].text, let notation = try? TreeNotation(text),
                let id = try? notation.build(into: &tree, classes: app.router.classes)
            else { return nil }
            return SeenScreen(id: id, tree: tree)
        }
    }
}
