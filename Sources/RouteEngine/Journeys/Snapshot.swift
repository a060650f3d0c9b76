// SPDX-License-Identifier: MIT

package import RouteCore

/// The restorable state of a router as plain data: windows and screens, the script state, open
/// gates, and persistent queued deep links.
///
/// A snapshot can outlive its router as a ``table``, as ``json``, or in any `Codable` document,
/// where it is encoded as a single string. Routers in equal states create snapshots that are equal
/// byte for byte.
///
/// Pending navigations, tasks and timers are not included.
///
/// ```swift
/// let saved = router.snapshot().json
/// let snapshot = try Snapshot(json: saved)
/// print(snapshot.windows, snapshot.screenCount)  // ["main"] 3
/// ```
public struct Snapshot: Sendable, Equatable {
    /// The version of the format, which is the value of the field `version`.
    public static let version = "luaroute.snapshot/1"

    /// The maximum number of screens in a snapshot.
    public static let screenLimit = 100_000

    /// A screen of a snapshot.
    package struct Entry: Sendable, Equatable {
        package var `class`: String
        package var kind: Screen.Kind
        package var fields = Fields()
        /// The route that built the screen, such as `Show/open`.
        package var route: String?
        package var position: Place
        /// The index of the selected child.
        package var selection = 0
    }

    /// The position of a screen.
    ///
    /// Containers and presenters are given by their indices in `entries`.
    package enum Place: Sendable, Equatable {
        case root(window: String)
        case child(of: Int)
        case modal(of: Int, Screen.Presentation)
    }

    /// A queued deep link.
    package struct Link: Sendable, Equatable {
        package var url: ByteString
        package var key: String?
        package var origin: Origin
        /// The remaining time in the queue, in seconds; nil if the time is unlimited.
        package var left: Double?

        package init(url: ByteString, key: String?, origin: Origin, left: Double?) {
            (self.url, self.key, self.origin, self.left) = (url, key, origin, left)
        }
    }

    /// The screens, each after its container or presenter.
    ///
    /// Children are in order.
    package var entries: [Entry] = []
    package var state = InfoTable()
    /// The names of the open gates, sorted.
    package var gates: [String] = []
    /// The queued deep links, oldest first.
    package var links: [Link] = []

    package init() {}

    /// The names of the windows, in the order in which they were opened.
    public var windows: [String] {
        entries.compactMap { entry in
            if case .root(let window) = entry.position { window } else { nil }
        }
    }

    /// The number of screens.
    public var screenCount: Int { entries.count }

    /// Returns the snapshot with only some of its windows.
    package func keeping(windows: Set<String>) -> Snapshot {
        var result = self
        result.entries = []
        // The new index of each entry; nil if it is removed.
        var numbers: [Int?] = []
        for var entry in entries {
            let position: Place? =
                switch entry.position {
                case .root(let window): windows.contains(window) ? entry.position : nil
                case .child(let container): numbers[container].map { .child(of: $0) }
                case .modal(let presenter, let presentation):
                    numbers[presenter].map { .modal(of: $0, presentation) }
                }
            numbers.append(position == nil ? nil : result.entries.count)
            guard let position else { continue }
            entry.position = position
            result.entries.append(entry)
        }
        return result
    }
}

extension Snapshot {
    /// Adds a screen with its descendants, and with all modals that are presented over them.
    ///
    /// Private values are hidden.
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
                route: screen.route,
                position: position,
                selection: screen.shows == .selected ? screen.selection : 0
            )
        )
        for child in screen.children {
            add(child, at: .child(of: number), of: tree, hidingBy: classes)
        }
        if let modal = screen.modal {
            var presentation = tree[modal].presentation
            // Whether a modal is contextual follows from its position.
            presentation.isContextual = false
            add(modal, at: .modal(of: number, presentation), of: tree, hidingBy: classes)
        }
    }
}
