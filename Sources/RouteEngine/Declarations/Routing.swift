// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// A pattern that a script declares for deep links, with the action for matching links.
package final class Routing {
    /// The number by which scripts refer to the routing, unique in its generation.
    package let number: Int
    /// The pattern, as written in the script.
    package let pattern: String
    /// The source location of the declaration.
    package let location: RouteError.Location?
    /// Whether the routing replaces earlier routings with the same shape.
    package let overrides: Bool
    package var state = State()

    /// The state that a rewind restores.
    package struct State {
        /// The names of the parameters that occur only in the query; empty until the pattern is
        /// compiled.
        package var queryNames: Set<InfoTable.Key> = []
        /// The function to call with each matching link; nil if matching links are queued.
        package var action: ScriptFunction?
        /// Whether the action is running or waiting.
        ///
        /// If so, the next link is queued until the action ends.
        package var isBusy = false
    }

    package init(number: Int, pattern: String, location: RouteError.Location?, overrides: Bool) {
        self.number = number
        self.pattern = pattern
        self.location = location
        self.overrides = overrides
    }
}

/// The compiled routings of one generation.
package struct RoutingTable {
    /// The compiled patterns.
    package let table: URLTable
    /// The routings, by the indices of their patterns in the table.
    package let routings: [Routing]

    /// Creates a table without routings.
    package init() { (table, routings) = (URLRouteTable().table, []) }

    /// Compiles routings, except routings that later routings replace.
    ///
    /// - Throws: `script`, with both locations, if two routings match the same URLs.
    package init(
        _ routings: [(routing: Routing, pattern: URLPattern)],
        answering origins: LinkDeclarations.Origins
    ) throws(RouteError) {
        let remaining = Self.remaining(routings, ignoresCase: origins.ignoresCase)
        let compiled = remaining.map { routings[$0] }
        do throws(URLConflict) {
            table = try URLTable(
                compiled.map {
                    URLTable.Route($0.pattern, at: $0.routing.location?.description ?? "?")
                },
                origins: origins.list,
                ignoresCase: origins.ignoresCase,
                groups: origins.exclusive
            )
        } catch {
            throw RouteError(.script, error.message, at: compiled[error.second].routing.location)
        }
        self.routings = compiled.map(\.routing)
    }

    /// Returns the indices of the routings that no other routing replaces.
    ///
    /// The result ends with the first routing that may not replace an earlier routing with the same
    /// shape, because compiling then reports that conflict.
    private static func remaining(
        _ routings: [(routing: Routing, pattern: URLPattern)],
        ignoresCase: Bool
    ) -> [Int] {
        var holders: [URLPattern.Shape: Int] = [:]
        var isRemaining = [Bool](repeating: true, count: routings.count)
        for (index, (routing, pattern)) in routings.enumerated() {
            let shapes = pattern.shapes(ignoringCase: ignoresCase)
            let earlier = Set(shapes.compactMap { holders[$0] })
            if !earlier.isEmpty, !routing.overrides {
                return (0...index).filter { isRemaining[$0] }
            }
            for holder in earlier {
                isRemaining[holder] = false
                let held = routings[holder].pattern.shapes(ignoringCase: ignoresCase)
                for shape in held { holders[shape] = nil }
            }
            for shape in shapes { holders[shape] = index }
        }
        return routings.indices.filter { isRemaining[$0] }
    }
}
