// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The steps that reproduce a recording.
///
/// Only input from outside of the scripts becomes a step: calls by the app, the host's responses,
/// gestures that the host reported, and the passing of time. The actions of the scripts result from
/// this input.
struct RecordedSession {
    let events: [Event]
    /// The steps.
    private(set) var steps: [RecordedStep] = []
    /// The end of each request: the index of the event that ended the request, and the condition
    /// that is then true.
    private(set) var ends: [RecordedStep.Request: (event: Int, condition: String)] = [:]
    /// The requests that need a name, because a later step cancels them.
    private(set) var cancelled: Set<RecordedStep.Request> = []
    /// For each request, the name of the interceptor, gate or task for which the request last
    /// waited, or `host`.
    private(set) var waits: [RecordedStep.Request: String] = [:]
    /// The navigations and tasks, including those of scripts, that are pending at the end.
    private(set) var pending: Set<RecordedStep.Request> = []
    /// The requests that steps make.
    private var requested: Set<RecordedStep.Request> = []
    /// The tasks of the host that have not ended.
    private var tasks = PendingTasks()
    /// The positions of events that are searched for repeatedly.
    let positions: RecordedPositions
    /// The index of the `commit` event of each change, by revision.
    private var commits: [Int: Int] = [:]
    /// The last navigation that changed the tree, and the index of its `commit` event.
    private var applied: (request: RecordedStep.Request, event: Int)?
    /// The time to which the previous steps have moved the clock.
    private var now: Double
    /// The number of earlier starts of the app in the recording.
    private var epoch = 0

    /// Whether the recording begins in the middle of a session.
    ///
    /// If so, work may have begun before the first event.
    private let isPartial: Bool
    /// The folder to which paths are relative; `nil` for the working directory.
    private let folder: String?

    init(_ recording: EventRecording, folder: String? = nil) {
        self.folder = folder
        events = Array(recording.eventsFromStart)
        positions = RecordedPositions(events)
        now = events.first?.time.rounded(.down) ?? 0
        isPartial = recording.start != nil
        if let start = recording.start { steps.append(begin(with: start)) }
        var isOver = false
        for index in events.indices {
            if index > 0, events[index].sequence <= events[index - 1].sequence { restart(index) }
            // After the app has ended, events need no steps until the app is started again.
            if index > 0, events[index].sequence <= events[index - 1].sequence { isOver = false }
            if case .shutDown? = call(at: index) { isOver = true }
            if isOver { continue }
            moveClock(index)
            note(index)
            add(index)
        }
        if let end = events.last?.time { finishAdvance(at: end) }
        if let applied, pending.contains(applied.request),
            let cause = step(causing: applied.event)
        {
            steps[cause].preparations.append("host holds")
        }
    }

    /// The request of the last step that failed; `nil` if no step failed.
    var lastFailure: RecordedStep.Request? {
        steps.compactMap(\.request).filter { ends[$0]?.condition.hasPrefix("error ") == true }
            .max { (ends[$0]?.event ?? 0) < (ends[$1]?.event ?? 0) }
    }

    /// The index of the step that caused the current event.
    private var last: Int { steps.count - 1 }

    /// Returns the index of the step that caused an event; `nil` if there is none.
    ///
    /// - Complexity: O(log *n*).
    private func step(causing event: Int) -> Int? {
        let next = steps.sortedFirstIndex(where: { $0.event > event })
        return next > 0 ? next - 1 : nil
    }

    /// Returns the request that has the given number since the last start of the app.
    func request(_ kind: AppCall.Request, _ number: Int) -> RecordedStep.Request {
        RecordedStep.Request(kind: kind, number: number, epoch: epoch)
    }

    /// Returns the request that an event names by its number; `nil` if there is none.
    private func request(_ kind: AppCall.Request, _ event: Event) -> RecordedStep.Request? {
        event["id"].int.map { request(kind, $0) }
    }

    /// Returns the call that an event describes; `nil` if the event is of another kind or damaged.
    private func call(at index: Int) -> AppCall? {
        events[index].kind == .host ? AppCall(events[index]) : nil
    }

    // MARK: Time

    /// Whether the last step moves the clock to the time of the current event.
    private var isAdvancing: Bool { steps.last?.text == "advance" }

    private mutating func moveClock(_ index: Int) {
        let event = events[index]
        guard event.time > now else { return }
        if !isAdvancing { steps.append(RecordedStep(text: "advance", event: index)) }
        if isInput(event) { finishAdvance(at: event.time) }
    }

    private mutating func finishAdvance(at time: Double) {
        guard isAdvancing, time > now else { return }
        steps[last].text = "advance \(RecordedText.duration(time - now))"
        now = time
    }

