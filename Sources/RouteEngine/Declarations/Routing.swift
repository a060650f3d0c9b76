// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// A pattern of links that a script declares, and what it does with them.
package final class Routing {
    /// The number by which scripts hold it; each routing of a generation has its own.
    package let number: Int
    /// The pattern, as the script writes it.
    package let pattern: String
    /// The line that declares it.
    package let location: RouteError.Location?
    /// Whether it takes the place of an earlier one of the same shape.
    package let overrides: Bool
    /// The names of the parameters that only its query gives, once its pattern is compiled.
    package var queryNames: Set<InfoTable.Key> = []
    /// The function that is called with the links that match; nil has them wait.
    package var action: ScriptFunction?
    /// Whether its action runs or waits: the next link waits until it ends.
    package var isBusy = false

    package init(number: Int, pattern: String, location: RouteError.Location?, overrides: Bool) {
        self.number = number
        self.pattern = pattern
        self.location = location
        self.overrides = overrides
    }
}

/// The routings of one generation, compiled.
package struct RoutingTable {
    /// The patterns, compiled.
    package let table: URLTable
    /// The owners of the patterns, by their indices in the table.
    package let routings: [Routing]

    /// Creates a table of no routings.
    package init() { (table, routings) = (URLRouteTable().table, []) }

    /// Compiles routings, without those whose place another one takes.
    ///
    /// - Throws: `script`, which names both places, where two match the same URLs.
    package init(
        _ routings: [(routing: Routing, pattern: URLPattern)],
        answering origins: LinkDeclarations.Origins
    ) throws(RouteError) {
        let standing = Self.standing(routings, ignoresCase: origins.ignoresCase)
        let compiled = standing.map { routings[$0] }
        do throws(URLConflict) {
            table = try URLTable(
                compiled.map {
                    URLTable.Route($0.pattern, at: $0.routing.location?.description ?? "?")
                },
                origins: origins.list,
                ignoresCase: origins.ignoresCase
            )
        } catch {
            throw RouteError(.script, error.message, at: compiled[error.second].routing.location)
        }
        self.routings = compiled.map(\.routing)
    }

    /// The indices of the routings whose place no other one takes, up to the first that may not
    /// take the place that it has: compiling them tells that.
    private static func standing(
        _ routings: [(routing: Routing, pattern: URLPattern)],
        ignoresCase: Bool
    ) -> [Int] {
        var holders: [URLPattern.Shape: Int] = [:]
        var isStanding = [Bool](repeating: true, count: routings.count)
        for (index, (routing, pattern)) in routings.enumerated() {
            let shapes = pattern.shapes(ignoringCase: ignoresCase)
            let earlier = Set(shapes.compactMap { holders[$0] })
            if !earlier.isEmpty, !routing.overrides {
                return (0...index).filter { isStanding[$0] }
            }
            for holder in earlier {
                isStanding[holder] = false
                let held = routings[holder].pattern.shapes(ignoringCase: ignoresCase)
                for shape in held { holders[shape] = nil }
            }
            for shape in shapes { holders[shape] = index }
        }
        return routings.indices.filter { isStanding[$0] }
    }
}
