// SPDX-License-Identifier: MIT

/// Screens that the host creates, for ``openWindow(_:_:options:completion:)``,
/// ``replace(_:with:options:completion:)`` or the `info` of a navigation.
///
/// ```swift
/// let list = try router.nav([router.screen("Inbox"), router.screen("Mail", ["id": 7])])
/// router.openWindow("second", list)
/// ```
///
/// A detached screen exists until it has been shown and left, or until ``release(_:)`` is called.
extension Router {
    /// Creates a detached screen.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - fields: The values of the screen's fields.
    /// - Returns: The screen.
    /// - Throws: `badInfo` if the fields are not plain data; `notFound` for a class that the
    ///   scripts do not expect.
    public func screen(
        _ name: String,
        _ fields: InfoTable = InfoTable()
    ) throws(RouteError) -> ScreenID {
        guard !Value.table(fields).isTooDeep else { throw .tooDeep() }
        return try makeDetached { (scripts) throws(RouteError) in
            try scripts.makeScreen(name, fields: fields)
        }
    }

    /// Creates a detached stack, which is a container of the kind `nav`.
    ///
    /// - Parameters:
    ///   - children: Detached screens.
    ///   - name: A class of the kind `nav`; nil for the class `nav`.
    /// - Returns: The container.
    /// - Throws: `composition` if a child is already in the tree or was removed; `typeMismatch` for
    ///   a class of another kind; `budget` for more than 1,000 children.
    public func nav(
        _ children: [ScreenID],
        class name: String? = nil
    ) throws(RouteError) -> ScreenID {
        try makeDetached { (scripts) throws(RouteError) in
            try scripts.makeContainer(scripts.containerClass(.nav, name), children: children)
        }
    }

    /// Creates detached tabs.
    ///
    /// - Parameters:
    ///   - children: Detached screens.
    ///   - selected: The number of the selected tab, starting at 1.
    ///   - name: A class of the kind `tabs`; nil for the class `tabs`.
    /// - Returns: The container.
    /// - Throws: `composition` if a child is already in the tree or was removed, or if there is no
    ///   child with the number `selected`; `typeMismatch` for a class of another kind; `budget` for
    ///   more than 1,000 children.
    public func tabs(
        _ children: [ScreenID],
        selected: Int = 1,
        class name: String? = nil
    ) throws(RouteError) -> ScreenID {
        try makeDetached { (scripts) throws(RouteError) in
            try scripts.makeContainer(
                scripts.containerClass(.tabs, name),
                children: children,
                selected: selected
            )
        }
    }

    /// Creates a detached split with a primary screen and, optionally, a detail.
    ///
    /// - Parameters:
    ///   - children: A detached primary screen, and optionally a detail.
    ///   - name: A class of the kind `split`; nil for the class `split`.
    /// - Returns: The container.
    /// - Throws: `composition` if a child is already in the tree or was removed; `typeMismatch` for
    ///   a class of another kind; `budget` for more than 1,000 children.
    public func split(
        _ children: [ScreenID],
        class name: String? = nil
    ) throws(RouteError) -> ScreenID {
        try makeDetached { (scripts) throws(RouteError) in
            try scripts.makeContainer(scripts.containerClass(.split, name), children: children)
        }
    }

    /// Creates a detached container of a class that the scripts declare.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - children: Detached screens.
    ///   - selected: The number of the selected child, starting at 1.
    /// - Returns: The container.
    /// - Throws: `composition` if a child is already in the tree or was removed, or if there is no
    ///   child with the number `selected`; `typeMismatch` for a class of another kind; `budget` for
    ///   more than 1,000 children.
    public func container(
        _ name: String,
        _ children: [ScreenID],
        selected: Int = 1
    ) throws(RouteError) -> ScreenID {
        try makeDetached { (scripts) throws(RouteError) in
            let screenClass = scripts.declarations.classes[name]
            guard screenClass.kind == .container else {
                throw .wrongKind(screenClass, expected: .container)
            }
            return try scripts.makeContainer(screenClass, children: children, selected: selected)
        }
    }

    /// Releases a detached screen that the host created and does not show.
    ///
    /// The screen is kept if it is in the tree, or if a script or a pending navigation uses it.
    public func release(_ screen: ScreenID) {
        enter()
        guard contents.hostScreens.remove(screen) != nil else { return }
        world.toRelease.append(screen)
        pump()
    }

    private func makeDetached(
        _ make: (Generation) throws(RouteError) -> Value
    ) throws(RouteError) -> ScreenID {
        enter()
        let scripts = generation
        let made = try lending.calling(for: scripts) { () throws(RouteError) in
            try make(scripts)
        }
        guard let screen = made.screen else { preconditionFailure("no screen was created") }
        contents.hostScreens.insert(screen)
        return screen
    }
}

extension Generation {
    fileprivate func makeContainer(
        _ screenClass: ScreenClass,
        children: [ScreenID],
        selected: Int? = nil
    ) throws(RouteError) -> Value {
        for child in children { try router.tree.checkOrigin(of: .screen(child)) }
        var contents = InfoTable(list: children.map(Value.screen))
        if let selected, !children.isEmpty { contents["selected"] = Value(selected) }
        return try makeContainer(screenClass, contents)
    }
}
