// SPDX-License-Identifier: MIT

internal import RouteURLs

/// What the scripts of one generation say about URLs, beside the patterns of routes.
struct LinkDeclarations {
    /// A kind of parameters.
    struct Kind {
        /// Says what a text is.
        let function: ScriptFunction
        let place: RouteError.Location?
    }

    /// A pattern that stands for one of a route.
    struct Alias {
        let old: String
        let new: String
        let place: RouteError.Location?
    }

    /// The origins that the router answers for; none: all of them.
    struct Origins {
        var list: [URLOrigin] = []
        /// Whether literals are compared without case.
        var ignoresCase = false
        var place: RouteError.Location?
    }

    /// What the scripts declared by `router.links`; nil if they did not.
    var declaredOrigins: Origins?
    /// The origins that the capabilities of the scripts allow; nil for any.
    var allowed: Set<URLOrigin>?
    /// The origins to match: those that the scripts declared, or else those that they are allowed.
    var origins: Origins {
        declaredOrigins
            ?? Origins(list: (allowed ?? []).sorted { $0.description < $1.description })
    }

    /// Whether scripts that may claim some origins may claim another one.
    ///
    /// A wild origin is allowed only by itself: it claims more than any other.
    static func allows(_ origin: URLOrigin, _ allowed: Set<URLOrigin>) -> Bool {
        allowed.contains(origin.unnamed)
            || (!origin.isWild && allowed.contains { $0.isWild && $0.meets(origin) })
    }
    var kinds: [String: Kind] = [:]
    var aliases: [Alias] = []
    /// The routes that have patterns, in the order of registration.
    var routes: [Step] = []
    /// The links that are dispatched, in the order in which they are declared.
    var routings: [Routing] = []

    /// Whether other patterns follow from these declarations than from earlier ones.
    func differs(from earlier: LinkDeclarations) -> Bool {
        aliases.count != earlier.aliases.count
            || (declaredOrigins == nil) != (earlier.declaredOrigins == nil)
            || !routes.elementsEqual(earlier.routes, by: ===)
            || !routings.elementsEqual(earlier.routings, by: ===)
    }
}
