// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

/// A navigation on its way through the phases, with a record of what it has done.
struct Run {
    /// How the navigation has ended, or where it is.
    enum End {
        case done
        case failed(RouteError)
        case stayed(String)
        case waits(gate: String)
        /// The navigation waits until another one has ended.
        case waitsFor(Int)
    }

    var journey: Journey
    var end = End.stayed("it has not begun")
    /// The difference of the trees that the navigation has committed.
    var difference = Difference()
    /// The committed operations, as written in explanations.
    var operations: [String] = []
    /// The interceptors that have run, in order.
    var asked: [String] = []
    /// The number of plans that turned out to be outdated while they were staged.
    var outdatedPlans = 0
    /// Whether functions of scripts may set values of the state that a rollback keeps.
    var keepsState = false

    /// The error with which the navigation failed; nil if it has not failed.
    var error: RouteError? { if case .failed(let error) = end { error } else { nil } }

    /// The gate at which the navigation waits; nil if it does not wait at a gate.
    var gate: String? { if case .waits(let gate) = end { gate } else { nil } }

    /// Whether the navigation was committed.
    var isDone: Bool { if case .done = end { true } else { false } }

    /// A short text that says how the navigation has ended, or where it is.
    var outcome: String {
        switch end {
        case .done: "done"
        case .failed(let error): error.code.rawValue
        case .stayed(let reason): "stayed: \(reason)"
        case .waits(let gate): "waits: \(gate)"
        case .waitsFor(let number): "waits for #\(number)"
        }
    }
}

extension Engine {
    /// Navigates to a route.
    mutating func navigate(
        _ name: String,
        _ info: InfoTable = [:],
        _ options: NavigationOptions = NavigationOptions()
    ) -> Run {
        run(.route(Target(name), info: info), options)
    }

    /// Opens a URL, or a route string.
    mutating func open(
        _ url: String,
        _ options: NavigationOptions = NavigationOptions()
    ) -> Run {
        run(.url(ByteString(url)), options)
    }

    /// Runs a request through all phases, until it is committed or waits at a gate.
    mutating func run(
        _ request: Act<ScreenID>,
        _ options: NavigationOptions = NavigationOptions()
    ) -> Run {
        var run = Run(journey: Journey(request, options))
        do throws(RouteError) {
            let image = WorldImage(world)
            try onStage(of: &run.journey) { (stage) throws(RouteError) in try stage.matchURL() }
            if !run.keepsState { expect(image) }
        } catch {
            run.end = .failed(error)
            return run
        }
        resume(&run)
        return run
    }

    /// Continues a navigation, as a router does.
    ///
    /// The result of an interceptor's body decides how the navigation continues: nil passes,
    /// `"wait"` waits and then passes, `"stay"` stays, `{ redirect =, info = }` redirects, and an
    /// error stops.
    mutating func resume(_ run: inout Run) {
        do throws(RouteError) {
            while try advance(&run) {}
        } catch {
            run.end = .failed(error)
        }
    }

    private mutating func advance(_ run: inout Run) throws(RouteError) -> Bool {
        let image = WorldImage(world)
        let verdict: Stage.Verdict
        do throws(RouteError) {
            var operations: [String] = []
            verdict = try onStage(of: &run.journey) { (stage) throws(RouteError) in
                let verdict = try stage.advance()
                if case .commits(let difference) = verdict {
                    operations = stage.describe(difference)
                }
                return verdict
            }
            run.operations = operations
        } catch {
            if !run.keepsState { expect(image) }
            throw error
        }
        if case .commits(let difference) = verdict {
            commit(difference, &run)
            return false
        }
        if !run.keepsState { expect(image) }
        switch verdict {
        case .next, .commits: return true
        case .plansAgain:
            run.outdatedPlans += 1
            return true
        case .asks(let interception): return try ask(interception, &run)
        case .waits(let gate):
            run.end = .waits(gate: gate)
            return false
        case .waitsFor(let number):
            run.end = .waitsFor(number)
            return false
        case .asksForNextMatch(let place):
            try onStage(of: &run.journey) { (stage) throws(RouteError) in
                try stage.followNextMatch(at: place)
            }
            return true
        case .stays(let reason):
            run.end = .stayed(reason)
            return false
        }
    }

