// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A route that a declaration names.
private struct Reference {
    let target: Target
    /// Whether the declaration uses the route as a leaf of a tree.
    ///
    /// If so, the route must build a screen.
    let isLeaf: Bool
    /// The location to report if the route does not exist or cannot be used here.
    let location: RouteError.Location?
}

extension DeclarationCheck {
    /// Returns a finding for each route that a declaration names but that does not exist, or that
    /// cannot be used in that declaration.
    func referenceFindings() -> [Finding] {
        var references = steps.flatMap(\.references)
        if let (build, location) = declarations.firstTree, case .blueprint(let blueprint) = build {
            references += blueprint.references(at: location)
        }
        // Few classes have `offers`.
        let offering = declarations.classDeclarations.all.filter { $0.value.offers != nil }
        for (name, its) in offering.sorted(by: { $0.key < $1.key }) {
            references += (its.offers ?? []).map {
                Reference(
                    target: $0,
                    isLeaf: false,
                    location: declarations.classes[name].location
                )
            }
        }
        var names = RouteNames(declarations.routes)
        return references.compactMap { finding(about: $0, &names) }
    }

    private func finding(about reference: Reference, _ names: inout RouteNames) -> Finding? {
        let target = reference.target
        switch declarations.routes[target] {
        case .screen(let step):
            guard reference.isLeaf, step.build == nil else { return nil }
            let error = RouteError.leafBuildsNothing(target)
            return Finding(.leafBuildsNothing, error.at(reference.location))
        case nil where !declarations.expectations.tasks.contains(target):
            return Finding(.unknownRoute, names.error(about: target).at(reference.location))
        case .task, nil:
            return Finding(.taskAsRoute, RouteError.isTask(target).at(reference.location))
        }
    }
}

extension Step {
    /// The routes that the step names.
    ///
    /// Steps within `from` are checked separately.
    fileprivate var references: [Reference] {
        var references: [Reference] = []
        for case (.route(let target)?, let location) in from?.alternatives(at: location) ?? [] {
            references.append(Reference(target: target, isLeaf: false, location: location))
        }
        if let fallback {
            references.append(Reference(target: fallback, isLeaf: false, location: location))
        }
        references += (redirect?.targets ?? []).map {
            Reference(target: $0, isLeaf: false, location: location)
        }
        if case .blueprint(let blueprint) = build {
            references += blueprint.references(at: location)
        }
        return references
    }

    /// The routes whose screens are in the tree that the step builds.
    package var leaves: [Blueprint.Leaf] {
        if case .blueprint(let blueprint) = build { blueprint.leaves } else { [] }
    }
}

extension From {
    /// Returns all values that `from` may have: the choices of switches and nested switches, or the
    /// value itself.
    ///
    /// Each value has a location. A value is nil if a function determines it, or if a switch has no
    /// choices.
    package func alternatives(
        at location: RouteError.Location?
    ) -> [(from: From?, location: RouteError.Location?)] {
        guard case .choice(let choice) = self else { return [(self, location)] }
        let alternatives = choice.choices.flatMap { one in
            if case .fixed(let from) = one {
                from.alternatives(at: choice.location ?? location)
            } else {
                [(from: From?.none, location: location)]
            }
        }
        return alternatives.isEmpty ? [(nil, location)] : alternatives
    }
}

extension Blueprint {
    fileprivate var leaves: [Leaf] {
        children.flatMap { child in
            switch child {
            case .template: [Leaf]()
            case .blueprint(let inner): inner.leaves
            case .route(let leaf): [leaf]
            }
        }
    }

    fileprivate func references(at location: RouteError.Location?) -> [Reference] {
        leaves.map { Reference(target: $0.target, isLeaf: true, location: location) }
    }
}

/// A type that looks up registered names to suggest in errors.
private struct RouteNames {
    private let routes: RouteTable
    private var hints = Hints()
    private lazy var services = routes.services.map(\.name)
    /// The sorted names of the tasks of each service that was looked up.
    private var tasks: [String: [String]] = [:]

    init(_ routes: RouteTable) { self.routes = routes }

    mutating func error(about target: Target) -> RouteError {
        guard let known = tasks[target.service] ?? routes.tasks(of: target.service) else {
            return .noSuchService(target, among: hints.among(services))
        }
        tasks[target.service] = known
        return .noSuchTask(target, among: hints.among(known))
    }
}
