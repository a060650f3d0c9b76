// SPDX-License-Identifier: MIT

/// Where a search for a screen goes from its start.
public struct SearchScope: OptionSet, Sendable {
    /// The bits of the parts.
    public let rawValue: UInt8

    /// Creates a scope from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The start itself.
    public static let current = SearchScope(rawValue: 1)
    /// The visible children of containers.
    public static let visible = SearchScope(rawValue: 2)
    /// All children of containers, the visible ones first.
    public static let contained = SearchScope(rawValue: 4)
    /// The modals above.
    public static let presented = SearchScope(rawValue: 8)
    /// The screens below, that present.
    public static let presenting = SearchScope(rawValue: 16)
    /// The containers around.
    public static let parent = SearchScope(rawValue: 32)

    /// The start and all that it contains.
    public static let currentAllStack: SearchScope = [.current, .contained]
    /// The start and what is visible in it.
    public static let currentVisibleOnly: SearchScope = [.current, .visible]
    /// What is visible, on all levels.
    public static let allVisible: SearchScope = [.current, .visible, .presented, .presenting]
    /// All screens, on all levels.
    public static let fullStack: SearchScope = [.current, .contained, .presented, .presenting]
    /// The start, what it contains, and the levels above.
    public static let currentAndUp: SearchScope = [.current, .contained, .presented]
    /// The start, what it contains, and the levels below.
    public static let currentAndDown: SearchScope = [.current, .contained, .presenting]

    private static let named: [(word: String, scope: SearchScope)] = [
        ("current", .current), ("visible", .visible), ("contained", .contained),
        ("presented", .presented), ("presenting", .presenting), ("parent", .parent),
        ("currentAllStack", .currentAllStack), ("currentVisibleOnly", .currentVisibleOnly),
        ("allVisible", .allVisible), ("fullStack", .fullStack),
        ("currentAndUp", .currentAndUp), ("currentAndDown", .currentAndDown),
    ]

    /// The words for the parts, then for the combinations.
    public static let words = named.map(\.word)

    /// The scope of one of the ``words``; nil for any other.
    public init?(word: String) {
        guard let named = Self.named.first(where: { $0.word == word }) else { return nil }
        self = named.scope
    }

    /// Where a search goes on in the children of a container.
    fileprivate var inner: SearchScope {
        var inner: SearchScope =
            contains(.visible) ? [.current, .visible] : [.current, .contained]
        inner.formUnion(intersection(.presented))
        return inner
    }
}

extension ScreenLookup {
    /// The screens that a search visits, in its order, each once.
    ///
    /// Depth first: the start, its containers, its children (visible ones first, then from the
    /// bottom up), the modal above, the screen below.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - scope: Where it goes from there.
    ///   - isTopDown: Whether children that are not visible come from the top down.
    /// - Returns: The screens.
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

    /// The first screen that a search visits and that is accepted; the search stops there.
    ///
    /// The order is that of ``search(from:_:topDown:)``. The tree is held as it is until the
    /// search ends.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - scope: Where it goes from there.
    ///   - isTopDown: Whether children that are not visible come from the top down.
    ///   - accepts: Whether a screen is the one, asked once for each.
    /// - Returns: The screen, nil where none is accepted.
    /// - Throws: What the closure throws.
    /// - Complexity: O(*n*) in the number of screens visited.
    public func first<Failure: Error>(
        from start: ScreenID,
        _ scope: SearchScope = .fullStack,
        topDown isTopDown: Bool = false,
        where accepts: (ScreenID) throws(Failure) -> Bool
    ) throws(Failure) -> ScreenID? {
        var search = ScreenSearch(tree: self, scope, isTopDown: isTopDown)
        let outer = search.enterOuter(of: start)
        return try search.visit(start, scope, under: outer) { (screen) throws(Failure) in
            try accepts(screen.id)
        }
    }
}

