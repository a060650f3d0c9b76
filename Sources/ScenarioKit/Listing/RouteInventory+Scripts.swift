// SPDX-License-Identifier: MIT

internal import LuaRouting

extension LoadedScripts {
    /// What the scripts registered.
    var inventory: RouteInventory {
        let routes = router.registrations.map { route in
            let row = RouteRow(
                name: route.target.description,
                kind: route.isTask ? .task : .screen,
                screen: route.screens.isEmpty ? nil : route.screens.joined(separator: ", "),
                reuse: route.reuse,
                interceptors: route.interceptors,
                source: source(route.place)
            )
            return (route.target, row)
        }
        let links = router.links.links.map { link in
            RouteInventory.Link(
                target: link.target,
                source: source(link.place),
                aliasOf: link.aliasOf
            )
        }
        return RouteInventory(
            routes: Dictionary(uniqueKeysWithValues: routes),
            urls: router.links.table,
            links: links
        )
    }

    /// Explains what leads to the routes of the scripts.
    func explainer(showsAll: Bool) -> Explainer {
        let urls = URLExplainer(router.links.table)
        return Explainer(inventory, showsAll: showsAll) { target in
            do throws(RouteError) {
                _ = try router.registration(of: target)
                return nil
            } catch {
                return error.message
                    + (router.hasFallback ? "; a navigation to it ends at the fallback" : "")
            }
        } explain: { url, limit throws(RouteError) in
            try router.explain(url: url, limit: limit, by: urls)
        }
    }

    private func source(_ place: RouteError.Location?) -> RouteRow.Source? {
        place.map { RouteRow.Source(file: bundle.displayPath(of: $0.file), line: $0.line) }
    }
}
