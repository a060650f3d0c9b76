// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// Takes all steps from one state, independently of the search.
struct Expander: Sendable {
    /// The state after a step.
    struct Arrival: Sendable {
        let step: ExploredStep
        let effects: StepEffects
        let fingerprint: StateFingerprint
        /// The state for rules and reports; nil if the search has visited it before.
        let view: StateView?
        /// The indices of the broken rules.
        let broken: [Int]
        let brokenInvariants: [String]
        /// The objects that scripts can reach and whose inside the fingerprint does not contain.
        let unseen: Set<String>
    }

    /// The steps from one state, each with a mark of the state to which it leads.
    typealias Result<Mark: Sendable> = Swift.Result<
        [(Arrival, Mark)], LoadedScripts.Failure
    >

    let exploration: Exploration
    let offered: OfferedSteps
    /// Whether fingerprints contain what scripts can reach.
    let includesScripts: Bool
    /// The states that need no view, because the search has visited them.
    let visited: VisitedStates?
    /// The steps of the choices of the exploration.
    private let chosen: [ExploredStep]

    init(
        exploration: Exploration,
        offered: OfferedSteps,
        includesScripts: Bool = true,
        visited: VisitedStates? = nil
    ) {
        (self.exploration, self.offered) = (exploration, offered)
        (self.includesScripts, self.visited) = (includesScripts, visited)
        chosen = exploration.choices.map { ExploredStep($0.step) }
    }

    /// The codes of errors that no step may cause.
    private static let defects: Set<String> = [
        RouteError.Code.script.rawValue, RouteError.Code.budget.rawValue,
        RouteError.Code.composition.rawValue, RouteError.Code.host.rawValue,
    ]

    static func isDefect(_ failure: StepEffects.Failure) -> Bool { defects.contains(failure.code) }

    /// Returns the steps that can be tried in the current state of a session.
    func steps(in session: Session) -> [ExploredStep] {
        guard !exploration.choices.isEmpty else { return offered.steps(in: session) }
        let possible = OfferedSteps.userSteps(in: session).map(\.text)
        return zip(exploration.choices, chosen).compactMap { choice, step in
            guard choice.condition.map(session.holds) ?? true else { return nil }
            switch choice.step.action {
            case .user(.back), .user(.dismiss):
                // Not from a modal that no user can remove.
                return possible.contains(choice.step.word) ? step : nil
            default: return step
            }
        }
    }

    /// Returns the steps of the user, and of controls that the visible screen offers.
    func userSteps(in session: Session) -> [ExploredStep] {
        let tried = steps(in: session).filter { $0.actor == .user || $0.actor == .control }
        guard !exploration.choices.isEmpty else { return tried }
        var known = Set(tried.map(\.text))
        return tried
            + OfferedSteps.userSteps(in: session).filter { known.insert($0.text).inserted }
    }

    /// Takes each step from a state.
    ///
    /// - Parameters:
    ///   - mark: The state.
    ///   - app: The app.
    ///   - steps: Returns the steps; by default all that can be tried.
    /// - Returns: The states after the steps, or the failure of the start.
    func expansion<App: ExploredApp>(
        at mark: App.Mark,
        of app: Swift.Result<App, LoadedScripts.Failure>,
        steps: ((Session) -> [ExploredStep])? = nil
    ) -> Result<App.Mark> {
        Swift.Result { () throws(LoadedScripts.Failure) in
            let app = try app.get()
            try app.go(to: mark)
            var arrivals: [(Arrival, App.Mark)] = []
            let steps = (steps ?? self.steps)(app.session)
            for (number, step) in steps.enumerated() {
                if number > 0 { try app.go(to: mark) }
                guard let effects = app.take(step), !app.session.app.router.repeatsHeldVerb else {
                    continue
                }
                let arrival = arrival(in: app, effects, by: step)
                arrivals.append((arrival, app.mark(isNew: arrival.view != nil)))
            }
            return arrivals
        }
    }

    /// Returns the first step whose effect differs between two expansions of a state, or otherwise
    /// a remark about the number of steps; nil if there is no difference.
    static func difference(
        _ first: [(step: String, state: StateFingerprint)],
        _ second: [(step: String, state: StateFingerprint)]
    ) -> String? {
        zip(first, second).first { $0 != $1 }.map(\.0.step)
            ?? (first.count == second.count ? nil : "the number of steps")
    }

    /// Returns the state of an app after a step.
    func arrival(
        in app: some ExploredApp,
        _ effects: StepEffects,
        by step: ExploredStep? = nil
    ) -> Arrival {
        let session = app.session
        let state = SessionState(session, includesScripts: includesScripts)
        let isNew = visited?.contains(state.fingerprint) != true
        return Arrival(
            step: step ?? ExploredStep(.nothing),
            effects: effects,
            fingerprint: state.fingerprint,
            view: isNew ? StateView(session, exploration.rules) : nil,
            broken: exploration.rules.indices.filter {
                isBroken(exploration.rules[$0], in: session, effects)
            },
            brokenInvariants: isNew ? session.app.router.tree.checkInvariants() : [],
            unseen: state.unseen
        )
    }

    private func isBroken(
        _ rule: Exploration.Rule,
        in session: Session,
        _ effects: StepEffects
    ) -> Bool {
        switch rule.property {
        case .never(let step, let when):
            session.holds(step) && (when.map(session.holds) ?? true)
        case .neverDeeper(let count): (session.visibleStack?.count ?? 0) > count
        case .neverError(let code): effects.failures.contains { $0.code == code.rawValue }
        case .always: false
        }
    }
}
