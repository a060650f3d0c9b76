// SPDX-License-Identifier: MIT

public import RouteCore

/// A compiled table of URL patterns.
///
/// A table finds the patterns that a URL matches, best first. The order in which the patterns are
/// given does not matter. If a URL matches two patterns, the first segment in which the patterns
/// differ decides. Segments take precedence in this order: a literal, a parameter with literal text
/// around it, a parameter with a kind, a parameter of plain text, a tail. If no segment differs,
/// the pattern that requires more of the query wins, then a pattern with a scheme.
///
/// A table is a value, and several threads can use it at the same time.
///
/// ```swift
/// let patterns = try ["/shows/:showId(int)", "/shows/new"].map { try URLPattern($0) }
/// let table = try URLTable(patterns.map { URLTable.Route($0, at: "routes.lua:1") })
/// if case .match(let match) = table.match("/shows/new") { print(patterns[match.route]) }
/// // /shows/new
/// ```
public struct URLTable: Sendable {
    /// A pattern to compile, with its source location.
    public struct Route: Sendable {
        /// The pattern.
        public var pattern: URLPattern
        /// The source location of the pattern for messages, such as `routes/show.lua:12`.
        public var place: String
        /// The parameters that are added to each match.
        public var fixed: InfoTable

        /// Creates a route.
        public init(_ pattern: URLPattern, at place: String, fixed: InfoTable = InfoTable()) {
            (self.pattern, self.place, self.fixed) = (pattern, place, fixed)
        }
    }

    private(set) var storage: URLTableStorage

    /// Compiles the given patterns.
    ///
    /// A match contains the index of its pattern.
    ///
    /// - Parameters:
    ///   - routes: The patterns.
    ///   - origins: The accepted origins. If empty, URLs of all origins are accepted. A bare path
    ///     is always accepted.
    ///   - ignoresCase: Whether to ignore the case of literals.
    /// - Throws: ``URLConflict`` if two patterns match the same URLs with equal rank.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public init(
        _ routes: [Route],
        origins: [URLOrigin] = [],
        ignoresCase: Bool = false
    ) throws(URLConflict) {
        try self.init(routes, origins: origins, ignoresCase: ignoresCase, groups: URLGroups())
    }

    /// Compiles the given patterns, some of which are in exclusive groups.
    package init(
        _ routes: [Route],
        origins: [URLOrigin],
        ignoresCase: Bool,
        groups: URLGroups
    ) throws(URLConflict) {
        var fixed: [Int: InfoTable] = [:]
        for index in routes.indices where !routes[index].fixed.isEmpty {
            fixed[index] = routes[index].fixed
        }
        do throws(URLTableBuilder.Conflict) {
            storage = try URLTableBuilder.build(
                routes.map(\.pattern),
                fixed: fixed,
                origins: origins,
                ignoresCase: ignoresCase,
                groups: groups
            )
        } catch {
            throw URLConflict(routes, error)
        }
    }

    /// Compiles the given patterns.
    ///
    /// `fixed` contains parameters that are added to matches, by the index of the pattern. Returns
    /// nil if two patterns match the same URLs with equal rank.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    package init?(
        _ patterns: [URLPattern],
        fixed: [Int: InfoTable],
        origins: [URLOrigin],
        ignoresCase: Bool,
        groups: URLGroups
    ) {
        do throws(URLTableBuilder.Conflict) {
            storage = try URLTableBuilder.build(
                patterns,
                fixed: fixed,
                origins: origins,
                ignoresCase: ignoresCase,
                groups: groups
            )
        } catch {
            return nil
        }
    }

    /// Adds patterns with the next indices, unless this would require the whole table to be
    /// compiled again.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - members: The innermost exclusive group of each pattern that is in a group, by the index
    ///     of the pattern.
    /// - Returns: Whether the patterns were added. Returns `false` if one of the patterns matches
    ///   the same URLs as another pattern with equal rank, or has an origin that the table does not
    ///   have.
    /// - Complexity: O(*m*), where *m* is the number of added patterns, or O(*n*) in the number of
    ///   all patterns if a copy of the table exists.
    package mutating func append(
        contentsOf patterns: [URLPattern],
        members: [Int: Int] = [:]
    ) -> Bool {
        if !isKnownUniquelyReferenced(&storage) { storage = URLTableStorage(copying: storage) }
        return storage.extend(with: patterns, members: members)
    }

    /// Returns the conflicts that prevent the patterns from being compiled together.
    ///
    /// - Returns: A conflict for each pattern that matches the same URLs as an earlier pattern with
    ///   equal rank, in the order of the patterns. The array is empty if the patterns can be
    ///   compiled.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public static func conflicts(
        among routes: [Route],
        origins: [URLOrigin] = [],
        ignoresCase: Bool = false
    ) -> [URLConflict] {
        URLTableBuilder.conflicts(
            among: routes.map(\.pattern),
            origins: origins,
            ignoresCase: ignoresCase
        ).map { URLConflict(routes, $0) }
    }

    /// The number of patterns.
    public var count: Int { storage.count }

    /// The accepted origins, or an empty array if URLs of all origins are accepted.
    public var origins: [URLOrigin] { storage.origins }

    /// Whether the case of literals is ignored.
    public var ignoresCase: Bool { storage.core.pointee.ignoresCase }

    /// The rule for comparing literals.
    var literalCase: LiteralCase { ignoresCase ? .ignored : .exact }

    /// Returns the pattern with the given index.
    ///
    /// - Complexity: O(*m*), where *m* is the length of the pattern, because the table stores only
    ///   its text.
    public func pattern(_ route: Int) -> URLPattern { storage.pattern(route) }
}

