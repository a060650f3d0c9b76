// SPDX-License-Identifier: MIT

extension Router: StageSurroundings {
    package func hears(_ kind: Event.Kind, lending stage: inout Stage) -> Bool {
        hears(kind, of: Navigation.of(stage), stage.trace)
    }

    package func report(
        _ kind: Event.Kind,
        at place: RouteError.Location?,
        _ fields: [(name: String, value: Value)],
        lending stage: inout Stage
    ) {
        let navigation = Navigation.of(stage)
        lending.lending(&stage, in: stage.before == nil ? stage.planning : stage.staging) {
            send(kind, of: navigation, at: place, fields: fields)
        }
    }

    package func prepare(_ screens: [ScreenID], lending stage: inout Stage) throws(RouteError) {
        try lending.lending(&stage, in: stage.staging) { () throws(RouteError) in
            do {
                try host.prepare(screens, in: tree)
            } catch {
                host.discard(screens)
                throw RouteError.hostFailed(error)
            }
        }
    }

    package func checkCapabilities(
        of difference: Difference,
        lending stage: inout Stage
    ) throws(RouteError) {
        guard isRestricted else { return }
        let navigation = Navigation.of(stage)
        try lending.lending(&stage, in: stage.staging) { () throws(RouteError) in
            try checkCapabilities(of: difference, navigation)
        }
    }

    package func precedence(lending stage: inout Stage) -> (Precedence, own: Precedence.Entry)? {
        let navigation = Navigation.of(stage)
        guard queue.active.contains(where: { $0 !== navigation }) else { return nil }
        return lending.lending(&stage, in: stage.planning) {
            (precedence(about: navigation.journey.removal), entry(of: navigation))
        }
    }

    package func titles(of numbers: [Int]) -> [String] {
        pending(numbers).map { "#\($0.id) \($0.title)" }
    }

    package func isRouting(_ text: ByteString, lending stage: inout Stage) -> Bool {
        lending.lending(&stage, in: stage.planning) {
            lending.calling(for: serving) {
                isMatched(text, by: generation.declarations.routings.table)
            }
        }
    }

    /// Calls the given closure, with script functions restricted to the given effects.
    ///
    /// A script function that has any other effect raises an error.
    ///
    /// - Parameters:
    ///   - effects: The allowed effects: `none` or `state`.
    ///   - navigation: The navigation for which the functions run.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    func withoutEffects<Result>(
        but effects: CallContext.Effects = .none,
        for navigation: Navigation? = nil,
        _ body: () throws(RouteError) -> Result
    ) throws(RouteError) -> Result {
        var context = lending.context
        if !context.isPlanning { context.planningSerial = tree.lastSerial }
        (context.effects, context.step) = (effects, nil)
        (context.link, context.existingNav) = (nil, nil)
        return try lending.calling(context, for: navigation, body)
    }

    /// Throws an error if the running script function must not have side effects.
    func checkEffects(of what: @autoclosure () -> String) throws(RouteError) {
        if lending.context.isPlanning { throw .hasEffects(what()) }
    }

    /// The stack on which a step without `from` would push its screen; nil if there is none.
    var existingNav: ScreenID? {
        let window: RouterWindow?
        switch turn {
        case .staging: return lending.context.existingNav
        case .planning(let navigation?):
            window = tree.window(tree.windowName(of: navigation.options))
        case .idle, .applying, .planning(nil): window = tree.windows.first
        }
        return window.flatMap { tree.nearest(.nav, from: tree.visibleLeafBelowForeign(of: $0)) }
    }

    // MARK: For declared actions

    /// Performs an action for a script function, on the container at or above a screen.
    func act(
        _ action: Action,
        on screen: ScreenID,
        at place: ScreenID,
        in navigation: Navigation
    ) throws(RouteError) {
        let stage = try actingStage(navigation, "act")
        try stage.pointee.act(action, on: screen, at: place, in: lending.context)
    }

    /// Sets the children of a container for a script function.
    func setChildren(
        _ children: [ScreenID],
        of container: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) {
        let stage = try actingStage(navigation, "setChildren")
        try stage.pointee.tree.setChildren(children, of: container)
    }

    /// Returns the stage of a navigation while one of its declared actions runs.
    private func actingStage(
        _ navigation: Navigation,
        _ name: String
    ) throws(RouteError) -> UnsafeMutablePointer<Stage> {
        guard lending.context.effects == .action, let stage = lending.stage,
            stage.pointee.handle === navigation
        else { throw .actsOutsideAction(name) }
        return stage
    }
}
