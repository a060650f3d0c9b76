// SPDX-License-Identifier: MIT

/// The set of screens that a search visits, relative to the screen at which the search starts.
///
/// ```swift
/// let root = router.tree.windows[0].root
/// let page = router.tree.first(from: root, .currentAllStack) { $0.class == "Page" }
/// print(page.map(router.notation) ?? "")  // Page(id=7)
/// ```
public struct SearchScope: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt8

    /// Creates a scope from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The screen at which the search starts.
    public static let current = SearchScope(rawValue: 1)
    /// The visible children of containers.
    public static let visible = SearchScope(rawValue: 2)
    /// All children of containers, the visible ones first.
    public static let contained = SearchScope(rawValue: 4)
    /// The modals above the starting screen.
    public static let presented = SearchScope(rawValue: 8)
    /// The presenting screens below the starting screen.
    public static let presenting = SearchScope(rawValue: 16)
    /// The containers around the starting screen.
    public static let parent = SearchScope(rawValue: 32)

    /// The starting screen and all screens in it.
    public static let currentAllStack: SearchScope = [.current, .contained]
    /// The starting screen and the visible screens in it.
    public static let currentVisibleOnly: SearchScope = [.current, .visible]
    /// The visible screens, on all levels.
    public static let allVisible: SearchScope = [.current, .visible, .presented, .presenting]
    /// All screens, on all levels.
    public static let fullStack: SearchScope = [.current, .contained, .presented, .presenting]
    /// The starting screen, the screens in it, and the levels above.
    public static let currentAndUp: SearchScope = [.current, .contained, .presented]
    /// The starting screen, the screens in it, and the levels below.
    public static let currentAndDown: SearchScope = [.current, .contained, .presenting]

    /// The words for scopes, each with its scope and a description.
    package static let named: [(word: String, scope: SearchScope, help: String)] = [
        ("current", .current, "the starting screen itself"),
        ("visible", .visible, "the visible children of containers"),
        ("contained", .contained, "all children of containers, the visible ones first"),
        ("presented", .presented, "the modals above the starting screen"),
        ("presenting", .presenting, "the presenting screens below the starting screen"),
        ("parent", .parent, "the containers that contain the starting screen"),
        ("currentAllStack", .currentAllStack, "the starting screen and all screens in it"),
        (
            "currentVisibleOnly", .currentVisibleOnly,
            "the starting screen and the visible screens in it"
        ),
        ("allVisible", .allVisible, "the visible screens, on all levels"),
        ("fullStack", .fullStack, "all screens, on all levels"),
        (
            "currentAndUp", .currentAndUp,
            "the starting screen, the screens in it, and the levels above"
        ),
        (
            "currentAndDown", .currentAndDown,
            "the starting screen, the screens in it, and the levels below"
        ),
    ]

    /// The words for single options, followed by the words for combinations.
    public static let words = named.map(\.word)

    /// Creates the scope for one of the ``words``; nil for any other word.
    public init?(word: String) {
        guard let named = Self.named.first(where: { $0.word == word }) else { return nil }
        self = named.scope
    }

    /// The scope of the search within the children of a container.
    fileprivate var inner: SearchScope {
        var inner: SearchScope =
            contains(.visible) ? [.current, .visible] : [.current, .contained]
        inner.formUnion(intersection(.presented))
        return inner
    }
}

extension ScreenLookup {
    /// Returns the screens that a search visits, in order, each once.
    ///
    /// The search is depth first. It visits the starting screen, its containers, its children (the
    /// visible children first, then the others from the bottom up), the modal above, and the
    /// presenting screen below.
    ///
    /// - Parameters:
    ///   - start: The screen at which the search starts.
    ///   - scope: The screens to visit.
    ///   - isTopDown: Whether to visit hidden children from the top down, instead of from the
    ///     bottom up.
    /// - Returns: The visited screens.
    /// - Complexity: O(*n*) in the number of screens visited.
    public func search(
        from start: ScreenID,
        _ scope: SearchScope = .fullStack,
        topDown isTopDown: Bool = false
    ) -> [ScreenID] {
        var found: [ScreenID] = []
        _ = first(from: start, scope, topDown: isTopDown) { id in
            found.append(id)
            return false
        }
        return found
    }

    /// Returns the first visited screen that satisfies a condition.
    ///
    /// The search stops at this screen.
    ///
    /// The order is the same as in ``search(from:_:topDown:)``. The tree is retained until the
    /// search ends.
    ///
    /// - Parameters:
    ///   - start: The screen at which the search starts.
    ///   - scope: The screens to visit.
    ///   - isTopDown: Whether to visit hidden children from the top down, instead of from the
    ///     bottom up.
    ///   - accepts: The condition, which is called once for each visited screen.
    /// - Returns: The screen, or nil if no screen satisfies the condition.
    /// - Throws: Any error that the closure throws.
    /// - Complexity: O(*n*) in the number of screens visited.
    public func first<Failure: Error>(
        from start: ScreenID,
        _ scope: SearchScope = .fullStack,
        topDown isTopDown: Bool = false,
        where accepts: (ScreenID) throws(Failure) -> Bool
    ) throws(Failure) -> ScreenID? {
        var search = ScreenSearch(tree: self, scope, isTopDown: isTopDown)
        let outer = search.enterOuter(of: start)
        return try search.visit(start, scope: scope, under: outer) { (screen) throws(Failure) in
            try accepts(screen.id)
        }
    }
}

