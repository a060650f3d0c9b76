// SPDX-License-Identifier: MIT

/// The outcome of a navigation.
struct NaiveOutcome {
    /// `done`, `stayed`, or the code of an error.
    var end: String
    /// The tree after the navigation.
    var tree: NaiveScreen
    /// The lines that interceptors, `update` and `after` logged.
    var trace: [String] = []
    /// The features of the language that took part, for the coverage.
    var features: Set<String> = []
}

/// The request of a caller.
struct NaiveRequest {
    var target: RouteName
    var info: Info = [:]
    var via: Action?
    /// The serial of a screen, which was removed if the tree does not contain it.
    var from: Int?
}

/// A simple and slow planner that follows the text of the contract.
struct NaivePlanner {
    let world: World
    private(set) var lastSerial = 0
    /// The classes of the screens that each route has built, by label.
    private(set) var reached: [String: Set<String>] = [:]

    init(world: World, lastSerial: Int = 0, reached: [String: Set<String>] = [:]) {
        self.world = world
        self.lastSerial = lastSerial
        self.reached = reached
    }

    mutating func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    mutating func navigate(_ request: NaiveRequest, in tree: NaiveScreen) -> NaiveOutcome {
        var navigation = NaiveNavigation(
            world: world,
            request: request,
            tree: tree,
            lastSerial: lastSerial,
            reached: reached
        )
        defer {
            lastSerial = navigation.lastSerial
            // A class learned by building a screen is kept, even if the screen is not.
            reached = navigation.reached
        }
        do throws(Failure) {
            let stage = try navigation.run()
            return outcome("done", stage, navigation)
        } catch {
            return outcome(error.code, tree, navigation)
        }
    }

    private func outcome(_ end: String, _ tree: NaiveScreen, _ navigation: NaiveNavigation)
        -> NaiveOutcome
    {
        NaiveOutcome(
            end: end,
            tree: tree,
            trace: navigation.trace,
            features: navigation.features
        )
    }

    /// Makes a detached tree with new serials.
    mutating func make(_ template: Template) -> NaiveScreen {
        var screen = NaiveScreen(
            serial: nextSerial(),
            name: template.name,
            kind: world.declaration(of: template.name).kind,
            fields: template.fields
        )
        for child in template.children { screen.children.append(make(child)) }
        screen.selected = template.selected
        for modal in template.modals { screen.modals.append(make(modal)) }
        return screen
    }
}

extension World {
    /// Checks that each screen that would be removed may be dismissed.
    ///
    /// - Parameters:
    ///   - old: The current tree.
    ///   - new: The stage.
    ///   - written: The fields that were set on the stage, which determine whether a screen may be
    ///     dismissed.
    /// - Throws: `notDismissible` if a screen may not be dismissed.
    func permit(from old: NaiveScreen, to new: NaiveScreen, _ written: [Int: Info] = [:])
        throws(Failure)
    {
        let kept = Set(new.all.map(\.serial))
        for screen in old.all where !kept.contains(screen.serial) {
            let fields = written[screen.serial] ?? screen.fields
            let isDismissible =
                switch declaration(of: screen.name).dismissible {
                case .always: true
                case .never: false
                case .unless(let field, let datum): !(fields[field]?.equals(datum) ?? false)
                }
            if !isDismissible { throw Failure("notDismissible") }
        }
    }
}

/// The state of one navigation.
struct NaiveNavigation {
    let world: World
    private(set) var request: NaiveRequest
    /// The parameters of the target, after they were checked.
    private(set) var info: Info = [:]
    /// The current tree.
    let tree: NaiveScreen
    var lastSerial: Int
    var trace: [String] = []
    var features: Set<String> = []
    /// The visited screens of the steps, in order.
    private var trail: [Visit] = []
    /// The fields of visited screens, as set on the stage.
    var written: [Int: Info] = [:]
    /// The classes that routes have built.
    var reached: [String: Set<String>]
    /// The interceptors that have run.
    ///
    /// An interceptor of all routes runs once, and an interceptor of a step once for each step.
    private var passed: Set<Passage> = []
    /// The redirect that an interceptor has requested; nil if there is none.
    private var redirection: NaiveRequest?