    /// Records an issue if the world differs from an earlier image, or if it is invalid.
    private func expect(_ image: WorldImage) {
        #expect(!world.tree.hasDraft, "the draft is open after a phase that does not commit")
        #expect(WorldImage(world) == image, "the stage was not rolled back")
        #expect(world.tree.checkInvariants() == [])
    }

    private mutating func commit(_ difference: Difference, _ run: inout Run) {
        #expect(world.tree.checkInvariants() == [])
        world.tree.closeDraft(difference)
        if !difference.operations.isEmpty { world.shared.edits += 1 }
        _ = run.journey.settleVisits(in: &world)
        run.difference = difference
        run.end = .done
    }

    /// Runs an interceptor.
    ///
    /// - Returns: Whether the navigation continues.
    private mutating func ask(
        _ interception: Interception,
        _ run: inout Run
    ) throws(RouteError) -> Bool {
        let function: ScriptFunction
        switch interception.interceptor {
        case .named(let name): function = try declarations.interceptor(name).body
        case .inline(let inline): function = inline
        case .leaving(let screen):
            guard let name = world.tree.class(of: screen),
                let leaving = declarations.classDeclarations[name]?.leaving
            else {
                run.journey.passed.insert(interception)
                return true
            }
            function = leaving
        }
        run.asked.append((function as? SwiftFunction)?.name ?? "")
        let (scripts, edits) = (scripts, world.shared.edits)
        let answer = try onStage(of: &run.journey) { (stage) throws(RouteError) in
            try scripts.call(
                function,
                arguments: [],
                takesNavigation: true,
                in: CallContext(),
                lending: &stage
            )
        }
        if world.shared.edits != edits { run.journey.changer = interception }
        switch answer {
        case .table(let table):
            let target = Target(table["redirect"].text ?? "")
            let info = if case .table(let info) = table["info"] { info } else { InfoTable() }
            try run.journey.checkRedirect(to: target, info)
            run.journey.redirect(to: target, info: info, in: RouterWindow.main)
        case .string(let word) where word.text == "stay":
            run.end = .stayed("an interceptor ended the navigation as 'stayed'")
            return false
        case let other:
            if other.text == "wait" { run.journey.hasWaited = true }
            run.journey.passed.insert(interception)
        }
        return true
    }

    // MARK: Explanations

    /// Explains a request with a copy of the world.
    func explain(
        _ request: Act<ScreenID>,
        _ options: NavigationOptions = NavigationOptions()
    ) -> Explanation {
        var learned = world.learnedClasses
        while true {
            var copy = self
            copy.world.learnedClasses = learned
            var journey = Journey(request, options)
            let trace = Trace(Explanation(journey, in: "main"), living: [])
            var isComplete = true
            do throws(RouteError) {
                isComplete = try copy.onStage(of: &journey, trace: trace) {
                    (stage) throws(RouteError) in
                    trace.explanation.windows = stage.windowTrees
                    try stage.matchURL()
                    return try stage.explain(trace)
                }
            } catch {
                trace.fails(error)
            }
            if isComplete { return trace.explanation }
            learned = copy.world.learnedClasses
        }
    }
}

extension Stage {
    /// Returns the operations of a difference, as written in explanations.
    fileprivate func describe(_ difference: Difference) -> [String] {
        difference.operations.map { operation in
            let screens = operation.screens.map { notation(of: $0) }.joined(separator: ", ")
            return screens.isEmpty ? operation.name : "\(operation.name)(\(screens))"
        }
    }
}
