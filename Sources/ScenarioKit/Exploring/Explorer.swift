// SPDX-License-Identifier: MIT

public import LuaRouting
internal import RouteEngine

/// A search of all states of an app, within bounds, for defects that no app should have.
///
/// The search starts the scripts in a router with a headless host. The search takes every step that
/// a user, a link, a task or the clock could take, and continues from every new state.
///
/// ```swift
/// let explorer = Explorer(bundle: try ScriptBundle(path: "scripts/podcast"))
/// let report = try explorer.explore()
/// for finding in report.findings { print(finding.code, finding.title, finding.steps) }
/// ```
public struct Explorer: Sendable {
    /// The scripts to search.
    public var bundle: ScriptBundle
    /// The options for running scripts.
    public var options: RunOptions
    /// The maximum number of steps from the start; `nil` for the bound of the block, or 10 by
    /// default.
    public var depth: Int?
    /// The maximum number of states; `nil` for the bound of the block, or 100,000 by default.
    public var states: Int?
    /// The maximum duration; `nil` for the bound of the block, or two minutes by default.
    public var time: Duration?
    /// The number of parallel jobs.
    ///
    /// The number does not affect the result, unless the search runs out of time.
    public var jobs = 1
    /// The seed for choosing the states that are expanded twice.
    public var seed: UInt64 = 0
    /// The number of repeated expansions of known states, per 1,000 steps that lead to a known
    /// state.
    var doublesPerMille: UInt64 = 10
    /// Whether fingerprints contain the values that scripts can reach; `false` in tests of finding
    /// X008.
    var includesScripts = true
    /// The limits for the images of states that all jobs keep in total.
    var memory = RewoundApp.Memory()
    /// Whether a search without `can` lines is inconclusive if it skipped a route.
    var requiresExamples = false
    /// Called periodically with the progress of the search.
    var onProgress: @Sendable (SearchProgress) -> Void = { _ in }

    let exploration: Exploration
    let file: ScenarioFile

    /// The default bounds.
    private static let bounds = Exploration.Bounds(depth: 10, states: 100_000, time: 120)

    /// Creates a search of a bundle with the default bounds and no `never` or `always` rules.
    public init(bundle: ScriptBundle, options: RunOptions = RunOptions()) {
        self.init(
            Exploration(name: bundle.displayPath(of: bundle.entry)),
            of: ScenarioFile(SourceText(name: bundle.displayPath(of: bundle.entry), content: [])),
            bundle: bundle,
            options: options
        )
    }

    /// Creates the search of an `explore` block.
    init(
        _ exploration: Exploration,
        of file: ScenarioFile,
        bundle: ScriptBundle,
        options: RunOptions
    ) {
        (self.exploration, self.file) = (exploration, file)
        (self.bundle, self.options) = (bundle, options)
    }

    /// Runs the search.
    ///
    /// - Returns: The findings, sorted by the number of steps, and the extent of the search.
    /// - Throws: The diagnostics of scripts that do not load, or of a step before the search that
    ///   fails.
    public func explore() throws(Diagnostics) -> ExplorationReport {
        do throws(LoadedScripts.Failure) {
            return try search().report
        } catch {
            throw Diagnostics(list: error.diagnostics)
        }
    }

    /// Returns the exploration, with the step `start` added if no other step starts the app.
    ///
    /// For scripts without `router.start`, the added step sets an empty stack.
    private func begun(_ router: Router) -> Exploration {
        var exploration = exploration
        let steps = file.background + exploration.steps
        if !steps.contains(where: { !$0.action.isLooking && !$0.action.isPreparation }) {
            let text = router.hasStart ? "start" : "given nav[]"
            exploration.steps += [OfferedSteps.step(text)].compactMap(\.self)
        }
        return exploration
    }

    /// Returns a finding with its script line as a detail.
    ///
    /// If the finding has no line, the detail is the line that declares the route to which the last
    /// step navigates.
    private func located(_ finding: ExplorationFinding, _ router: Router) -> ExplorationFinding {
        var finding = finding
        if let location = finding.location {
            let message = finding.details.first.map { ": \($0)" } ?? ""
            finding.details = ["\(text(of: location))\(message)"]
        } else if case .act(.route(let target, _), _)? = finding.path.last?.step.action,
            let location = (try? router.registration(of: target))?.location
        {
            finding.location = location
            finding.details.append("\(text(of: location)): \(target)")
        }
        return finding
    }

