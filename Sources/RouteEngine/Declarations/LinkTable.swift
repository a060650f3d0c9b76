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
        package let fixed: Table

        package init(
            pattern: String,
            target: Target,
            place: RouteError.Location?,
            aliasOf: String?,
            fixed: Table = Table()
        ) {
            self.pattern = pattern
            self.target = target
            self.place = place
            self.aliasOf = aliasOf
            self.fixed = fixed
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
        _ links: [Link],
        _ patterns: [URLPattern],
        origins: LinkDeclarations.Origins
    ) throws(RouteError) {
        var fixed: [Int: Table] = [:]
        for index in links.indices where !links[index].fixed.isEmpty {
            fixed[index] = links[index].fixed
        }
        let table = URLTable(
            patterns,
            fixed: fixed,
            origins: origins.list,
            ignoresCase: origins.ignoresCase
        )
        guard let table else { throw Self.conflicts(among: links, patterns, origins: origins)[0] }
        self.init(table, links)
    }

    /// Adds patterns, unless that needs all patterns to be compiled anew.
    ///
    /// - Returns: Whether they are added; false if one of them matches the same URLs as another one,
    ///   or is for an origin that no earlier one has.
    package mutating func append(_ added: [Link], _ patterns: [URLPattern]) -> Bool {
        guard table.append(contentsOf: patterns) else { return false }
        links += added
        return true
    }

    /// Why patterns cannot be compiled together: one error for each that matches the same URLs as
    /// an earlier one.
    package static func conflicts(
        among links: [Link],
        _ patterns: [URLPattern],
        origins: LinkDeclarations.Origins
    ) -> [RouteError] {
        URLTable.conflicts(
            among: zip(links, patterns).map { link, pattern in
                URLTable.Route(pattern, at: link.place?.description ?? "?")
            },
            origins: origins.list,
            ignoresCase: origins.ignoresCase
        ).map { RouteError(.script, $0.message, at: links[$0.second].place) }
    }
}
