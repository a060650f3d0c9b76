// SPDX-License-Identifier: MIT

internal import LuaVM
public import RouteURLs

/// The URLs that the scripts answer for: their patterns, compiled, and what each of them leads to.
public struct LinkTable: Sendable {
    /// A pattern, and the route that it leads to.
    public struct Link: Sendable {
        /// The pattern, as the script writes it.
        public let pattern: String
        /// The route.
        public let target: Target
        /// The line that declares the pattern: that of the route, or of the alias.
        public let place: RouteError.Location?
        /// The pattern of the route for which this one stands, where it is an alias.
        public let aliasOf: String?
        /// The parameters of the route that an alias fixes.
        var fixed = Table()
    }

    /// The patterns, compiled.
    public let table: URLTable
    /// What the patterns lead to, by their indices in the table.
    public let links: [Link]

    /// Creates a table of no patterns.
    init() { self = .empty }

    private init(_ table: URLTable, _ links: [Link]) {
        (self.table, self.links) = (table, links)
    }

    private static let empty: LinkTable = {
        do throws(URLConflict) {
            return LinkTable(try URLTable([]), [])
        } catch {
            preconditionFailure("no pattern is at odds with none")
        }
    }()

    /// Compiles patterns.
    ///
    /// - Throws: `script`, which names both places, where two patterns match the same URLs.
    init(
        _ links: [(link: Link, pattern: URLPattern)],
        answering origins: LinkDeclarations.Origins
    ) throws(RouteError) {
        self.links = links.map(\.link)
        do throws(URLConflict) {
            // Locations are part of conflicts only, and mostly there are none.
            let routes = links.map {
                URLTable.Route($0.pattern, at: "", fixed: $0.link.fixed)
            }
            table = try URLTable(
                routes,
                origins: origins.list,
                ignoresCase: origins.ignoresCase
            )
        } catch {
            throw Self.conflicts(among: links, answering: origins)[0]
        }
    }

    /// Why patterns cannot be compiled together: one error for each that matches the same URLs as
    /// an earlier one.
    static func conflicts(
        among links: [(link: Link, pattern: URLPattern)],
        answering origins: LinkDeclarations.Origins
    ) -> [RouteError] {
        URLTable.conflicts(
            among: links.map(route),
            origins: origins.list,
            ignoresCase: origins.ignoresCase
        ).map { error($0, links) }
    }

    private static func route(_ link: (link: Link, pattern: URLPattern)) -> URLTable.Route {
        URLTable.Route(link.pattern, at: link.link.place?.description ?? "?")
    }

    private static func error(
        _ conflict: URLConflict,
        _ links: [(link: Link, pattern: URLPattern)]
    ) -> RouteError {
        RouteError(.script, conflict.message, at: links[conflict.second].link.place)
    }
}

/// What the scripts of one generation say about URLs, beside the patterns of routes.
struct LinkDeclarations {
    /// A kind of parameters.
    struct Kind {
        /// Says what a text is.
        let function: LuaFunction
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
