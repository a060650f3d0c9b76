// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// An app in one state of a search.
///
/// A search goes to marked states and takes steps there, in any order. The search returns to a
/// state only with ``go(to:)``, so each implementation can choose how to restore the state: by
/// replaying all steps from the start, or from a saved image.
protocol ExploredApp: AnyObject, SendableMetatype {
    /// A value with which the app can return to a state.
    associatedtype Mark: Sendable

    /// The running scenario in its current state.
    var session: Session { get }

    /// Takes a step, and continues until the router is idle or waiting.
    ///
    /// - Returns: The effects; `nil` if the step does not exist in this state. The state of the app
    ///   is then undefined.
    func take(_ step: ExploredStep) -> StepEffects?

    /// Marks the current state.
    ///
    /// Compute the fingerprint of the state before calling this method.
    ///
    /// - Parameter isNew: Whether the search may return to the state.
    /// - Returns: The mark.
    func mark(isNew: Bool) -> Mark

    /// Returns to a marked state.
    ///
    /// - Throws: The failure of a step before the search.
    func go(to mark: Mark) throws(LoadedScripts.Failure)

    /// Returns whether the app can return to a marked state without taking steps.
    func keeps(_ mark: Mark) -> Bool

    /// Prepares the app for use by another thread.
    ///
    /// The state of the app is undefined afterwards.
    func detachFromThread()
}

/// A step of a search.
///
/// This type is a class because many edges of a graph share a step.
final class ExploredStep: Sendable {
    /// The actor that performs a step.
    enum Actor: Sendable {
        /// The user, with a `user` or a `close` step.
        case user
        /// The user, with a control that the class of the visible screen offers.
        case control
        /// The host or the clock, with `complete` and `advance`.
        case outside
        /// The app, with a navigation, a deep link or any other step.
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
    /// The actor that is implied by the kind of step.
    fileprivate var actor: ExploredStep.Actor {
        switch self {
        case .user, .act(.close, _): .user
        case .complete, .advance, .settle, .moveClock: .outside
        default: .request
        }
    }

    /// Whether the step loads scripts, or restarts the app.
    fileprivate var loadsScripts: Bool {
        switch self {
        case .reload, .restart: true
        default: false
        }
    }
}

/// The effects of a step that rules check in addition to the resulting state.
struct StepEffects: Sendable {
    /// A failure of a request, a task or a function during the step.
    struct Failure: Sendable, Hashable {
        let code: String
        let message: String
        var location: RouteError.Location?
        /// Whether the step itself failed, rather than work that the step started.
        var isOfStep = false
        /// Whether the failure was only logged, because no caller could catch it.
        var isLogged = false
    }

    var failures: [Failure] = []
    /// The parts of the scripts that were reached by the step and by the steps before it.
    var reached: Set<ScriptPart.Key> = []
}

/// A path of steps from the start.
///
/// The path is a linked list that begins with the last step, so that paths can share their earlier
/// steps.
final class ReplayedPath: Sendable {
    let step: ExploredStep
    let before: ReplayedPath?
    /// Whether a step of the path loads scripts, or restarts the app.
    let loadsScripts: Bool

    init(_ step: ExploredStep, after before: ReplayedPath?) {
        (self.step, self.before) = (step, before)
        loadsScripts = before?.loadsScripts == true || step.step.action.loadsScripts
    }

    /// The steps in order, beginning at the start.
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

/// An app that returns to a state by replaying all steps from the start.
final class ReplayedApp: ExploredApp {
    /// The values from which an app starts: the scripts, a file with settings and a background, and
    /// the first steps.
    struct Start: Sendable {
        let scripts: ScriptBundle
        let file: ScenarioFile
        let scenario: Scenario
        let options: RunOptions
    }

    private(set) var session: Session
    private let start: Start
    /// The steps that lead to the current state; `nil` at the start.
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

    /// Repeats a step on the way to a known state.
    func take(again step: ExploredStep) {
        _ = session.effects(of: step.step)
        // The comparison is repeated as well, because the result of a comparison depends on earlier
        // comparisons.
        _ = SessionState(session, includesScripts: false)
    }

    func mark(isNew: Bool) -> ReplayedPath? { path }
    func keeps(_ mark: ReplayedPath?) -> Bool { false }
    func detachFromThread() { session.app.router.detachFromThread() }

    func go(to mark: ReplayedPath?) throws(LoadedScripts.Failure) {
        // An app that has just started is already at the start.
        if path != nil {
            session.end()
            session = try Self.session(start)
        }
        path = mark
        for step in mark?.steps ?? [] { take(again: step) }
    }
}