extension ScreenTree {
    /// Returns the first visited screen whose data satisfies a condition.
    ///
    /// The search stops at this screen.
    ///
    /// The order is the same as in ``search(from:_:topDown:)``.
    ///
    /// - Parameters:
    ///   - start: The screen at which the search starts.
    ///   - scope: The screens to visit.
    ///   - isTopDown: Whether to visit hidden children from the top down, instead of from the
    ///     bottom up.
    ///   - accepts: The condition, which is called once for each visited screen.
    /// - Returns: The screen, or nil if no screen satisfies the condition.
    /// - Complexity: O(*n*) in the number of screens visited.
    public func first(
        from start: ScreenID,
        _ scope: SearchScope = .fullStack,
        topDown isTopDown: Bool = false,
        holding accepts: (Screen) -> Bool
    ) -> ScreenID? {
        // This function is not generic, so that callers do not specialize the search.
        var search = ScreenSearch(tree: self, scope, isTopDown: isTopDown)
        return search.visit(
            start,
            scope: scope,
            under: search.enterOuter(of: start),
            accepts: accepts
        )
    }
}

/// The state of one search through a tree.
///
/// A modal covers a container and all screens in it, so several screens lead to the same modal. No
/// other screen can be reached twice. Therefore only modals are marked as visited. The sets of
/// visited screens are used only if a modal can be reached with different scopes.
private struct ScreenSearch<Tree: ScreenLookup> {
    private let tree: Tree
    private let isTopDown: Bool
    private var covers: [Cover] = []

    /// Whether a screen can be reached again with another scope.
    ///
    /// If so, `tested` and `visited` are used.
    private let returns: Bool
    private var tested: Set<ScreenID> = []
    private var visited: Set<Visit> = []

    /// A modal that the search has reached.
    private struct Cover {
        let modal: ScreenID
        /// The index in `covers` of the modal that covers the presenter's container; nil unless
        /// this modal is contextual.
        let outer: Int?
        var isVisited = false
    }

    /// A visit to a screen with a scope.
    ///
    /// A screen is visited again only with a new scope.
    private struct Visit: Hashable {
        let id: ScreenID
        let scope: UInt8
    }

    init(tree: Tree, _ scope: SearchScope, isTopDown: Bool) {
        self.tree = tree
        self.isTopDown = isTopDown
        returns =
            scope.contains(.presented) && !scope.isDisjoint(with: [.visible, .contained])
            && scope.subtracting(.presenting) != scope.inner
    }

    /// Visits a screen and the screens that the scope reaches from it.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - scope: The screens to visit.
    ///   - outer: The index in `covers` of the modal that covers the screen's container.
    ///   - accepts: The condition.
    /// - Returns: The first screen that satisfies the condition, if any.
    /// - Throws: Any error that the closure throws.
    mutating func visit<Failure: Error>(
        _ id: ScreenID,
        scope: SearchScope,
        under outer: Int?,
        accepts: (Screen) throws(Failure) -> Bool
    ) throws(Failure) -> ScreenID? {
        if returns, !visited.insert(Visit(id: id, scope: scope.rawValue)).inserted { return nil }
        guard let screen = tree.screen(id) else { return nil }
        if scope.contains(.current), !returns || tested.insert(id).inserted, try accepts(screen) {
            return id
        }
        if scope.contains(.parent), let parent = screen.parent,
            let found = try visit(parent, scope: [.current, .parent], under: nil, accepts: accepts)
        {
            return found
        }
        let cover = scope.contains(.presented) ? enterCover(of: screen, under: outer) : nil
        if !scope.isDisjoint(with: [.visible, .contained]),
            let found = try visitChildren(of: screen, scope, under: cover, accepts)
        {
            return found
        }
        if let cover, returns || !covers[cover].isVisited {
            covers[cover].isVisited = true
            let (modal, outer) = (covers[cover].modal, covers[cover].outer)
            let inner = scope.subtracting(.presenting)
            if let found = try visit(modal, scope: inner, under: outer, accepts: accepts) {
                return found
            }
        }
        if scope.contains(.presenting) {
            var root = id
            while let parent = tree[links: root].parent { root = parent }
            // The presenter of a contextual modal is also visited here.
            if let presenter = tree[links: root].presenter {
                return try visit(
                    presenter,
                    scope: scope.subtracting(.presented),
                    under: nil,
                    accepts: accepts
                )
            }
        }
        return nil
    }

    private mutating func visitChildren<Failure: Error>(
        of screen: Screen,
        _ scope: SearchScope,
        under cover: Int?,
        _ accepts: (Screen) throws(Failure) -> Bool
    ) throws(Failure) -> ScreenID? {
        let inner = scope.inner
        let visible = screen.visibleList
        for child in visible {
            if let found = try visit(child, scope: inner, under: cover, accepts: accepts) {
                return found
            }
        }
        guard scope.contains(.contained), visible.count < screen.childList.count else { return nil }
        for position in screen.childList.indices {
            let index = isTopDown ? screen.childList.count - 1 - position : position
            if visible.indices.contains(index) { continue }
            let child = screen.childList[index]
            if let found = try visit(child, scope: inner, under: cover, accepts: accepts) {
                return found
            }
        }
        return nil
    }

    // MARK: Covers

    /// Returns the index in `covers` of the modal that covers a screen: the screen's own modal, or
    /// the modal that covers its container.
    private mutating func enterCover(of screen: Screen, under outer: Int?) -> Int? {
        guard let modal = screen.modal else { return outer }
        let isContextual = tree[links: modal].isContextual
        covers.append(Cover(modal: modal, outer: isContextual ? outer : nil))
        return covers.count - 1
    }

    /// Returns the index in `covers` of the modal that covers a screen's container.
    mutating func enterOuter(of id: ScreenID) -> Int? {
        guard tree.links(of: id) != nil,
            let container = tree.placeholder(of: tree[links: id]).parent
        else {
            return nil
        }
        let outer = enterOuter(of: container)
        return enterCover(of: tree[container], under: outer)
    }
}
