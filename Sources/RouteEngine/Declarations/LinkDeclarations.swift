// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// The declarations of one generation that concern URLs, except the patterns of its routes.
package struct LinkDeclarations {
    /// An alternative pattern for a route.
    package struct Alias {
        package let old: String
        package let new: String
        package let location: RouteError.Location?
        /// The index of the exclusive group that contains the declaration, if any.
        package let group: Int?

        package init(old: String, new: String, location: RouteError.Location?, group: Int?) {
            (self.old, self.new, self.location, self.group) = (old, new, location, group)
        }
    }

    /// The origins whose URLs the router accepts.
    ///
    /// If ``list`` is empty, all origins are accepted.
    package struct Origins {
        package var list: [URLOrigin] = []
        /// Whether literal parts of patterns are compared case-insensitively.
        package var ignoresCase = false
        package var location: RouteError.Location?
        /// The exclusive groups of patterns.
        package fileprivate(set) var exclusive = URLGroups()

        package init(
            list: [URLOrigin] = [],
            ignoresCase: Bool = false,
            location: RouteError.Location? = nil
        ) {
            (self.list, self.ignoresCase, self.location) = (list, ignoresCase, location)
        }
    }

    /// The origins that the scripts declare with `router.links`; nil if they declare none.
    package var declaredOrigins: Origins?
    /// The origins that the capabilities of the scripts allow; nil if any origin is allowed.
    package var allowed: Set<URLOrigin>?
    /// The origins to match: the declared origins or, if none are declared, the allowed origins.
    package var origins: Origins {
        var origins =
            declaredOrigins
            ?? Origins(list: (allowed ?? []).sorted { $0.description < $1.description })
        origins.exclusive = exclusive
        return origins
    }
    /// The exclusive groups of patterns, in order of declaration.
    package var exclusive = URLGroups()

    /// The functions that convert the text of a parameter, by the name of the parameter's kind.
    package var kinds: [String: DeclaredFunction] = [:]
    /// The function that rewrites URLs before they are matched.
    package var rewriter: DeclaredFunction?
    package var aliases: [Alias] = []
    /// The routes that have patterns, in the order of registration.
    package var routes: [Step] = []
    /// The routings of deep links, in order of declaration.
    package var routings: [Routing] = []

    package init() {}

    /// Returns the URL to match: the URL to which the scripts rewrite the given URL, or the given
    /// URL itself.
    ///
    /// A malformed URL, or a URL whose origin is not declared, is not rewritten.
    ///
    /// - Parameters:
    ///   - url: The original URL.
    ///   - table: A table that was compiled from these declarations.
    ///   - call: A closure that calls a Lua function with the given arguments.
    /// - Returns: The URL to match.
    /// - Throws: The error of the function, or `badInfo` if its result is not a URL.
    package func rewritten(
        _ url: ByteString,
        by table: URLTable,
        _ call: (ScriptFunction, [Value]) throws(RouteError) -> Value
    ) throws(RouteError) -> ByteString {
        guard let rewriter, table.problem(of: url) == nil else { return url }
        do throws(RouteError) {
            switch try call(rewriter.function, [.string(url)]) {
            case .nil: return url
            case .string(let text): return text
            case let result: throw .rewritesToNoURL(result)
            }
        } catch {
            throw error.at(rewriter.location)
        }
    }

    /// Whether these declarations contain different patterns than the earlier declarations.
    package func differs(from earlier: LinkDeclarations) -> Bool {
        aliases.count != earlier.aliases.count
            || exclusive.list.count != earlier.exclusive.list.count
            || (declaredOrigins == nil) != (earlier.declaredOrigins == nil)
            || !routes.elementsEqual(earlier.routes, by: ===)
            || !routings.elementsEqual(earlier.routings, by: ===)
    }

    /// Whether scripts may declare an origin, given the origins that their capabilities allow.
    ///
    /// A wildcard origin must itself be in `allowed`, because it covers more URLs than any other
    /// origin.
    package static func allows(_ origin: URLOrigin, _ allowed: Set<URLOrigin>) -> Bool {
        allowed.contains { $0.unnamed == origin.unnamed }
            || (!origin.isWild && allowed.contains { $0.isWild && $0.meets(origin) })
    }
}
