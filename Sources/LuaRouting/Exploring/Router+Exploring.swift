// SPDX-License-Identifier: MIT

internal import LuaVM

/// The parts of a router's state that an exploration reads.
extension Router {
    /// The screens whose results scripts or the host await, in the order of the tree.
    package var awaitedScreens: [ScreenID] {
        var awaited: [ScreenID] = []
        for window in tree.windows {
            tree.visit(window.root) { screen in
                if self.screens.waits[screen.id] != nil { awaited.append(screen.id) }
            }
        }
        return awaited
    }

    /// Returns whether a navigation to a route without parameters is known to be valid: all that the
    /// route or its URLs have are optional, and if there are none, its provider takes none.
    package func needsNoParameters(_ target: Target) -> Bool {
        guard let step = generation.declarations.routes.route(to: target) else { return false }
        let parameters = step.parameters.parameters
        guard parameters.isEmpty else { return parameters.allSatisfy(\.isOptional) }
        if step.info != nil { return true }
        switch step.build {
        case .function(let function), .fallback(let function):
            return (try? generation.runtime.takes(function.lua, 1)) == false
        case .template, .blueprint, .container, nil: return true
        }
    }
}
