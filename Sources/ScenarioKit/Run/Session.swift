// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A scenario that runs, with a router, a host and a clock of its own.
final class Session {
    /// A step that acts, and the first of the events that it caused.
    struct Act {
        /// The index of the step.
        let index: Int
        let step: Step
        let firstEvent: Int
        /// The tree before it; nil unless the run is traced.
        let before: ScreenTree?
    }

    /// Creates an app's host for a new router.
    typealias AppHost = (Router) -> any RouterHost

    /// The maximum number of events that one step may cause.
    private static let eventLimit = 100_000

    /// The scenario file.
    let source: SourceText
    var scripts: ScriptBundle { router.bundle }
    private(set) var router: Router
    private(set) var host: HeadlessHost
    private(set) var tasks: HostTasks
    /// The host between the router and an app's host; nil without an app's host.
    private(set) var relay: HostRelay?
    private let makeAppHost: AppHost?

    private(set) var steps: SharedLog<Step>
    private(set) var scenario: Scenario
    let file: ScenarioFile
    private let firstScripts: ScriptBundle
    let options: RunOptions
    private var looks: RequestLooks
    let settings: ScenarioSettings
    private var configuration: Router.Configuration

    private(set) var events = SharedLog<Event>()
    /// The number of events of the current step that were not kept, because there were too many.
    private var lostEvents = 0
    private(set) var acts = SharedLog<Act>()
    private(set) var failures: [Diagnostic] = []
    /// Whether the run was interrupted before the last step had ended.
    private(set) var wasInterrupted = false
    /// The texts of the steps `note` and `show`, each with its topic.
    private(set) var notes = SharedLog<(index: Int, note: Diagnostic.Note)>()
    private(set) var bindings: [String: Value] = [:]
    /// The scripts that steps loaded, or the errors of reading them.
    private(set) var otherScripts: [Result<ScriptBundle, BundleError>] = []
    /// The plans of the navigations that were explained, by the index of the step.
    private(set) var plans: [Int: Explanation?] = [:]
    /// The snapshots taken by steps, by name.
    private(set) var snapshots: [String: String] = [:]

    /// The requests of the steps so far, by the index of the step.
    private(set) var requests: [Int: Request] = [:]
    private(set) var lastRequest = LastRequest()
    private(set) var namedRequests: [String: Int] = [:]
    /// The requests whose end no step has checked yet.
    private(set) var open: [Int] = []
    /// The attempts to reload that wait for the end of a turn, oldest first.
    private(set) var waitingReloads: [ReloadAttempt] = []
    /// The waits that steps expect of pending requests.
    private(set) var expectedPending: [Int: String] = [:]
    /// The indices of the used steps.
    private var usedSteps: Set<Int> = []
    /// The index of the step that was used last during the current act.
    private var lastUsed: Int?
    /// The names of the gates of routes, collected when steps needed them.
    private(set) var namedGates: Set<String> = []
    /// The failed navigations and tasks that scripts began, each with the act during which it
    /// failed.
    private(set) var scriptFailures = SharedLog<(failure: ScriptFailure, act: Act)>()
    /// The indices of the events that log errors of functions whose callers cannot catch them, each
    /// with the act during which the function failed.
    private(set) var loggedFailures = SharedLog<(event: Int, act: Act)>()
    /// Called once, after the background and before the scenario's own steps.
    var afterBackground: (() -> Void)?
    /// Whether all steps were run.
    private(set) var isWhole = false
    /// The index of the current step, or of the next one.
    private(set) var stepIndex = 0
    /// Whether the current step has begun and waits for the app's host.
    private var isInStep = false
    /// The time to which the current step moves the clock.
    var clockGoal: ClockGoal?
    /// The expectations so far, with what may be written in their place; empty unless they are to be
    /// updated.
    private(set) var answers: [ExpectationAnswer] = []
    /// The parts of scripts that were reached; nil unless a search records them.
    var reachedParts: ReachedParts?
    /// The indices of the log events that a step expects.
    private(set) var expectedLogs: Set<Int> = []

