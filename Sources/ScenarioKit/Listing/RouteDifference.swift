// SPDX-License-Identifier: MIT

internal import RouteCore

/// How the routes of some scripts differ from those of others.
///
/// Where a route is from does not count: every line that is added moves it.
struct RouteDifference: Sendable, Equatable {
    /// A route of both that is not the same.
    struct Change: Sendable, Equatable {
        /// What a column held, and holds.
        struct Value: Sendable, Equatable {
            let column: RouteColumn
            let before: String
            let after: String
        }

        let row: RouteRow
        let values: [Value]
    }

    /// The routes that only the newer scripts have.
    private(set) var added: [RouteRow] = []
    /// Those that only the older ones have.
    private(set) var removed: [RouteRow] = []
    /// Those that both have, sorted by name.
    private(set) var changed: [Change] = []

    /// The columns that are compared.
    private static let columns = RouteColumn.allCases.filter { $0 != .name && $0 != .source }

    /// Compares lists, route by route.
    init(from old: [RouteRow], to new: [RouteRow]) {
        let (old, new) = (Self.routes(old), Self.routes(new))
        for name in Set(old.keys).union(new.keys).sorted() {
            switch (old[name], new[name]) {
            case (let before?, let after?):
                let values = Self.columns.compactMap { column in
                    before[column] == after[column]
                        ? nil
                        : Change.Value(
                            column: column,
                            before: before[column],
                            after: after[column]
                        )
                }
                if !values.isEmpty { changed.append(Change(row: after, values: values)) }
            case (let before?, nil): removed.append(before)
            case (nil, let after?): added.append(after)
            case (nil, nil): break
            }
        }
    }

    /// Leaves the routes in whose columns, as they are or were, a text stands.
    mutating func keep(containing text: String) {
        added.removeAll { !$0.contains(text) }
        removed.removeAll { !$0.contains(text) }
        changed.removeAll { change in
            !change.row.contains(text)
                && !change.values.contains {
                    $0.before.lowercased().contains(part: text.lowercased())
                }
        }
    }

    /// One row for each route, with all of its patterns as they were declared, and for each routing.
    private static func routes(_ rows: [RouteRow]) -> [String: RouteRow] {
        func key(_ row: RouteRow) -> String {
            row.kind == .routing ? "\(row.name) \(row.declaredPattern ?? "")" : row.name
        }
        return Dictionary(grouping: rows, by: key).compactMapValues { rows in
            // The place of an alias is not that of its route.
            guard var route = rows.first(where: { $0.aliasOf == nil }) ?? rows.first else {
                return nil
            }
            let patterns = Set(rows.compactMap(\.declaredPattern)).sorted()
            route.pattern = patterns.isEmpty ? nil : patterns.joined(separator: ", ")
            route.declaredPattern = route.pattern
            return route
        }
    }
}
