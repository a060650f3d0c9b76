// SPDX-License-Identifier: MIT

public import RouteCore

/// Patterns of URLs, compiled: says which of them a URL matches, best first.
///
/// The order in which the patterns are given never matters. Of two patterns that match one URL
/// the segments decide, from the first on: a literal goes before a parameter with literal text
/// around it, that before a parameter with a kind, that before one of plain text, and that before
/// a tail. Then the pattern that requires more of the
/// query goes first, then one that is for one scheme. A table is a value, and free to be used by
/// several threads at once.
public struct URLTable: Sendable {
    /// A pattern to be compiled.
    public struct Route: Sendable {
        /// The pattern.
        public var pattern: URLPattern
        /// Where it is from, as messages have it: `routes/show.lua:12`.
        public var place: String
        /// Parameters that each match has, beside those that the pattern reads.
        public var fixed: InfoTable

        /// Creates a route.
        public init(_ pattern: URLPattern, at place: String, fixed: InfoTable = InfoTable()) {
            (self.pattern, self.place, self.fixed) = (pattern, place, fixed)
        }
    }

    private(set) var storage: URLTableStorage

    /// Compiles patterns; a match tells the index of its pattern.
    ///
    /// - Parameters:
    ///   - routes: The patterns.
    ///   - origins: The origins that the table answers for; none: all of them. A bare path it
    ///     always answers for.
    ///   - ignoresCase: Whether literals are compared without case.
    /// - Throws: ``URLConflict`` where two patterns match the same URLs with equal rank.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public init(
        _ routes: [Route],
        origins: [URLOrigin] = [],
        ignoresCase: Bool = false
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
                ignoresCase: ignoresCase
            )
        } catch {
            throw URLConflict(routes, error)
        }
    }

    /// Compiles patterns, with the parameters that matches of some of them have beside what is read;
    /// nil if two patterns match the same URLs with equal rank.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    package init?(
        _ patterns: [URLPattern],
        fixed: [Int: InfoTable],
        origins: [URLOrigin],
        ignoresCase: Bool
    ) {
        do throws(URLTableBuilder.Conflict) {
            storage = try URLTableBuilder.build(
                patterns,
                fixed: fixed,
                origins: origins,
                ignoresCase: ignoresCase
            )
        } catch {
            return nil
        }
    }

    /// Adds patterns, with the next indices, unless that needs the whole table to be compiled anew.
    ///
    /// - Returns: Whether they are added; false if one of them matches the same URLs as another
    ///   pattern with equal rank, or is for an origin that the table does not have.
    /// - Complexity: O(*m*) in the number of added patterns; O(*n*) in that of all patterns if a copy
    ///   of the table exists.
    package mutating func append(contentsOf patterns: [URLPattern]) -> Bool {
        if !isKnownUniquelyReferenced(&storage) { storage = URLTableStorage(copying: storage) }
        return storage.extend(with: patterns)
    }

    /// Finds the patterns that keep others from being compiled with them.
    ///
    /// - Returns: One conflict for each pattern that matches, with equal rank, what an earlier one
    ///   matches, in the order of the patterns; nothing where they can be compiled.
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
    public var count: Int { storage.core.pointee.routes.count }

    /// The origins that the table answers for; none: all of them.
    public var origins: [URLOrigin] { storage.origins }

    /// Whether literals are compared without case.
    public var ignoresCase: Bool { storage.core.pointee.ignoresCase }

    /// How literals are compared.
    var literalCase: LiteralCase { ignoresCase ? .ignored : .exact }

    /// A pattern, by its index.
    ///
    /// - Complexity: O(*n*) in its length: the table keeps its text only.
    public func pattern(_ route: Int) -> URLPattern { storage.pattern(route) }
}

/// Two patterns that match the same URLs, with equal rank.
public struct URLConflict: Error, Sendable, Equatable {
    /// The index of the pattern that was given first.
    public let first: Int
    /// The index of the other one.
    public let second: Int
    /// What to tell, with both patterns and places.
    public let message: String
}

/// What a table says of a URL.
public enum URLAnswer: Sendable {
    /// A pattern matches.
    case match(URLMatch)
    /// None does, and why.
    case none(URLProblem)
}

/// A URL that a pattern matches, with what was read from it.
public struct URLMatch: Sendable {
    /// The index of the pattern.
    public let route: Int
    /// The parameters by name, converted; of a path and a query parameter of one name that of
    /// the path.
    public let parameters: InfoTable
    /// The pairs of the query in order, decoded.
    public let query: [QueryItem]
    /// What follows the `#`, decoded where it can be.
    public let fragment: ByteString?
}

extension URLMatch {
    /// A pair of a query.
    public struct QueryItem: Sendable, Equatable {
        /// The key, decoded.
        public let key: ByteString
        /// The value, decoded; empty where there is no `=`.
        public let value: ByteString
    }
}

extension [URLMatch.QueryItem] {
    /// The last value of each key.
    public var table: InfoTable {
        var table = InfoTable()
        for item in self { table[.string(item.key)] = .string(item.value) }
        return table
    }
}
