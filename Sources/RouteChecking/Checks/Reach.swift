// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine
internal import RouteURLs

extension DeclarationCheck {
    /// Returns a finding for each pattern that no URL can match.
    ///
    /// A pattern is unreachable if other patterns take precedence for every URL, if `router.links`
    /// does not list its origin, or if an exclusive group excludes it.
    func reachFindings(_ text: ScriptText) -> [Finding] {
        let routes = declarations.links.entries.map(\.location)
        let routings = declarations.routings
        return findings(about: declarations.links.table, routes, text.readsNext)
            + findings(about: routings.table, routings.routings.map(\.location), false)
    }

    /// Returns a finding for each pattern of a table that no URL can match.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - places: The source locations of the patterns.
    ///   - mayGoOn: Whether a route that takes precedence may return `router.next`, so that the
    ///     next pattern is tried.
    /// - Returns: The findings.
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
            let hint = hints.hint(for: origin.description, among: known)
            return Finding(
                .unreachablePattern,
                "url '\(pattern)' is never matched: 'router.links' does not list '\(origin)'\(hint)",
                at: places[index]
            )
        }
        let excluded = places.indices.compactMap { index in
            table.group(excluding: index).map { group in
                Finding(
                    .unreachablePattern,
                    "url '\(table.pattern(index))' is never matched: \(group.reason)",
                    at: places[index]
                )
            }
        }
        guard !mayGoOn else { return foreign + excluded }
        return foreign + excluded + table.shadows.map { finding(about: $0, in: table, places) }
    }

    private func finding(
        about shadow: URLTable.Shadow,
        in table: URLTable,
        _ places: [RouteError.Location?]
    ) -> Finding {
        let winners = shadow.winners.map { index in
            let location = places[index].map { " (\($0))" } ?? ""
            return "'\(table.pattern(index))'\(location)"
        }
        let form = shadow.entry.description
        let isPart = shadow.entry.segmentCount < shadow.entry.pattern.segments.count
        let what = isPart ? "url '\(shadow.entry.pattern)' in the form '\(form)'" : "url '\(form)'"
        let verb = winners.count == 1 ? "takes" : "take"
        return Finding(
            .unreachablePattern,
            "\(what) is never matched: \(winners.joined(separator: " and ")) \(verb) precedence",
            at: places[shadow.entry.route]
        )
    }

    /// Returns a finding for each routing whose pattern has the same shape as a route's pattern.
    ///
    /// `router.open` finds only the route, and `router.dispatch` only the routing.
    func sharedFindings() -> [Finding] {
        let (links, routings) = (declarations.links, declarations.routings)
        guard routings.table.count > 0 else { return [] }
        func shapes(_ index: Int, in table: URLTable) -> some Sequence<URLPattern.Shape> {
            table.pattern(index).shapes(ignoringCase: links.table.ignoresCase)
        }
        var first: [URLPattern.Shape: Int] = [:]
        for index in links.entries.indices {
            for shape in shapes(index, in: links.table) { first[shape] = first[shape] ?? index }
        }
        return routings.routings.indices.compactMap { index in
            let found = shapes(index, in: routings.table).compactMap { first[$0] }.min()
            guard let found else { return nil }
            let location = links.entries[found].location.map { " (\($0))" } ?? ""
            let url = "'\(links.table.pattern(found))'\(location)"
            return Finding(
                .sharedPattern,
                "routing '\(routings.table.pattern(index))' has the same shape as the url \(url)",
                at: routings.routings[index].location,
                help: "'router.open' finds only the route, 'router.dispatch' only the routing"
            )
        }
    }
}
