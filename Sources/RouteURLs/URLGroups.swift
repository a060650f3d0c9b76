// SPDX-License-Identifier: MIT

/// The exclusive groups of patterns: URLs of a group's origin match only the patterns of the group.
package struct URLGroups: Sendable {
    /// A group.
    package struct Group: Sendable {
        /// Its origin, without the name of a parameter.
        package let origin: URLOrigin
        /// The source location for messages: `routes/admin.lua:3`.
        package let place: String
        /// The index of the group that contains this one; nil if there is none.
        package let outer: Int?

        package init(_ origin: URLOrigin, at place: String, in outer: Int?) {
            (self.origin, self.place, self.outer) = (origin.unnamed, place, outer)
        }

        /// The reason why another pattern does not match.
        package var reason: String {
            "only the group at \(place) matches URLs of '\(origin)'"
        }
    }

    /// The maximum depth of nested groups.
    package static let depthLimit = 100

    /// The groups; an outer group precedes the groups in it.
    package private(set) var list: [Group] = []
    /// The groups by their origins.
    private var indices: [URLOrigin: Int] = [:]
    /// The innermost group of each pattern in a group, by the index of the pattern.
    package var members: [Int: Int] = [:]

    package init(_ list: [Group] = [], members: [Int: Int] = [:]) {
        for group in list { append(group) }
        self.members = members
    }

    /// Adds a group, whose origin must differ from all others.
    package mutating func append(_ group: Group) {
        indices[group.origin] = list.count
        list.append(group)
    }

    /// Returns the group with an origin.
    package subscript(origin: URLOrigin) -> Int? { indices[origin.unnamed] }

    /// Returns the same groups with other patterns.
    package func with(_ members: [Int: Int]) -> URLGroups {
        var groups = self
        groups.members = members
        return groups
    }

    /// Returns the only group that matches the URLs of an origin.
    ///
    /// A group for a host precedes a group for a wildcard host, and so does a declared host without
    /// a group.
    ///
    /// - Complexity: O(*n*) in the number of declared origins.
    private func index(of origin: URLOrigin, declared: [URLOrigin]) -> Int? {
        if let index = self[origin] { return index }
        guard let wild = origin.wildcard, let index = self[wild],
            !declared.contains(where: { $0.unnamed == origin.unnamed })
        else { return nil }
        return index
    }

    /// Returns a group and the groups that contain it, the innermost first.
    package func groups(from group: Int?) -> [Int] {
        var (groups, next): ([Int], Int?) = ([], group)
        while let group = next {
            groups.append(group)
            next = list[group].outer
        }
        return groups
    }

    /// Returns the only group that matches the URLs of an origin, unless the given pattern is in
    /// it.
    ///
    /// - Parameters:
    ///   - group: The innermost group of the pattern; nil if it is in none.
    ///   - origin: The origin.
    ///   - declared: The declared origins.
    /// - Returns: The group.
    package func excluding(
        _ group: Int?,
        from origin: URLOrigin,
        declared: [URLOrigin]
    ) -> Group? {
        if list.isEmpty { return nil }
        guard let index = index(of: origin, declared: declared),
            !groups(from: group).contains(index)
        else { return nil }
        return list[index]
    }
}

extension URLTable {
    /// Returns the exclusive group that keeps a pattern from matching URLs of an origin.
    ///
    /// - Parameters:
    ///   - route: The index of the pattern.
    ///   - origin: The origin; nil for the origin of the pattern.
    /// - Returns: The group; nil if there is none.
    package func group(excluding route: Int, from origin: URLOrigin? = nil) -> URLGroups.Group? {
        if storage.groups.list.isEmpty { return nil }
        guard let origin = origin ?? pattern(route).origin else { return nil }
        let group = storage.groups.members[route]
        return storage.groups.excluding(group, from: origin, declared: origins)
    }
}