    init(
        world: World,
        request: NaiveRequest,
        tree: NaiveScreen,
        lastSerial: Int,
        reached: [String: Set<String>]
    ) {
        self.world = world
        self.request = request
        self.tree = tree
        self.lastSerial = lastSerial
        self.reached = reached
    }

    /// An interceptor and its step; the step is nil for an interceptor of all routes.
    private struct Passage: Hashable {
        var name: String
        var label: String?
        var view: Info?
    }

    /// The visit of a screen by a step.
    struct Visit {
        var serial: Int
        var name: String
        /// The step; nil for the screen where the chain starts.
        var step: Step?
        /// Whether the screen was built with `none`, so that it is not in the tree.
        var isDetached = false
    }

    /// A step of the chain, with the parameters as the step sees them.
    struct Planned {
        var step: Step
        var view: Info
        var isTarget: Bool
    }

    /// The plan, once a screen is found.
    struct Plan {
        /// The screen where the plan starts.
        var found: Int
        /// The step whose finder or policy found the screen; nil if no step did.
        var finder: Planned?
        /// The parameters at the start of the plan, if `root`, `current` or a finder determines
        /// them.
        var start: Info?
        /// Whether the found screen moves to the top of its nav.
        var moves = false
        /// The steps to build, beginning with the target.
        var pending: [Planned] = []
    }

    /// Navigates to the target, or to the target of a redirect.
    mutating func run() throws(Failure) -> NaiveScreen {
        var targets: [NaiveRequest] = []
        while true {
            do throws(Failure) {
                return try goToTarget()
            } catch {
                if error.code == Self.learned { continue }
                guard let next = redirection else { throw error }
                targets.append(request)
                let isLoop = targets.contains { $0.target == next.target && $0.info == next.info }
                // The sixteenth redirect exceeds the limit.
                if isLoop || targets.count == 16 { throw Failure("redirectLoop") }
                features.insert("redirect")
                request = next
                redirection = nil
                passed = []
            }
        }
    }

    /// The code of the internal error after which a new plan is made, because a class has become
    /// known.
    static let learned = "learned"

    private mutating func goToTarget() throws(Failure) -> NaiveScreen {
        trail = []
        written = [:]
        guard let route = world.route(request.target) else { throw Failure("notFound") }
        info = try checked(request.info, route.step.info, dropsUnknown: false)
        for interceptor in interceptorsForAll(before: .search) { try prepare(interceptor, info) }
        try interceptAll(before: .search)
        let plan = try plan(route, info)
        var stage = tree
        if plan.moves, let nav = tree.parent(of: plan.found) {
            try stage.edit(nav) { nav throws(Failure) in
                guard nav.kind == .nav else { return }
                let moved = nav.children.filter { $0.serial == plan.found }
                try nav.setChildren(nav.children.filter { $0.serial != plan.found } + moved)
            }
        }
        try stage.reveal(plan.found)
        // Screens that the plan alone removes are checked before interceptors run.
        try world.permit(from: tree, to: stage)
        try interceptAll(before: .stage)
        for planned in plan.pending + (plan.finder.map { [$0] } ?? []) {
            try intercept(interceptors(of: planned.step), of: planned)
        }
        if let info = plan.start { try begin(&stage, plan.found, info) }
        if let finder = plan.finder {
            try fill(&stage, plan.found, finder)
            visit(stage.screen(plan.found), finder.step)
        }
        var place = plan.found
        for planned in plan.pending.reversed() {
            guard let next = try perform(planned, at: place, on: &stage) else { continue }
            place = next
        }
        try world.permit(from: tree, to: stage, written)
        finish(stage, found: plan.found)
        return stage
    }

    /// Records that a step reached a screen.
    mutating func visit(_ screen: NaiveScreen?, _ step: Step?, isDetached: Bool = false) {
        guard let screen else { return }
        trail.append(
            Visit(serial: screen.serial, name: screen.name, step: step, isDetached: isDetached)
        )
    }

    /// Updates the screen where the plan starts, as the screen of each step is updated.
    private mutating func begin(_ stage: inout NaiveScreen, _ serial: Int, _ info: Info)
        throws(Failure)
    {
        if world.updateAll != nil || world.hasAfterAll { features.insert("start for all") }
        try updateForAll(&stage, serial, info)
        written[serial] = stage.screen(serial)?.fields
        visit(stage.screen(serial), nil)
    }

