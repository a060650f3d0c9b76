// SPDX-License-Identifier: MIT

package import RouteCore

/// What stands in a router, as plain data: windows and screens, the state of the scripts, open
/// gates, and the links that wait and are to last.
///
/// A snapshot outlives its router: as a ``table``, as ``json``, or in any `Codable` document, in
/// which it is one string. Equal routers give equal snapshots, byte for byte.
///
/// What is on its way is no part of it: navigations, tasks and timers.
public struct Snapshot: Sendable, Equatable {
    /// The form of the data, which stands in it as `version`.
    public static let version = "luaroute.snapshot/1"

    /// How many screens there may be.
    public static let screenLimit = 100_000

    /// A screen as it stood.
    package struct Entry: Sendable, Equatable {
        package var `class`: String
        package var kind: Screen.Kind
        package var fields = Fields()
        package var position: Place
        /// The position of the selected child, from 0.
        package var selection = 0
    }

    /// Where a screen stood; screens are named by their positions among the entries.
    package enum Place: Sendable, Equatable {
        case root(window: String)
        case child(of: Int)
        case modal(of: Int, Screen.Presentation)
    }

    /// A link that waited.
    package struct Link: Sendable, Equatable {
        package var url: ByteString
        package var key: String?
        package var origin: Origin
        /// How long it might still wait, in seconds; nil where for ever.
        package var left: Double?

        package init(url: ByteString, key: String?, origin: Origin, left: Double?) {
            (self.url, self.key, self.origin, self.left) = (url, key, origin, left)
        }
    }

    /// The screens, holders before what they hold, children in their order.
    package var entries: [Entry] = []
    package var state = InfoTable()
    /// The names of the gates that stood open, sorted.
    package var gates: [String] = []
    /// The links that waited, the oldest first.
    package var links: [Link] = []

    package init() {}

    /// The names of the windows, in the order in which they were opened.
    public var windows: [String] {
        entries.compactMap { entry in
            if case .root(let window) = entry.position { window } else { nil }
        }
    }

    /// How many screens it holds.
    public var screenCount: Int { entries.count }
}

extension Snapshot {
    /// Adds a screen with all that stands in and above it; the private values of some classes are
    /// hidden.
    package mutating func add(
        _ id: ScreenID,
        at position: Place,
        of tree: ScreenTree,
        hidingBy classes: ScreenClasses = ScreenClasses()
    ) {
        let screen = tree[id]
        let number = entries.count
        entries.append(
            Entry(
                class: screen.class,
                kind: screen.kind,
                fields: classes.hidingPrivate(screen.fields),
                position: position,
                selection: screen.shows == .selected ? screen.selection : 0
            )
        )
        for child in screen.children {
            add(child, at: .child(of: number), of: tree, hidingBy: classes)
        }
        if let modal = screen.modal {
            var presentation = tree[modal].presentation
            // That follows from where it stands.
            presentation.isContextual = false
            add(modal, at: .modal(of: number, presentation), of: tree, hidingBy: classes)
        }
    }
}