extension ScreenTree {
    /// The first screen that a search visits and that is accepted, by what it holds; the search
    /// stops there.
    ///
    /// The order is that of ``search(from:_:topDown:)``.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - scope: Where it goes from there.
    ///   - isTopDown: Whether children that are not visible come from the top down.
    ///   - accepts: Whether a screen is the one, asked once for each.
    /// - Returns: The screen, nil where none is accepted.
    /// - Complexity: O(*n*) in the number of screens visited.
    public func first(
        from start: ScreenID,
        _ scope: SearchScope = .fullStack,
        topDown isTopDown: Bool = false,
        holding accepts: (Screen) -> Bool
    ) -> ScreenID? {
        // Not generic, so that those who call it need no copy of the search for their types.
        var search = ScreenSearch(tree: self, scope, isTopDown: isTopDown)
        return search.visit(start, scope, under: search.enterOuter(of: start), accepts)
    }
}

/// The way of one search through a tree.
///
/// What is presented covers a container and all that stands in it, so each of these screens leads
/// to the same modal; nothing else can be met twice. Hence the search notes which modals it has
/// visited, beside them where they are held, and no sets of screens grow with the tree. Only
/// where modals are met with different scopes it has to.
private struct ScreenSearch<Tree: ScreenLookup> {
    private let tree: Tree
    private let isTopDown: Bool
    private var covers: [Cover] = []

    /// Whether screens can be met again with another scope, so that the sets are needed.
    private let returns: Bool
    private var tested: Set<ScreenID> = []
    private var visited: Set<Visit> = []

    /// A modal that was met.
    private struct Cover {
        let modal: ScreenID
        /// What covers the container in which the modal stands, if it is contextual.
        let outer: Int?
        var isVisited = false
    }

    /// A screen is visited again only for what was not looked at before.
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

    /// Visits a screen and where the scope leads from it.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - scope: Where to go.
    ///   - outer: The position of what covers the screen's container.
    ///   - accepts: Whether a screen is the one.
    /// - Returns: The screen that was accepted, if one was.
    /// - Throws: What the closure throws.
    mutating func visit<Failure: Error>(
        _ id: ScreenID,
        _ scope: SearchScope,
        under outer: Int?,
        _ accepts: (Screen) throws(Failure) -> Bool
    ) throws(Failure) -> ScreenID? {
        if returns, !visited.insert(Visit(id: id, scope: scope.rawValue)).inserted { return nil }
        guard let screen = tree.screen(id) else { return nil }
        if scope.contains(.current), !returns || tested.insert(id).inserted, try accepts(screen) {
            return id
        }
        if scope.contains(.parent), let parent = screen.parent,
            let found = try visit(parent, [.current, .parent], under: nil, accepts)
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
            if let found = try visit(modal, inner, under: outer, accepts) { return found }
        }
        if scope.contains(.presenting) {
            var root = id
            while let parent = tree[links: root].parent { root = parent }
            // Also below a modal that covers only a place inside a container.
            if let presenter = tree[links: root].presenter {
                return try visit(presenter, scope.subtracting(.presented), under: nil, accepts)
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
            if let found = try visit(child, inner, under: cover, accepts) { return found }
        }
        guard scope.contains(.contained), visible.count < screen.childList.count else { return nil }
        for position in screen.childList.indices {
            let index = isTopDown ? screen.childList.count - 1 - position : position
            if visible.indices.contains(index) { continue }
            let child = screen.childList[index]
            if let found = try visit(child, inner, under: cover, accepts) { return found }
        }
        return nil
    }

    // MARK: Covers

    /// The position of what covers a screen: the modal that it holds, or what covers its
    /// container.
    private mutating func enterCover(of screen: Screen, under outer: Int?) -> Int? {
        guard let modal = screen.modal else { return outer }
        let isContextual = tree[links: modal].isContextual
        covers.append(Cover(modal: modal, outer: isContextual ? outer : nil))
        return covers.count - 1
    }

    /// The position of what covers the container around a screen.
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
