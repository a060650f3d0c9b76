// SPDX-License-Identifier: MIT

/// Finding screens for scripts, in any window.
extension Router {
    /// The first screen that a finder accepts in any window, for the script that calls.
    func find(_ finder: Finder, _ info: InfoTable) throws(RouteError) -> ScreenID? {
        for window in tree.windows {
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
                try generation.runtime.call(function, [.table(info)]),
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
            trace?.notes(finder, info, .find, of: nil, from: start, found, in: stage.pointee)
        }
        return found
    }
}
