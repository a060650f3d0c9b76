// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// A running scenario, with its own router, host and clock.
final class Session {
    /// A step that was run, and the first event that it caused.
    struct ActingStep {
        /// The index of the step.
        let index: Int
        let step: ScenarioStep
        let firstEvent: Int
        /// The tree before the step; `nil` unless the run is traced.
        let before: ScreenTree?
    }

    /// A closure that creates an app's host for a new router.
    typealias AppHost = (Router) -> any RouterHost

    /// The maximum number of events that one step may cause.
    private static let eventLimit = 100_000

    /// The running app.
    struct App {
        fileprivate(set) var router: Router
        fileprivate(set) var host: HeadlessHost
        fileprivate(set) var tasks: HostTasks
        /// The host between the router and an app's host; `nil` without an app's host.
        fileprivate(set) var relay: HostRelay?
    }

    /// The scenario, its progress, and the values that its steps store for later steps.
    struct Cursor {
        fileprivate(set) var scenario: Scenario
        fileprivate(set) var steps: SharedLog<ScenarioStep>
        fileprivate var looks: RequestLooks
        /// The index of the current step, or of the next one.
        fileprivate(set) var stepIndex = 0
        /// Whether the current step has begun, and is waiting for the app's host.
        fileprivate var isInStep = false
        /// The goal of the current step if the step moves the clock; otherwise `nil`.
        var clockGoal: ClockGoal?
        /// Whether all steps have been run.
        fileprivate(set) var isWhole = false
        fileprivate(set) var bindings: [String: Value] = [:]
        /// The scripts that steps loaded from other paths, or the errors that occurred when these
        /// scripts were read.
        fileprivate(set) var otherScripts: [Result<ScriptBundle, BundleError>] = []
        /// The snapshots taken by steps, by name.
        fileprivate(set) var snapshots: [String: String] = [:]
        /// The indices of the steps that have been used, such as a stub that has answered a call.
        fileprivate var usedSteps: Set<Int> = []
        /// The index of the last step that was used during the current act.
        fileprivate var lastUsed: Int?
    }

    /// The events of the run, its acts, and its failures.
    struct Log {
        fileprivate(set) var events = SharedLog<Event>()
        /// The number of events of the current step that were dropped because there were too many.
        fileprivate var lostEvents = 0
        fileprivate(set) var acts = SharedLog<ActingStep>()
        fileprivate(set) var failures: [Diagnostic] = []
        /// The texts of the steps `note` and `show`, each with its topic.
        fileprivate(set) var notes = SharedLog<(index: Int, note: Diagnostic.Note)>()
        /// The plans of the navigations that were explained, by the index of the step.
        fileprivate(set) var plans: [Int: Explanation?] = [:]
        /// The names of the gates that routes use, collected when a step first needs them.
        fileprivate(set) var namedGates: Set<String> = []
        /// The failed navigations and tasks that scripts began, each with the act during which it
        /// failed.
        fileprivate(set) var scriptFailures = SharedLog<(failure: ScriptFailure, act: ActingStep)>()
        /// The indices of the events that log errors of functions whose callers cannot catch them,
        /// each with the act during which the function failed.
        fileprivate(set) var loggedFailures = SharedLog<(event: Int, act: ActingStep)>()
        /// The indices of the log events that a step expects.
        fileprivate(set) var expectedLogs: Set<Int> = []
        /// The expectations that were checked, with the texts that may replace them; empty unless
        /// expectations are updated.
        fileprivate(set) var answers: [ExpectationAnswer] = []
        /// The parts of scripts that were reached; `nil` unless a search records them.
        var reachedParts: ReachedParts?
    }

    /// The requests of the steps so far.
    struct Requests {
        /// All requests, by the index of the step.
        fileprivate(set) var all: [Int: Request] = [:]
        fileprivate(set) var last = LastRequest()
        fileprivate(set) var named: [String: Int] = [:]
        /// The requests whose end no step has checked yet.
        fileprivate(set) var open: [Int] = []
        /// The attempts to reload that are still waiting, oldest first.
        fileprivate(set) var waitingReloads: [ReloadAttempt] = []
        /// The names that steps expect pending requests to wait for, by the index of the request's
        /// step.
        fileprivate(set) var expectedPending: [Int: String] = [:]
    }

