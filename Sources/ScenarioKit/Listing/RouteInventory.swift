// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteURLs

/// The registrations of scripts: the routes, tasks and routings, and their URL patterns.
struct RouteInventory {
    /// The destination of a pattern.
    struct Link {
        let target: Target
        /// The line that declares the pattern.
        let source: RouteRow.Source?
        /// The main pattern of the route; `nil` if the pattern itself is the main pattern.
        var aliasOf: String?
    }

    /// One row for each route and task, without a pattern.
    let routes: [Target: RouteRow]
    /// The patterns of routes.
    let urls: URLTable
    /// The destinations, indexed like their patterns in the table.
    let links: [Link]
    /// The patterns of routings.
    let routingURLs: URLTable
    /// The lines that declare the routings, indexed like their patterns in the table.
    let routingSources: [RouteRow.Source?]
    /// The declared screen classes, by name.
    let classes: [ListedClass]
    /// The names of the gates for which routes wait.
    let gates: [String]
    /// The names of the exported functions.
    let exports: [String]

    /// The list of routes: first the patterns of routes in the order of matching, then the patterns
    /// of routings, then the routes without a pattern, sorted by name.
    var list: RouteList {
        let linked = Set(links.map(\.target))
        var rows = urls.entries.map { row(of: $0.route, $0.pattern, $0.description) }
        rows += routingURLs.entries.map { row(ofRouting: $0.route, $0.pattern, $0.description) }
        rows += routes.filter { !linked.contains($0.key) }.values.sorted { $0.name < $1.name }
        return RouteList(rows)
    }

    /// Returns the row for a pattern.
    ///
    /// - Parameters:
    ///   - route: The index of the pattern in the table.
    ///   - pattern: The pattern.
    ///   - text: The text to show; `nil` for the pattern itself.
    /// - Returns: The row of the route to which the pattern belongs, with the pattern and its
    ///   location.
    func row(of route: Int, _ pattern: URLPattern, _ text: String? = nil) -> RouteRow {
        let link = links[route]
        var row = routes[link.target] ?? RouteRow(name: link.target.description, kind: .screen)
        row.declaredPattern = pattern.description
        row.pattern = text ?? row.declaredPattern
        row.aliasOf = link.aliasOf
        row.source = link.source ?? row.source
        return row
    }

    /// Returns the row for a pattern of a routing.
    func row(ofRouting index: Int, _ pattern: URLPattern, _ text: String? = nil) -> RouteRow {
        var row = RouteRow(name: RouteRow.Kind.routing.rawValue, kind: .routing)
        row.declaredPattern = pattern.description
        row.pattern = text ?? row.declaredPattern
        row.source = routingSources[index]
        return row
    }

    /// Returns the row for a target with all of its patterns; `nil` if the target is not
    /// registered.
    func row(of target: Target) -> RouteRow? {
        guard var row = routes[target] else { return nil }
        let patterns = links.indices.filter { links[$0].target == target }
            .map { urls.pattern($0).description }
        row.pattern = patterns.isEmpty ? nil : patterns.joined(separator: ", ")
        row.declaredPattern = row.pattern
        return row
    }
}