    /// Returns a location whose path can be opened from the working directory.
    private func text(of location: RouteError.Location) -> String {
        "\(bundle.displayPath(of: location.file)):\(location.line)"
    }

    /// A search that has not begun.
    struct Preparation {
        let exploration: Exploration
        let offered: OfferedSteps
        let limits: SearchLimits
        let start: ReplayedApp.Start
        /// A router with the scripts.
        let router: Router

        /// A value that runs findings again to confirm them.
        var finding: FindingScenario {
            FindingScenario(
                start: start,
                expander: Expander(
                    exploration: exploration,
                    offered: offered,
                    includesScripts: limits.includesScripts
                )
            )
        }
    }

    /// Loads the scripts, and replaces missing bounds with the default bounds.
    func prepared() throws(LoadedScripts.Failure) -> Preparation {
        let router: Router
        do throws(RouteError) {
            router = try Router(
                scripts: bundle,
                host: HeadlessHost(options.manifest),
                configuration: options.configuration(file.settings)
            )
        } catch {
            let use = ScenarioRunner.usePlace(in: file, options)
            throw LoadedScripts.Failure(loading: error, of: bundle, usedAt: use)
        }
        let exploration = begun(router)
        let bounds = Exploration.Bounds(
            depth: depth,
            states: states,
            time: time.map { $0 / .seconds(1) }
        ).completed(by: exploration.bounds).completed(by: Self.bounds)
        var file = file
        // Otherwise a warning would end the app at the next step.
        file.settings.apply(.strict(false))
        let start = ReplayedApp.Start(
            scripts: bundle,
            file: file,
            scenario: Scenario(exploration, of: file.source),
            options: options
        )
        var limits = SearchLimits()
        limits.depth = bounds.depth ?? 0
        limits.states = bounds.states ?? 0
        (limits.jobs, limits.seed) = (jobs, seed)
        limits.doublesPerMille = doublesPerMille
        limits.includesScripts = includesScripts
        limits.onProgress = onProgress
        let end = ContinuousClock.now + .seconds(bounds.time ?? 0)
        limits.ending = { [options] in
            if options.isInterrupted() { return .interrupted }
            return ContinuousClock.now >= end ? .time : nil
        }
        return Preparation(
            exploration: exploration,
            offered: OfferedSteps(router),
            limits: limits,
            start: start,
            router: router
        )
    }

    /// Runs the search, and returns its results together with the start from which its steps can be
    /// replayed.
    func search() throws(LoadedScripts.Failure) -> FinishedSearch {
        let preparation = try prepared()
        var memory = memory
        memory.count /= max(1, jobs)
        memory.bytes /= max(1, jobs)
        let start = preparation.start
        var search = StateSearch(
            preparation.exploration,
            offered: preparation.offered,
            limits: preparation.limits
        ) { [memory] () throws(LoadedScripts.Failure) in try RewoundApp(start, memory) }
        let finding = preparation.finding
        search.replay = { found in
            Result { () throws(LoadedScripts.Failure) in try finding.confirmed(found) }
        }
        let places = ScriptPlaces(bundle)
        search.identity = places.identity
        do throws(LoadedScripts.Failure) {
            try search.run()
        } catch {
            // After an interruption, the scripts are cancelled and fail at any step.
            guard options.isInterrupted(), search.graph.count > 0 else { throw error }
            search.ending = .interrupted
        }
        return FinishedSearch(
            report: try report(of: search, preparation),
            graph: search.graph,
            start: start
        )
    }

