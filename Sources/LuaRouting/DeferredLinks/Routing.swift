// SPDX-License-Identifier: MIT

internal import LuaVM

/// A pattern of links that a script declares, and what it does with them.
final class Routing {
    /// The number by which scripts hold it; each routing of a generation has its own.
    let number: Int
    /// The pattern, as the script writes it.
    let pattern: String
    /// The line that declares it.
    let place: RouteError.Location?
    /// Whether it takes the place of an earlier one of the same shape.
    let overrides: Bool
    /// The names of the parameters in its path, once its pattern is compiled.
    var pathNames: Set<Table.Key> = []
    /// What is called with the links that match; nil has them wait.
    var action: LuaFunction?

    init(number: Int, pattern: String, place: RouteError.Location?, overrides: Bool) {
        self.number = number
        self.pattern = pattern
        self.place = place
        self.overrides = overrides
    }
}

/// The routings of one generation, compiled.
struct RoutingTable {
    /// The patterns, compiled.
    let table: URLTable
    /// What the patterns belong to, by their indices in the table.
    let routings: [Routing]

    /// Creates a table of no routings.
    init() { (table, routings) = (LinkTable().table, []) }

    /// Compiles routings, without those whose place another one takes.
    ///
    /// - Throws: `script`, which names both places, where two match the same URLs.
    init(
        _ routings: [(routing: Routing, pattern: URLPattern)],
        origins: [URLOrigin]
    ) throws(RouteError) {
        var routings = routings
        while true {
            do throws(URLConflict) {
                table = try URLTable(
                    routings.map {
                        URLTable.Route($0.pattern, at: $0.routing.place?.description ?? "?")
                    },
                    origins: origins
                )
                break
            } catch {
                let later = routings[error.second].routing
                guard later.overrides else {
                    throw RouteError(.script, error.message, at: later.place)
                }
                routings.remove(at: error.first)
            }
        }
        self.routings = routings.map(\.routing)
    }
}
