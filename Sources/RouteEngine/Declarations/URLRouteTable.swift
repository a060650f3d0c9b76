// SPDX-License-Identifier: MIT

public import RouteCore
public import RouteURLs

/// The compiled URL patterns of the scripts, with their destinations.
///
/// ```swift
/// for entry in router.links.entries { print(entry.pattern, entry.target) }
/// // app://pages/:id(int) Page/show
/// ```
public struct URLRouteTable: Sendable {
    /// A pattern and its route.
    public struct Entry: Sendable {
        /// The pattern, as written in the script.
        public let pattern: String
        /// The route.
        public let target: Target
        /// The source location of the pattern: the location of the route or of the alias.
        public let location: RouteError.Location?
        /// For an alias, the pattern of the route that it replaces.
        public let aliasOf: String?
        /// The parameters of the route that an alias fixes.
        package let fixed: InfoTable
        /// The index of the pattern's innermost exclusive group; nil if it is in none.
        package let group: Int?

        package init(
            pattern: String,
            target: Target,
            location: RouteError.Location?,
            aliasOf: String?,
            fixed: InfoTable = InfoTable(),
            group: Int? = nil
        ) {
            self.pattern = pattern
            self.target = target
            self.location = location
            self.aliasOf = aliasOf
            (self.fixed, self.group) = (fixed, group)
        }
    }

    /// The compiled patterns.
    public private(set) var table: URLTable
    /// The destinations of the patterns, by their indices in the table.
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
            preconditionFailure("no pattern is at odds with none")
        }
    }()

    /// Compiles patterns.
    ///
    /// - Throws: `script`, which names both locations, if two patterns match the same URLs.
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

    /// Adds patterns, unless that requires compiling all patterns again.
    ///
    /// - Returns: Whether they were added; false if one of them matches the same URLs as another
    ///   one, or has an origin that no earlier one has.
    package mutating func append(_ added: [Entry], _ patterns: [URLPattern]) -> Bool {
        let members = Self.members(added, from: entries.count)
        guard table.append(contentsOf: patterns, members: members) else { return false }
        entries += added
        return true
    }

    /// Returns the exclusive groups of entries, by index.
    private static func members(_ entries: [Entry], from first: Int = 0) -> [Int: Int] {
        var members: [Int: Int] = [:]
        for (index, entry) in entries.enumerated() { members[first + index] = entry.group }
        return members
    }

    /// Returns the conflicts of patterns: one error for each that matches the same URLs as an
    /// earlier one.
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
