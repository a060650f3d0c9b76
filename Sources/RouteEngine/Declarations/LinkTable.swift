// SPDX-License-Identifier: MIT

public import RouteCore
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
        package var fixed = Table()

        package init(
            pattern: String,
            target: Target,
            place: RouteError.Location?,
            aliasOf: String?,
            fixed: Table = Table()
        ) {
            (self.pattern, self.target, self.place) = (pattern, target, place)
            (self.aliasOf, self.fixed) = (aliasOf, fixed)
        }
    }

    /// The patterns, compiled.
    public private(set) var table: URLTable
    /// The destinations of the patterns, by their indices in the table.
    public private(set) var links: [Link]

    /// Creates a table of no patterns.
    package init() { self = .empty }

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
    package init(
        _ links: [(link: Link, pattern: URLPattern)],
        origins: [URLOrigin],
        ignoresCase: Bool
    ) throws(RouteError) {
        self.links = links.map(\.link)
        do throws(URLConflict) {
            // Locations are part of conflicts only, and mostly there are none.
            let routes = links.map {
                URLTable.Route($0.pattern, at: "", fixed: $0.link.fixed)
            }
            table = try URLTable(
                routes,
                origins: origins,
                ignoresCase: ignoresCase
            )
        } catch {
            throw Self.conflicts(among: links, origins: origins, ignoresCase: ignoresCase)[0]
        }
    }

    /// Adds patterns, unless that needs all patterns to be compiled anew.
    ///
    /// - Returns: Whether they are added; false if one of them matches the same URLs as another one,
    ///   or is for an origin that no earlier one has.
    package mutating func append(_ added: [(link: Link, pattern: URLPattern)]) -> Bool {
        guard table.append(contentsOf: added.map { URLTable.Route($0.pattern, at: "") }) else {
            return false
        }
        links += added.map(\.link)
        return true
    }

    /// Why patterns cannot be compiled together: one error for each that matches the same URLs as
    /// an earlier one.
    package static func conflicts(
        among links: [(link: Link, pattern: URLPattern)],
        origins: [URLOrigin],
        ignoresCase: Bool
    ) -> [RouteError] {
        URLTable.conflicts(
            among: links.map(route),
            origins: origins,
            ignoresCase: ignoresCase
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
