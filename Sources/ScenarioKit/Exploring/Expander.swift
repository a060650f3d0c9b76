// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// A type that takes all steps from one state.
///
/// The type does not depend on the search.
struct Expander: Sendable {
    /// The state after a step.
    struct Arrival: Sendable {
        let step: ExploredStep
        let effects: StepEffects
        let fingerprint: StateFingerprint
        /// The parts of the state that rules and reports use; `nil` if the search has visited the
        /// state before.
        let view: StateView?
        /// The indices of the rules that the state breaks.
        let broken: [Int]
        let brokenInvariants: [String]
        /// The objects that scripts can reach, but whose contents are not part of the fingerprint.
        let unseen: Set<String>
    }

    /// The steps from one state, each with the mark of the state to which the step leads.
    typealias Result<Mark: Sendable> = Swift.Result<
        [(Arrival, Mark)], LoadedScripts.Failure
    >

    let exploration: Exploration
    let offered: OfferedSteps
    /// Whether fingerprints contain the values that scripts can reach.
    let includesScripts: Bool
    /// The states that need no view because the search has visited them; `nil` if every state needs
    /// a view.
    let visited: VisitedStates?
    /// The steps that the exploration chooses with its `can` lines.
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
                // These steps are not taken from a modal that the user cannot remove.
                return possible.contains(choice.step.word) ? step : nil
            default: return step
            }
        }
    }

    /// Returns the steps of the user, and the steps of the controls that the visible screen offers.
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
    ///   - mark: The mark of the state.
    ///   - app: The app that takes the steps.
    ///   - steps: Returns the steps to take; by default, all steps that can be tried.
    /// - Returns: The states after the steps, or the failure to start the app.
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

    /// Returns the first step whose effect differs between two expansions of a state; `nil` if
    /// there is no difference.
    ///
    /// If only the number of steps differs, the result is the text `the number of steps`.
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
