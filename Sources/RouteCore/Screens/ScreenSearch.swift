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
        var search = ScreenSearch(tree: self, isTopDown: isTopDown)
        search.visit(start, scope)
        return search.found
    }
}

private struct ScreenSearch<Tree: ScreenLookup> {
    let tree: Tree
    let isTopDown: Bool
    var found: [ScreenID] = []
    private var tested: Set<ScreenID> = []
    private var visited: Set<Visit> = []

    /// A screen is visited again only for what was not looked at before.
    private struct Visit: Hashable {
        let id: ScreenID
        let scope: UInt8
    }

    init(tree: Tree, isTopDown: Bool) {
        self.tree = tree
        self.isTopDown = isTopDown
    }

    mutating func visit(_ id: ScreenID, _ scope: SearchScope) {
        guard visited.insert(Visit(id: id, scope: scope.rawValue)).inserted,
            let screen = tree.screen(id)
        else { return }
        if scope.contains(.current), tested.insert(id).inserted { found.append(id) }
        if scope.contains(.parent), let parent = screen.parent {
            visit(parent, [.current, .parent])
        }
        if scope.contains(.visible) || scope.contains(.contained) {
            var inner: SearchScope = scope.contains(.visible) ? [.visible] : [.contained]
            inner.insert(.current)
            inner.formUnion(scope.intersection(.presented))
            var children = Array(screen.visibleChildren)
            if scope.contains(.contained) {
                let rest = screen.children.filter { !children.contains($0) }
                children += isTopDown ? rest.reversed() : rest
            }
            for child in children { visit(child, inner) }
        }
        if scope.contains(.presented), let modal = tree.coveringModal(of: id) {
            visit(modal, scope.subtracting(.presenting))
        }
        if scope.contains(.presenting), let presenter = tree.levelPresenter(of: id) {
            visit(presenter, scope.subtracting(.presented))
        }
    }
}

extension ScreenLookup {
    /// The screen that presents the level in which a screen stands.
    fileprivate func levelPresenter(of id: ScreenID) -> ScreenID? {
        self[levelRoot(of: id)].presenter
    }
}