    private(set) var app: App
    var cursor: Cursor
    var log = Log()
    private(set) var requests = Requests()

    /// The text of the scenario file.
    let source: SourceText
    let file: ScenarioFile
    let options: RunOptions
    let settings: ScenarioSettings
    private let firstScripts: ScriptBundle
    /// The configuration for the next router.
    ///
    /// Only the start time changes, at each restart.
    private var configuration: Router.Configuration
    private let makeAppHost: AppHost?
    /// Whether the run was interrupted before the last step had ended.
    private(set) var wasInterrupted = false
    /// Called once, after the background and before the scenario's own steps.
    var afterBackground: (() -> Void)?

    var scripts: ScriptBundle { app.router.bundle }

    /// Loads the scripts.
    ///
    /// If `makeAppHost` is given, use ``resume()`` to run the steps.
    ///
    /// - Throws: The error of a script that does not load.
    init(
        _ scenario: Scenario,
        of file: ScenarioFile,
        scripts: ScriptBundle,
        _ options: RunOptions,
        makeAppHost: AppHost? = nil
    ) throws(RouteError) {
        (self.file, self.options) = (file, options)
        self.makeAppHost = makeAppHost
        firstScripts = scripts
        source = file.source
        settings = options.settings.reduce(into: file.settings) { $0.apply($1.setting) }
        cursor = Cursor(scenario, of: file, updates: options.updates)
        var configuration = options.configuration(settings)
        if options.measuresCoverage { configuration.coverage = CoverageRecords() }
        self.configuration = configuration
        let loading = LoadedScripts.Log()
        app = try App(
            scripts,
            configuration: configuration,
            steps: cursor.steps,
            makeAppHost: makeAppHost,
            loading: loading
        )
        listen(after: loading)
    }

    /// Listens to the router, and records the messages that the scripts logged while they loaded.
    private func listen(after loading: LoadedScripts.Log) {
        loading.events.forEach(note)
        app.router.awaitsAllWork = true
        app.router.onEvent = { [unowned self] event in note(event) }
        app.router.onScriptFailure = { [unowned self] failure in
            guard let act = log.acts.last else { return }
            switch failure {
            case .navigation, .task: log.scriptFailures.append((failure, act))
            case .function: log.loggedFailures.append((log.events.count - 1, act))
            }
        }
    }

    /// The manifest of the host; nil for a host that has everything that scripts require.
    var manifest: HostManifest? { configuration.manifest }

    /// The script lines that have run; nil unless coverage is recorded.
    var coverageRecords: CoverageRecords? { configuration.coverage }

    var printer: NotationPrinter { NotationPrinter(classes: app.router.classes) }

    /// The events since the last step that acts.
    var latestEvents: Slice<SharedLog<Event>> {
        log.events[(log.acts.last?.firstEvent ?? 0)...]
    }

    /// Returns the events that an act caused, by the index of the act.
    func events(of act: Int) -> Slice<SharedLog<Event>> {
        let end = act + 1 < log.acts.count ? log.acts[act + 1].firstEvent : log.events.count
        return log.events[log.acts[act].firstEvent..<end]
    }

    // MARK: Running

    /// Runs all steps with a host that completes every change immediately.
    func run() {
        let hasEnded = resume()
        precondition(hasEnded, "the run waits for an app's host, but there is none")
    }

    /// Runs the steps until the scenario ends, or until the app's host has work to do.
    ///
    /// - Returns: Whether the scenario has ended. If not, call this method again when the ``relay``
    ///   is idle.
    func resume() -> Bool {
        do throws(Diagnostic) {
            guard try runSteps() else { return false }
            try checkWarnings()
            checkPendingWork()
            noteGates()
            cursor.isWhole = true
            log.failures += unusedSteps(of: scenarioSteps).map(\.diagnostic)
        } catch {
            // Cancelled scripts fail in many ways.
            if options.isInterrupted() { wasInterrupted = true }
            log.failures.append(error)
        }
        if settings.isStrict { log.failures += unawaitedFailures }
        return true
    }

