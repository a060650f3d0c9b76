// SPDX-License-Identifier: MIT

internal import LuaVM

/// The outcome of a user action.
package enum PersonOutcome {
    /// The screens may be removed without a call to `leaving`.
    case done
    /// The screens stay, for the given reason.
    case stays(String)
    /// A navigation decides whether the screens are left.
    case asks(Navigation)
}

/// User actions that may call `leaving` before screens are left.
extension Router {
    /// Decides whether a user action may remove screens.
    ///
    /// If `leaving` of the screens must be called, begins the given request. The outcome of the
    /// request then decides.
    ///
    /// - Parameters:
    ///   - report: The report that the host makes if the outcome is `done`.
    ///   - request: Begins the user's request.
    /// - Returns: The outcome.
    package func leave(by report: Report, _ request: () -> Navigation) -> PersonOutcome {
        switch self.guard(of: report) {
        case .free: .done
        case .asks: .asks(request())
        case .never: .stays("the screen cannot be dismissed")
        }
    }

    /// Decides whether a user action may remove screens.
    ///
    /// If `leaving` of the screens must be called, begins a navigation that leaves the same
    /// screens.
    package func leave(by report: Report) -> PersonOutcome {
        leave(by: report) {
            let options = NavigationOptions(origin: .person)
            if case .children(let rest, let container) = report, tree[container].kind == .nav,
                let last = rest.last
            {
                return pop(to: last, options: options)
            }
            return close(screens(removedBy: report)[0], options: options)
        }
    }

    /// Handles a tap on the selected tab.
    ///
    /// Calls the function `reselected` of the class of the tabs. If the class does not declare
    /// `reselected`, pops the stack of the tab, as a request by the user.
    ///
    /// - Returns: The outcome.
    /// - Throws: `typeMismatch` for a screen without tabs; `composition` if the screen is not in
    ///   the tree.
    package func reselect(_ tabs: ScreenID) throws(RouteError) -> PersonOutcome {
        enter()
        try checkTabs(tabs)
        guard let tab = tree[tabs].visibleChildren.first else { return .done }
        emit(
            .reselected,
            of: nil,
            fields: [
                ("window", Value(tree.window(of: tabs)?.name ?? "")), ("tabs", content(of: tabs)),
                ("screen", content(of: tab)),
            ]
        )
        defer { pump() }
        switch serving.declarations.classDeclarations[tree[tabs].class]?.reselection {
        case .ignored?: return .done
        case .function(let function)?:
            do throws(RouteError) {
                try lending.calling(for: serving) { () throws(RouteError) in
                    _ = try generation.runtime.call(
                        function.lua,
                        arguments: [.screen(tabs), .screen(tab)]
                    )
                }
            } catch {
                logUnheard(error)
            }
            return .done
        case nil: break
        }
        guard tree[tab].kind == .nav, let first = tree[tab].children.first,
            let second = tree[tab].children.dropFirst().first
        else { return .done }
        if self.guard(of: [second]) == .never {
            return .stays("a screen of the tab cannot be dismissed")
        }
        return .asks(pop(to: first, options: NavigationOptions(origin: .person)))
    }

    /// Returns whether a tap on the selected tab may have an effect.
    package func handlesReselection(of tabs: ScreenID) -> Bool {
        switch serving.declarations.classDeclarations[tree[tabs].class]?.reselection {
        case .ignored?: return false
        case .function?: return true
        case nil:
            let tab = tree[tabs].visibleChildren.first
            return tab.map { tree[$0].kind == .nav && tree[$0].childCount > 1 } ?? false
        }
    }

    /// Checks that a screen is in the tree and shows one of its children by selection.
    func checkTabs(_ tabs: ScreenID) throws(RouteError) {
        try tree.checkAlive(tabs)
        guard tree[tabs].shows == .selected else { throw .hasNoTabs(notation(of: tabs)) }
    }
}