    /// Loads the scripts.
    ///
    /// With `makeAppHost`, ``resume()`` runs the steps.
    ///
    /// - Throws: The error of a script that does not load.
    init(
        _ scenario: Scenario,
        of file: ScenarioFile,
        scripts: ScriptBundle,
        _ options: RunOptions,
        makeAppHost: AppHost? = nil
    ) throws(RouteError) {
        (self.scenario, self.file, self.options) = (scenario, file, options)
        self.makeAppHost = makeAppHost
        firstScripts = scripts
        source = file.source
        settings = options.settings.reduce(into: file.settings) { $0.apply($1.setting) }
        let steps = file.background + scenario.steps
        self.steps = SharedLog(steps)
        looks = RequestLooks(in: steps)
        configuration = options.configuration(settings)
        if options.measuresCoverage { configuration.coverage = CoverageRecords() }
        host = HeadlessHost(options.manifest)
        tasks = HostTasks(host)
        relay = makeAppHost.map { [host, steps] _ in HostRelay(host, steps) }
        router = try Router(scripts: scripts, host: relay ?? host, configuration: configuration)
        relay?.app = makeAppHost?(router)
        listen()
    }

    private func listen() {
        router.awaitsAllWork = true
        router.onEvent = { [unowned self] event in note(event) }
        router.onScriptFailure = { [unowned self] failure in
            guard let act = acts.last else { return }
            switch failure {
            case .navigation, .task: scriptFailures.append((failure, act))
            case .function: loggedFailures.append((events.count - 1, act))
            }
        }
    }

    /// The manifest of the host; nil for a host that has everything that scripts require.
    var manifest: HostManifest? { configuration.manifest }

    /// The lines of the scripts that have run; nil unless they are recorded.
    var coverageRecords: CoverageRecords? { configuration.coverage }

    var printer: NotationPrinter { NotationPrinter(classes: router.classes) }

    /// The events since the last step that acts.
    var latestEvents: ArraySlice<Event> { events[(acts.last?.firstEvent ?? 0)...] }

    /// Returns the events that an act caused, by the index of the act.
    func events(of act: Int) -> ArraySlice<Event> {
        let end = act + 1 < acts.count ? acts[act + 1].firstEvent : events.count
        return events[acts[act].firstEvent..<end]
    }

    // MARK: Running

    /// Runs all steps, with a host that answers at once.
    func run() {
        let hasEnded = resume()
        precondition(hasEnded, "without an app's host there is nothing to wait for")
    }

    /// Runs the steps until the scenario ends, or until the app's host has something to do.
    ///
    /// - Returns: Whether the scenario has ended. If not, call it again when the ``relay`` is idle.
    func resume() -> Bool {
        do throws(Diagnostic) {
            guard try runSteps() else { return false }
            try checkWarnings()
            checkPendingWork()
            noteGates()
            isWhole = true
            failures += unusedSteps(of: scenarioSteps).map(\.diagnostic)
        } catch {
            // Scripts that were cancelled fail in many ways.
            if options.isInterrupted() { wasInterrupted = true }
            failures.append(error)
        }
        if settings.isStrict { failures += unawaitedFailures }
        return true
    }

    /// Runs the steps, without the checks at the end of a scenario.
    ///
    /// - Returns: Whether all were run. If not, the app's host has something to do first.
    func runSteps() throws(Diagnostic) -> Bool {
        while stepIndex < steps.count {
            if stepIndex == file.background.count { afterBackground.take()?() }
            guard try runNextStep() else { return false }
        }
        return true
    }

    /// Runs the step at ``stepIndex``, or goes on with it.
    ///
    /// - Returns: Whether it has ended. If not, the app's host has something to do first.
    func runNextStep() throws(Diagnostic) -> Bool {
        let step = steps[stepIndex]
        if !isInStep {
            if stepIndex == 0 { openWindows() }
            if !step.action.isLooking { try begin(step, stepIndex) }
            isInStep = true
            try run(step, stepIndex)
        }
        guard try finish(step) else { return false }
        try checkWaitingReloads()
        try checkOpenRequests(after: stepIndex)
        isInStep = false
        stepIndex += 1
        return true
    }

    /// Takes a step that the scenario does not contain, after all of its own.
    func take(_ step: Step) throws(Diagnostic) {
        let index = steps.count
        steps.append(step)
        stepIndex = steps.count
        try begin(step, index)
        try run(step, index)
        _ = try finish(step)
        try checkWaitingReloads()
    }

