// SPDX-License-Identifier: MIT

internal import RouteURLs

/// Whether URLs reach the patterns.
extension Generation {
    /// The patterns that no URL reaches: others win, or the scripts do not answer for the origin.
    func reachFindings(_ text: ScriptText) -> [Finding] {
        let routes = declarations.links.links.map(\.place)
        let dispatched = declarations.routings.routings.map(\.place)
        return findings(about: declarations.links.table, routes, text.readsNext)
            + findings(about: declarations.routings.table, dispatched, false)
    }

    /// The patterns of a table that no URL reaches.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - places: The lines that declare its patterns.
    ///   - mayGoOn: Whether what wins may hand on what it does not want, by `router.next`.
    /// - Returns: A finding for each.
    private func findings(
        about table: URLTable,
        _ places: [RouteError.Location?],
        _ mayGoOn: Bool
    ) -> [Finding] {
        let known = table.origins.map(\.description)
        var hints = Hints()
        let foreign = places.indices.compactMap { index -> Finding? in
            guard !known.isEmpty else { return nil }
            let pattern = table.pattern(index)
            guard let origin = pattern.origin, !table.origins.contains(where: origin.meets) else {
                return nil
            }
            let hint = Suggestion.hint(for: origin.description, among: hints.among(known))
            return Finding(
                .unreachablePattern,
                "url '\(pattern)' is never matched: 'router.links' does not list '\(origin)'\(hint)",
                at: places[index]
            )
        }
        guard !mayGoOn else { return foreign }
        return foreign + table.shadows.map { finding(about: $0, in: table, places) }
    }

    private func finding(
        about shadow: URLTable.Shadow,
        in table: URLTable,
        _ places: [RouteError.Location?]
    ) -> Finding {
        let winners = shadow.winners.map { index in
            let place = places[index].map { " (\($0))" } ?? ""
            return "'\(table.pattern(index))'\(place)"
        }
        let form = shadow.entry.description
        let isPart = shadow.entry.segmentCount < shadow.entry.pattern.segments.count
        let what = isPart ? "url '\(shadow.entry.pattern)', as '\(form)'," : "url '\(form)'"
        let verb = winners.count == 1 ? "wins" : "win"
        return Finding(
            .unreachablePattern,
            "\(what) is never matched: \(winners.joined(separator: " and ")) \(verb) each time",
            at: places[shadow.entry.route]
        )
    }

    /// The routings that have the shape of a route's pattern: only one of the two verbs finds each.
    func sharedFindings() -> [Finding] {
        guard declarations.routings.table.count > 0 else { return [] }
        var places: [URLPattern.Shape: Int] = [:]
        for index in declarations.links.links.indices {
            for shape in declarations.links.table.pattern(index).shapes(
                ignoringCase: declarations.links.table.ignoresCase
            ) {
                places[shape] = places[shape] ?? index
            }
        }
        return declarations.routings.routings.indices.compactMap { index in
            let pattern = declarations.routings.table.pattern(index)
            let shapes = pattern.shapes(ignoringCase: declarations.links.table.ignoresCase)
            guard let shared = shapes.compactMap({ places[$0] }).min() else { return nil }
            let link = declarations.links.links[shared]
            let place = link.place.map { " (\($0))" } ?? ""
            return Finding(
                .sharedPattern,
                "routing '\(pattern)' has the shape of the url '\(declarations.links.table.pattern(shared))'\(place)",
                at: declarations.routings.routings[index].place,
                help: "'router.open' finds the route alone, 'router.dispatch' the routing alone"
            )
        }
    }
}
