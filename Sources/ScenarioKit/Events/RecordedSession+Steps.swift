// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// Conversions of the app's recorded actions to scenario steps.
extension RecordedSession {
    /// Returns the step for a navigation that the app began; `nil` if the navigation needs no step.
    func navigation(_ event: Event, _ index: Int) throws(RecordingLoss) -> RecordedStep? {
        var step = RecordedStep(text: "", event: index)
        step.request = event.navigation.map { request(.navigation, $0) }
        let options = event.options
        var known = RequestOption.allCases
        guard let act = Act<Value>(event) else {
            throw RecordingLoss("the verb '\(event["verb"].text ?? "")'")
        }
        switch act {
        case .restore:
            try restoration(of: event, index, &step)
            return step
        case .vanish: return nil
        case .openWindow, .closeWindow:
            step.request = nil
            guard isDone(event, index) else {
                step.remarks.append("a window could not be opened or closed")
                return step
            }
            step.text = try Self.text(of: act)
            step.remarks.append(
                act.word == "openWindow"
                    ? "the app opened the window; in this scenario, the user opens it"
                    : "the app closed the window, and screens could refuse; in this scenario, the user closes it"
            )
            return step
        // The trees in a recording do not name the routes that built their screens.
        case .unready where positions.hasRestoration(before: index):
            throw RecordingLoss("a gate that closes after a snapshot was restored")
        default: step.text = try Self.text(of: act)
        }
        switch act {
        case .route: break
        case .url(let text):
            if event["origin"].text != "url" {
                step.text += " origin \(event["origin"].text ?? "")"
            }
            if let text = text.text, text.contains(part: "•••") || text.contains(part: "/:") {
                step.remarks.append("the URL has private parameters, which are not recorded")
            }
        case .start: known = []
        default:
            step.isNamedOnly = true
            known = RequestOption.ofLeaving
            switch act {
            case _ where !event.isOfPerson: break
            case .back(1) where options.isEmpty: step.text = "user back"
            case .dismiss where options.isEmpty: step.text = "user dismisses"
            default:
                step.remarks.append(
                    "the user requested this navigation; in this scenario, the app requests it"
                )
            }
        }
        if let via = event["via"].text {
            let action = RecordedText.action(via)
            step.text += " via \(action ?? String(via.prefix { $0 != "(" }))"
            if action == nil { step.remarks.append("the options of '\(via)' are not reproduced") }
        }
        if !event["from"].isNil { step.text += " from \(try RecordedText.pattern(event["from"]))" }
        var words: [String] = []
        for (key, value) in options.entries {
            guard case .string(let name) = key, let name = name.text else { continue }
            guard known.contains(where: { $0.rawValue == name }) else {
                step.remarks.append("the option '\(name)' is not reproduced")
                continue
            }
            let isNone = name == RequestOption.timeout.rawValue && (value.double ?? 1) <= 0
            words.append("\(name)=\(isNone ? "none" : try RecordedText.value(value))")
        }
        if !words.isEmpty { step.text += " with (\(words.joined(separator: ", ")))" }
        return step
    }

    /// Returns whether the navigation that begins with an event has succeeded by the end of the
    /// recording.
    private func isDone(_ event: Event, _ index: Int) -> Bool {
        let end = positions.end(of: event.navigation, from: index)
        return end.map { events[$0].kind } == .done
    }

    /// Returns the text of the step for an action, without its options; empty for `restore` and
    /// `vanish`.
    private static func text(of act: Act<Value>) throws(RecordingLoss) -> String {
        func text(_ value: Value, after word: String) throws(RecordingLoss) -> String {
            value.isNil ? "" : "\(word) \(try RecordedText.value(value))"
        }
        return switch act {
        case .route(let target, let info):
            "navigate \(target)\(try RecordedText.parameters(info))"
        case .url(let text): "open \(try RecordedText.value(.string(text)))"
        case .start(let info): "start\(try RecordedText.parameters(info))"
        case .back(let count): count == 1 ? "back" : "back \(count)"
        case .pop(let screen): "pop to \(try RecordedText.pattern(screen))"
        case .popToRoot: "pop to root"
        case .dismiss: "dismiss"
        case .dismissAll: "dismiss all"
        case .select(let screen): "select \(try RecordedText.pattern(screen))"
        case .selectTab(let number): "select \(number)"
        case .close(let screen, let value):
            "close \(try RecordedText.pattern(screen))\(try text(value, after: ""))"
        case .replace(let screen, let tree, let value):
            "replace \(try RecordedText.pattern(screen)) with \(try RecordedText.tree(tree))"
                + (try text(value, after: " value"))
        case .openWindow(let name, let tree):
            "user opens window \(name) \(try RecordedText.tree(tree))"
        case .closeWindow(let name): "user closes window \(name)"
        case .unready(let gate): "unready \(gate) leaving"
        case .restore, .vanish: ""
        }
    }

    /// Changes a step so that it sets the trees, the state and the gates that a snapshot restored.
    private func restoration(
        of event: Event,
        _ index: Int,
        _ step: inout RecordedStep
    ) throws(RecordingLoss) {
        step.request = nil
        let end = positions.restoration(of: event.navigation, from: index)
        guard let restored = end.map({ events[$0] }), restored.kind == .restore else {
            step.remarks = ["a snapshot could not be restored"]
            return
        }
        var table = InfoTable()
        for name in ["state", "gates", "links", "trees"] {
            table[.string(ByteString(name))] = restored[name]
        }
        var lines = try Self.lines(of: table)
        guard let last = lines.popLast() else { throw RecordingLoss("a snapshot without screens") }
        step.text = last
        step.preparations = lines
        step.remarks = ["a snapshot was restored; the next steps set the resulting tree and state"]
    }

    /// Returns the steps that set the state, the gates and the trees of a router.
    static func lines(of start: InfoTable) throws(RecordingLoss) -> [String] {
        var lines: [String] = []
        if case .table(let state) = start["state"] {
            for (key, value) in state.entries {
                guard case .string(let name) = key, let name = name.text, Name.isValid(name) else {
                    throw RecordingLoss("a state that is too long for an event")
                }
                lines.append("set state.\(name) = \(try RecordedText.value(value))")
            }
        }
        if case .table(let gates) = start["gates"] {
            lines += gates.list.compactMap(\.text).map { "maybe ready \($0)" }
        }
        if case .table(let links) = start["links"], !links.list.isEmpty {
            throw RecordingLoss("a snapshot with deep links")
        }
        if case .table(let trees) = start["trees"] {
            for case .table(let window) in trees.list {
                lines.append(try Self.given(window: window["window"].text ?? "", window["tree"]))
            }
        }
        return lines
    }

    /// Returns the step that sets the tree of a window.
    static func given(window: String, _ tree: Value) throws(RecordingLoss) -> String {
        let name = window == "main" ? "" : "window \(window) "
        return "given \(name)\(try RecordedText.tree(tree))"
    }

    /// Returns the step for user actions that the host reported.
    static func report(
        _ words: [String],
        window: String?,
        _ tree: Value
    ) throws(RecordingLoss) -> String {
        guard let window else {
            throw RecordingLoss("simultaneous changes by the user in several windows")
        }
        switch words {
        case ["opened"]: return "user opens window \(window) \(try RecordedText.tree(tree))"
        case ["closed"]: return "user closes window \(window)"
        default:
            guard window == "main", !words.contains("opened"), !words.contains("closed") else {
                throw RecordingLoss("a change that the user made in the window '\(window)'")
            }
            return "user makes \(try RecordedText.pattern(tree))"
        }
    }
}