    private mutating func restart(_ index: Int) {
        finishAdvance(at: events[index - 1].time)
        // The restart cancels pending work, so the steps that cancel work are removed.
        var first = index
        while let step = steps.last, step.text.hasPrefix("cancel ") || step.loss == Self.unknown {
            steps.removeLast()
            first = step.event
        }
        steps.append(RecordedStep(text: "restart", event: first))
        for request in pending { ends[request] = (first, "") }
        epoch += 1
        (tasks, commits, pending) = (PendingTasks(), [:], [])
    }

    // MARK: Requests

    /// Updates the requests to which an event belongs.
    private mutating func note(_ index: Int) {
        let event = events[index]
        if let number = event.navigation {
            let key = request(.navigation, number)
            switch event.kind {
            case .navigate: pending.insert(key)
            case .commit:
                waits[key] = "host"
                applied = (key, index)
            case .gate, .wait: waits[key] = event["name"].text
            case .plan, .stage: waits[key] = nil
            case .done, .failed, .stayed, .cancelled:
                end(key, index: index, condition: event.kind == .done ? "done" : nil)
            default: break
            }
        }
        switch event.kind {
        case .commit: if let revision = event["revision"].int { commits[revision] = index }
        case .task:
            guard let key = request(.task, event) else { return }
            if event["phase"].text == "started" {
                pending.insert(key)
                tasks.begin(key.number, event.target, event: index)
                waits[key] = event.target.description
            } else {
                tasks.end(key.number)
                let isDone = event["phase"].text == "done"
                end(
                    key,
                    index: index,
                    condition: !isDone ? nil : event["finished"] == true ? "done" : "not done"
                )
            }
        case .call:
            guard let key = request(.call, event) else { return }
            if event["phase"].text == "started" {
                pending.insert(key)
            } else {
                end(key, index: index, condition: event["phase"].text == "done" ? "done" : nil)
            }
        case .link: noteLink(event, index)
        default: break
        }
    }

    private mutating func noteLink(_ event: Event, _ index: Int) {
        var ids = [event["id"]]
        if case .table(let links) = event["links"] {
            ids = links.list.map { if case .table(let link) = $0 { link["id"] } else { .nil } }
        }
        for id in ids.compactMap(\.int) where event["phase"].text != "will" {
            let condition = event["phase"].text == "did" ? "done" : nil
            end(request(.link, id), index: index, condition: condition)
        }
    }

    private mutating func end(_ key: RecordedStep.Request, index: Int, condition: String?) {
        let event = events[index]
        var text = condition ?? "error \(event["code"].text ?? "")"
        if event.kind == .stayed { text = "stayed" }
        if event["phase"].text == "timeout" { text = "error timeout" }
        if event.kind == .cancelled || event["phase"].text == "cancelled" {
            text = event["code"].text == "superseded" ? "cancelled superseded" : "cancelled"
        }
        pending.remove(key)
        if ends[key] == nil { ends[key] = (index, text) }
    }

    // MARK: Steps

    /// Returns whether an event is input from outside of the scripts, and not the effect of other
    /// input.
    private func isInput(_ event: Event) -> Bool {
        switch event.kind {
        case .navigate: !event.isOfScript && event["verb"].text != "vanish"
        case .task, .call: !event.isOfScript && event["phase"].text == "started"
        case .host, .reselected: true
        default: false
        }
    }

    private mutating func add(_ index: Int) {
        let event = events[index]
        guard isInput(event), !isStartOfReload(index) else { return }
        if event.isOfPerson, event["verb"] == "popTo", let number = event.navigation,
            steps.last?.isReselection == true, steps[last].request == nil
        {
            // The last step reproduces a tap, which begins this navigation.
            let key = request(.navigation, number)
            steps[last].request = key
            requested.insert(key)
            return
        }
        do throws(RecordingLoss) {
            guard var step = try step(for: event, index) else { return }
            step.isNested = event["nested"] == true
            if step.text.utf8.count > 4_000 {
                throw RecordingLoss("a step that is too long for one line")
            }
            // The step that sets the restored tree also cancels pending navigations.
            if event["verb"].text == "restore", !step.text.isEmpty {
                // The sequence numbers restart when the app is started again.
                let rest = events[(index + 1)...].prefix { $0.sequence > event.sequence }
                for request in pending
                where request.kind == .navigation && request.number != event.navigation
                    && waits[request] != "started"
                {
                    let goesOn = rest.contains {
                        $0.navigation == request.number && $0.kind != .cancelled
                    }
                    if goesOn {
                        throw RecordingLoss(
                            "a snapshot that was restored while other navigations were pending"
                        )
                    }
                    ends[request] = (index, "cancelled")
                }
            }
            steps.append(step)
            if let request = step.request { requested.insert(request) }
        } catch {
            var step = RecordedStep(text: "", event: index)
            step.loss = error.reason
            steps.append(step)
        }
    }