    /// Runs the rest of a step: deferred work, and timers that are due.
    ///
    /// - Returns: Whether all is done; otherwise the app's host has something to do first.
    private func finish(_ step: Step) throws(Diagnostic) -> Bool {
        while true {
            if isAwaitingAppHost { return false }
            try moveClock(step)
            if !isAwaitingAppHost {
                router.finishPostponedWork { !options.isInterrupted() && lostEvents == 0 }
            }
            try checkInterruption(step)
            try checkEvents(step)
            if !router.isApplying { relay?.catchUp(with: router.tree) }
            if !isAwaitingAppHost, clockGoal == nil {
                relay?.isStale = false
                return true
            }
        }
    }

    /// Whether the app's host has something to do.
    var isAwaitingAppHost: Bool { relay?.awaited != nil }

    /// Ends the scenario because the app's host did not answer in time.
    func failUnanswered(in limit: Duration) {
        guard let awaited = relay?.awaited else { return }
        let seconds = limit / .seconds(1)
        let time = Int(exactly: seconds).map(String.init) ?? "\(seconds)"
        let help =
            relay?.awaitedTask.map {
                "end it in the scenario with 'stub \($0)' or 'complete \($0)'"
            } ?? "the host calls 'done' once for each change, with an error if it cannot show it"
        let label = "the app's host \(awaited) within \(time) s"
        var failure = failure(of: steps[stepIndex], label: label)
        failure.notes.append(Diagnostic.Note("help", help))
        failures.append(failure)
    }

    /// Shuts down the router and releases the app's host.
    func end() {
        router.onEvent = nil
        router.onScriptFailure = nil
        router.shutDown()
    }

    /// Returns a closure that makes the session, its router and its host what they are now.
    ///
    /// For a session without an app's host.
    ///
    /// - Throws: `budget` if there is no memory for it.
    func saved() throws(RouteError) -> () -> Void {
        let (router, host, tasks) = (router, host, tasks)
        let checkpoint = try router.checkpoint(whole: true)
        let (ofHost, ofTasks) = (host.state, tasks.state)
        let run = (steps, events, acts, failures, notes, bindings, otherScripts, plans, snapshots)
        let work = (requests, lastRequest, namedRequests, open, waitingReloads, expectedPending)
        let uses = (usedSteps, lastUsed, namedGates, scriptFailures, loggedFailures, expectedLogs)
        let state = (configuration, isWhole, stepIndex, isInStep, clockGoal, answers, reachedParts)
        return { [unowned self] in
            (self.router, self.host, self.tasks) = (router, host, tasks)
            do throws(RouteError) {
                try router.rewind(to: checkpoint, whole: true)
            } catch {
                preconditionFailure("a router goes back to its own checkpoint: \(error)")
            }
            (host.state, tasks.state) = (ofHost, ofTasks)
            (steps, events, acts, failures, notes, bindings, otherScripts, plans, snapshots) = run
            (requests, lastRequest, namedRequests, open, waitingReloads, expectedPending) = work
            (usedSteps, lastUsed, namedGates, scriptFailures, loggedFailures, expectedLogs) = uses
            (configuration, isWhole, stepIndex, isInStep, clockGoal, answers, reachedParts) = state
        }
    }

    /// Goes on with another scenario of the file; the session is at the end of the background.
    func becomes(_ scenario: Scenario) {
        self.scenario = scenario
        let steps = file.background + scenario.steps
        self.steps = SharedLog(steps)
        looks = RequestLooks(in: steps)
    }

    /// The indices of the scenario's own steps, which follow those of the background.
    private var scenarioSteps: Range<Int> { file.background.count..<steps.count }
    /// The indices of the steps of the background.
    var backgroundSteps: Range<Int> { 0..<file.background.count }

    /// Returns a new session of the same scenario, before its first step.
    func again() throws(RouteError) -> Session {
        try Session(scenario, of: file, scripts: firstScripts, options)
    }

    /// Runs the steps before another one, and checks nothing.
    func doSteps(before index: Int) throws(Diagnostic) {
        openWindows()
        for (number, step) in steps.prefix(index).enumerated() {
            switch step.action {
            case .expect, .note, .show: break
            default:
                try run(step, number)
                _ = try finish(step)
            }
        }
    }

