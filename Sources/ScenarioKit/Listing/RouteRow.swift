// SPDX-License-Identifier: MIT

internal import RouteCore

/// The columns of the list of routes.
package enum RouteColumn: String, Sendable, CaseIterable {
    /// The target of the route.
    case name
    /// The URL pattern of the route.
    case pattern
    /// The class of the screen.
    case screen
    /// The rule by which an existing screen is reused.
    case reuse
    /// The interceptors of the route.
    case interceptors
    /// The file and the line of the definition.
    case source
}

/// A row of the list of routes: a URL pattern and its destination, or a route without a pattern.
struct RouteRow: Sendable, Equatable {
    /// A line of a script.
    struct Source: Sendable, Equatable, CustomStringConvertible {
        /// The path as written on the command line.
        let file: String
        let line: Int

        var description: String { "\(file):\(line)" }
    }

    /// The kinds of destinations.
    enum Kind: String, Sendable, CaseIterable {
        case screen
        case task
        /// A pattern for `router.dispatch`, which belongs to no route.
        case routing
    }

    /// The target, as written in scenarios; `routing` for a routing.
    let name: String
    let kind: Kind
    /// The pattern without the optional segments that are omitted; `nil` if there is none.
    var pattern: String?
    /// The pattern as it was declared.
    var declaredPattern: String?
    /// The main pattern of the route; `nil` if the pattern itself is the main pattern.
    var aliasOf: String?
    /// The class of the screen; `nil` if the definition does not declare it.
    var screen: String?
    /// The rule by which an existing screen is reused; `nil` if the definition does not declare it.
    var reuse: String?
    /// The actions of the definition, including the options of presentations.
    var actions: [String] = []
    /// The interceptors, in the order in which they run.
    var interceptors: [String] = []
    /// The source location of the definition.
    var source: Source?
    /// The declared parameters; `nil` if any parameters are accepted.
    var info: InfoDeclaration?
    /// The type of the result; `nil` if any type is accepted.
    var result: InfoDeclaration.Parameter?

    /// Returns the text of a column; empty if there is no value.
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
    /// Returns whether one of the columns contains one of the given texts, ignoring case.
    func contains(anyOf texts: [String]) -> Bool {
        RouteColumn.allCases.contains { self[$0].contains(anyOf: texts) }
    }
}

/// A list of routes: first the routes with a URL pattern in the order of matching, then all others
/// by name.
struct RouteList: Sendable, Equatable {
    private(set) var rows: [RouteRow]

    init(_ rows: [RouteRow]) { self.rows = rows }

    /// Removes the rows that contain none of the given texts.
    ///
    /// Case is ignored.
    mutating func keep(containing texts: [String]) {
        rows.removeAll { !$0.contains(anyOf: texts) }
    }

    /// Sorts the rows by a column.
    ///
    /// Rows with equal values keep their order, and rows without a value come last.
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