    /// Returns whether an event is a start that the last step, a reload, causes because the previous
    /// start has failed.
    private func isStartOfReload(_ index: Int) -> Bool {
        guard events[index]["verb"] == "start", events[index]["nested"] == true,
            steps.last?.text.hasPrefix("reload ") == true,
            let first = events[..<index].lastIndex(where: { $0["verb"] == "start" })
        else { return false }
        return positions.end(of: events[first].navigation, from: first)
            .map { events[$0].kind == .failed } == true
    }

    /// Returns the step for input from outside of the scripts; `nil` if the input needs no step.
    private mutating func step(
        for event: Event,
        _ index: Int
    ) throws(RecordingLoss) -> RecordedStep? {
        var step = RecordedStep(text: "", event: index)
        switch event.kind {
        case .navigate: return try navigation(event, index)
        case .task:
            step.text = "doTask \(event.target)\(try RecordedText.parameters(event["info"]))"
            step.request = request(.task, event)
            if !event["timeout"].isNil { throw RecordingLoss("the timeout of a task") }
        case .call:
            step.text =
                "call \(event["name"].text ?? "")\(try RecordedText.parameters(event["info"]))"
            step.request = request(.call, event)
            step.isNamedOnly = true
        case .reselected:
            guard event["window"] == "main" else {
                throw RecordingLoss("a tap on a tab in the window '\(event["window"].text ?? "")'")
            }
            step.text = "user selects \(try RecordedText.pattern(event["screen"]))"
            step.isReselection = true
            step.isNamedOnly = true
        default:
            guard let call = AppCall(event) else {
                throw RecordingLoss("the call '\(event["act"].text ?? "")'")
            }
            let isNeeded = try add(call, to: &step, isNested: event["nested"] == true)
            return isNeeded ? step : nil
        }
        return step
    }

    /// Converts a call by the app to a step.
    ///
    /// - Returns: Whether the call needs a step.
    private mutating func add(
        _ call: AppCall,
        to step: inout RecordedStep,
        isNested: Bool
    ) throws(RecordingLoss) -> Bool {
        switch call {
        case .given(let window, let tree): step.text = try Self.given(window: window, tree)
        case .set(let name, let value):
            step.text = "set state.\(name) = \(try RecordedText.value(value))"
        case .ready(let gate): step.text = "maybe ready \(gate)"
        case .unready(let gate): step.text = "unready \(gate)"
        case .report(let words, let window, let tree):
            step.text = try Self.report(words, window: window, tree ?? .nil)
        case .back("main", isHandled: true): step.text = "user back"
        case .back: step.remarks.append("the user went back, but the scripts did not handle this")
        case .dispatch(let number, let url, let origin, let timeout, let key, let isPersistent):
            step.text = "dispatch \(try RecordedText.value(url))"
            if let timeout {
                step.text += " timeout "
                step.text += timeout > 0 ? RecordedText.duration(timeout) : "none"
            }
            if origin != .url { step.text += " origin \(origin.rawValue)" }
            let link = request(.link, number)
            step.request = link
            pending.insert(link)
            if key != nil { step.remarks.append("the option 'key' is not reproduced") }
            if isPersistent { step.remarks.append("the option 'persist' is not reproduced") }
        case .cancel(_, nil): step.text = "cancel links"
        case .cancel(let kind, let number?): return try cancel(request(kind, number), &step)
        case .complete(let number, _, let isFinished, let info):
            let end = isFinished ? "finished" : "failed"
            return try complete(number, as: end, with: info, &step, isNested: isNested)
        case .answer(let revision, _, let message):
            return try answer(revision, isFailure: message != nil, &step)
        case .reload(let path):
            guard let result = reload(after: step.event) else { return false }
            guard var path else { throw RecordingLoss("scripts that are not in a file") }
            if let folder { path = Paths.relative(path, to: folder) }
            let word = result["status"].text == "accepted" ? "reload" : "reload failing"
            step.text = "\(word) \(try RecordedText.value(Value(path)))"
        case .shutDown: return false
        }
        return true
    }

    /// Returns the event with the outcome of a reload; `nil` if the reload changed nothing.
    private func reload(after index: Int) -> Event? {
        for next in events.indices[(index + 1)...] {
            if case .reload? = call(at: next) { return nil }
            if events[next].kind == .reload { return events[next] }
        }
        return nil
    }

