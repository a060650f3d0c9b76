// SPDX-License-Identifier: MIT

/// A readable description of a registration for lists, documentation and editors.
///
/// ```swift
/// let route = try router.registration(of: Target("Page", "show"))
/// print(route.urls, route.screens, route.reuse ?? "")
/// // ["app://pages/:id(int)"] ["Page"] by id
/// ```
public struct RouteDescription: Sendable {
    /// The service and the task.
    public let target: Target
    /// The source location that registers the route or the task.
    public let location: RouteError.Location?
    /// Whether the registration is a task, which has no screen.
    public let isTask: Bool
    /// The URL patterns of the route, as written in the script.
    public let urls: [String]
    /// The classes of the route's screens: the classes in its definition, and the classes of
    /// screens that the route has shown.
    public let screens: [String]
    /// The rule by which the route reuses an existing screen instead of building a new one, in the
    /// words of a definition: `class`, `top`, `by showId`, `function`, `find Orders by id`; nil if
    /// the route always builds a screen, or if its provider decides.
    public let reuse: String?
    /// The actions of the definition and of the links in its `from`, with the options of
    /// presentations: `present(style="sheet")`.
    public let actions: [String]
    /// The names of the interceptors in the order in which they are called: first the interceptors
    /// for all routes, then the route's own.
    ///
    /// An interceptor written in the definition is named `intercept`.
    public let interceptors: [String]
    /// The origins that may navigate to the route; nil if all origins may.
    public let origins: [Origin]?
    /// The parameters in the `examples` of the definition.
    public let examples: [InfoTable]
}

extension Router {
    /// All registrations, sorted by service and task.
    public var registrations: [RouteDescription] {
        services.flatMap { service in
            service.tasks.compactMap { try? registration(of: Target(service.name, $0)) }
        }
    }

    /// Whether a script function provides screens for unregistered routes.
    public var hasFallback: Bool {
        checkThread()
        return generation.declarations.fallback?.screen != nil
    }

    /// Whether the scripts declare a first tree with `router.start`.
    public var hasStart: Bool {
        checkThread()
        return generation.declarations.firstTree != nil
    }

    /// Returns the registration of a target.
    ///
    /// - Throws: `notFound`, with the most similar name if there is one.
    public func registration(of target: Target) throws(RouteError) -> RouteDescription {
        checkThread()
        let registration = try generation.declarations.routes.find(target)
        guard case .screen(let step) = registration else {
            return RouteDescription(
                target: target,
                location: registration.location,
                isTask: true,
                urls: [],
                screens: [],
                reuse: nil,
                actions: [],
                interceptors: [],
                origins: nil,
                examples: []
            )
        }
        return RouteDescription(
            target: target,
            location: step.location,
            isTask: false,
            urls: step.urls,
            screens: step.knownClasses(declared: classes),
            reuse: step.find.map { "find \($0.words)" } ?? step.reuse.words,
            actions: step.actions.map { $0.notation(classes) },
            interceptors: generation.interceptorNames(of: step, for: target.service),
            origins: step.origins.map { origins in Origin.allCases.filter(origins.contains) },
            examples: step.examples
        )
    }
}

extension Generation {
    fileprivate func interceptorNames(of step: Step, for service: String) -> [String] {
        let all = declarations.interceptAll.filter { $0.isFor(service) }
        let sorted = all.filter { $0.before == .search } + all.filter { $0.before == .stage }
        return sorted.map(\.name)
            + step.intercept.map { interceptor in
                if case .named(let name) = interceptor { name } else { "intercept" }
            }
    }
}

extension Step {
    /// Returns the classes of the route's screens, without the class that is only derived from the
    /// name of the service.
    fileprivate func knownClasses(declared classes: ScreenClasses) -> [String] {
        let found = [find?.class].compactMap(\.self)
        switch build {
        case .template, .blueprint, .container: return [screenClass].compactMap(\.self)
        case .function, .fallback, nil:
            guard let name = screenClass, classes.declares(name) || reuse.looksForClass else {
                return found
            }
            return [name]
        }
    }
}

extension ReusePolicy {
    /// Whether the policy searches for a screen by the class of the route's screens.
    fileprivate var looksForClass: Bool {
        switch kind {
        case .sameClass, .top, .fields: true
        case .never, .function: false
        }
    }

    /// The policy in the words of a definition; nil for the policy that never reuses a screen.
    fileprivate var words: String? {
        let words: String
        switch kind {
        case .never: return nil
        case .sameClass: words = "class"
        case .top: words = "top"
        case .fields(let names): words = "by \(names.joined(separator: ", "))"
        case .function: words = "function"
        }
        return moves ? "\(words), move" : words
    }
}

extension Finder {
    /// The finder in the words of a definition.
    fileprivate var words: String {
        var words: [String] = []
        if isNever { words.append("never") }
        if isPresenter { words.append("presenting") }
        if screen != nil { words.append("screen") }
        if let name = `class` ?? kind?.rawValue { words.append(name) }
        if !fields.isEmpty { words.append("by \(fields.joined(separator: ", "))") }
        if match != nil { words.append("function") }
        return words.isEmpty ? "any" : words.joined(separator: " ")
    }
}
