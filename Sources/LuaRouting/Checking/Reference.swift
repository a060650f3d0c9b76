// SPDX-License-Identifier: MIT

/// A route that scripts name by its service and task, in what they registered.
struct Reference {
    /// What it is named for.
    enum Role {
        /// It stands behind a step.
        case from
        /// Its screen stands in a tree.
        case leaf
        /// It is taken where the route is switched off.
        case fallback
    }

    let target: Target
    let role: Role
    /// The line that is to blame if there is no such route.
    let place: RouteError.Location?
}

extension Step {
    /// The routes that the step names; what a link behind it names is the link's own.
    var references: [Reference] {
        var references: [Reference] = []
        from?.addReferences(to: &references, at: place)
        if let fallback {
            references.append(Reference(target: fallback, role: .fallback, place: place))
        }
        if case .blueprint(let blueprint) = build {
            blueprint.addReferences(to: &references, at: place)
        }
        return references
    }
}

extension From {
    fileprivate func addReferences(
        to references: inout [Reference],
        at place: RouteError.Location?
    ) {
        switch self {
        case .current, .root, .finder, .step: break
        case .route(let target):
            references.append(Reference(target: target, role: .from, place: place))
        case .choice(let choice):
            for case .fixed(let from) in choice.choices {
                from.addReferences(to: &references, at: choice.place ?? place)
            }
        }
    }
}

extension Switch {
    /// What it picks from.
    var choices: [Choice] { cases.map(\.from) + [fallback].compactMap(\.self) }
}

extension Blueprint {
    /// The routes whose screens stand in the tree.
    var leaves: [Leaf] {
        children.flatMap { child in
            switch child {
            case .template: [Leaf]()
            case .blueprint(let inner): inner.leaves
            case .route(let leaf): [leaf]
            }
        }
    }

    func addReferences(to references: inout [Reference], at place: RouteError.Location?) {
        for leaf in leaves {
            references.append(Reference(target: leaf.target, role: .leaf, place: place))
        }
    }
}

extension Generation {
    /// What the routes that scripts name lack, to be what they are named for.
    func referenceFindings() -> [Finding] {
        var references = declarations.registeredSteps.flatMap(\.references)
        if let (build, place) = declarations.firstTree, case .blueprint(let blueprint) = build {
            blueprint.addReferences(to: &references, at: place)
        }
        var names = RouteNames(declarations.routes)
        return references.compactMap { finding(about: $0, &names) }
    }

    private func finding(about reference: Reference, _ names: inout RouteNames) -> Finding? {
        switch declarations.routes[reference.target] {
        case .task:
            Finding(.taskAsRoute, RouteError.isTask(reference.target).at(reference.place))
        case .screen(let step) where reference.role == .leaf && step.build == nil:
            Finding(
                .leafBuildsNothing,
                RouteError.leafBuildsNothing(reference.target).at(reference.place)
            )
        case .screen: nil
        case nil where declarations.expectations.tasks.contains(reference.target):
            Finding(.taskAsRoute, RouteError.isTask(reference.target).at(reference.place))
        case nil:
            Finding(.unknownRoute, names.error(about: reference.target).at(reference.place))
        }
    }
}

/// The names of what is registered, for those that are not.
private struct RouteNames {
    private let routes: RouteTable
    private var hints = Hints()
    private lazy var services = routes.services.map(\.name)
    /// The tasks of the services that were asked about, sorted.
    private var tasks: [String: [String]] = [:]

    init(_ routes: RouteTable) { self.routes = routes }

    mutating func error(about target: Target) -> RouteError {
        guard let known = routes.tasks(of: target.service) else {
            return .noSuchService(target, among: hints.among(services))
        }
        let sorted = tasks[target.service] ?? known.sorted()
        tasks[target.service] = sorted
        return .noSuchTask(target, among: hints.among(sorted))
    }
}