    /// Runs the steps, without the checks at the end of a scenario.
    ///
    /// - Returns: Whether all steps were run. If not, the app's host has work to do first.
    func runSteps() throws(Diagnostic) -> Bool {
        while cursor.stepIndex < cursor.steps.count {
            if cursor.stepIndex == file.background.count { afterBackground.take()?() }
            guard try runNextStep() else { return false }
        }
        return true
    }

    /// Runs or continues the step at ``Cursor/stepIndex``.
    ///
    /// - Returns: Whether the step has ended. If not, the app's host has work to do first.
    func runNextStep() throws(Diagnostic) -> Bool {
        let step = cursor.steps[cursor.stepIndex]
        if !cursor.isInStep {
            if cursor.stepIndex == 0 { openWindows() }
            if !step.action.isLooking { try begin(step, cursor.stepIndex) }
            cursor.isInStep = true
            try run(step, cursor.stepIndex)
        }
        guard try finish(step) else { return false }
        try checkWaitingReloads()
        try checkOpenRequests(after: cursor.stepIndex)
        cursor.isInStep = false
        cursor.stepIndex += 1
        return true
    }

    /// Runs a step that the scenario does not contain, after all steps of the scenario.
    func take(_ step: ScenarioStep) throws(Diagnostic) {
        let index = cursor.steps.count
        cursor.steps.append(step)
        cursor.stepIndex = cursor.steps.count
        try begin(step, index)
        try run(step, index)
        _ = try finish(step)
        try checkWaitingReloads()
    }

    /// Runs the deferred work of a step, and the timers that are due.
    ///
    /// - Returns: Whether the step has ended. If not, the app's host has work to do first.
    private func finish(_ step: ScenarioStep) throws(Diagnostic) -> Bool {
        while true {
            if isAwaitingAppHost { return false }
            try moveClock(step)
            if !isAwaitingAppHost {
                app.router.finishPostponedWork { !options.isInterrupted() && log.lostEvents == 0 }
            }
            try checkInterruption(step)
            try checkEvents(step)
            if !app.router.isApplying { app.relay?.catchUp(with: app.router.tree) }
            if !isAwaitingAppHost, cursor.clockGoal == nil {
                app.relay?.isStale = false
                return true
            }
        }
    }

    /// Whether the app's host has work to do.
    var isAwaitingAppHost: Bool { app.relay?.awaited != nil }

    /// Ends the scenario because the app's host did not complete its work in time.
    func failUnanswered(in limit: Duration) {
        guard let awaited = app.relay?.awaited else { return }
        let seconds = limit / .seconds(1)
        let time = Int(exactly: seconds).map(String.init) ?? "\(seconds)"
        let help =
            app.relay?.awaitedTask.map {
                "end the task in the scenario with 'stub \($0)' or 'complete \($0)'"
            } ?? "the host must call 'done' once for each change, with an error if the change fails"
        let label = "the app's host \(awaited) within \(time) s"
        var failure = failure(of: cursor.steps[cursor.stepIndex], label: label)
        failure.notes.append(Diagnostic.Note("help", help))
        log.failures.append(failure)
    }

    /// Shuts down the router and releases the app's host.
    func end() {
        app.router.onEvent = nil
        app.router.onScriptFailure = nil
        app.router.shutDown()
    }

    /// Returns a closure that restores the current state of the session, its router and its host.
    ///
    /// The session must not have an app's host.
    ///
    /// - Throws: `budget` if there is not enough memory to save the state.
    func restoration() throws(RouteError) -> () -> Void {
        let checkpoint = try app.router.checkpoint(whole: true)
        let (ofHost, ofTasks) = (app.host.state, app.tasks.state)
        return { [unowned self, app, cursor, log, requests] in
            self.app = app
            // The rewind adds an event, which must not go to the log of another state.
            self.log = Log()
            do throws(RouteError) {
                try app.router.rewind(to: checkpoint, whole: true)
            } catch {
                preconditionFailure("cannot rewind a router to its own checkpoint: \(error)")
            }
            (app.host.state, app.tasks.state) = (ofHost, ofTasks)
            // Set after the rewind, because the rewind adds an event to the log.
            (self.cursor, self.log, self.requests) = (cursor, log, requests)
        }
    }

