// SPDX-License-Identifier: MIT

internal import RouteCore

/// A column of the list of routes.
public enum RouteColumn: String, Sendable, CaseIterable {
    /// The target.
    case name
    /// The pattern of URLs.
    case pattern
    /// The class of the screen.
    case screen
    /// How a screen that stands is gone back to.
    case reuse
    /// What is asked before.
    case interceptors
    /// The file and the line.
    case source
}

/// A line of the list of routes: a pattern of URLs and where it leads, or a route without one.
struct RouteRow: Sendable, Equatable {
    /// A line of a script.
    struct Source: Sendable, Equatable, CustomStringConvertible {
        /// The path, as a person at the command line would write it.
        let file: String
        let line: Int

        var description: String { "\(file):\(line)" }
    }

    /// What a route leads to.
    enum Kind: String, Sendable {
        case screen
        case task
        /// A pattern for `router.dispatch`, which leads to no route.
        case routing
    }

    /// The target, as scenarios write it; `routing` for a routing.
    let name: String
    let kind: Kind
    /// The pattern without the optional segments that are not there; nil where there is none.
    var pattern: String?
    /// The pattern as it was declared.
    var declaredPattern: String?
    /// The pattern for which this one stands, where it is an alias.
    var aliasOf: String?
    /// The class of the screen; nil where the definition does not say it.
    var screen: String?
    /// How a screen that stands is gone back to; nil where the definition does not say it.
    var reuse: String?
    /// The interceptors that are asked, in order.
    var interceptors: [String] = []
    /// Where it is from.
    var source: Source?
    /// The declared parameters; nil for any.
    var info: InfoDeclaration?
    /// The type of the result; nil for any.
    var result: InfoDeclaration.Parameter?

    /// What stands in a column; empty for nothing.
    subscript(column: RouteColumn) -> String {
        switch column {
        case .name: name
        case .pattern: pattern ?? ""
        case .screen: screen ?? (kind == .task ? "(task)" : "")
        case .reuse: reuse ?? ""
        case .interceptors: interceptors.joined(separator: ", ")
        case .source: source?.description ?? ""
        }
    }
}

extension RouteRow {
    /// Whether a text stands in one of the columns, upper and lower case being the same.
    func contains(_ text: String) -> Bool {
        let text = text.lowercased()
        return RouteColumn.allCases.contains { self[$0].lowercased().contains(part: text) }
    }
}

/// The list of routes: those with a pattern of URLs in the order of matching, then all others by
/// name.
struct RouteList: Sendable, Equatable {
    private(set) var rows: [RouteRow]

    init(_ rows: [RouteRow]) { self.rows = rows }

    /// Leaves the rows in which a text stands, upper and lower case being the same.
    mutating func keep(containing text: String) { rows.removeAll { !$0.contains(text) } }

    /// Sorts by a column; rows that are the same there keep their order, empty ones go last.
    mutating func sort(by column: RouteColumn) {
        let keys = rows.map { $0[column] }
        let order = rows.indices.sorted { left, right in
            if keys[left].isEmpty != keys[right].isEmpty { return keys[right].isEmpty }
            if column == .source, let first = rows[left].source, let second = rows[right].source,
                first != second
            {
                return (first.file, first.line) < (second.file, second.line)
            }
            return (keys[left], left) < (keys[right], right)
        }
        rows = order.map { rows[$0] }
    }
}
