// SPDX-License-Identifier: MIT

public import LuaRouting

/// The description of a window that a host shows.
///
/// ``HostConformance`` compares the description with the tree.
public struct ShownWindow {
    /// The name of the window.
    public var name: String
    /// The root screen of the window.
    public var root: ShownScreen

    /// Creates the description of a window.
    public init(_ name: String = "main", root: ShownScreen) {
        self.name = name
        self.root = root
    }
}

/// The description of a screen that a host shows, which ``HostConformance`` compares with the tree.
///
/// ```swift
/// @MainActor
/// func account(of view: View) -> ShownScreen {
///     ShownScreen(
///         view.name,
///         view: view,
///         children: view.children.map(account),
///         modal: view.modal.map(account)
///     )
/// }
/// ```
public struct ShownScreen {
    /// The class of the screen.
    public var `class`: String
    /// The object that shows the screen; nil to skip the checks of the object.
    ///
    /// The screen must keep the same object, and the object must be released after the screen is
    /// removed.
    public var view: AnyObject?
    /// The fields that are compared, by name.
    public var fields: [String: Value]
    /// The children of the screen, in order.
    public var children: [ShownScreen]
    /// The index of the selected child of tabs, starting at 0; nil if the selection is not
    /// compared.
    public var selection: Int?
    /// The modal that this screen presents; nil if there is none.
    public var modal: ShownScreen? {
        get { modals.first }
        set { modals = newValue.map { [$0] } ?? [] }
    }

    private var modals: [ShownScreen]
    /// The identifier of the screen in the tree; nil if the description comes from a host.
    private(set) var id: ScreenID?

    /// Creates the description of a screen.
    public init(
        _ name: String,
        view: AnyObject? = nil,
        fields: [String: Value] = [:],
        children: [ShownScreen] = [],
        selection: Int? = nil,
        modal: ShownScreen? = nil
    ) {
        self.class = name
        self.view = view
        self.fields = fields
        self.children = children
        self.selection = selection
        modals = modal.map { [$0] } ?? []
    }

    /// Creates the description that a host is expected to give for a screen in the tree.
    init(_ id: ScreenID, in tree: ScreenTree) {
        let screen = tree[id]
        self.init(
            screen.class,
            fields: Dictionary(
                uniqueKeysWithValues: screen.fields.names.map { ($0, screen.fields[$0]) }
            ),
            children: screen.children.map { ShownScreen($0, in: tree) },
            selection: screen.shows == .selected ? screen.selection : nil,
            modal: screen.modal.map { ShownScreen($0, in: tree) }
        )
        self.id = id
    }

    /// Returns the description without the parts that another description does not contain.
    func compared(with other: ShownScreen) -> ShownScreen {
        var screen = self
        screen.fields = Dictionary(
            uniqueKeysWithValues: other.fields.keys.map { ($0, fields[$0] ?? .nil) }
        )
        if other.selection == nil { screen.selection = nil }
        for (index, child) in zip(children.indices, other.children) {
            screen.children[index] = children[index].compared(with: child)
        }
        if let modal, let other = other.modal { screen.modal = modal.compared(with: other) }
        return screen
    }

    /// The screen, all screens in it, and all modals above it.
    var all: [ShownScreen] { [self] + (children + modals).flatMap(\.all) }

    /// The screen in tree notation.
    var text: String {
        let fields = fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(NotationPrinter().value(value))"
        }
        var text = `class`
        if !fields.isEmpty { text += "(\(fields.joined(separator: ", ")))" }
        if !children.isEmpty {
            let children = children.enumerated().map { index, child in
                (index == selection ? "*" : "") + child.text
            }
            text += "[\(children.joined(separator: ", "))]"
        }
        return ([text] + modals.map(\.text)).joined(separator: " ^ ")
    }
}

extension [ShownWindow] {
    /// Creates the expected description of a tree, without the parts that the host's description
    /// does not contain.
    init(_ tree: ScreenTree, comparedWith shown: [ShownWindow]) {
        self = tree.windows.map { window in
            let root = ShownScreen(window.root, in: tree)
            let other = shown.first { $0.name == window.name }?.root
            return ShownWindow(window.name, root: other.map(root.compared) ?? root)
        }
    }

    /// The windows sorted by name, in tree notation.
    var text: String {
        sorted { $0.name < $1.name }.map { window in
            count == 1 && window.name == "main"
                ? window.root.text : "\(window.name): \(window.root.text)"
        }
        .joined(separator: "; ")
    }
}