    /// Continues with another scenario of the file.
    ///
    /// The session must be at the end of the background.
    func becomes(_ scenario: Scenario) {
        let next = Cursor(scenario, of: file, updates: options.updates)
        (cursor.scenario, cursor.steps, cursor.looks) = (next.scenario, next.steps, next.looks)
    }

    /// The indices of the scenario's own steps.
    ///
    /// These follow the steps of the background.
    private var scenarioSteps: Range<Int> { file.background.count..<cursor.steps.count }
    /// The indices of the steps of the background.
    var backgroundSteps: Range<Int> { 0..<file.background.count }

    /// Returns a new session of the same scenario, before its first step.
    func again() throws(RouteError) -> Session {
        try Session(cursor.scenario, of: file, scripts: firstScripts, options)
    }

    /// Runs the steps before the given index, without any checks.
    func doSteps(before index: Int) throws(Diagnostic) {
        openWindows()
        for (number, step) in cursor.steps.prefix(index).enumerated() {
            switch step.action {
            case .expect, .note, .show: break
            default:
                try run(step, number)
                _ = try finish(step)
            }
        }
    }

    /// Throws an error if a step caused more events than the log can keep.
    private func checkEvents(_ step: ScenarioStep) throws(Diagnostic) {
        guard log.lostEvents > 0 else { return }
        log.lostEvents = 0
        let label =
            "the step caused more than \(Self.eventLimit) events, up to \(Moment.text(app.router.now))"
        throw failure(of: step, label: label)
    }

    /// Throws an error if the run was interrupted.
    func checkInterruption(_ step: ScenarioStep) throws(Diagnostic) {
        guard options.isInterrupted() else { return }
        wasInterrupted = true
        throw failure(of: step, label: "the run was interrupted")
    }

    private func begin(_ step: ScenarioStep, _ index: Int) throws(Diagnostic) {
        try checkWarnings()
        app.host.forgetChanges()
        app.tasks.forgetCalls()
        cursor.lastUsed = nil
        let isTraced = options.detail == .trace || options.writesPages
        let before = isTraced ? app.router.tree : nil
        log.acts.append(
            ActingStep(index: index, step: step, firstEvent: log.events.count, before: before)
        )
    }

    private func run(_ step: ScenarioStep, _ index: Int) throws(Diagnostic) {
        requests.last.note(step.action, index)
        switch step.action {
        case .act(let act, let options):
            note(.navigation(try perform(act, with: options?.value, of: step)), of: step, index)
        case .dispatch(let url, let given):
            let link = app.router.dispatch(bytes: url, options: options(ofDispatch: given))
            note(.link(link), of: step, index)
        case .doTask(let target, let info):
            note(.task(app.router.doTask(target, info: InfoTable(info, names))), of: step, index)
        case .call(let name, let info):
            note(.call(app.router.call(name, InfoTable(info, names)) { _ in }), of: step, index)
        case .user(let act):
            app.relay?.isStale = true
            if let request = try self.act(act, step) { note(request, of: step, index) }
        case .expect(let expectation):
            try check(expectation, step)
        case .bind(let name, let binding):
            cursor.bindings[name] = try value(of: binding, step)
        case .note(let text):
            log.notes.append((index, Diagnostic.Note("note", text)))
        case .show(let part):
            log.notes.append((index, Diagnostic.Note(part.rawValue, text(of: part))))
        default:
            if step.action.changesTreeItself { app.relay?.isStale = true }
            try act(step)
        }
    }

    /// The values that earlier steps have bound to names.
    var names: ValueNotation.Names { { [bindings = cursor.bindings] in bindings[$0] ?? .nil } }