/// A conflict between two patterns that match the same URLs with equal rank.
///
/// ```swift
/// let patterns = try [URLPattern("/shows/:id"), URLPattern("/shows/:name")]
/// let routes = zip(patterns, 1...).map { URLTable.Route($0, at: "main.lua:\($1)") }
/// for conflict in URLTable.conflicts(among: routes) { print(conflict.message) }
/// // url '/shows/:name' (main.lua:2) matches the same URLs as '/shows/:id' (main.lua:1)
/// ```
public struct URLConflict: Error, Sendable, Equatable {
    /// The index of the earlier pattern.
    public let first: Int
    /// The index of the later pattern.
    public let second: Int
    /// The message, which contains both patterns and their source locations.
    public let message: String
}

/// The result of matching a URL with a table.
///
/// ```swift
/// switch table.match("/shows/7") {
/// case .match(let match): print(match.parameters)  // {showId=7}
/// case .none(let problem): print(problem)
/// }
/// ```
public enum URLAnswer: Sendable {
    /// The best match.
    case match(URLMatch)
    /// No pattern matches, for the given reason.
    case none(URLProblem)
}

/// A match of a URL with a pattern, and the parameters read from the URL.
///
/// ```swift
/// if case .match(let match) = table.match("/shows/7?ref=mail#top") {
///     print(match.parameters, match.query.map(\.key), match.fragment ?? "")
///     // {showId=7} [ref] top
/// }
/// ```
public struct URLMatch: Sendable {
    /// The index of the pattern.
    public let route: Int
    /// The converted parameters by name.
    ///
    /// If a path parameter and a query parameter have the same name, the path parameter wins.
    public let parameters: InfoTable
    /// The decoded pairs of the query, in order.
    public let query: [QueryItem]
    /// The text after the `#`, decoded if possible, or nil if the URL has no fragment.
    public let fragment: ByteString?
}

extension URLMatch {
    /// A key-value pair of a query.
    public struct QueryItem: Sendable, Equatable {
        /// The decoded key.
        public let key: ByteString
        /// The decoded value, which is empty if the pair has no `=`.
        public let value: ByteString
    }
}

extension [URLMatch.QueryItem] {
    /// A table with the last value of each key.
    public var table: InfoTable {
        var table = InfoTable()
        for item in self { table[.string(item.key)] = .string(item.value) }
        return table
    }
}
