// SPDX-License-Identifier: MIT

/// Events about the app's calls.
///
/// A session of the app can be reproduced from these events.
extension Router {
    /// Sends the event of a call by the app, before the effects of the call.
    @inline(__always)
    func emitCall(_ call: @autoclosure () -> AppCall) {
        emit(.host, of: nil, fields: fields(of: call()) + nesting)
    }

    /// Returns the fields of the event of a call.
    func fields(of call: AppCall) -> [(name: String, value: Value)] {
        [("act", Value(call.word))] + call.fields
    }

    /// The event field `nested` for calls that the app makes within a call by the router; empty for
    /// other calls.
    ///
    /// For example, a call that the app makes in a completion handler is nested.
    var nesting: [(name: String, value: Value)] { isAtRest ? [] : [("nested", .boolean(true))] }

    /// The printer for trees in events.
    ///
    /// The output is limited, because a script may store megabytes in a field.
    private var eventPrinter: NotationPrinter {
        NotationPrinter(classes: classes, limit: Event.treeLimit)
    }

    /// Returns the tree of a window in tree notation, truncated after ``Event/treeLimit``; empty if
    /// there is no such window.
    func eventTree(of window: String, in tree: ScreenTree) -> Value {
        Value(eventPrinter.tree(tree, window: window))
    }

    /// Returns the fields that describe the request of a navigation begun by the app.
    func request(of navigation: Navigation) -> [(name: String, value: Value)] {
        if case .vanish = navigation.request { return [] }
        // A container is described by its content. A screen that is not in the tree is written only
        // as its number, because the garbage collector of the scripts decides whether the screen
        // still exists.
        func existing(_ id: ScreenID) -> Value {
            tree.isAlive(id) ? content(of: id) : Value("#\(id.serial)")
        }
        let isOpened = navigation.goesByURL || navigation.goesByRouteString
        let act = navigation.request.described(
            screen: existing,
            tree: content(of:),
            info: { isOpened || $0.isEmpty ? .nil : .table($0) }
        )
        var fields = act.fields.filter { !$0.value.isNil }
        let options = navigation.options
        if let via = options.via {
            let text = NotationPrinter.forEvents(classes).call(
                via.name,
                of: via.presenter.flatMap { existing($0).text }.map { ["start=\($0)"] } ?? [],
                with: via.options
            )
            fields.append(("via", Value(text)))
        }
        if let from = options.from { fields.append(("from", existing(from))) }
        let others = others(
            of: options,
            in: (options.from ?? navigation.request.screen).flatMap(tree.window(of:))?.name,
            isForced: options.isForced && !navigation.request.isForced
        )
        if !others.isEmpty { fields.append(("options", .table(others))) }
        return fields + nesting
    }

    /// Returns a screen with its content in tree notation, or the number of the screen if it was
    /// removed.
    func content(of id: ScreenID) -> Value {
        guard tree.screen(id) != nil else { return Value("#\(id.serial)") }
        return Value(eventPrinter.screen(id, in: tree))
    }

    /// Returns the options that differ from the defaults, and the window of the request's screen.
    private func others(
        of options: NavigationOptions,
        in window: String?,
        isForced: Bool
    ) -> InfoTable {
        var table = InfoTable()
        if let window = window ?? options.window, window != RouterWindow.main {
            table["window"] = Value(window)
        }
        if !options.isAnimated { table["animated"] = .boolean(false) }
        if let timeout = options.timeout { table["timeout"] = .number(timeout) }
        if let policy = options.policy { table["policy"] = Value(policy.rawValue) }
        if options.isAgain { table["again"] = .boolean(true) }
        if isForced { table["force"] = .boolean(true) }
        return table
    }
}

extension Report {
    /// The name that events use for this kind of report.
    var word: String {
        switch self {
        case .children: "children"
        case .selected: "selected"
        case .reselected: "reselected"
        case .dismissed: "dismissed"
        case .presented: "presented"
        case .pushed: "pushed"
        case .opened: "opened"
        case .closed: "closed"
        }
    }

    /// Returns the name of the window that the report is about.
    ///
    /// The given tree must contain the screens of the report.
    func window(in tree: ScreenTree) -> String? {
        switch self {
        case .children(_, let screen), .selected(let screen), .reselected(let screen),
            .dismissed(let screen), .presented(_, _, let screen), .pushed(_, _, let screen):
            tree.window(of: screen)?.name
        case .opened(let name, _), .closed(let name): name
        }
    }
}