    /// Ends the app and starts it again.
    ///
    /// Everything except the scripts and the clock is new.
    func restart(_ step: ScenarioStep) throws(Diagnostic) {
        // The newest navigation is cancelled first. If an older one ended first, a newer one that
        // waits for it would continue.
        for navigation in app.router.pending.reversed() where navigation.parent == nil {
            app.router.cancel(navigation)
        }
        for navigation in app.router.pending { app.router.cancel(navigation) }
        for task in app.router.pendingTasks { app.router.cancel(task) }
        for call in app.router.pendingCalls { app.router.cancel(call) }
        app.router.cancelLinks()
        failWaitingReloads()
        requests.waitingReloads = []
        let scripts = scripts
        configuration.now = app.router.now
        if app.relay != nil { end() }
        let loading = LoadedScripts.Log()
        do throws(RouteError) {
            app = try App(
                scripts,
                configuration: configuration,
                steps: cursor.steps,
                makeAppHost: makeAppHost,
                loading: loading
            )
        } catch {
            throw failure(of: step, error)
        }
        listen(after: loading)
        openWindows()
    }

    /// Opens the windows that exist when the app starts, as the step `given` does.
    private func openWindows() {
        for name in settings.windows {
            // An empty stack is a valid root, and the names were checked.
            _ = try? app.router.setTree(TreeNotation("nav[]"), window: name)
        }
    }

    // MARK: Events

    private func note(_ event: Event) {
        guard log.events.count - (log.acts.last?.firstEvent ?? 0) < Self.eventLimit else {
            log.lostEvents += 1
            return
        }
        log.events.append(event)
        log.reachedParts?.note(event)
        guard event.kind == .task, event["phase"].text == "started" else { return }
        let info = if case .table(let info) = event["info"] { info } else { InfoTable() }
        app.tasks.noteCall(of: event.target, info)
    }

    private func note(_ request: Request, of step: ScenarioStep, _ index: Int) {
        requests.all[index] = request
        if let name = step.name { requests.named[name] = index }
        requests.open.append(index)
    }

    /// Removes the requests that have ended and to which no later step can refer.
    func forgetEndedRequests() {
        for (index, request) in requests.all
        where index != requests.last.index && index != requests.last.resultIndex
            && !request.outcome.isPending
        {
            if let name = cursor.steps[index].name, requests.named[name] == index { continue }
            requests.all[index] = nil
            requests.open.removeAll { $0 == index }
        }
    }

    /// Adds an attempt that is checked when it has ended.
    func wait(for attempt: ReloadAttempt) { requests.waitingReloads.append(attempt) }
    func note(otherScripts: Result<ScriptBundle, BundleError>) {
        self.cursor.otherScripts.append(otherScripts)
    }
    func note(_ plan: Explanation?, of act: ActingStep) {
        log.plans.updateValue(plan, forKey: act.index)
    }
    /// Stores a snapshot under a name.
    ///
    /// The snapshot is stored as text, because only text survives a restart.
    func keepSnapshot(as name: String) { cursor.snapshots[name] = app.router.snapshot().json }

    func fail(_ diagnostic: Diagnostic) { log.failures.append(diagnostic) }
    func note(_ answer: ExpectationAnswer) { log.answers.append(answer) }

    /// Returns the closure to call when the current step has been used.
    func use(of step: ScenarioStep) -> () -> Void {
        guard let index = log.acts.last?.index else { return {} }
        return { [unowned self] in
            cursor.usedSteps.insert(index)
            cursor.lastUsed = index
        }
    }

    /// Returns the step that ended a task: a later step, or the stub that was used last.
    private func ending(of number: Int, during index: Int) -> [Diagnostic.Related] {
        guard let ending = number == index ? cursor.lastUsed : index else { return [] }
        let step = cursor.steps[ending]
        return [Diagnostic.Related(label: "this step ended the request", span: step.location.span)]
    }

    /// Returns whether a step was used.
    func isUsed(_ index: Int) -> Bool { cursor.usedSteps.contains(index) }

    /// Records the gates that routes use now.
    func noteGates() { log.namedGates.formUnion(app.router.namedGates) }

    /// Records that a step expects a request to wait for the given name.
    func expectPending(_ index: Int, for name: String) { requests.expectedPending[index] = name }

    /// Records that a step expects messages in the log.
    func expectLogs(_ numbers: some Sequence<Int>) { log.expectedLogs.formUnion(numbers) }

