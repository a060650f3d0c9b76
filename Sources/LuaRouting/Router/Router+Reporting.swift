// SPDX-License-Identifier: MIT

/// Reports of the host: changes that a person made without the router.
public enum Report: Sendable {
    /// A container has these children now, in this order.
    case children([ScreenID], of: ScreenID)
    /// A tab is the selected one now.
    case selected(ScreenID)
    /// A presenter holds no modal any more.
    case dismissed(presenter: ScreenID)
    /// The host presents something of its own, such as an alert or a camera, of which the router
    /// knows nothing but a class and what the host says of it: a screen of the kind `foreign`.
    ///
    /// It stands over the level of the presenter, or over the topmost one above that, and covers
    /// it like any other modal, until the host reports ``dismissed(presenter:)`` or a navigation
    /// dismisses it.
    case presented(foreign: String, fields: Fields = Fields(), over: ScreenID)
    /// A window was opened, in which these screens stand now.
    case opened(window: String, TreeNotation)
    /// A window was closed, with all that stood in it.
    case closed(window: String)
}

extension Router {
    /// Takes note of what a person did: the tree is as reported, and nobody is asked.
    ///
    /// It is applied when the turn under way is over and the host has applied what it was
    /// given. Screens that the router does not know are ignored, with a warning in the log.
    public func report(_ reports: Report...) { report(reports) }

    /// Takes note of all that a person did at once, as ``report(_:)-(Report...)`` does.
    public func report(_ reports: [Report]) {
        enter()
        self.queue.reports += reports
        pump()
    }

    /// Applies what was reported, in one change of which the host is not told.
    func applyReports() {
        let reports = queue.reports
        self.queue.reports = []
        tree.openNewDraft()
        for report in reports {
            do throws(RouteError) {
                try apply(report)
            } catch {
                log("warn", "a report of the host is ignored: \(error.message)")
            }
        }
        let difference = tree.draftDifference()
        settle(difference)
        guard !difference.isEmpty else { return }
        world.edits += 1
        emitChange(nil, difference, cause: "report")
        tellLeft(difference.removed, nil)
        cancelWhatWaits(afterClosingBy: difference)
        if !tree.windows.isEmpty { letPass(World.startGate) }
    }

    private func apply(_ report: Report) throws(RouteError) {
        switch report {
        case .children(let children, let container):
            try tree.checkAlive(container)
            var known: [ScreenID] = []
            for child in children {
                if tree.screen(child)?.parent == container {
                    known.append(child)
                } else {
                    log(
                        "warn",
                        "the host reports a screen in '\(tree[container].class)' that is not there"
                    )
                }
            }
            try tree.setChildren(known, of: container)
        case .selected(let tab):
            try tree.checkAlive(tab)
            try tree.select(tab)
        case .dismissed(let presenter):
            try tree.checkAlive(presenter)
            tree.dismissModal(of: presenter)
        case .presented(let name, let fields, let presenter):
            try present(foreign: name, fields, over: presenter)
        case .opened(let name, let notation): try openWindow(name, reportedAs: notation)
        case .closed(let name): try tree.closeWindow(name)
        }
    }
}
