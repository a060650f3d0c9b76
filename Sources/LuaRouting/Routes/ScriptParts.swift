// SPDX-License-Identifier: MIT

/// A part of scripts that scenarios can reach, for the measurement of coverage.
package struct ScriptPart: Sendable {
    /// The kind of a part.
    package enum Kind: String, Sendable, CaseIterable {
        /// A route.
        ///
        /// A route is reached when it is planned or redirected, or when it builds a screen in the
        /// tree of another route.
        case route
        /// A task.
        ///
        /// A task is reached when it begins.
        case task
        /// An interceptor.
        ///
        /// An interceptor is reached when it is called.
        case interceptor
        /// A case of a switch.
        ///
        /// A case is reached when it is chosen.
        case `case`
        /// The fallback of a route.
        ///
        /// A fallback is reached when it is used.
        case fallback
        /// A reuse policy.
        ///
        /// A reuse policy counts as two parts.
        ///
        /// The first part is reached when the policy finds a screen. The second part is reached
        /// when the route builds a screen. If the route cannot build a screen, there is no second
        /// part.
        case reuse
    }

    /// The identity of a part within its scripts.
    package struct Key: Sendable, Hashable {
        /// The kind.
        package let kind: Kind
        /// The name, such as `Product/show`, `login`, `shop.lua:12 case 2` or `Product/show found`.
        package let name: String

        /// Creates a key.
        package init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
    }

    /// The kind and the name.
    package let key: Key
    /// The source location that declares the part.
    package let location: RouteError.Location?
}

extension Router {
    /// The parts of the active scripts: routes and tasks, then interceptors, cases and fallbacks,
    /// then reuse policies.
    package var scriptParts: [ScriptPart] {
        var parts: [ScriptPart] = []
        func add(_ kind: ScriptPart.Kind, name: String, at location: RouteError.Location?) {
            parts.append(ScriptPart(key: ScriptPart.Key(kind, name), location: location))
        }
        let registrations = registrations
        for route in registrations {
            let name = route.target.description
            add(route.isTask ? .task : .route, name: name, at: route.location)
        }
        let declarations = generation.declarations
        for (name, interceptor) in declarations.interceptors.sorted(by: { $0.key < $1.key }) {
            add(.interceptor, name: name, at: interceptor.location)
        }
        for interceptor in declarations.interceptAll
        where declarations.interceptors[interceptor.name] == nil {
            add(.interceptor, name: interceptor.name, at: interceptor.location)
        }
        for step in declarations.steps {
            if case .choice(let choice)? = step.from {
                for name in choice.caseNames { add(.case, name: name, at: choice.location) }
            }
            if step.fallback != nil { add(.fallback, name: step.title, at: step.location) }
        }
        for route in registrations where route.reuse != nil {
            add(.reuse, name: "\(route.target) found", at: route.location)
            if case .screen(let step)? = try? declarations.routes.find(route.target),
                step.build != nil
            {
                add(.reuse, name: "\(route.target) built", at: route.location)
            }
        }
        return parts
    }
}
