// SPDX-License-Identifier: MIT

internal import LuaRouting

extension LoadedScripts {
    /// The graph of the routes, grouped by the containers of the current tree.
    var graph: RouteGraph {
        RouteGraphBuilder(
            router.declarations,
            registrations: router.registrations,
            redirects: router.redirects,
            in: router.tree,
            source: source
        ).graph
    }
}
