// SPDX-License-Identifier: MIT

/// The exclusive groups of patterns: URLs of the origin of one match its patterns alone.
package struct URLGroups: Sendable {
    /// A group.
    package struct Group: Sendable {
        /// Its origin, without the name of a parameter.
        package let origin: URLOrigin
        /// The source location for messages: `routes/admin.lua:3`.
        package let place: String
        /// The index of the group that contains it; nil if none does.
        package let outer: Int?

        package init(_ origin: URLOrigin, at place: String, in outer: Int?) {
            (self.origin, self.place, self.outer) = (origin.unnamed, place, outer)
        }

        /// The reason why another pattern does not match.
        package var reason: String {
            "only the group at \(place) matches URLs of '\(origin)'"
        }
    }

    /// The groups; an outer one precedes those in it.
    package var list: [Group]
    /// The innermost group of each pattern that is in one, by its index.
    package var members: [Int: Int]

    package init(_ list: [Group] = [], members: [Int: Int] = [:]) {
        (self.list, self.members) = (list, members)
    }

    /// Returns the group that alone matches the URLs of an origin.
    ///
    /// A group of a host precedes one of a wildcard host, and so does a declared host without a
    /// group.
    ///
    /// - Complexity: O(*n*) in the number of groups and of declared origins.
    package func index(of origin: URLOrigin, declared: [URLOrigin]) -> Int? {
        if list.isEmpty { return nil }
        if let index = list.firstIndex(where: { $0.origin == origin.unnamed }) { return index }
        guard !origin.isWild, !declared.contains(where: { $0.unnamed == origin.unnamed }) else {
            return nil
        }
        return list.firstIndex { $0.origin.isWild && $0.origin.meets(origin) }
    }

    /// Returns the groups that contain a pattern, the innermost first.
    package func groups(of pattern: Int) -> [Int] {
        var (groups, next): ([Int], Int?) = ([], members[pattern])
        while let group = next {
            groups.append(group)
            next = list[group].outer
        }
        return groups
    }

    /// Returns the group that alone matches the URLs of an origin, unless a pattern is in it.
    package func excluding(
        _ pattern: Int,
        from origin: URLOrigin,
        declared: [URLOrigin]
    ) -> Group? {
        guard let index = index(of: origin, declared: declared),
            !groups(of: pattern).contains(index)
        else { return nil }
        return list[index]
    }
}

extension URLTable {
    /// Returns the exclusive group that keeps a pattern from matching URLs of an origin.
    ///
    /// - Parameters:
    ///   - route: The index of the pattern.
    ///   - origin: The origin; nil for that of the pattern.
    /// - Returns: The group; nil if there is none.
    package func group(excluding route: Int, from origin: URLOrigin? = nil) -> URLGroups.Group? {
        if storage.groups.list.isEmpty { return nil }
        guard let origin = origin ?? pattern(route).origin else { return nil }
        return storage.groups.excluding(route, from: origin, declared: origins)
    }
}