    /// Throws an error if a step caused more events than are kept.
    private func checkEvents(_ step: Step) throws(Diagnostic) {
        guard lostEvents > 0 else { return }
        lostEvents = 0
        let label = "it caused more than \(Self.eventLimit) events, at \(Moment.text(router.now))"
        throw failure(of: step, label: label)
    }

    /// Throws an error if the run was interrupted.
    func checkInterruption(_ step: Step) throws(Diagnostic) {
        guard options.isInterrupted() else { return }
        wasInterrupted = true
        throw failure(of: step, label: "the run was interrupted")
    }

    private func begin(_ step: Step, _ index: Int) throws(Diagnostic) {
        try checkWarnings()
        host.forgetChanges()
        tasks.forgetCalls()
        lastUsed = nil
        let isTraced = options.detail == .trace || options.writesPages
        let before = isTraced ? router.tree : nil
        acts.append(Act(index: index, step: step, firstEvent: events.count, before: before))
    }

    private func run(_ step: Step, _ index: Int) throws(Diagnostic) {
        lastRequest.note(step.action, index)
        let step = bound(step)
        switch step.action {
        case .start(let info):
            note(.navigation(router.start(InfoTable(info))), of: step, index)
        case .navigate(let navigate):
            let options = try options(of: navigate, step)
            let info = InfoTable(navigate.info)
            note(
                .navigation(router.navigate(navigate.target, info: info, options: options)),
                of: step,
                index
            )
        case .open(let open):
            let options = try options(of: open, step)
            note(.navigation(router.open(bytes: open.text, options: options)), of: step, index)
        case .dispatch(let dispatch):
            let link = router.dispatch(bytes: dispatch.url, options: options(of: dispatch))
            note(.link(link), of: step, index)
        case .doTask(let target, let info):
            note(.task(router.doTask(target, info: InfoTable(info))), of: step, index)
        case .call(let name, let info):
            note(.call(router.call(name, InfoTable(info)) { _ in }), of: step, index)
        case .leave(let leave):
            note(.navigation(try self.leave(leave, step)), of: step, index)
        case .expect(let expectation):
            try check(expectation, step)
        case .bind(let name, let binding):
            bindings[name] = try value(of: binding, step)
        case .note(let text):
            notes.append((index, Diagnostic.Note("note", text)))
        case .show(let part):
            notes.append((index, Diagnostic.Note(part.rawValue, text(of: part))))
        default:
            if step.action.changesTreeItself { relay?.isStale = true }
            try act(step)
        }
    }

    /// Returns a step with the values of the names that earlier steps have bound.
    func bound(_ step: Step) -> Step { step.binding { bindings[$0] ?? .nil } }

    /// Ends the app and starts it again: everything except the scripts and the clock is new.
    func restart(_ step: Step) throws(Diagnostic) {
        for navigation in router.pending { router.cancel(navigation) }
        for task in router.pendingTasks { router.cancel(task) }
        for call in router.pendingCalls { router.cancel(call) }
        router.cancelLinks()
        failWaitingReloads()
        waitingReloads = []
        let scripts = scripts
        configuration.now = router.now
        if relay != nil { end() }
        host = HeadlessHost(configuration.manifest)
        tasks = HostTasks(host)
        relay = makeAppHost.map { [host, steps] _ in HostRelay(host, Array(steps)) }
        do throws(RouteError) {
            router = try Router(scripts: scripts, host: relay ?? host, configuration: configuration)
        } catch {
            throw failure(of: step, error)
        }
        relay?.app = makeAppHost?(router)
        listen()
        openWindows()
    }

    /// Opens the windows that exist when the app starts, like 'given'.
    private func openWindows() {
        for name in settings.windows {
            // An empty stack is a valid root, and the names were checked.
            _ = try? router.setTree(TreeNotation("nav[]"), window: name)
        }
    }

    // MARK: Events

    private func note(_ event: Event) {
        guard events.count - (acts.last?.firstEvent ?? 0) < Self.eventLimit else {
            lostEvents += 1
            return
        }
        events.append(event)
        reachedParts?.note(event)
        guard event.kind == .task, event["phase"].text == "started" else { return }
        let info = if case .table(let info) = event["info"] { info } else { InfoTable() }
        tasks.noteCall(of: event.target, info)
    }

