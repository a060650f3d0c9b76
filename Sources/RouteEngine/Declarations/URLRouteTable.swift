// SPDX-License-Identifier: MIT

public import RouteCore
public import RouteURLs

/// The compiled URL patterns of the scripts, with the routes to which they lead.
///
/// ```swift
/// for entry in router.links.entries { print(entry.pattern, entry.target) }
/// // app://pages/:id(int) Page/show
/// ```
public struct URLRouteTable: Sendable {
    /// A pattern and the route to which it leads.
    public struct Entry: Sendable {
        /// The pattern, as written in the script.
        public let pattern: String
        private let step: Step
        private let alias: Boxed<Alias>?

        private struct Alias: Sendable {
            let location: RouteError.Location?
            let pattern: String
            let fixed: InfoTable
            let group: Int?
        }

        /// The target of the route.
        public var target: Target {
            guard let target = step.target else { preconditionFailure("a route has a target") }
            return target
        }

        /// The source location of the pattern, which is the location of the route or of the alias.
        public var location: RouteError.Location? {
            if let alias { alias.value.location } else { step.location }
        }

        /// The route's own pattern, if this pattern is an alias; otherwise nil.
        public var aliasOf: String? { alias?.value.pattern }
        /// The parameters of the route that have a fixed value in the alias.
        package var fixed: InfoTable { alias?.value.fixed ?? InfoTable() }
        /// The index of the innermost exclusive group that contains the pattern, if any.
        package var group: Int? { alias?.value.group ?? step.exclusiveGroup }

        /// Creates the entry of a route's own pattern.
        ///
        /// - Precondition: The step is the step of a route.
        package init(_ pattern: String, of step: Step) {
            (self.pattern, self.step, alias) = (pattern, step, nil)
        }

        /// Creates the entry of an alias.
        ///
        /// - Parameters:
        ///   - pattern: The pattern that the alias adds.
        ///   - entry: The entry of the route's own pattern.
        ///   - location: The source location of the alias.
        ///   - fixed: The parameters of the route that have a fixed value in the alias.
        ///   - group: The exclusive group of the alias; nil for the group of the route.
        package init(
            _ pattern: String,
            aliasOf entry: Entry,
            at location: RouteError.Location?,
            fixed: InfoTable,
            group: Int?
        ) {
            (self.pattern, step) = (pattern, entry.step)
            alias = Boxed(
                Alias(location: location, pattern: entry.pattern, fixed: fixed, group: group)
            )
        }
    }

    /// The compiled patterns.
    public private(set) var table: URLTable
    /// The routes, by the indices of their patterns in the table.
    public private(set) var entries: [Entry]

    /// Creates a table without patterns.
    package init() { self = .empty }

    private init(_ table: URLTable, _ entries: [Entry]) {
        (self.table, self.entries) = (table, entries)
    }

    private static let empty: URLRouteTable = {
        do throws(URLConflict) {
            return URLRouteTable(try URLTable([]), [])
        } catch {
            preconditionFailure("an empty table of URLs must compile")
        }
    }()

    /// Compiles the given patterns.
    ///
    /// - Throws: `script`, with both locations, if two patterns match the same URLs.
    package init(
        _ entries: [Entry],
        _ patterns: [URLPattern],
        origins: LinkDeclarations.Origins
    ) throws(RouteError) {
        var fixed: [Int: InfoTable] = [:]
        for index in entries.indices where !entries[index].fixed.isEmpty {
            fixed[index] = entries[index].fixed
        }
        let table = URLTable(
            patterns,
            fixed: fixed,
            origins: origins.list,
            ignoresCase: origins.ignoresCase,
            groups: origins.exclusive.with(Self.members(entries))
        )
        guard let table else { throw Self.conflicts(among: entries, patterns, origins: origins)[0] }
        self.init(table, entries)
    }

    /// Adds patterns, unless all patterns would have to be compiled again.
    ///
    /// - Returns: Whether the patterns were added. Returns `false` if a pattern matches the same
    ///   URLs as another pattern, or has an origin that no earlier pattern has.
    package mutating func append(_ added: [Entry], _ patterns: [URLPattern]) -> Bool {
        let members = Self.members(added, from: entries.count)
        guard table.append(contentsOf: patterns, members: members) else { return false }
        entries += added
        return true
    }

    /// Returns the exclusive groups of entries, by the indices of the entries.
    private static func members(_ entries: [Entry], from first: Int = 0) -> [Int: Int] {
        var members: [Int: Int] = [:]
        for (index, entry) in entries.enumerated() { members[first + index] = entry.group }
        return members
    }

    /// Returns the conflicts between patterns: one error for each pattern that matches the same
    /// URLs as an earlier pattern.
    package static func conflicts(
        among entries: [Entry],
        _ patterns: [URLPattern],
        origins: LinkDeclarations.Origins
    ) -> [RouteError] {
        URLTable.conflicts(
            among: zip(entries, patterns).map { link, pattern in
                URLTable.Route(pattern, at: link.location?.description ?? "?")
            },
            origins: origins.list,
            ignoresCase: origins.ignoresCase
        ).map { RouteError(.script, $0.message, at: entries[$0.second].location) }
    }
}