    /// Runs `after` when the change is applied.
    private mutating func finish(_ stage: NaiveScreen, found: Int) {
        // An action may have replaced a screen, or a later step popped one that a parent built; a
        // screen that was put nowhere on purpose is kept.
        let trail = trail.filter { $0.isDetached || stage.holds($0.serial) }
        if trail.contains(where: { $0.isDetached && $0.step?.hasAfter == true }) {
            features.insert("after none")
        }
        // The found screen, then those of the steps, each once.
        var seen: Set<Int> = [found]
        let names =
            (stage.screen(found).map { [$0.name] } ?? [])
            + trail.filter { seen.insert($0.serial).inserted }.map(\.name)
        let stack = names.joined(separator: ",")
        for visit in trail {
            if let step = visit.step { reached[step.label, default: []].insert(visit.name) }
            if world.hasAfterAll { trace.append("afterAll:\(visit.name)") }
            if let step = visit.step, step.hasAfter {
                trace.append("after:\(step.label):\(stack)")
                if step.form == .container { features.insert("container after") }
            }
        }
    }

    // MARK: Info

    /// Checks parameters against a declaration, and converts them.
    func checked(_ info: Info, _ parameters: [Parameter]?, dropsUnknown: Bool) throws(Failure)
        -> Info
    {
        guard let parameters else { return info }
        var result = Info()
        for parameter in parameters {
            switch (parameter.kind, info[parameter.name]) {
            case (_, nil):
                if !parameter.isOptional { throw Failure("badInfo") }
            case (.integer, .integer(let integer)), (.integer, .number(let integer)):
                result[parameter.name] = .integer(integer)
            case (.string, .text(let text)):
                result[parameter.name] = .text(text)
            case (.any, let datum?):
                result[parameter.name] = datum
            default:
                throw Failure("badInfo")
            }
        }
        let unknown = info.keys.filter { key in !parameters.contains { $0.name == key } }
        if !dropsUnknown, !unknown.isEmpty { throw Failure("badInfo") }
        return result
    }

    // MARK: Interceptors

    func interceptors(of step: Step) -> [Interceptor] {
        step.intercept.compactMap { name in world.interceptors.first { $0.name == name } }
    }

    /// The interceptors of all routes that apply to the target.
    func interceptorsForAll(before phase: Interceptor.Everywhere.Phase) -> [Interceptor] {
        let service = request.target.service
        return world.interceptors.filter {
            $0.everywhere?.before == phase && $0.everywhere?.isFor(service) == true
        }
    }

    private mutating func interceptAll(before phase: Interceptor.Everywhere.Phase)
        throws(Failure)
    {
        let chosen = interceptorsForAll(before: phase)
        if !chosen.isEmpty { features.insert("intercept all before \(phase)") }
        try intercept(chosen, of: nil)
    }

    /// Runs interceptors.
    ///
    /// Interceptors of a step receive the parameters of the step, and interceptors of all routes
    /// those of the target.
    private mutating func intercept(_ interceptors: [Interceptor], of planned: Planned?)
        throws(Failure)
    {
        let label = planned?.step.label
        let info = planned?.view ?? info
        for interceptor in interceptors {
            let passage = Passage(name: interceptor.name, label: label, view: planned?.view)
            guard passed.insert(passage).inserted else { continue }
            let step =
                planned.map { $0.step.form == .route ? $0.step.label : "link" }
                ?? request.target.description
            trace.append("intercept:\(interceptor.name):\(step):\(info["id"]?.written ?? "nil")")
            if info != self.info { features.insert("interceptor behind adapt") }
            if planned?.step.form == .container { features.insert("container intercept") }
            guard interceptor.condition.holds(info) else { continue }
            features.insert("interceptor \(interceptor.outcome.word)")
            switch interceptor.outcome {
            case .passes: break
            case .stops, .refuses: throw Failure("stopped")
            case .stays: throw Failure("stayed")
            case .raises: throw Failure("script")
            case .redirects(let target, let sources):
                redirection = NaiveRequest(target: target, info: try sources.read(info))
                throw Failure("redirected")
            }
        }
    }
}
