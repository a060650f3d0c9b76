// SPDX-License-Identifier: MIT

internal import LuaVM

/// Parts of a router's state that an exploration reads.
extension Router {
    /// The screens whose results scripts or the host await, in tree order.
    package var awaitedScreens: [ScreenID] {
        var awaited: [ScreenID] = []
        for window in tree.windows {
            tree.visit(window.root) { screen in
                if self.screens.waits[screen.id] != nil { awaited.append(screen.id) }
            }
        }
        return awaited
    }

    /// Whether two identical leaving verbs of the app wait for the answer to the same question
    /// about a screen.
    ///
    /// Any number of such verbs may wait, so a search that repeats them would never end.
    package var repeatsHeldVerb: Bool {
        var known: Set<HeldVerb> = []
        return pending.contains { navigation in
            guard let asker = navigation.record.waitsFor?.navigation, !navigation.isRoute,
                !navigation.isOfScript
            else { return false }
            let verb = HeldVerb(
                asker: ObjectIdentifier(asker),
                title: navigation.title,
                screens: navigation.journey.removal.touched
            )
            return !known.insert(verb).inserted
        }
    }

    /// Returns whether a route is known to need no parameters.
    ///
    /// This is true if all parameters of the route and its URLs are optional. If no parameters are
    /// declared, this is true if the route's provider takes no parameters.
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

/// A leaving verb that waits for the answer to another navigation's question.
private struct HeldVerb: Hashable {
    let asker: ObjectIdentifier
    let title: String
    let screens: Set<ScreenID>
}
