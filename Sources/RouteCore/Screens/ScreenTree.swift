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
    @usableFromInline var storage = Storage()

    /// What a tree holds: its copies share it until one changes.
    ///
    /// The slots of the screens lie in pages, so that a change to one of two copies makes another
    /// list of pages and a few other pages, not another tree.
    ///
    /// What walks a tree is inlined where it is used, so reading is too.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        /// Tells this tree and its copies from those of other routers.
        let number: Int32
        // All these change only while one tree has the storage, whose accesses are checked: no
        // two accesses meet.
        @usableFromInline @exclusivity(unchecked) var windows: [Window] = []
        @usableFromInline @exclusivity(unchecked) var pages:
            ContiguousArray<ContiguousArray<Slot>> = []
        @usableFromInline @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var freeSlots: [Int32] = []
        /// The number of bytes of all fields.
        @exclusivity(unchecked) var fieldBytes = 0
        @exclusivity(unchecked) var lastSerial: Int32 = 0
        @exclusivity(unchecked) var openDraft: Draft?
        @exclusivity(unchecked) var lastDraft: UInt32 = 0

        init() { number = ScreenTree.nextNumber() }

        init(copying other: Storage) {
            number = other.number
            windows = other.windows
            pages = other.pages
            count = other.count
            freeSlots = other.freeSlots
            fieldBytes = other.fieldBytes
            lastSerial = other.lastSerial
            openDraft = other.openDraft
            lastDraft = other.lastDraft
        }

        /// How many slots a page holds, as a power of two.
        @inlinable static var pageBits: Int { 5 }

        /// What a slot holds.
        @inlinable @inline(__always)
        subscript(slot: Int32) -> Slot {
            pages[Int(slot) >> Self.pageBits][Int(slot) & (1 << Self.pageBits - 1)]
        }

        /// Changes what a slot holds, in its place.
        @inline(__always)
        func change<Result>(_ slot: Int32, _ body: (inout Slot) -> Result) -> Result {
            body(&pages[Int(slot) >> Self.pageBits][Int(slot) & (1 << Self.pageBits - 1)])
        }

        /// Has the draft remember a screen that is about to change.
        private func remember(_ id: ScreenID) {
            guard openDraft?.isSealed == false, self[id.slot].draft != lastDraft else { return }
            let draft = lastDraft
            let screen = change(id.slot) { slot in
                slot.draft = draft
                return slot.screen
            }
            if let screen { openDraft?.before.append(screen) }
        }

        func edit(_ id: ScreenID, _ edit: (inout Screen) -> Void) {
            remember(id)
            change(id.slot) { slot in
                guard var screen = slot.screen.take() else {
                    preconditionFailure("screen \(id.serial) is not held by this tree")
                }
                let bytes = screen.fields.byteCount
                edit(&screen)
                fieldBytes += screen.fields.byteCount - bytes
                slot.screen = screen
            }
        }

        func append(_ slot: Slot) {
            if count >> Self.pageBits == pages.count { pages.append([]) }
            pages[pages.count - 1].append(slot)
            count += 1
        }
    }

    @usableFromInline
    struct Slot: Sendable {
        /// Nil in a slot that is free.
        @usableFromInline var screen: Screen?
        var state: State = .detached
        /// The draft that last remembered this slot.
        var draft: UInt32 = 0
    }

    @usableFromInline
    enum State: UInt8, Sendable {
        /// Was in a tree, or never was; can be inserted.
        case detached
        /// Was removed from a tree, and cannot come back.
        case gone
    }

    /// The windows, in the order in which they were opened.
    @inlinable
    public var windows: [Window] { storage.windows }

    /// Tells this tree and its copies from those of other routers.
    var number: Int32 { storage.number }

    /// Creates a tree without windows.
    public init() {}

    /// The screen of an identity, detached and gone ones included; nil where it was released, or
    /// where it is one of another router.
    public func screen(_ id: ScreenID) -> Screen? {
        holds(id) ? storage[id.slot].screen : nil
    }

    /// Whether there is what ``screen(_:)`` gives.
    private func holds(_ id: ScreenID) -> Bool {
        id.slot < storage.count && storage[id.slot].screen?.links.id == id
    }

    /// The name of the class of a screen, for each that ``screen(_:)`` gives.
    ///
    /// It takes less time than a copy of the screen, as does ``children(of:)``.
    public func `class`(of id: ScreenID) -> String? {
        holds(id) ? storage[id.slot].screen?.class : nil
    }

    /// The children of a screen, in order, for each that ``screen(_:)`` gives.
    public func children(of id: ScreenID) -> [ScreenID]? {
        holds(id) ? storage[id.slot].screen?.children : nil
    }

    /// The data of a screen, for each that ``screen(_:)`` gives.
    func fields(of id: ScreenID) -> Fields? {
        holds(id) ? storage[id.slot].screen?.fields : nil
    }

    /// What leads from a screen to others, for each that ``screen(_:)`` gives.
    @inlinable
    public func links(of id: ScreenID) -> ScreenLinks? {
        guard id.slot < storage.count, let links = storage[id.slot].screen?.links, links.id == id
        else { return nil }
        return links
    }

    /// Whether a screen was removed from the tree, or never was one of it.
    public func isGone(_ id: ScreenID) -> Bool {
        links(of: id) == nil || storage[id.slot].state == .gone
    }

    /// The number of screens held, detached and gone ones included.
    public var heldCount: Int { storage.count - storage.freeSlots.count }

    /// The number of bytes that the screens held take, roughly, detached and gone ones included.
    package var heldBytes: Int { storage.fieldBytes + heldCount * Self.screenBytes }

    /// The size of a screen without its fields, roughly, in bytes.
    private static let screenBytes = 256

    /// The screens held, detached and gone ones included.
    var heldScreens: some Sequence<Screen> { storage.pages.lazy.joined().compactMap(\.screen) }

    /// The serial of the screen that was made last: the next one has the number after it.
    package var lastSerial: Int32 {
        get { storage.lastSerial }
        set { own().lastSerial = newValue }
    }

    // MARK: Storage

    /// The storage, this tree's own from now on, so that it can change.
    ///
    /// Whoever holds it must not ask for it again: it would be a copy.
    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        return storage
    }

    mutating func insert(_ screenClass: ScreenClass, fields: Fields) -> ScreenID {
        let storage = own()
        storage.lastSerial += 1
        let slot = storage.freeSlots.popLast() ?? Int32(storage.count)
        if Int(slot) == storage.count { storage.append(Slot()) }
        let id = ScreenID(serial: storage.lastSerial, slot: slot, tree: storage.number)
        var content = Slot(screen: Screen(id, screenClass, fields: fields))
        if storage.openDraft?.isSealed == false {
            storage.openDraft?.made.append(id)
            // What a draft made goes with it: there is nothing to remember.
            content.draft = storage.lastDraft
        }
        storage.change(slot) { $0 = content }
        storage.fieldBytes += fields.byteCount
        return id
    }

    /// Changes one screen, after the draft has remembered it.
    mutating func edit(_ id: ScreenID, _ change: (inout Screen) -> Void) {
        own().edit(id, change)
    }

    mutating func setWindows(_ windows: [Window]) {
        let storage = own()
        if storage.openDraft != nil, storage.openDraft?.windows == nil {
            storage.openDraft?.windows = storage.windows
        }
        storage.windows = windows
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
        /// The fields of the screens in `before` when it was sealed.
        var sealed: [Fields] = []
        /// The screens that it lost, once it is sealed.
        var removed: [ScreenID] = []

        var isEmpty: Bool { before.isEmpty && made.isEmpty && windows == nil }
    }

    /// Whether a draft is open.
    public var hasDraft: Bool { storage.openDraft != nil }

    /// Opens a draft: from now on the tree remembers what it changes.
    ///
    /// - Precondition: No draft is open.
    public mutating func openNewDraft() {
        let storage = own()
        precondition(storage.openDraft == nil, "a draft is open")
        storage.lastDraft &+= 1
        storage.openDraft = Draft()
    }

    /// Seals the open draft, if one is open: what is set and made from now on stays when it is
    /// dropped.
    ///
    /// What the draft lost is gone, unless it is dropped.
    ///
    /// - Parameter difference: What the draft changed.
    public mutating func sealDraft(_ difference: Difference) {
        guard hasDraft else { return }
        let storage = own()
        let changed = storage.openDraft?.before ?? []
        storage.openDraft?.isSealed = true
        storage.openDraft?.sealed = changed.map { self[$0.id].fields }
        storage.openDraft?.removed = difference.removed
        for id in difference.removed { storage.change(id.slot) { $0.state = .gone } }
    }

    /// The screens that the open draft has changed.
    public var draftedScreens: [ScreenID] { storage.openDraft?.before.map(\.id) ?? [] }

    /// Drops the open draft: the tree is as it was, and the screens that the draft made are
    /// gone.
    ///
    /// - Returns: The screens that the draft made.
    @discardableResult
    public mutating func dropDraft() -> [ScreenID] {
        guard let draft = storage.openDraft else { return [] }
        let storage = own()
        storage.openDraft = nil
        for id in draft.removed { storage.change(id.slot) { $0.state = .detached } }
        for (index, before) in draft.before.enumerated() {
            var screen = before
            if draft.isSealed {
                screen.fields = self[before.id].fields
                    .rebased(from: draft.sealed[index], onto: before.fields)
            }
            storage.fieldBytes += screen.fields.byteCount - self[before.id].fields.byteCount
            storage.change(before.id.slot) { $0.screen = screen }
        }
        if let windows = draft.windows { storage.windows = windows }
        for id in draft.made {
            // What stood in them stands where it stood before.
            storage.edit(id) {
                $0.children = []
                $0.selection = 0
                $0.parent = nil
                $0.presenter = nil
                $0.modal = nil
            }
            storage.change(id.slot) { $0.state = .gone }
        }
        return draft.made
    }

    /// The difference that the open draft makes so far; an empty one where none is open.
    ///
    /// - Complexity: O(*n* log *n*) in the number of screens changed, made and removed.
    public func draftDifference() -> Difference {
        guard let draft = storage.openDraft, !draft.isEmpty else { return Difference() }
        let before = TreeBefore(draft: draft, after: self)
        var changed = draft.before.map(\.id)
        changed.append(contentsOf: draft.made)
        return Difference(from: before, to: self, changed: changed)
    }

    /// Closes the open draft, if one is open: the tree stays as it is, and what it lost is gone
    /// for good.
    public mutating func closeDraft(_ difference: Difference) {
        guard hasDraft else { return }
        let storage = own()
        storage.openDraft = nil
        for id in difference.removed { storage.change(id.slot) { $0.state = .gone } }
    }

    // MARK: Release

    /// Forgets the detached or gone screens that hang together with one, if nobody holds any
    /// of them; does nothing for a screen of the tree.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - isHeld: Whether somebody, such as a script, holds a screen.
    public mutating func release(_ id: ScreenID, unless isHeld: (ScreenID) -> Bool) {
        guard !hasDraft, links(of: id) != nil, !isAlive(id) else { return }
        var root = id
        while let holder = links(of: root)?.holder, links(of: holder) != nil { root = holder }
        var members: [ScreenID] = []
        var isFree = true
        visit(root) { screen in
            members.append(screen.id)
            if isHeld(screen.id) { isFree = false }
        }
        guard isFree else { return }
        let storage = own()
        for member in members {
            storage.fieldBytes -= storage[member.slot].screen?.fields.byteCount ?? 0
            storage.change(member.slot) { $0.screen = nil }
            storage.freeSlots.append(member.slot)
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

    func links(of id: ScreenID) -> ScreenLinks? {
        if let screen = screens[id] { return screen.links }
        return made.contains(id) ? nil : after.links(of: id)
    }
}
