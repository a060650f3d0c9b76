// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// A deep link pattern that a script declares, with its action.
package final class Routing {
    /// The number by which scripts refer to the routing; unique in its generation.
    package let number: Int
    /// The pattern, as written in the script.
    package let pattern: String
    /// The source location of the declaration.
    package let location: RouteError.Location?
    /// Whether the routing replaces an earlier one with the same shape.
    package let overrides: Bool
    package var state = State()

    /// The values that a rewind restores.
    package struct State {
        /// The names of the parameters that only the query provides; set when the pattern is
        /// compiled.
        package var queryNames: Set<InfoTable.Key> = []
        /// The function that is called with matching links; nil to queue them.
        package var action: ScriptFunction?
        /// Whether the action is running or waiting: the next link is queued until it ends.
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
    /// The routings of the patterns, by their indices in the table.
    package let routings: [Routing]

    /// Creates a table without routings.
    package init() { (table, routings) = (URLRouteTable().table, []) }

    /// Compiles routings, except routings that others replace.
    ///
    /// - Throws: `script`, which names both locations, if two routings match the same URLs.
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

    /// Returns the indices of the routings that no other one replaces, up to the first that may not
    /// replace an earlier one: compiling reports that conflict.
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
