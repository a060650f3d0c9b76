// SPDX-License-Identifier: MIT

internal import LuaRouting

extension LoadedScripts {
    /// The registrations of the scripts.
    var inventory: RouteInventory {
        let interface = router.interface
        let calls = Dictionary(
            (interface.routes + interface.tasks).map { ($0.target, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let routes = router.registrations.map { route in
            let call = calls[route.target]
            let row = RouteRow(
                name: route.target.description,
                kind: route.isTask ? .task : .screen,
                screen: route.screens.isEmpty ? nil : route.screens.joined(separator: ", "),
                reuse: route.reuse,
                actions: route.actions,
                interceptors: route.interceptors,
                source: source(route.location),
                info: call?.parameters,
                result: call?.result
            )
            return (route.target, row)
        }
        let links = router.links.entries.map { link in
            RouteInventory.Link(
                target: link.target,
                source: source(link.location),
                aliasOf: link.aliasOf
            )
        }
        return RouteInventory(
            routes: Dictionary(uniqueKeysWithValues: routes),
            urls: router.links.table,
            links: links,
            routingURLs: router.routingURLs,
            routingSources: router.routings.map { source($0.location) },
            classes: interface.classes.map {
                ListedClass(declaration: $0, source: source($0.location))
            },
            gates: interface.gates,
            exports: interface.exports
        )
    }

    /// Returns an explainer for the routes of the scripts.
    func explainer(showsAll: Bool) -> Explainer {
        Explainer(inventory, router, showsAll: showsAll)
    }

    /// Returns a source location with the path as written on the command line.
    func source(_ location: RouteError.Location?) -> RouteRow.Source? {
        location.map { RouteRow.Source(file: bundle.displayPath(of: $0.file), line: $0.line) }
    }

    /// Returns the text of a source location, with the path as written on the command line.
    func path(_ location: RouteError.Location) -> String {
        "\(bundle.displayPath(of: location.file)):\(location.line)"
    }
}