    // MARK: Failures without an expectation

    /// Fails the scenario if a delayed attempt to reload did not end as its step expects.
    private func checkWaitingReloads() throws(Diagnostic) {
        let ended = requests.waitingReloads.filter { !$0.isPending }
        guard !ended.isEmpty else { return }
        requests.waitingReloads.removeAll { !$0.isPending }
        for attempt in ended { try check(attempt) }
    }

    /// Fails the scenario if a failed request is not checked by any later step.
    private func checkOpenRequests(after index: Int) throws(Diagnostic) {
        for number in requests.open {
            guard let outcome = requests.all[number]?.outcome, !outcome.isPending else { continue }
            requests.open.removeAll { $0 == number }
            if cursor.looks.isLooked(at: number, after: index) { continue }
            switch outcome {
            case .failed(let error):
                var failure = failure(of: cursor.steps[number], error)
                failure.notes += help(expecting: "error \(error.code.rawValue)", of: number)
                if number == index {
                    failure.notes += searches(of: cursor.steps[number], error)
                } else if let cause = cause(ofRequest: number) {
                    failure.notes.append(cause)
                }
                throw failure
            case .unfinished:
                var failure = failure(of: cursor.steps[number], label: outcome.sentence)
                failure.notes += help(expecting: "not done", of: number)
                failure.related += ending(of: number, during: index)
                throw failure
            case .pending, .done, .stayed, .cancelled: break
            }
        }
    }

    /// Returns help on how to expect the failure of a request.
    ///
    /// The result is empty unless steps can refer to the request only by name, or a step already
    /// has another condition about the request.
    private func help(expecting condition: String, of number: Int) -> [Diagnostic.Note] {
        let step = cursor.steps[number]
        let (isByName, name) = (step.action.isMeantByNameOnly, step.name)
        guard isByName || cursor.looks.mentioned.contains(number) else { return [] }
        let naming = isByName && name == nil ? "'as NAME', and then " : ""
        let words = [name ?? (isByName ? "NAME" : nil), condition].compactMap(\.self)
        let help = "expect the failure with \(naming)'expect \(words.joined(separator: " "))'"
        return [Diagnostic.Note("help", help)]
    }

    /// With `set strict`, fails the scenario if the last step logged a warning or an error that no
    /// later step expects.
    private func checkWarnings() throws(Diagnostic) {
        guard settings.isStrict, let act = log.acts.last else { return }
        for number in latestEvents.indices where !log.expectedLogs.contains(number) {
            let event = log.events[number]
            guard event.kind == .log, ["warn", "error"].contains(event["level"].text) else {
                continue
            }
            throw unexpected(event, act)
        }
    }
}

extension Session.App {
    /// Starts an app.
    fileprivate init(
        _ scripts: ScriptBundle,
        configuration: Router.Configuration,
        steps: SharedLog<ScenarioStep>,
        makeAppHost: Session.AppHost?,
        loading: LoadedScripts.Log
    ) throws(RouteError) {
        let host = HeadlessHost(configuration.manifest)
        let relay = makeAppHost.map { _ in HostRelay(host, Array(steps)) }
        self.init(
            router: try Router(
                scripts: scripts,
                host: relay ?? host,
                configuration: configuration,
                onEvent: loading.note
            ),
            host: host,
            tasks: HostTasks(host),
            relay: relay
        )
        relay?.app = makeAppHost?(router)
    }
}

extension Session.Cursor {
    /// Creates a cursor before the first step of a scenario.
    fileprivate init(_ scenario: Scenario, of file: ScenarioFile, updates: Bool) {
        let steps = file.background + scenario.steps
        let looks = RequestLooks(in: steps, updates: updates)
        self.init(scenario: scenario, steps: SharedLog(steps), looks: looks)
    }
}

extension Event {
    /// The service and the task of the event.
    var target: Target { Target(self["service"].text ?? "", self["task"].text ?? "") }
}

extension ScenarioStep {
    /// The location of the step, with the locations of the calls that led to it.
    var location: Place { text.location(of: range) }
}
