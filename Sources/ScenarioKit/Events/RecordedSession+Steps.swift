// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The texts of the steps for what an app did.
extension RecordedSession {
    /// Returns the step for a navigation that the app began; nil if it needs none.
    func navigation(_ event: Event, _ index: Int) throws(RecordingLoss) -> RecordedStep? {
        var step = RecordedStep(text: "", event: index)
        step.request = event.navigation.map { .navigation($0) }
        let options = event.options
        var known = RequestOption.allCases
        switch event["verb"].text {
        case nil where !event["url"].isNil || !event["route"].isNil:
            let url = event["url"].isNil ? event["route"] : event["url"]
            step.text = "open \(try RecordedText.value(url))"
            if event["origin"].text != "url" {
                step.text += " origin \(event["origin"].text ?? "")"
            }
            if let text = url.text, text.contains(part: "•••") || text.contains(part: "/:") {
                step.remarks.append("the URL has private parameters, which are not recorded")
            }
        case nil:
            step.text = "navigate \(event.target)\(try RecordedText.parameters(event["info"]))"
        case "start":
            step.text = "start\(try RecordedText.parameters(event["info"]))"
            known = []
        case "restore":
            try restoration(of: event, index, &step)
            return step
        case "vanish": return nil
        case "openWindow" where !isDone(event, index), "closeWindow" where !isDone(event, index):
            step.request = nil
            step.remarks.append("a window could not be opened or closed")
            return step
        case "openWindow":
            step.text =
                "user opens window \(event["name"].text ?? "") \(try RecordedText.tree(event["tree"]))"
            step.request = nil
            step.remarks.append("the app opened the window; here the user does")
            return step
        case "closeWindow":
            step.text = "user closes window \(event["name"].text ?? "")"
            step.request = nil
            step.remarks.append(
                "the app closed the window, and screens could refuse; here the user does"
            )
            return step
        // The trees of a recording do not name the routes of their screens.
        case "unready" where positions.hasRestoration(before: index):
            throw RecordingLoss("a gate that closes after a snapshot was restored")
        case let verb?:
            step.text = try leaving(verb, event)
            step.isNamedOnly = true
            known = RequestOption.ofLeaving
            switch step.text {
            case _ where !event.isOfPerson: break
            case "back" where options.isEmpty: step.text = "user back"
            case "dismiss" where options.isEmpty: step.text = "user dismisses"
            default: step.remarks.append("a person asked for this; here the app does")
            }
        }
        if let via = event["via"].text {
            let name = via.prefix { $0 != "(" }
            step.text += " via \(name)"
            if name != via {
                step.remarks.append("the options of '\(via)' are not reproduced")
            }
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
        if RecordedText.isHidden(step.text) { step.remarks.append(Self.isPrivate) }
        return step
    }

    /// Whether a navigation that begins with an event has succeeded at the end of the recording.
    private func isDone(_ event: Event, _ index: Int) -> Bool {
        let end = positions.end(of: event.navigation, from: index)
        return end.map { events[$0].kind } == .done
    }

    static let isPrivate = "a private value is not recorded"

    private func leaving(_ verb: String, _ event: Event) throws(RecordingLoss) -> String {
        let value = event["value"]
        switch verb {
        case "back": return event["number"].integer.map { "back \($0)" } ?? "back"
        case "popTo": return "pop to \(try RecordedText.pattern(event["screen"]))"
        case "popToRoot": return "pop to root"
        case "dismiss": return "dismiss"
        case "dismissAll": return "dismiss all"
        case "select":
            if let number = event["number"].integer { return "select \(number)" }
            return "select \(try RecordedText.pattern(event["screen"]))"
        case "close":
            return "close \(try RecordedText.pattern(event["screen"]))"
                + (value.isNil ? "" : " \(try RecordedText.value(value))")
        case "replace":
            return "replace \(try RecordedText.pattern(event["screen"]))"
                + " with \(try RecordedText.tree(event["tree"]))"
                + (value.isNil ? "" : " value \(try RecordedText.value(value))")
        case "unready": return "unready \(event["name"].text ?? "") leaving"
        default: throw RecordingLoss("the verb '\(verb)'")
        }
    }

    /// Sets the trees, the state and the gates that a snapshot restored.
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
        step.remarks = ["a snapshot is restored: the tree and the state that it led to"]
        if RecordedText.isHidden(lines.joined() + last) { step.remarks.append(Self.isPrivate) }
    }

    /// Returns the steps that set the state, the gates and the trees of a router.
    static func lines(of start: InfoTable) throws(RecordingLoss) -> [String] {
        var lines: [String] = []
        if case .table(let state) = start["state"] {
            for (key, value) in state.entries {
                guard case .string(let name) = key, let name = name.text, Name.isValid(name) else {
                    throw RecordingLoss("a state that is longer than events keep")
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
                lines.append(try Self.given(window["window"], window["tree"]))
            }
        }
        return lines
    }

    /// Returns the step that sets the tree of a window.
    static func given(_ window: Value, _ tree: Value) throws(RecordingLoss) -> String {
        let name = window.text == "main" ? "" : "window \(window.text ?? "") "
        return "given \(name)\(try RecordedText.tree(tree))"
    }

    /// Returns the step for reports of the host.
    func report(_ event: Event) throws(RecordingLoss) -> String {
        guard case .table(let reports) = event["reports"], let window = event["window"].text else {
            throw RecordingLoss("changes that the user made in several windows at once")
        }
        let words = reports.list.compactMap(\.text)
        switch words {
        case ["opened"]:
            return "user opens window \(window) \(try RecordedText.tree(event["tree"]))"
        case ["closed"]: return "user closes window \(window)"
        default:
            guard window == "main", !words.contains("opened"), !words.contains("closed") else {
                throw RecordingLoss("a change that the user made in the window '\(window)'")
            }
            return "user makes \(try RecordedText.pattern(event["tree"]))"
        }
    }
}
