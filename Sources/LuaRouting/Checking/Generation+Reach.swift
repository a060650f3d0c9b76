// SPDX-License-Identifier: MIT

/// Whether URLs reach the patterns.
extension Generation {
    /// The patterns that no URL reaches: others win, or the scripts do not answer for the origin.
    func reachFindings() -> [Finding] {
        let table = links.table
        let foreign = links.links.indices.compactMap { index -> Finding? in
            guard let origin = table.pattern(index).origin, !table.origins.isEmpty,
                !table.origins.contains(origin)
            else { return nil }
            let known = table.origins.map(\.description)
            return Finding(
                .unreachablePattern,
                "url '\(table.pattern(index))' is never matched: 'router.links' does not list '\(origin)'\(Suggestion.hint(for: origin.description, among: known))",
                at: links.links[index].place
            )
        }
        // What wins may hand on what it does not want.
        guard !mayGoOn else { return foreign }
        return foreign + table.shadows.map(finding)
    }

    /// Whether a script may ask for the next match by `router.next`.
    private var mayGoOn: Bool {
        bundle.readSources.contains { $0.firstRange(of: Array(".next".utf8)) != nil }
    }

    private func finding(about shadow: URLTable.Shadow) -> Finding {
        let link = links.links[shadow.entry.route]
        let winners = shadow.winners.map { index in
            let place = links.links[index].place.map { " (\($0))" } ?? ""
            return "'\(links.table.pattern(index))'\(place)"
        }
        let form = shadow.entry.description
        let isPart = shadow.entry.segmentCount < shadow.entry.pattern.segments.count
        let what = isPart ? "url '\(shadow.entry.pattern)', as '\(form)'," : "url '\(form)'"
        let verb = winners.count == 1 ? "wins" : "win"
        return Finding(
            .unreachablePattern,
            "\(what) is never matched: \(winners.joined(separator: " and ")) \(verb) each time",
            at: link.place
        )
    }
}