    private func note(_ request: Request, of step: Step, _ index: Int) {
        requests[index] = request
        if let name = step.name { namedRequests[name] = index }
        open.append(index)
    }

    /// Adds an attempt that is checked when it has ended.
    func wait(for attempt: ReloadAttempt) { waitingReloads.append(attempt) }
    func note(otherScripts: Result<ScriptBundle, BundleError>) {
        self.otherScripts.append(otherScripts)
    }
    func note(_ plan: Explanation?, of act: Act) { plans.updateValue(plan, forKey: act.index) }
    /// Keeps a snapshot under a name, as text: nothing else outlives a restart.
    func keepSnapshot(as name: String) { snapshots[name] = router.snapshot().json }

    func fail(_ diagnostic: Diagnostic) { failures.append(diagnostic) }
    func note(_ answer: ExpectationAnswer) { answers.append(answer) }

    /// Returns the function to call when the current step is used.
    func use(of step: Step) -> () -> Void {
        guard let index = acts.last?.index else { return {} }
        return { [unowned self] in
            usedSteps.insert(index)
            lastUsed = index
        }
    }

    /// Returns the step that ended a task: a later one, or the last stub that answered.
    private func ending(of number: Int, during index: Int) -> [Diagnostic.Related] {
        guard let ending = number == index ? lastUsed : index else { return [] }
        let step = steps[ending]
        return [Diagnostic.Related(label: "ended by this step", span: step.location.span)]
    }

    /// Returns whether a step was used.
    func isUsed(_ index: Int) -> Bool { usedSteps.contains(index) }

    /// Records the gates that routes name now.
    func noteGates() { namedGates.formUnion(router.namedGates) }

    /// Records that a request is expected to wait for something.
    func expectPending(_ index: Int, for name: String) { expectedPending[index] = name }

    /// Records that messages are expected in the log.
    func expectLogs(_ numbers: some Sequence<Int>) { expectedLogs.formUnion(numbers) }

    // MARK: Failures without an expectation

    /// Fails the scenario if a delayed attempt to reload did not end as its step expects.
    private func checkWaitingReloads() throws(Diagnostic) {
        let ended = waitingReloads.filter { !$0.isPending }
        guard !ended.isEmpty else { return }
        waitingReloads.removeAll { !$0.isPending }
        for attempt in ended { try check(attempt) }
    }

    /// Fails the scenario if a request has failed and no later step checks it.
    private func checkOpenRequests(after index: Int) throws(Diagnostic) {
        for number in open {
            guard let outcome = requests[number]?.outcome, !outcome.isPending else { continue }
            open.removeAll { $0 == number }
            if looks.isLooked(at: number, after: index) { continue }
            switch outcome {
            case .failed(let error):
                var failure = failure(of: steps[number], error)
                if steps[number].action.isMeantByNameOnly {
                    let naming = steps[number].name == nil ? "'as NAME', and then " : ""
                    let condition = "\(steps[number].name ?? "NAME") error \(error.code.rawValue)"
                    let help = "expect the failure with \(naming)'expect \(condition)'"
                    failure.notes.append(Diagnostic.Note("help", help))
                }
                if number == index {
                    failure.notes += searches(of: steps[number], error)
                } else if let cause = cause(ofRequest: number) {
                    failure.notes.append(cause)
                }
                throw failure
            case .unfinished:
                var failure = failure(of: steps[number], label: outcome.sentence)
                failure.related += ending(of: number, during: index)
                throw failure
            case .pending, .done, .stayed, .cancelled: break
            }
        }
    }

    /// Under `set strict`, fails the scenario if the last step logged a warning or an error that no
    /// later step expects.
    private func checkWarnings() throws(Diagnostic) {
        guard settings.isStrict, let act = acts.last else { return }
        for number in latestEvents.indices where !expectedLogs.contains(number) {
            let event = events[number]
            guard event.kind == .log, ["warn", "error"].contains(event["level"].text) else {
                continue
            }
            throw unexpected(event, act)
        }
    }
}

extension Event {
    /// The service and task of the event.
    var target: Target { Target(self["service"].text ?? "", self["task"].text ?? "") }
}

extension Step {
    /// The location of the step, with the locations of the calls that led to it.
    var location: Place { text.location(of: range) }
}
