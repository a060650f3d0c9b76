// SPDX-License-Identifier: MIT

/// The context of the running script call: the navigation on whose behalf the call was made, and
/// the stage that the call has borrowed.
///
/// This is the only dynamically scoped variable of a router. The caller of a script sets the
/// context for the duration of the call, and the functions that the script calls read it.
final class Lending {
    // Accesses cannot overlap, because each access sets or reads a whole property.

    /// The context of the running function.
    ///
    /// The context determines what the function may do.
    @exclusivity(unchecked) private(set) var context = CallContext()
    /// The navigation for which the call runs; the parent of all navigations that the call begins.
    @exclusivity(unchecked) private(set) var navigation: Navigation?
    /// The length of the chain of navigations, each begun by the previous one, that led to the
    /// call.
    @exclusivity(unchecked) private(set) var chain = 0
    /// The activity that runs the call; nil if the call cannot wait.
    @exclusivity(unchecked) private(set) var activity: Activity?
    /// The generation to which the call belongs; nil for the active generation.
    @exclusivity(unchecked) private(set) var generation: Generation?
    /// The stage of the navigation that makes the call; nil if there is none.
    @exclusivity(unchecked) private(set) var stage: UnsafeMutablePointer<Stage>?
    /// The world of the router, or the copy in the borrowed stage.
    @exclusivity(unchecked) private(set) var world: UnsafeMutablePointer<World>

    init(_ world: UnsafeMutablePointer<World>) { self.world = world }

    /// Calls the given closure in a context, with access to a stage.
    func lending<Result, Failure: Error>(
        _ stage: inout Stage,
        in context: CallContext,
        body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = (self.context, navigation, chain, activity, generation)
        let outerStage = (self.stage, world)
        defer {
            (self.context, navigation, chain, activity, generation) = outer
            (self.stage, world) = outerStage
        }
        let navigation = Navigation.of(stage)
        (self.context, self.navigation, chain) = (context, navigation, navigation.chain)
        (activity, generation) = (nil, navigation.generation)
        return try withUnsafeMutablePointer(to: &stage) { (pointer) throws(Failure) in
            (self.stage, world) = (pointer, pointer.pointee.worldStorage)
            return try body()
        }
    }

    /// Calls the given closure in a context, for a navigation.
    func calling<Result, Failure: Error>(
        _ context: CallContext,
        for navigation: Navigation?,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = (self.context, self.navigation)
        (self.context, self.navigation) = (context, navigation)
        defer { (self.context, self.navigation) = outer }
        return try body()
    }

    /// Calls the given closure, which runs an activity.
    func calling<Result, Failure: Error>(
        _ activity: Activity,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = (context, navigation, chain, self.activity)
        defer { (context, navigation, chain, self.activity) = outer }
        context.answering = activity.answering
        (context.step, context.link) = (nil, nil)
        (navigation, chain, self.activity) = (activity.navigation, activity.chain, activity)
        return try body()
    }

    /// Calls the given closure, which calls a script function that may end with the given verdicts.
    @inline(__always)
    func calling<Result, Failure: Error>(
        as answering: CallContext.Answering,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = context.answering
        context.answering = answering
        defer { context.answering = outer }
        return try body()
    }

    /// Calls the given closure on behalf of a navigation.
    ///
    /// The navigation becomes the parent of all navigations and tasks that the closure begins.
    @inline(__always)
    func calling<Result, Failure: Error>(
        for navigation: Navigation?,
        chain: Int,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = (self.navigation, self.chain)
        (self.navigation, self.chain) = (navigation, chain)
        defer { (self.navigation, self.chain) = outer }
        return try body()
    }

    /// Calls the given closure on behalf of a generation, or of the active generation if none is
    /// given.
    @inline(__always)
    func calling<Result, Failure: Error>(
        for generation: Generation?,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.generation
        guard outer !== generation else { return try body() }
        self.generation = generation
        defer { self.generation = outer }
        return try body()
    }
}

extension Navigation {
    /// Returns the navigation of a stage.
    @inline(__always)
    static func of(_ stage: borrowing Stage) -> Navigation {
        unsafeDowncast(stage.handle, to: Navigation.self)
    }
}
