// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A route that a declaration names.
private struct Reference {
    let target: Target
    /// Whether the route's screen is a leaf of a tree, so that the route must build one.
    let isLeaf: Bool
    /// The location to report if there is no such route.
    let location: RouteError.Location?
}

extension DeclarationCheck {
    /// Returns the unknown routes that declarations name, and the routes that cannot be used there.
    func referenceFindings() -> [Finding] {
        var references = steps.flatMap(\.references)
        if let (build, location) = declarations.firstTree, case .blueprint(let blueprint) = build {
            references += blueprint.references(at: location)
        }
        // Few classes have any.
        let offering = declarations.classDeclarations.all.filter { $0.value.offers != nil }
        for (_, its) in offering.sorted(by: { $0.key < $1.key }) {
            references += (its.offers ?? []).map {
                Reference(target: $0, isLeaf: false, location: its.location)
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
    /// The routes that the step names; the step's links are separate steps.
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
    /// Returns the forms that switches choose from, each with its location; nil for the result of a
    /// function, and for a switch without choices.
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

/// A lookup of registered names, for suggestions.
private struct RouteNames {
    private let routes: RouteTable
    private var hints = Hints()
    private lazy var services = routes.services.map(\.name)
    /// The sorted tasks of the services looked up so far.
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
