// SPDX-License-Identifier: MIT

/// Finds screens for scripts, in the window of their navigation or in any window.
extension Router {
    /// The window of the navigation for which a script runs; nil if there is none.
    var windowOfNavigation: RouterWindow? {
        currentNavigation?.options.window.flatMap { tree.window($0) }
    }

    /// Returns the first screen that a finder accepts, on behalf of the calling script.
    func find(_ finder: Finder, _ info: InfoTable) throws(RouteError) -> ScreenID? {
        for window in windowOfNavigation.map({ [$0] }) ?? tree.windows {
            if let found = try find(finder, info, in: window) { return found }
        }
        return nil
    }

    private func find(
        _ finder: Finder,
        _ info: InfoTable,
        in window: RouterWindow
    ) throws(RouteError) -> ScreenID? {
        var start: ScreenID?
        var found: ScreenID?
        switch finder.lookup(in: tree, window) {
        case .fixed(let screen): found = screen
        case .search(let screen): start = screen
        case .asks(let function):
            start = try finder.start(
                try generation.runtime.call(function, arguments: [.table(info)]),
                in: tree
            )
        }
        if let start {
            switch tree.search(from: start, finder, info) {
            case .ends(let screen): found = screen
            case .asks(let match, let candidates):
                found = try generation.runtime.first(of: candidates, where: match, info)
            }
        }
        if let stage = lending.stage {
            trace?.notes(
                finder,
                with: info,
                purpose: .find,
                of: nil,
                from: start,
                found: found,
                in: stage.pointee
            )
        }
        return found
    }
}
