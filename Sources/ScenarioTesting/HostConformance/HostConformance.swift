// SPDX-License-Identifier: MIT

public import LuaRouting
public import Testing

/// A test for any host.
///
/// A router makes generated changes, and after each change a description of the screens that the
/// host shows is compared with the tree.
///
/// ```swift
/// @Test @MainActor
/// func conformance() async {
///     await HostConformance.run(without: [.windows]) { _ in
///         ShopHost()
///     } shown: { host in
///         host.root.map { [ShownWindow(root: account(of: $0))] } ?? []
///     }
/// }
/// ```
///
/// The test also checks that
///
/// - the host calls `done` once for each change, and in time;
/// - `show` does not call the router;
/// - a screen keeps its view, and a new screen has a new view;
/// - the views of removed screens are released.
///
/// The generated pages have the field `id`, an integer.
@MainActor
public enum HostConformance {
    /// The kinds of changes that are generated.
    public enum Kind: String, CaseIterable, Sendable {
        /// A page is pushed on a stack.
        case push
        /// One or several pages are popped, or a screen is closed.
        case pop
        /// A tab is selected, or any screen is made visible.
        case select
        /// A page, or a stack, is presented over everything.
        case present
        /// A page is presented over a page in a container, and covers only the area of that page.
        case presentContextually
        /// A modal is dismissed, together with the modals above it.
        case dismiss
        /// The root of a window is replaced by another tree.
        case root
        /// An earlier tree is restored.
        case restore
        /// The children of a stack or of tabs are reordered, removed and added in one change.
        case children
        /// The primary or the detail screen of a split is replaced.
        case detail
        /// The fields of pages change.
        case update
        /// A window is opened or closed.
        case windows
        /// A change fails or its result is lost, and the host is asked to show the tree again.
        case refusal
        /// The user performs an action, and the host reports the action.
        case report
        /// The user tries to remove guarded screens.
        ///
        /// The host calls ``Router/guard(of:)``, and then either calls a leaving verb with the
        /// origin `person` or does nothing.
        case guards
        /// The user taps the selected tab, and the host reports the tap.
        case reselect
        /// The app's own code pushes a view on a stack, and the host reports the view.
        ///
        /// Later changes do not move the view.
        case foreign

        /// Whether the change is made by the user or by the app's own code.
        var isOfPerson: Bool { [.report, .guards, .reselect, .foreign].contains(self) }
    }

    /// Checks a host, and records the first failure as an issue.
    ///
    /// The message contains the shortest failing sequence of changes that was found. For the last
    /// change in this sequence, it also contains the operations and the tree before and after the
    /// change. The same seed generates the same changes.
    ///
    /// - Parameters:
    ///   - count: The number of changes.
    ///   - seed: The seed of the changes.
    ///   - excluded: The kinds of changes that the host cannot show. If `detail` is excluded, the
    ///     trees contain no splits.
    ///   - pages: The classes of the generated pages, which the host must be able to show; at least
    ///     one.
    ///   - limit: The time in which the host must call `done` and release views.
    ///   - sourceLocation: The location of the issue.
    ///   - host: Creates the host of a new router.
    ///   - person: Simulates a user action, or a change by the app's own code: changes the views
    ///     and reports the action to the router, or makes a request if screens are guarded. If nil,
    ///     there are no changes of the kinds `report`, `guards`, `reselect` and `foreign`.
    ///   - viewCount: Returns the number of views of the host, which must equal the number of
    ///     screens; nil to skip this check.
    ///   - shown: Returns the description of the screens that the host shows.
    public static func run<Host: RouterHost>(
        _ count: Int = 200,
        seed: UInt64 = 1,
        without excluded: Set<Kind> = [],
        pages: [String] = ["Page", "Item"],
        limit: Duration = .seconds(10),
        sourceLocation: SourceLocation = #_sourceLocation,
        host: @escaping (Router) -> Host,
        person: ((Host, Report) -> Void)? = nil,
        viewCount: ((Host) -> Int)? = nil,
        shown: @escaping (Host) -> [ShownWindow]
    ) async {
        let message = await failure(
            count,
            seed: seed,
            without: excluded,
            pages: pages,
            limit: limit,
            host: host,
            person: person,
            viewCount: viewCount,
            shown: shown
        )
        guard let message else { return }
        Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
    }

    /// Returns the message of the first failure; nil if there is none.
    package static func failure<Host: RouterHost>(
        _ count: Int = 200,
        seed: UInt64 = 1,
        without excluded: Set<Kind> = [],
        pages: [String] = ["Page", "Item"],
        limit: Duration = .seconds(10),
        host: @escaping (Router) -> Host,
        person: ((Host, Report) -> Void)? = nil,
        viewCount: ((Host) -> Int)? = nil,
        shown: @escaping (Host) -> [ShownWindow]
    ) async -> String? {
        let kinds = Kind.allCases.filter {
            !excluded.contains($0) && (!$0.isOfPerson || person != nil)
        }
        let search = ConformanceSearch(kinds: kinds, pages: pages) { router in
            let host = host(router)
            return ConformanceSubject(
                host: host,
                shown: { shown(host) },
                viewCount: viewCount.map { count in { count(host) } },
                person: person.map { person in { person(host, $0) } }
            )
        }
        return await search.message(count, seed: seed, limit: limit)
    }
}