    /// Returns the report of a search that has ended.
    ///
    /// The report contains only findings that occur again in separate sessions.
    func report(
        of search: StateSearch<some ExploredApp>,
        _ preparation: Preparation
    ) throws(LoadedScripts.Failure) -> ExplorationReport {
        let (offered, router) = (preparation.offered, preparation.router)
        var report = ExplorationReport(name: exploration.name)
        report.line = exploration.line
        report.depth = preparation.limits.depth
        report.stateCount = search.graph.count
        report.stepCount = search.stepCount
        // A search that hit a limit is not complete.
        let isCut = search.ending == .complete && !search.notExplored.isEmpty
        report.ending = isCut ? .states : search.ending
        for finding in search.findings.sorted(by: { $0.stepCount < $1.stepCount }) {
            let confirmed: ExplorationFinding?
            if let replayed = search.replays[finding.key] {
                confirmed = replayed
            } else if search.ending == .interrupted {
                confirmed = nil
            } else {
                confirmed = try preparation.finding.confirmed(finding)
            }
            if let finding = confirmed {
                report.findings.append(located(finding, router))
            } else {
                let path = finding.steps.joined(separator: " · ")
                report.notReproduced.append("\(finding.code) \(finding.title) (\(path))")
            }
        }
        let isLost = report.ending == .complete && !report.notReproduced.isEmpty
        if isLost { report.ending = .unreproduced }
        let isPartial = requiresExamples ? !offered.unexplored.isEmpty : offered.exploresNoRoute
        if report.ending == .complete, exploration.choices.isEmpty, isPartial {
            report.ending = .unexplored
        }
        report.isExhausted = search.isExhausted && report.ending == .complete
        report.hasChoices = !exploration.choices.isEmpty
        if !report.hasChoices {
            report.notExplored = offered.unexplored.map { "\($0.target) (\($0.reason))" }
        }
        report.notExplored += search.notExplored
        report.notEntered = router.scriptParts.compactMap { part in
            guard !search.reached.contains(part.key) else { return nil }
            switch part.key.kind {
            case .route, .interceptor, .case, .fallback: break
            case .task, .reuse: return nil
            }
            let location = part.location.map { " (\(text(of: $0)))" } ?? ""
            return "\(part.key.kind.rawValue) '\(part.key.name)'\(location)"
        }
        report.notSeen = search.unseen.sorted()
        return report
    }
}

/// A search that has ended, with its states.
struct FinishedSearch: Sendable {
    let report: ExplorationReport
    let graph: SearchGraph<ReplayedApp.Mark>
    let start: ReplayedApp.Start
}

/// The result of a search.
public struct ExplorationReport: Sendable {
    /// The reason why a search ended.
    public enum Ending: String, Sendable {
        /// All states up to the depth were expanded, or there are no further states.
        case complete
        /// The search reached the maximum number of states.
        case states
        /// The search reached the maximum duration.
        case time
        /// A defect did not occur again when its steps were repeated.
        ///
        /// The defect depends on state that the search does not compare.
        case unreproduced
        /// No step navigates to a route, because all routes lack examples, or a route lacks examples
        /// that were required.
        case unexplored
        /// The search was interrupted.
        case interrupted
    }

    /// The name of the block, or of the scripts if there is no block.
    public let name: String
    /// The line of the block; `nil` if there is no block.
    public internal(set) var line: Int?
    /// The findings, sorted by the number of steps.
    ///
    /// Each finding has occurred again in a separate session.
    public internal(set) var findings: [ExplorationFinding] = []
    /// The reason why the search ended.
    public internal(set) var ending = Ending.complete
    /// Whether the search is complete and there are no states beyond the maximum depth.
    public internal(set) var isExhausted = false
    /// The number of states.
    public internal(set) var stateCount = 0
    /// The number of steps that were taken.
    public internal(set) var stepCount = 0
    /// The maximum number of steps from the start.
    public internal(set) var depth = 0
    /// The defects that did not occur again when their steps were repeated, and that are therefore
    /// not findings.
    public internal(set) var notReproduced: [String] = []
    /// The routes that were not explored, and the limits other than the depth that the search
    /// reached, each with an explanation.
    public internal(set) var notExplored: [String] = []
    /// The routes, interceptors, cases of switches and fallbacks that no step reached.
    public internal(set) var notEntered: [String] = []
    /// Whether the block has `can` lines.
    ///
    /// If it has such lines, most routes are not expected to be reached.
    var hasChoices = false
    /// The objects that scripts can reach, but whose contents the search does not compare.
    public internal(set) var notSeen: [String] = []

    init(name: String) { self.name = name }
}
