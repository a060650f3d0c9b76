// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The steps that scripts offer to a search without `can` lines: navigations to routes with
/// examples, and the steps that the user, the host and the clock can take in a state.
struct OfferedSteps: Sendable {
    /// A navigation to a route.
    private struct Route: Sendable {
        let target: Target
        let step: ExploredStep
    }

    /// The navigations, each with its parameters.
    private var navigations: [Route] = []
    /// The steps that open the URLs of routes.
    private var links: [ExploredStep] = []
    /// The routes that the screens of each class offer; `nil` if no class declares `offers`.
    private let offers: [String: Set<Target>]?
    /// The routes that are not explored, each with the reason.
    private(set) var unexplored: [(target: Target, reason: String)] = []

    /// Whether there are routes, but none of them is explored.
    var exploresNoRoute: Bool { navigations.isEmpty && !unexplored.isEmpty }

    /// The maximum number of combinations of enumeration and boolean values for one route.
    private static let combinationLimit = 64

    /// Collects the routes of loaded scripts.
    init(_ router: Router) {
        let declared = router.declarations.classDeclarations.all.compactMapValues(\.offers)
            .filter { !$0.value.isEmpty }
        offers = declared.isEmpty ? nil : declared.mapValues { Set($0) }
        for route in router.registrations where !route.isTask {
            add(route, router)
        }
    }

    private mutating func add(_ route: RouteDescription, _ router: Router) {
        let declaration = router.declarations.routes.route(to: route.target)?.info
        var infos = route.examples
        if infos.isEmpty {
            if let declaration {
                do throws(Missing) {
                    infos = try Self.combinations(of: declaration)
                } catch {
                    unexplored.append((route.target, "no examples for '\(error.name)'"))
                    return
                }
            } else if router.needsNoParameters(route.target) {
                infos = [InfoTable()]
            } else {
                unexplored.append((route.target, "no examples"))
                return
            }
        }
        for info in infos {
            guard let fields = NotationPrinter().fields(info),
                let step = Self.step("navigate \(route.target)\(fields)")
            else {
                unexplored.append((route.target, "an example cannot be written in a scenario file"))
                continue
            }
            navigations.append(Route(target: route.target, step: ExploredStep(step)))
            if !route.urls.isEmpty, let url = try? router.url(of: route.target, info: info),
                let step = Self.step("open \(NotationPrinter().value(.string(ByteString(url))))")
            {
                links.append(ExploredStep(step))
            }
        }
    }

    private struct Missing: Error { let name: String }

    /// Returns the combinations of parameters of a route whose required parameters are all
    /// enumerations or booleans.
    private static func combinations(
        of declaration: InfoDeclaration
    ) throws(Missing) -> [InfoTable] {
        var infos = [InfoTable()]
        for parameter in declaration.parameters where !parameter.isOptional {
            let values: [Value]
            switch parameter.type {
            case .boolean: values = [.boolean(true), .boolean(false)]
            case .oneOf(let alternatives): values = alternatives
            default: throw Missing(name: parameter.name)
            }
            guard infos.count * values.count <= combinationLimit else {
                throw Missing(name: parameter.name)
            }
            infos = infos.flatMap { info in
                values.map { value in
                    var info = info
                    info[parameter.name] = value
                    return info
                }
            }
        }
        return infos
    }

    /// Returns the steps that are possible in the current state of a session, in a fixed order.
    func steps(in session: Session) -> [ExploredStep] {
        var steps: [ExploredStep] = []
        let leaf = session.visibleClass
        for route in navigations {
            if let offers {
                guard leaf.flatMap({ offers[$0] })?.contains(route.target) == true else { continue }
                steps.append(ExploredStep(route.step.step, by: .control))
            } else {
                steps.append(route.step)
            }
        }
        return steps + links + Self.userSteps(in: session) + Self.outsideSteps(in: session)
    }

    /// Returns the steps that a user can take in the current state.
    static func userSteps(in session: Session) -> [ExploredStep] {
        let router = session.app.router
        let tree = router.tree
        var texts: [String] = []
        guard let window = tree.window("main") else { return [] }
        let levels = tree.levels(of: window)
        let isHeld = session.isTopmostHeld
        switch router.reportOfBack(window: "main") {
        case .dismissed?: if !isHeld { texts.append("user back") }
        case nil: if router.declarations.backHandler != nil { texts.append("user back") }
        default: texts.append("user back")
        }
        if levels.count > 1, !isHeld { texts.append("user dismisses") }
        let leaf = tree.visibleLeaf(of: window)
        if let tabs = tree.nearest(from: leaf, where: { $0.shows == .selected }),
            let container = tree.screen(tabs)
        {
            for (index, child) in container.children.enumerated()
            where !tree.isVisible(child) || router.handlesReselection(of: tabs) {
                texts.append("user selects \(index + 1)")
            }
        }
        for id in router.awaitedScreens {
            let pattern = NotationPrinter().screen(id, in: tree, deep: false)
            let name = tree.window(of: id)?.name ?? window.name
            let place = name == window.name ? "" : " with (window=\(name))"
            texts += ["close \(pattern) true\(place)", "close \(pattern)\(place)"]
        }
        return texts.compactMap(step).map { ExploredStep($0, by: .user) }
    }

    /// Returns the steps of the host and of the clock in the current state.
    static func outsideSteps(in session: Session) -> [ExploredStep] {
        var texts: [String] = []
        var known: Set<Target> = []
        for target in session.app.tasks.pending where known.insert(target).inserted {
            texts += ["complete \(target) finished", "complete \(target) failed"]
        }
        if let deadline = session.app.router.nextDeadline, deadline.isFinite {
            let seconds = max(0, deadline - session.app.router.now)
            texts.append("advance \(RecordedText.duration(seconds))")
        }
        return texts.compactMap(step).map { ExploredStep($0) }
    }

    /// Parses the text of a step.
    static func step(_ text: String) -> ScenarioStep? { StepWriter.step(text, isOpen: true) }
}
