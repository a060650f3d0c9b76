// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// An app in one state of a search.
///
/// A search goes to marked states and takes steps there, in any order. It returns to a state only
/// with ``go(to:)``, so each implementation chooses the method: a replay from the start, or the
/// restoration of a saved image.
protocol ExploredApp: AnyObject, SendableMetatype {
    /// A way back to a state.
    associatedtype Mark: Sendable

    /// The running scenario, in the current state.
    var session: Session { get }

    /// Takes a step, until the router is idle or waits.
    ///
    /// - Returns: The effects; nil if the step does not exist in this state, which is then unknown.
    func take(_ step: ExploredStep) -> StepEffects?

    /// Marks the current state, which has been compared.
    ///
    /// - Parameter isNew: Whether the search goes back to the state.
    /// - Returns: The mark.
    func mark(isNew: Bool) -> Mark

    /// Goes to a marked state.
    ///
    /// - Throws: The failure of a step before the search.
    func go(to mark: Mark) throws(LoadedScripts.Failure)

    /// Returns whether the app can go to a marked state without taking steps.
    func keeps(_ mark: Mark) -> Bool

    /// Lets another thread have the app; the current state is unknown then.
    func detachFromThread()
}

/// A step of a search; a class, because many edges of a graph share one.
final class ExploredStep: Sendable {
    /// The actor of a step.
    enum Actor: Sendable {
        /// The user: a `user` or a `close` step.
        case user
        /// A control of the visible screen that its class offers.
        case control
        /// The host or the clock: `complete` and `advance`.
        case outside
        /// A navigation, a link or another step.
        case request
    }

    let step: ScenarioStep
    let actor: Actor
    /// The text of the step, on one line.
    let text: String

    init(_ step: ScenarioStep, by actor: Actor? = nil) {
        self.step = step
        self.actor = actor ?? step.action.actor
        text = step.text.text(step.range).split { $0.isNewline }.joined(separator: " ")
    }
}

extension ScenarioStep.Action {
    /// The actor of a step, as far as it can be derived from the step itself.
    fileprivate var actor: ExploredStep.Actor {
        switch self {
        case .user, .act(.close, _): .user
        case .complete, .advance, .settle, .moveClock: .outside
        default: .request
        }
    }

    /// Whether the step loads scripts, or starts the app again.
    fileprivate var loadsScripts: Bool {
        switch self {
        case .reload, .restart: true
        default: false
        }
    }
}

/// The effects of one step that rules check, besides the state to which it leads.
struct StepEffects: Sendable {
    /// A failure of a request, a task or a function during the step.
    struct Failure: Sendable, Hashable {
        let code: String
        let message: String
        var location: RouteError.Location?
        /// Whether the step itself failed, rather than work that it started.
        var isOfStep = false
        /// Whether the failure was only logged, because no caller could catch it.
        var isLogged = false
    }

    var failures: [Failure] = []
    /// The parts of the scripts that the step and the preceding steps reached.
    var reached: Set<ScriptPart.Key> = []
}

/// A linked list of steps from the start, the last one first, which shares its earlier steps with
/// other paths.
final class ReplayedPath: Sendable {
    let step: ExploredStep
    let before: ReplayedPath?
    /// Whether a step loads scripts, or starts the app again.
    let loadsScripts: Bool

    init(_ step: ExploredStep, after before: ReplayedPath?) {
        (self.step, self.before) = (step, before)
        loadsScripts = before?.loadsScripts == true || step.step.action.loadsScripts
    }

    /// The steps, from the start.
    var steps: [ExploredStep] {
        var steps: [ExploredStep] = []
        var current: ReplayedPath? = self
        while let path = current {
            steps.append(path.step)
            current = path.before
        }
        return steps.reversed()
    }
}

/// An app that goes to a state by replaying all steps from the start.
final class ReplayedApp: ExploredApp {
    /// The start of an app: scripts, a file with its settings and background, and the first steps.
    struct Start: Sendable {
        let scripts: ScriptBundle
        let file: ScenarioFile
        let scenario: Scenario
        let options: RunOptions
    }

    private(set) var session: Session
    private let start: Start
    /// The steps that lead to the current state; nil at the start.
    var path: ReplayedPath?

    /// Starts the app, and runs the steps before the search.
    init(_ start: Start) throws(LoadedScripts.Failure) {
        self.start = start
        session = try Self.session(start)
    }

    deinit { session.end() }

    private static func session(_ start: Start) throws(LoadedScripts.Failure) -> Session {
        let session: Session
        do throws(RouteError) {
            session = try Session(
                start.scenario,
                of: start.file,
                scripts: start.scripts,
                start.options
            )
        } catch {
            let use = ScenarioRunner.usePlace(in: start.file, start.options)
            throw LoadedScripts.Failure(loading: error, of: start.scripts, usedAt: use)
        }
        session.log.reachedParts = ReachedParts()
        do throws(Diagnostic) {
            _ = try session.runSteps()
        } catch {
            throw LoadedScripts.Failure(diagnostics: [error], code: .failed)
        }
        return session
    }

    func take(_ step: ExploredStep) -> StepEffects? {
        path = ReplayedPath(step, after: path)
        return session.effects(of: step.step)
    }

    /// Takes a step on the way to a known state.
    func take(again step: ExploredStep) {
        _ = session.effects(of: step.step)
        // A comparison of states depends on those before.
        _ = SessionState(session, includesScripts: false)
    }

    func mark(isNew: Bool) -> ReplayedPath? { path }
    func keeps(_ mark: ReplayedPath?) -> Bool { false }
    func detachFromThread() { session.app.router.detachFromThread() }

    func go(to mark: ReplayedPath?) throws(LoadedScripts.Failure) {
        // A new app is at the start.
        if path != nil {
            session.end()
            session = try Self.session(start)
        }
        path = mark
        for step in mark?.steps ?? [] { take(again: step) }
    }
}
