// SPDX-License-Identifier: MIT

/// The screens of one router: its windows, what stands in them, and screens that were made
/// and do not stand anywhere yet or any more.
///
/// The tree is a value: a copy of it is a snapshot. Editing a tree that nobody else holds
/// copies nothing. While a *draft* is open the tree remembers the screens it changes as they
/// were, so the draft can be dropped, and its difference told, at a cost that does not grow
/// with the tree.
///
/// Every editing function keeps the rules of the tree or throws `composition` (or
/// `typeMismatch`), and then has changed nothing. So it is with a screen of another router,
/// whatever is done with it.
public struct ScreenTree: ScreenLookup, Sendable {
    private struct Slot: Sendable {
        var screen: Screen?
        var state: State = .detached
        /// The draft that last remembered this slot.
        var draft: UInt32 = 0
    }

    private enum State: UInt8 {
        /// Was in a tree, or never was; can be inserted.
        case detached
        /// Was removed from a tree, and cannot come back.
        case gone
    }

    /// The windows, in the order in which they were opened.
    public private(set) var windows: [Window] = []

    private var slots: ContiguousArray<Slot> = []
    private var freeSlots: [Int32] = []
    private var lastSerial: Int32 = 0

    private var openDraft: Draft?
    private var lastDraft: UInt32 = 0

    /// Tells this tree and its copies from those of other routers.
    let number = Self.nextNumber()

    /// Creates a tree without windows.
    public init() {}

    /// The screen of an identity, detached and gone ones included; nil where it was released, or
    /// where it is one of another router.
    @inline(__always)
    public func screen(_ id: ScreenID) -> Screen? {
        guard Int(id.slot) < slots.count, let screen = slots[Int(id.slot)].screen,
            screen.id.serial == id.serial, id.tree == number
        else { return nil }
        return screen
    }

    /// Whether a screen was removed from the tree, or never was one of it.
    public func isGone(_ id: ScreenID) -> Bool {
        screen(id) == nil || slots[Int(id.slot)].state == .gone
    }

    /// The number of screens held, detached and gone ones included.
    public var heldCount: Int { slots.count - freeSlots.count }

    /// The screens held, detached and gone ones included.
    var heldScreens: some Sequence<Screen> { slots.lazy.compactMap(\.screen) }

    // MARK: Storage

    mutating func insert(_ screenClass: ScreenClass, fields: Fields) -> ScreenID {
        lastSerial += 1
        let slot = freeSlots.popLast() ?? Int32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot()) }
        let id = ScreenID(serial: lastSerial, slot: slot, tree: number)
        slots[Int(slot)] = Slot(screen: Screen(id, screenClass, fields: fields))
        if openDraft?.isSealed == false {
            openDraft?.made.append(id)
            // What a draft made goes with it: there is nothing to remember.
            slots[Int(slot)].draft = lastDraft
        }
        return id
    }

    /// Changes one screen, after the draft has remembered it.
    mutating func edit(_ id: ScreenID, _ change: (inout Screen) -> Void) {
        remember(id)
        guard var screen = slots[Int(id.slot)].screen.take() else {
            preconditionFailure("screen \(id.serial) is not held by this tree")
        }
        change(&screen)
        slots[Int(id.slot)].screen = screen
    }

    mutating func setWindows(_ windows: [Window]) {
        if openDraft != nil, openDraft?.windows == nil { openDraft?.windows = self.windows }
        self.windows = windows
    }

    private mutating func remember(_ id: ScreenID) {
        guard openDraft?.isSealed == false, slots[Int(id.slot)].draft != lastDraft else { return }
        slots[Int(id.slot)].draft = lastDraft
        guard let screen = slots[Int(id.slot)].screen else { return }
        openDraft?.before.append(screen)
    }

    // MARK: Drafts

    struct Draft: Sendable {
        /// The screens that were changed, as they were.
        var before: [Screen] = []
        /// The screens that were made.
        var made: [ScreenID] = []
        /// The windows as they were, where they changed.
        var windows: [Window]?
        /// Whether it remembers no more.
        var isSealed = false

        var isEmpty: Bool { before.isEmpty && made.isEmpty && windows == nil }
    }

    /// Whether a draft is open.
    public var hasDraft: Bool { openDraft != nil }

    /// Opens a draft: from now on the tree remembers what it changes.
    ///
    /// - Precondition: No draft is open.
    public mutating func openNewDraft() {
        precondition(openDraft == nil, "a draft is open")
        lastDraft &+= 1
        openDraft = Draft()
    }

    /// Seals the open draft: what is changed and made from now on is no part of it, and
    /// stays when it is dropped.
    public mutating func sealDraft() { openDraft?.isSealed = true }

    /// Drops the open draft: the tree is as it was, and the screens that the draft made are
    /// gone.
    ///
    /// - Returns: The screens that the draft made.
    @discardableResult
    public mutating func dropDraft() -> [ScreenID] {
        guard let draft = openDraft else { return [] }
        openDraft = nil
        for screen in draft.before { slots[Int(screen.id.slot)].screen = screen }
        if let windows = draft.windows { self.windows = windows }
        for id in draft.made {
            // What stood in them stands where it stood before.
            edit(id) {
                $0.children = []
                $0.selection = 0
                $0.parent = nil
                $0.presenter = nil
                $0.modal = nil
            }
            slots[Int(id.slot)].state = .gone
        }
        return draft.made
    }

    /// The difference that the open draft makes so far; an empty one where none is open.
    ///
    /// - Complexity: O(*n* log *n*) in the number of screens changed, made and removed.
    public func draftDifference() -> Difference {
        guard let draft = openDraft, !draft.isEmpty else { return Difference() }
        let before = TreeBefore(draft: draft, after: self)
        var changed = draft.before.map(\.id)
        changed.append(contentsOf: draft.made)
        return Difference(from: before, to: self, changed: changed)
    }

    /// Closes the open draft: the tree stays as it is, and what it lost is gone for good.
    public mutating func closeDraft(_ difference: Difference) {
        openDraft = nil
        for id in difference.removed { slots[Int(id.slot)].state = .gone }
    }

    // MARK: Release

    /// Forgets the detached or gone screens that hang together with one, if nobody holds any
    /// of them; does nothing for a screen of the tree.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - isHeld: Whether somebody, such as a script, holds a screen.
    public mutating func release(_ id: ScreenID, unless isHeld: (ScreenID) -> Bool) {
        guard openDraft == nil, screen(id) != nil, !isAlive(id) else { return }
        var root = id
        while let holder = self[root].parent ?? self[root].presenter, screen(holder) != nil {
            root = holder
        }
        var members: [ScreenID] = []
        var isFree = true
        visit(root) { screen in
            members.append(screen.id)
            if isHeld(screen.id) { isFree = false }
        }
        guard isFree else { return }
        for member in members {
            slots[Int(member.slot)].screen = nil
            freeSlots.append(member.slot)
        }
    }
}

/// The tree as it was when the open draft began.
struct TreeBefore: ScreenLookup {
    let windows: [Window]
    private let screens: [ScreenID: Screen]
    private let made: Set<ScreenID>
    private let after: ScreenTree

    init(draft: ScreenTree.Draft, after: ScreenTree) {
        windows = draft.windows ?? after.windows
        screens = Dictionary(
            draft.before.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        made = Set(draft.made)
        self.after = after
    }

    func screen(_ id: ScreenID) -> Screen? {
        if let screen = screens[id] { return screen }
        return made.contains(id) ? nil : after.screen(id)
    }
}
