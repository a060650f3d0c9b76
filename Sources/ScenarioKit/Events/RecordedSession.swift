// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The steps that reproduce a recording.
///
/// Only what came from outside becomes a step: calls by the app, answers of the host, gestures that
/// the host reported, and the time that passed. What the scripts did follows from that.
struct RecordedSession {
    let events: [Event]
    /// The steps.
    private(set) var steps: [RecordedStep] = []
    /// The end of each request: the index of its event, and the condition that is true then.
    private(set) var ends: [RecordedStep.Request: (event: Int, condition: String)] = [:]
    /// The requests that are named, because a step refers to them later.
    private(set) var cancelled: Set<RecordedStep.Request> = []
    /// The last wait of each navigation.
    private(set) var waits: [RecordedStep.Request: String] = [:]
    /// The number of navigations and tasks that are pending at the end, those of scripts included.
    private(set) var pending: Set<RecordedStep.Request> = []
    /// The requests of the steps.
    private var requested: Set<RecordedStep.Request> = []
    /// The host's tasks that have not ended.
    private var tasks = PendingTasks()
    /// The positions of events.
    let positions: RecordedPositions
    /// The committed changes: the index of the event, by revision.
    private var commits: [Int64: Int] = [:]
    /// The last navigation that changed the tree, and its event.
    private var applied: (request: RecordedStep.Request, event: Int)?
    /// The time to which the steps so far move the clock.
    private var now: Double
    /// The number of times that the app was started before.
    private var epoch = 0

    /// Whether the recording begins in the middle of a session: there may be work whose beginning is
    /// not known.
    private let isPartial: Bool
    /// The folder to which paths are relative; nil for the working directory.
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
            // Events after the end of the app need no steps, until it is started again.
            if index > 0, events[index].sequence <= events[index - 1].sequence { isOver = false }
            if events[index].kind == .host, events[index]["act"].text == "shutDown" {
                isOver = true
            }
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

    /// The request of a step that failed last; nil if none failed.
    var lastFailure: RecordedStep.Request? {
        steps.compactMap(\.request).filter { ends[$0]?.condition.hasPrefix("error ") == true }
            .max { (ends[$0]?.event ?? 0) < (ends[$1]?.event ?? 0) }
    }

    /// The step of which an event is an effect.
    private var last: Int { steps.count - 1 }

    /// Returns the index of the step of which another event is an effect; nil if there is none.
    ///
    /// - Complexity: O(log *n*).
    private func step(causing event: Int) -> Int? {
        let next = steps.sortedFirstIndex(where: { $0.event > event })
        return next > 0 ? next - 1 : nil
    }

    /// Returns a request by its number; numbers begin anew when the app is started again.
    func request(_ make: (Int) -> RecordedStep.Request, _ id: Int) -> RecordedStep.Request {
        make(epoch << 32 &+ id)
    }

    // MARK: Time

    /// Whether the last step moves the clock to the time of the latest event.
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
        // It cancels what is pending, as the step does.
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

