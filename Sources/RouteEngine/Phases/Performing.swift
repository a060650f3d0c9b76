// SPDX-License-Identifier: MIT

package import RouteCore

/// Performs actions: places screens in the tree.
extension Stage {
    /// Returns the container on which an action is performed.
    ///
    /// This is the nearest suitable container at or above the given screen. If there is none, it is
    /// the innermost suitable container on the path from the screen to its visible leaf. If the
    /// action needs no container, the screen itself is returned.
    ///
    /// - Throws: `typeMismatch` if there is no such container.
    package func container(of action: Action, at place: ScreenID) throws(RouteError) -> ScreenID {
        guard let need = try declarations.need(of: action) else { return place }
        guard let container = tree.container(need, at: belowForeign(place)) else {
            throw .noPlace(for: action, need, around: notation(of: place))
        }
        return container
    }

    /// Performs an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - screen: The screen to place.
    ///   - place: The container on which the action is performed, or the starting screen itself.
    ///   - info: The parameters that finders of the action use.
    ///   - context: The context for functions of the action.
    /// - Throws: `composition` or `typeMismatch` if the action would break a rule of the tree, or
    ///   the error that a function raises.
    package mutating func perform(
        _ action: Action,
        on screen: ScreenID,
        at place: ScreenID,
        with info: InfoTable,
        in context: CallContext
    ) throws(RouteError) {
        switch action.kind {
        case .push: try tree.push(screen, onto: place)
        case .pushAsRoot: try tree.pushAsRoot(screen, onto: place)
        case .pushReplacingLast: try tree.pushReplacingLast(screen, onto: place)
        case .replaceLast: try tree.replaceLast(screen, in: place)
        case .addTab(let index, let isReplacing):
            try tree.addTab(screen, to: place, at: index, replacing: isReplacing)
        case .setAsPrimary: try tree.setAsPrimary(screen, in: place)
        case .pushToDetails: try tree.pushToDetails(screen, in: place)
        case .pushOnToDetails: try tree.pushOnToDetails(screen, in: place)
        case .present(let options):
            let start = try start(of: options, at: place, info, context)
            try tree.present(screen, from: start, options.presentation)
        case .presentWithNav(let options):
            try tree.checkInsertable(screen)
            let start = try start(of: options, at: place, info, context)
            let nav = try tree.makeScreen(declarations.classes["nav"], children: [screen])
            try tree.present(nav, from: start, options.presentation)
        case .replaceRoot: try tree.replaceRoot(place, with: screen)
        case .none: break
        case .declared(let name):
            var context = context
            context.effects = .action
            _ = try scripts.call(
                try declarations.action(name).body,
                arguments: [.screen(place), .screen(screen)],
                takesNavigation: true,
                in: context,
                lending: &self
            )
        }
    }

    /// Returns the screen that presents the modal of an action.
    private mutating func start(
        of options: PresentOptions,
        at place: ScreenID,
        _ info: InfoTable,
        _ context: CallContext
    ) throws(RouteError) -> ScreenID {
        switch options.start {
        case .current: return place
        case .topmostParent: return tree.levelRoot(of: place)
        case .finder(let finder):
            let window = try window()
            let start = try find(
                finder,
                with: info,
                purpose: .present,
                in: window,
                context: planning.of(context.step)
            )
            guard let start else { throw .nowhereToPresentFrom(finder) }
            return start
        }
    }

    // MARK: Declared actions

    /// Performs an action that the function of a declared action requests.
    ///
    /// The action is performed on the container that ``container(of:at:)`` returns for the given
    /// screen.
    package mutating func act(
        _ action: Action,
        on screen: ScreenID,
        at place: ScreenID,
        in context: CallContext
    ) throws(RouteError) {
        for id in [place, screen] where tree.screen(id) == nil { throw .isNotInTree(nil) }
        let place = try container(of: action, at: place)
        try perform(action, on: screen, at: place, with: journey.info, in: context)
    }
}
