// SPDX-License-Identifier: MIT

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
    struct Entry: Sendable, Equatable {
        var `class`: String
        var kind: Screen.Kind
        var fields = Fields()
        var place: Place
        /// The position of the selected child, from 0.
        var selection = 0
    }

    /// Where a screen stood; screens are named by their positions among the entries.
    enum Place: Sendable, Equatable {
        case root(window: String)
        case child(of: Int)
        case modal(of: Int, Screen.Presentation)
    }

    /// A link that waited.
    struct Link: Sendable, Equatable {
        var url: ByteString
        var key: String?
        var origin: Origin
        /// How long it might still wait, in seconds; nil where for ever.
        var left: Double?
    }

    /// The screens, holders before what they hold, children in their order.
    var entries: [Entry] = []
    var state = Table()
    /// The names of the gates that stood open, sorted.
    var gates: [String] = []
    /// The links that waited, the oldest first.
    var links: [Link] = []

    /// The names of the windows, in the order in which they were opened.
    public var windows: [String] {
        entries.compactMap { entry in
            if case .root(let window) = entry.place { window } else { nil }
        }
    }

    /// How many screens it holds.
    public var screenCount: Int { entries.count }
}

extension Snapshot {
    /// Adds a screen with all that stands in and above it.
    mutating func add(_ id: ScreenID, at place: Place, of tree: ScreenTree) {
        let screen = tree[id]
        let number = entries.count
        entries.append(
            Entry(
                class: screen.class,
                kind: screen.kind,
                fields: screen.fields,
                place: place,
                selection: screen.shows == .selected ? screen.selection : 0
            )
        )
        for child in screen.children { add(child, at: .child(of: number), of: tree) }
        if let modal = screen.modal {
            var presentation = tree[modal].presentation
            // That follows from where it stands.
            presentation.isContextual = false
            add(modal, at: .modal(of: number, presentation), of: tree)
        }
    }
}

extension Router {
    /// What stands now, to be restored later.
    ///
    /// While the host applies a change, that is what it holds already; within
    /// ``Host/prepare(_:in:)`` it holds what is staged, which may still be dropped.
    ///
    /// - Complexity: O(*n*) in the number of screens.
    public func snapshot() -> Snapshot {
        enter()
        var snapshot = Snapshot()
        for window in tree.windows {
            snapshot.add(window.root, at: .root(window: window.name), of: tree)
        }
        snapshot.state = state
        snapshot.gates = openGates
        for link in waitingLinks where link.isPersistent {
            snapshot.links.append(
                Snapshot.Link(
                    url: link.text,
                    key: link.key,
                    origin: link.origin,
                    // One that is due at this very time is not one that waits for ever.
                    left: link.deadline.map { max($0 - now, 0.000_001) }
                )
            )
        }
        return snapshot
    }
}
