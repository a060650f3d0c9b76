// SPDX-License-Identifier: MIT

public import LuaRouting
public import Testing

/// A test of any host: a router makes generated changes, and after each one the host's own account
/// of its screens is compared with the tree.
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
/// It also checks that `done` is called once for each change and in time, that `show` does not call
/// the router, that a screen keeps its view, that a new screen has a new view, and that the views of
/// removed screens are released.
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
        /// A page is presented over the place of another one in a container.
        case presentContextually
        /// A modal is dismissed, with the modals above it.
        case dismiss
        /// The root of a window is replaced by another tree.
        case root
        /// An earlier tree is restored.
        case restore
        /// The children of a stack or of tabs are reordered, removed and added in one change.
        case children
        /// The detail or the primary of a split is replaced.
        case detail
        /// The fields of pages change.
        case update
        /// A window is opened or closed.
        case windows
        /// A change fails or its answer is lost, and the host is asked to show the tree again.
        case refusal
        /// The user acts, and the host reports it.
        case report
        /// A person would remove guarded screens: the host asks ``Router/guard(of:)``, and calls a leaving
        /// verb with the origin `person`, or does nothing.
        case guards
        /// The user taps the selected tab, and the host reports it.
        case reselect
        /// The app's own code pushes a view on a stack, and the host reports it; later changes leave it in
        /// its place.
        case foreign

        /// Whether the user, or the app's own code, acts.
        var isOfPerson: Bool { [.report, .guards, .reselect, .foreign].contains(self) }
    }

    /// Checks a host, and records the first failure as an issue.
    ///
    /// The message contains the shortest sequence of changes that was found to fail and, for its
    /// last change, the operations and the tree before and after it. The same seed makes the same
    /// changes.
    ///
    /// - Parameters:
    ///   - count: The number of changes.
    ///   - seed: The seed of the changes.
    ///   - excluded: The kinds of changes that the host cannot show. Without `detail` there are no
    ///     splits.
    ///   - pages: The classes of the generated pages, at least one, which the host can show.
    ///   - limit: The time within which the host must call `done` and release views.
    ///   - sourceLocation: The location of the issue.
    ///   - host: Makes the host of a fresh router.
    ///   - person: Plays an act of the user or of the app's own code: changes the views and reports
    ///     the act to the router, or makes a request if screens are guarded; nil for no changes of
    ///     the kinds `report`, `guards`, `reselect` and `foreign`.
    ///   - viewCount: Returns the number of views of the host; nil for no check.
    ///   - shown: Returns the account of the screens that the host shows.
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
