// SPDX-License-Identifier: MIT

/// On whose behalf a function of a script runs, and what it may do.
struct CallContext {
    /// The effects that calls of the function may have.
    enum Effects {
        /// All: no navigation is planned or staged.
        case all
        /// None: the function helps to plan a navigation, and may be called several times.
        case none
        /// It may set `router.state`, and has no other effect: a provider or a handler, which is
        /// called once.
        case state
        /// It may make screens and set their fields, on the stage of its navigation.
        case stage
        /// It may also place screens: the function of a declared action.
        case action
    }

    /// Who may end its function by `router.stop`, `stay` or `redirect`.
    enum Answering {
        case nobody
        /// A `prepare`, which may only stop.
        case prepare
        case interceptor
    }

    var effects = Effects.all
    var answering = Answering.nobody
    /// The navigation that it runs for, the parent of those that it begins.
    var navigation: Navigation?
    /// The number of navigations, one beginning the next, that led to the call.
    var chain = 0
    /// The step whose function it is.
    var step: Step?
    /// The info that the step sees, if that is not the navigation's.
    var info: Table?
    /// The stack on which the action of the step would push.
    var standingNav: ScreenID?
    /// The number of trees, one inside the other, that are being built.
    var depth = 0
    /// The serial of the last screen that was made before the navigation was planned.
    var planningSerial: Int32 = 0
    /// The activity that may wait in the call.
    var activity: Activity?
    /// The scripts that the call belongs to; nil for the active ones.
    var generation: Generation?

    /// Whether calls may have no effects but ``Effects/state``.
    var isPlanning: Bool {
        switch effects {
        case .none, .state: true
        case .all, .stage, .action: false
        }
    }

    /// Whether calls change the stage of a navigation.
    var isStaging: Bool {
        switch effects {
        case .stage, .action: true
        case .all, .none, .state: false
        }
    }

    /// The context of a function that a step has for its navigation.
    func of(_ step: Step?) -> CallContext {
        var context = self
        context.step = step
        return context
    }
}

/// The one dynamic variable of a router: the context of the script call that runs, and the stage
/// that the call was lent.
///
/// Whoever calls a script passes the context; the functions that the script calls read it here.
final class Lending {
    /// No two accesses overlap: each sets or reads the whole.
    @exclusivity(unchecked) fileprivate(set) var context = CallContext()
    /// The stage of the navigation whose phase calls; nil if none does.
    @exclusivity(unchecked) fileprivate(set) var stage: UnsafeMutablePointer<Stage>?

    /// Calls a closure in a context.
    @inline(__always)
    func calling<Result, Failure: Error>(
        _ context: CallContext,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.context
        self.context = context
        defer { self.context = outer }
        return try body()
    }

    /// Calls a closure that a function of a script is to end as only some may.
    @inline(__always)
    func calling<Result, Failure: Error>(
        as answering: CallContext.Answering,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard context.answering != answering else { return try body() }
        var context = context
        context.answering = answering
        return try calling(context, body)
    }

    /// Calls a closure on behalf of scripts; nil for the active ones.
    @inline(__always)
    func calling<Result, Failure: Error>(
        for generation: Generation?,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard context.generation !== generation else { return try body() }
        var context = context
        context.generation = generation
        return try calling(context, body)
    }

    /// The stage of a navigation, which a phase works on; nil if none does.
    @inline(__always)
    func stage(of navigation: Navigation) -> UnsafeMutablePointer<Stage>? {
        var next = stage
        while let stage = next {
            if stage.pointee.navigation === navigation { return stage }
            next = stage.pointee.outer
        }
        return nil
    }

    /// Calls a closure that may reach a stage, in a context.
    func lending<Result, Failure: Error>(
        _ stage: inout Stage,
        _ context: CallContext,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.stage
        defer { self.stage = outer }
        return try withUnsafeMutablePointer(to: &stage) { (pointer) throws(Failure) in
            self.stage = pointer
            return try calling(context, body)
        }
    }
}
