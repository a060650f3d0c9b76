// SPDX-License-Identifier: MIT

internal import RouteCore

/// The difference between the routes of two versions of scripts.
///
/// Source locations are not compared, because each added line changes the locations of the routes
/// below it.
struct RouteDifference: Sendable, Equatable {
    /// A route that exists in both versions and has changed.
    struct Change: Sendable, Equatable {
        /// The value of a column before and after.
        struct Value: Sendable, Equatable {
            let column: String
            let before: String
            let after: String
        }

        let row: RouteRow
        let values: [Value]
    }

    /// The routes that exist only in the newer scripts.
    private(set) var added: [RouteRow] = []
    /// The routes that exist only in the older scripts.
    private(set) var removed: [RouteRow] = []
    /// The routes that exist in both versions and differ, sorted by name.
    private(set) var changed: [Change] = []

    /// Returns the values that are compared: the columns of the list, and the actions.
    private static func values(of row: RouteRow) -> [(column: String, text: String)] {
        RouteColumn.allCases.filter { $0 != .name && $0 != .source }.map { ($0.rawValue, row[$0]) }
            + [("actions", row.actions.joined(separator: ", "))]
    }

    /// Compares two lists of routes.
    init(from old: [RouteRow], to new: [RouteRow]) {
        let (old, new) = (Self.routes(old), Self.routes(new))
        for name in Set(old.keys).union(new.keys).sorted() {
            switch (old[name], new[name]) {
            case (let before?, let after?):
                let pairs = zip(Self.values(of: before), Self.values(of: after))
                let values = pairs.compactMap { before, after in
                    before.text == after.text
                        ? nil
                        : Change.Value(
                            column: before.column,
                            before: before.text,
                            after: after.text
                        )
                }
                if !values.isEmpty { changed.append(Change(row: after, values: values)) }
            case (let before?, nil): removed.append(before)
            case (nil, let after?): added.append(after)
            case (nil, nil): break
            }
        }
    }

    /// Removes the routes that contain none of the given texts in any column of either version.
    mutating func keep(containing texts: [String]) {
        added.removeAll { !$0.contains(anyOf: texts) }
        removed.removeAll { !$0.contains(anyOf: texts) }
        changed.removeAll { change in
            !change.row.contains(anyOf: texts)
                && !change.values.contains { $0.before.contains(anyOf: texts) }
        }
    }

    /// Returns one row for each route, with all patterns as declared, and one row for each routing.
    private static func routes(_ rows: [RouteRow]) -> [String: RouteRow] {
        func key(_ row: RouteRow) -> String {
            row.kind == .routing ? "\(row.name) \(row.declaredPattern ?? "")" : row.name
        }
        return Dictionary(grouping: rows, by: key).compactMapValues { rows in
            // The location of an alias differs from the location of its route.
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