    // MARK: The start

    /// Returns the step that sets the state before the first event.
    private func begin(with start: InfoTable) -> RecordedStep {
        var step = RecordedStep(text: "", event: 0)
        guard let sequence = start["sequence"].integer else {
            step.remarks = [
                "earlier events, and the state to which they led, were not kept"
            ]
            return step
        }
        step.remarks = [
            "the events up to \(sequence) were not kept: the scenario begins with the state after them,"
                + " without the variables of the scripts"
        ]
        if let pending = start["pending"].integer, pending > 0 {
            step.remarks.append(
                "work that was pending at that time is not reproduced (count: \(pending))"
            )
        }
        for name in ["state", "trees"] where start[.string(ByteString(name))].isNil {
            step.remarks.append("the \(name) of that time could not be kept (too large)")
        }
        do throws(RecordingLoss) {
            var lines = try Self.lines(of: start)
            step.text = lines.popLast() ?? ""
            step.preparations = lines
            if step.text.utf8.count > 4_000 {
                throw RecordingLoss("a tree that is too long for one line")
            }
        } catch {
            step.loss = error.reason
        }
        return step
    }

    // MARK: Responses by the host

    private static let unknown = "the end of work that a script started"

    private mutating func cancel(
        _ request: RecordedStep.Request,
        _ step: inout RecordedStep
    ) throws(RecordingLoss) -> Bool {
        // A step that sets a tree cancels all pending work.
        if let previous = steps.last, previous.text.hasPrefix("given ") { return false }
        guard pending.contains(request), requested.contains(request) else {
            if isPartial, !pending.contains(request) {
                step.remarks.append("the app cancelled work that began before the first event")
                return true
            }
            throw RecordingLoss(Self.unknown)
        }
        // The host still completes the change that this navigation made.
        if applied?.request == request, waits[request] == "host" { return false }
        cancelled.insert(request)
        step.text = "cancel "
        step.cancels = request
        return true
    }

    private mutating func complete(
        _ number: Int,
        as end: String,
        with info: Value,
        _ step: inout RecordedStep,
        isNested: Bool
    ) throws(RecordingLoss) -> Bool {
        guard let task = tasks[number] else {
            guard isPartial else { return false }
            step.remarks.append("the host ended a task that may have begun before the first event")
            return true
        }
        var text = "\(task.target) \(end)"
        switch info {
        case .nil: break
        case .table: text += " \(try RecordedText.parameters(info))"
        default: text += " (\(try RecordedText.value(info)))"
        }
        if isNested, let last = steps.last, task.event >= last.event {
            steps[self.last].preparations.append("stub \(text)")
            return false
        }
        guard tasks.isLowest(number) else {
            throw RecordingLoss(
                "the end of a task call while an older call to the same task is pending"
            )
        }
        step.text = "complete \(text)"
        return true
    }

    /// Adds the steps with which the host refuses a change, or holds the change if the app acted
    /// before the host completed the change.
    private mutating func answer(
        _ revision: Int,
        isFailure: Bool,
        _ step: inout RecordedStep
    ) throws(RecordingLoss) -> Bool {
        guard let commit = commits[revision], let cause = self.step(causing: commit) else {
            guard isFailure else { return false }
            throw RecordingLoss("the host could not show the whole tree")
        }
        guard isFailure else {
            guard cause < last, commit + 1 < step.event else { return false }
            let isFirst = !positions.hasCommit(in: steps[cause].event..<commit)
            guard isFirst, steps[cause].text != "host applies" else {
                throw RecordingLoss("a second change that the host held")
            }
            steps[cause].preparations.append("host holds")
            step.text = "host applies"
            return true
        }
        guard case .table(let operations) = events[commit]["operations"],
            let operation = operations.list.first?.text?.prefix(while: { $0 != "(" })
        else { throw RecordingLoss("the host refused a change without operations") }
        steps[cause].preparations.append("host refuses \(operation)")
        if cause < last {
            steps[last].remarks.append("at this point, the host refused an earlier change")
        }
        return false
    }
}

extension Event {
    /// Whether a script began the work.
    ///
    /// Functions that C called directly have no location.
    fileprivate var isOfScript: Bool { location != nil || self["origin"].text == "script" }

    /// Whether the app began the navigation on behalf of the user.
    var isOfPerson: Bool { self["origin"] == "person" }

    /// The options with which the app began a navigation.
    var options: InfoTable {
        if case .table(let options) = self["options"] { options } else { InfoTable() }
    }
}