    /// Notes how far requests are.
    private mutating func note(_ index: Int) {
        let event = events[index]
        if let number = event.navigation {
            let key = request(RecordedStep.Request.navigation, number)
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
        case .commit: if let revision = event["revision"].integer { commits[revision] = index }
        case .task:
            guard let id = event["id"].integer else { return }
            let key = request(RecordedStep.Request.task, Int(clamping: id))
            if event["phase"].text == "started" {
                pending.insert(key)
                tasks.begin(Int(clamping: id), event.target, event: index)
                waits[key] = event.target.description
            } else {
                tasks.end(Int(clamping: id))
                let isDone = event["phase"].text == "done"
                end(
                    key,
                    index: index,
                    condition: !isDone ? nil : event["finished"] == true ? "done" : "not done"
                )
            }
        case .call:
            guard let id = event["id"].integer else { return }
            let key = request(RecordedStep.Request.call, Int(clamping: id))
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
        for id in ids.compactMap(\.integer) where event["phase"].text != "will" {
            let key = request(RecordedStep.Request.link, Int(clamping: id))
            end(key, index: index, condition: event["phase"].text == "did" ? "done" : nil)
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

    /// Whether an event is an act from outside, and no effect of one.
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
        guard isInput(event) else { return }
        if event.isOfPerson, event["verb"] == "popTo", let number = event.navigation,
            steps.last?.isReselection == true, steps[last].request == nil
        {
            // The tap that the step reproduces begins it.
            let key = request(RecordedStep.Request.navigation, number)
            steps[last].request = key
            requested.insert(key)
            return
        }
        do throws(RecordingLoss) {
            guard var step = try step(for: event, index) else { return }
            if let number = event.navigation, step.request != nil {
                step.request = request(RecordedStep.Request.navigation, number)
            }
            step.isNested = event["nested"] == true
            if step.text.utf8.count > 4_000 { throw RecordingLoss("a step of more than one line") }
            // The tree that a snapshot restored is set, which cancels the navigations after the start.
            if event["verb"].text == "restore", !step.text.isEmpty {
                for case .navigation(let id) in pending where waits[.navigation(id)] != "started" {
                    let goesOn = events[(index + 1)...].contains {
                        $0.navigation == id && $0.kind != .cancelled
                    }
                    if goesOn {
                        throw RecordingLoss("a snapshot that is restored while others wait")
                    }
                    ends[.navigation(id)] = (index, "cancelled")
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

    /// Returns the step for an act from outside; nil if it needs none.
    private mutating func step(
        for event: Event,
        _ index: Int
    ) throws(RecordingLoss) -> RecordedStep? {
        var step = RecordedStep(text: "", event: index)
        let id = event["id"].integer.map { Int(clamping: $0) }
        switch event.kind {
        case .navigate: return try navigation(event, index)
        case .task:
            step.text = "doTask \(event.target)\(try RecordedText.parameters(event["info"]))"
            step.request = id.map { request(RecordedStep.Request.task, $0) }
            if !event["timeout"].isNil { throw RecordingLoss("the timeout of a task") }
        case .call:
            step.text =
                "call \(event["name"].text ?? "")\(try RecordedText.parameters(event["info"]))"
            step.request = id.map { request(RecordedStep.Request.call, $0) }
            step.isNamedOnly = true
        case .reselected:
            guard event["window"] == "main" else {
                throw RecordingLoss("a tap on a tab in the window '\(event["window"].text ?? "")'")
            }
            step.text = "user selects \(try RecordedText.pattern(event["screen"]))"
            step.isReselection = true
            step.isNamedOnly = true
        default: return try act(event, index)
        }
        if RecordedText.isHidden(step.text) { step.remarks.append(Self.isPrivate) }
        return step
    }

    private mutating func act(_ event: Event, _ index: Int) throws(RecordingLoss) -> RecordedStep? {
        var step = RecordedStep(text: "", event: index)
        let name = event["name"].text ?? ""
        switch event["act"].text {
        case "given": step.text = try Self.given(event["window"], event["tree"])
        case "set": step.text = "set state.\(name) = \(try RecordedText.value(event["value"]))"
        case "ready": step.text = "maybe ready \(name)"
        case "unready": step.text = "unready \(name)"
        case "report": step.text = try report(event)
        case "back":
            if event["handled"] == true, event["window"].text == "main" {
                step.text = "user back"
            } else {
                step.remarks.append("the user went back, and the scripts did not handle it")
            }
        case "dispatch":
            step.text = "dispatch \(try RecordedText.value(event["url"]))"
            if let timeout = event["timeout"].double {
                step.text += " timeout "
                step.text += timeout > 0 ? RecordedText.duration(timeout) : "none"
            }
            if event["origin"].text != "url" {
                step.text += " origin \(event["origin"].text ?? "")"
            }
            step.request = event["id"].integer.map {
                request(RecordedStep.Request.link, Int(clamping: $0))
            }
            if let request = step.request { pending.insert(request) }
            for option in ["key", "persist"] where !event[option].isNil {
                step.remarks.append("the option '\(option)' is not reproduced")
            }
        case "cancel": return try cancellation(event, step)
        case "complete": return try completion(event, step)
        case "answer": return try answer(event, step)
        case "reload":
            guard let result = reload(after: index) else { return nil }
            guard var path = event["path"].text else {
                throw RecordingLoss("scripts that are not in a file")
            }
            if let folder { path = Paths.relative(path, to: folder) }
            let word = result["status"].text == "accepted" ? "reload" : "reload failing"
            step.text = "\(word) \(try RecordedText.value(Value(path)))"
        default: throw RecordingLoss("the call '\(event["act"].text ?? "")'")
        }
        if RecordedText.isHidden(step.text) { step.remarks.append(Self.isPrivate) }
        return step
    }

    /// Returns the event of the outcome of a reload; nil if it changed nothing.
    private func reload(after index: Int) -> Event? {
        let next = events[(index + 1)...].first { event in
            event.kind == .reload || event.kind == .host && event["act"].text == "reload"
        }
        return next?.kind == .reload ? next : nil
    }

    // MARK: The start

    /// Returns the step that sets the state before the first event.
    private func begin(with start: InfoTable) -> RecordedStep {
        var step = RecordedStep(text: "", event: 0)
        guard let sequence = start["sequence"].integer else {
            step.remarks = [
                "earlier events are not kept, and neither is the state that they led to"
            ]
            return step
        }
        step.remarks = [
            "the events up to \(sequence) are not kept: this begins with the state after them,"
                + " without the variables of the scripts"
        ]
        if let pending = start["pending"].integer, pending > 0 {
            step.remarks.append("pending then, and not reproduced: \(pending) pieces of work")
        }
        for name in ["state", "trees"] where start[.string(ByteString(name))].isNil {
            step.remarks.append("the \(name) of that time were too large to keep")
        }
        do throws(RecordingLoss) {
            var lines = try Self.lines(of: start)
            step.text = lines.popLast() ?? ""
            step.preparations = lines
            if step.text.utf8.count > 4_000 { throw RecordingLoss("a tree of more than one line") }
            if RecordedText.isHidden(lines.joined() + step.text) {
                step.remarks.append(Self.isPrivate)
            }
        } catch {
            step.loss = error.reason
        }
        return step
    }

    // MARK: Answers of the host

    private static let unknown = "the end of work that a script began"

    private mutating func cancellation(
        _ event: Event,
        _ empty: RecordedStep
    ) throws(RecordingLoss) -> RecordedStep? {
        var step = empty
        guard let id = event["id"].integer.map({ Int(clamping: $0) }) else {
            step.text = "cancel links"
            return step
        }
        let key =
            switch event["request"].text {
            case "task": request(RecordedStep.Request.task, id)
            case "link": request(RecordedStep.Request.link, id)
            case "call": request(RecordedStep.Request.call, id)
            default: request(RecordedStep.Request.navigation, id)
            }
        // A tree that is set cancels all that is pending.
        if let previous = steps.last, previous.text.hasPrefix("given ") { return nil }
        guard pending.contains(key), requested.contains(key) else {
            if isPartial, !pending.contains(key) {
                step.remarks.append("the app cancelled work that began before the first event")
                return step
            }
            throw RecordingLoss(Self.unknown)
        }
        // The host applies its change.
        if applied?.request == key, waits[key] == "host" { return nil }
        cancelled.insert(key)
        step.text = "cancel "
        step.cancels = key
        return step
    }

    private mutating func completion(
        _ event: Event,
        _ empty: RecordedStep
    ) throws(RecordingLoss) -> RecordedStep? {
        guard let id = event["id"].integer.map({ Int(clamping: $0) }), let task = tasks[id] else {
            guard isPartial else { return nil }
            var step = empty
            step.remarks.append("the host ended a task that may have begun before the first event")
            return step
        }
        var text = "\(task.target) \(event["finished"] == false ? "failed" : "finished")"
        switch event["info"] {
        case .nil: break
        case .table: text += " \(try RecordedText.parameters(event["info"]))"
        default: text += " (\(try RecordedText.value(event["info"])))"
        }
        if event["nested"] == true, let last = steps.last, task.event >= last.event {
            steps[self.last].preparations.append("stub \(text)")
            return nil
        }
        guard tasks.isLowest(id) else {
            throw RecordingLoss("the end of a call of a task while an older call of it is pending")
        }
        var step = empty
        step.text = "complete \(text)"
        if RecordedText.isHidden(text) { step.remarks.append(Self.isPrivate) }
        return step
    }

    /// Makes the host refuse a change, or hold it if the app acted before it answered.
    private mutating func answer(
        _ event: Event,
        _ empty: RecordedStep
    ) throws(RecordingLoss) -> RecordedStep? {
        guard let commit = event["revision"].integer.flatMap({ commits[$0] }),
            let cause = step(causing: commit)
        else {
            if event["message"].isNil { return nil }
            throw RecordingLoss("the host could not show the whole tree")
        }
        if event["message"].isNil {
            let between = events[(commit + 1)..<empty.event]
            guard cause < last, !between.isEmpty else { return nil }
            let isFirst = !positions.hasCommit(in: steps[cause].event..<commit)
            guard isFirst, steps[cause].text != "host applies" else {
                throw RecordingLoss("a second change that the host held back")
            }
            steps[cause].preparations.append("host holds")
            var step = empty
            step.text = "host applies"
            return step
        }
        guard case .table(let operations) = events[commit]["operations"],
            let operation = operations.list.first?.text?.prefix(while: { $0 != "(" })
        else { throw RecordingLoss("the host refused a change without operations") }
        steps[cause].preparations.append("host refuses \(operation)")
        if cause < last { steps[last].remarks.append("here the host refused an earlier change") }
        return nil
    }
}

extension Event {
    /// Whether a script began the work; functions that C called directly have no location.
    fileprivate var isOfScript: Bool { location != nil || self["origin"].text == "script" }

    /// Whether the app began a navigation for a person.
    var isOfPerson: Bool { self["origin"] == "person" }

    /// The options of a navigation that the app began.
    var options: InfoTable {
        if case .table(let options) = self["options"] { options } else { InfoTable() }
    }
}
