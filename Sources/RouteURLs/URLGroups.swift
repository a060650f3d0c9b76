// SPDX-License-Identifier: MIT

/// The exclusive groups of patterns.
///
/// URLs that have a group's origin match only patterns of that group.
package struct URLGroups: Sendable {
    /// An exclusive group of patterns.
    package struct Group: Sendable {
        /// The origin of the group, without the name of the origin's parameter.
        package let origin: URLOrigin
        /// The source location of the group for messages, such as `routes/admin.lua:3`.
        package let place: String
        /// The index of the group that contains this group, or nil if there is none.
        package let outer: Int?

        package init(_ origin: URLOrigin, at place: String, in outer: Int?) {
            (self.origin, self.place, self.outer) = (origin.unnamed, place, outer)
        }

        /// The reason why patterns outside the group do not match.
        package var reason: String {
            "only the group at \(place) matches URLs of '\(origin)'"
        }
    }

    /// The maximum depth of nested groups.
    package static let depthLimit = 100

    /// The groups, sorted so that a group precedes the groups that it contains.
    package private(set) var list: [Group] = []
    /// The index of each group by its origin.
    private var indices: [URLOrigin: Int] = [:]
    /// The innermost group of each pattern that is in a group, by the index of the pattern.
    package var members: [Int: Int] = [:]

    package init(_ list: [Group] = [], members: [Int: Int] = [:]) {
        for group in list { append(group) }
        self.members = members
    }

    /// Adds a group whose origin differs from the origins of all other groups.
    package mutating func append(_ group: Group) {
        indices[group.origin] = list.count
        list.append(group)
    }

    /// Returns the index of the group with the given origin; nil if there is none.
    package subscript(origin: URLOrigin) -> Int? { indices[origin.unnamed] }

    /// Returns the same groups with other member patterns.
    package func with(_ members: [Int: Int]) -> URLGroups {
        var groups = self
        groups.members = members
        return groups
    }

    /// Returns the index of the group that is exclusive to an origin; nil if there is none.
    ///
    /// URLs of the origin match only patterns of this group.
    ///
    /// A group for exactly this host takes precedence over a group for a wildcard host. If the host
    /// is declared and has no group, a wildcard group does not apply.
    ///
    /// - Complexity: O(*n*) in the number of declared origins.
    private func index(of origin: URLOrigin, declared: [URLOrigin]) -> Int? {
        if let index = self[origin] { return index }
        guard let wild = origin.wildcard, let index = self[wild],
            !declared.contains(where: { $0.unnamed == origin.unnamed })
        else { return nil }
        return index
    }

    /// Returns a group and all groups that contain it, innermost first.
    package func groups(from group: Int?) -> [Int] {
        var (groups, next): ([Int], Int?) = ([], group)
        while let group = next {
            groups.append(group)
            next = list[group].outer
        }
        return groups
    }

    /// Returns the group that keeps a pattern from matching URLs of an origin.
    ///
    /// - Parameters:
    ///   - group: The innermost group of the pattern, or nil if the pattern is in no group.
    ///   - origin: The origin.
    ///   - declared: The declared origins.
    /// - Returns: The group, or nil if no group excludes the pattern.
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
    ///   - origin: The origin, or nil for the origin of the pattern.
    /// - Returns: The group, or nil if there is none.
    package func group(excluding route: Int, from origin: URLOrigin? = nil) -> URLGroups.Group? {
        if storage.groups.list.isEmpty { return nil }
        guard let origin = origin ?? pattern(route).origin else { return nil }
        let group = storage.groups.members[route]
        return storage.groups.excluding(group, from: origin, declared: origins)
    }
}
