// SPDX-License-Identifier: MIT

/// The screens of one router: the windows with their screens, and detached screens, which are not
/// yet inserted or were removed.
///
/// The tree is a value, so a copy of it is a snapshot. Editing a tree that has no copies does not
/// copy its contents. While a *draft* is open, the tree records the previous state of each screen
/// that it changes. The draft can then be rolled back, and its difference computed, at a cost that
/// does not depend on the size of the tree.
///
/// Every editing function either keeps the rules of the tree, or throws an error and changes
/// nothing. A screen of another router always causes an error.
///
/// ```swift
/// let before = router.tree
/// router.navigate(Target("Page", "show"), info: ["id": 7])
/// let root = before.windows[0].root
/// print(before[root].children.count, router.tree[root].children.count)  // 1 2
/// ```
public struct ScreenTree: PositionLookup, Sendable {
    @usableFromInline var storage = Storage()

    /// The contents of a tree, which copies of the tree share until one of them changes.
    ///
    /// The slots of screens are grouped in pages, and pages in books. A change to one of two copies
    /// copies only the pages and books that contain the changed slots.
    ///
    /// Reading a slot is inlinable, because the functions that walk a tree are inlinable.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        /// The number that identifies the tree and all of its copies.
        let number: Int32
        // These properties change only while the storage has one owner, so accesses never overlap.
        @usableFromInline @exclusivity(unchecked) var windows: [RouterWindow] = []
        @usableFromInline @exclusivity(unchecked) var books:
            ContiguousArray<ContiguousArray<ContiguousArray<Slot>>> = []
        /// The number of slots.
        @usableFromInline @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var freeCount = 0
        /// The slot that was freed last.
        ///
        /// Each free slot links to the slot that was freed before it.
        @exclusivity(unchecked) var lastFree: Int32 = -1
        /// The total size of all fields, in bytes.
        @exclusivity(unchecked) var fieldBytes = 0
        @exclusivity(unchecked) var lastSerial: Int32 = 0
        @exclusivity(unchecked) var openDraft: Draft?

        init() { number = ScreenTree.nextNumber() }

        init(copying other: Storage) {
            number = other.number
            windows = other.windows
            books = other.books
            count = other.count
            freeCount = other.freeCount
            lastFree = other.lastFree
            fieldBytes = other.fieldBytes
            lastSerial = other.lastSerial
            openDraft = other.openDraft
        }

        /// The binary logarithm of the number of slots in a page, and of pages in a book.
        @inlinable static var bits: Int { 5 }
        @inlinable static var mask: Int { 1 << bits - 1 }

        /// The content of a slot.
        @inlinable @inline(__always)
        subscript(slot: Int32) -> Slot {
            let page = Int(slot) >> Self.bits
            return books[page >> Self.bits][page & Self.mask][Int(slot) & Self.mask]
        }

        /// Changes the content of a slot in place.
        @inline(__always)
        func change(_ slot: Int32, _ body: (inout Slot) -> Void) {
            let page = Int(slot) >> Self.bits
            body(&books[page >> Self.bits][page & Self.mask][Int(slot) & Self.mask])
        }

        func append(_ slot: Slot) {
            let page = count >> Self.bits
            if page >> Self.bits == books.count { books.append([]) }
            if page & Self.mask == books[page >> Self.bits].count {
                books[page >> Self.bits].append([])
            }
            books[page >> Self.bits][page & Self.mask].append(slot)
            count += 1
        }

        /// Records a screen in the journal of the draft, unless it is already recorded.
        func enter(_ id: ScreenID) {
            guard openDraft?.isSealed == false, let count = openDraft?.journal.count else { return }
            // The entry index may come from an earlier draft, so the recorded screen is compared.
            let index = Int(self[id.slot].entry)
            if index < count, openDraft?.journal[index].id == id { return }
            openDraft?.journal.append(Draft.Entry(id: id, before: self[id.slot].screen))
            change(id.slot) { $0.entry = Int32(count) }
        }

        func edit(_ id: ScreenID, _ edit: (inout Screen) -> Void) {
            enter(id)
            change(id.slot) { slot in
                guard var screen = slot.screen.take() else {
                    preconditionFailure("screen \(id.serial) is not in this tree")
                }
                let bytes = screen.fields.byteCount
                edit(&screen)
                fieldBytes += screen.fields.byteCount - bytes
                slot.screen = screen
            }
        }

        func setGone(_ screens: [ScreenID], _ isGone: Bool) {
            for id in screens { change(id.slot) { $0.screen?.links.isGone = isGone } }
        }
    }

    @usableFromInline
    struct Slot: Sendable {
        /// The screen; nil in a free slot.
        @usableFromInline var screen: Screen?
        /// The index of the screen at the time when it was added to its container.
        ///
        /// Later edits of the preceding children may have moved the screen.
        ///
        /// In a free slot, this is the index of the slot that was freed before it.
        var position: Int32 = 0
        /// The index of the screen's entry in the journal of the open draft, if the journal
        /// contains one.
        var entry: Int32 = 0
    }

    /// The windows, in the order in which they were opened, except that `main` is always first.
    @inlinable
    public var windows: [RouterWindow] { storage.windows }

    /// The number that identifies the tree and all of its copies.
    var number: Int32 { storage.number }

    /// Creates a tree without windows.
    public init() {}

    /// Returns the screen with the given ID, even if it is detached or removed; nil if the screen
    /// was released or belongs to another router.
    public func screen(_ id: ScreenID) -> Screen? {
        holds(id) ? storage[id.slot].screen : nil
    }

    /// Returns the current class and fields of a leaf; nil if there is no such screen, or if the
    /// screen is not a leaf.
    package func leafContent(_ id: ScreenID) -> Screen.Content? {
        guard id.slot < storage.count, let screen = storage[id.slot].screen, screen.links.id == id,
            screen.links.kind == .leaf
        else { return nil }
        return screen.content
    }

    /// Whether the tree has a screen with the given ID.
    private func holds(_ id: ScreenID) -> Bool {
        id.slot < storage.count && storage[id.slot].screen?.links.id == id
    }

    /// Returns the class name of a screen; nil if ``screen(_:)`` returns nil for the ID.
    ///
    /// Like ``children(of:)``, this is faster than copying the screen.
    public func `class`(of id: ScreenID) -> String? {
        holds(id) ? storage[id.slot].screen?.class : nil
    }

    /// Returns the children of a screen in order; nil if ``screen(_:)`` returns nil for the ID.
    ///
    /// - Complexity: O(1) for up to 32 children, otherwise O(*n*).
    public func children(of id: ScreenID) -> [ScreenID]? { childList(of: id)?.array }

    /// Returns the last child that satisfies a condition; nil if there is none, or if the screen
    /// was released.
    package func lastChild(of id: ScreenID, where accepts: (ScreenID) -> Bool) -> ScreenID? {
        childList(of: id)?.last(where: accepts)
    }

    /// Returns the children of a screen in their stored form.
    private func childList(of id: ScreenID) -> ChunkedArray<ScreenID>? {
        holds(id) ? storage[id.slot].screen?.childList : nil
    }

    /// Returns the fields of a screen; nil if ``screen(_:)`` returns nil for the ID.
    func fields(of id: ScreenID) -> Fields? {
        holds(id) ? storage[id.slot].screen?.fields : nil
    }

    /// Returns the links of a screen; nil if ``screen(_:)`` returns nil for the ID.
    @inlinable
    public func links(of id: ScreenID) -> ScreenLinks? {
        guard id.slot < storage.count, let links = storage[id.slot].screen?.links, links.id == id
        else { return nil }
        return links
    }

    /// Whether a screen was removed from the tree, or never belonged to it.
    public func isGone(_ id: ScreenID) -> Bool {
        links(of: id)?.isGone ?? true
    }

    /// The number of screens in memory, including detached and removed screens.
    public var heldCount: Int { storage.count - storage.freeCount }

    /// The approximate number of bytes of all screens in memory.
    package var heldBytes: Int { storage.fieldBytes + heldCount * Self.screenBytes }

    /// The approximate size of a screen without its fields, in bytes.
    private static let screenBytes = 256

    /// The screens in memory, including detached and removed screens.
    var heldScreens: some Sequence<Screen> {
        storage.books.lazy.joined().joined().compactMap(\.screen)
    }

    /// The serial of the screen that was created last.
    ///
    /// The next screen gets the following number.
    package var lastSerial: Int32 {
        get { storage.lastSerial }
        set { own().lastSerial = newValue }
    }

    // MARK: Storage

    /// Makes the storage unique, so that it can be changed, and returns it.
    ///
    /// Do not call this function again while the result is in use, because that would copy the
    /// storage.
    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        return storage
    }

    mutating func insert(_ screenClass: ScreenClass, fields: Fields) -> ScreenID {
        let storage = own()
        storage.lastSerial += 1
        let slot: Int32
        if storage.lastFree >= 0 {
            slot = storage.lastFree
            storage.lastFree = storage[slot].position
            storage.freeCount -= 1
        } else {
            slot = Int32(storage.count)
            storage.append(Slot())
        }
        let id = ScreenID(serial: storage.lastSerial, slot: slot, tree: storage.number)
        storage.enter(id)
        storage.change(slot) { $0.screen = Screen(id, screenClass, fields: fields) }
        storage.fieldBytes += fields.byteCount
        return id
    }

    /// Records a screen in the draft, then changes it.
    mutating func edit(_ id: ScreenID, _ change: (inout Screen) -> Void) {
        own().edit(id, change)
    }

    /// Stores the indices of adjacent children that were put into a container.
    mutating func notePositions(of children: some Collection<ScreenID>, from position: Int) {
        let storage = own()
        for (offset, child) in children.enumerated() {
            storage.change(child.slot) { $0.position = Int32(position + offset) }
        }
    }

    func notedPosition(of id: ScreenID) -> Int { Int(storage[id.slot].position) }

    mutating func setWindows(_ windows: [RouterWindow]) {
        let storage = own()
        if storage.openDraft != nil, storage.openDraft?.windows == nil {
            storage.openDraft?.windows = storage.windows
        }
        storage.windows = windows
    }

    // MARK: Drafts

    struct Draft: Sendable {
        /// A screen that the draft changed or created.
        struct Entry: Sendable {
            let id: ScreenID
            /// The screen before the draft; nil if the draft created the screen.
            let before: Screen?
            /// The fields of the screen when the draft was sealed.
            var sealed = Fields()
        }

        /// The screens that the draft changed or created, each once.
        var journal: [Entry] = []
        /// The windows before the draft, if they changed.
        var windows: [RouterWindow]?
        /// Whether the journal is complete.
        var isSealed = false
        /// The screens that the draft removed; empty until the draft is sealed.
        var removed: [ScreenID] = []

        var isEmpty: Bool { journal.isEmpty && windows == nil }
    }

    /// Whether a draft is open.
    package var hasDraft: Bool { storage.openDraft != nil }

    /// Opens a draft.
    ///
    /// From now on, the tree records the previous state of everything that changes.
    ///
    /// - Precondition: No draft is open.
    package mutating func openNewDraft() {
        let storage = own()
        precondition(storage.openDraft == nil, "a draft is already open")
        storage.openDraft = Draft()
    }

    /// Seals the open draft, if there is one.
    ///
    /// A later rollback does not undo changes to fields, or the creation of screens, that happen
    /// after this call.
    ///
    /// The screens that the draft removed are gone, unless the draft is rolled back.
    ///
    /// - Parameter difference: The difference that the draft makes to the tree.
    package mutating func sealDraft(_ difference: Difference) {
        guard hasDraft else { return }
        let storage = own()
        storage.openDraft?.isSealed = true
        storage.openDraft?.removed = difference.removed
        for index in storage.openDraft?.journal.indices ?? 0..<0 {
            guard let id = storage.openDraft?.journal[index].id else { continue }
            storage.openDraft?.journal[index].sealed = self[id].fields
        }
        storage.setGone(difference.removed, true)
    }

    /// The screens that existed before the open draft and that the draft changed.
    package var draftedScreens: [ScreenID] {
        storage.openDraft?.journal.compactMap { $0.before?.id } ?? []
    }

    /// Rolls back the open draft.
    ///
    /// The tree is restored, and the screens that the draft created are gone.
    ///
    /// - Returns: The screens that the draft created.
    @discardableResult
    package mutating func dropDraft() -> [ScreenID] {
        guard let draft = storage.openDraft else { return [] }
        let storage = own()
        storage.openDraft = nil
        storage.setGone(draft.removed, false)
        if let windows = draft.windows { storage.windows = windows }
        var made: [ScreenID] = []
        for entry in draft.journal {
            storage.edit(entry.id) { screen in
                guard let before = entry.before else {
                    // The entries of the children and modals of this screen restore their previous
                    // positions.
                    screen.removeLinks()
                    made.append(entry.id)
                    return
                }
                let fields = screen.fields
                screen = before
                if draft.isSealed {
                    screen.fields = fields.rebased(from: entry.sealed, onto: before.fields)
                }
            }
        }
        storage.setGone(made, true)
        return made
    }

    /// Returns the difference of the open draft so far; empty if no draft is open.
    ///
    /// - Complexity: O(*n* log *n*) in the number of screens that were changed, created or removed.
    package func draftDifference() -> Difference {
        guard let draft = storage.openDraft, !draft.isEmpty else { return Difference() }
        return Difference(
            from: TreeBefore(draft: draft, after: self),
            to: self,
            changed: draft.journal.lazy.map(\.id)
        )
    }

    /// Closes the open draft, if there is one.
    ///
    /// The changes of the draft become final, and the screens that the draft removed are gone.
    package mutating func closeDraft(_ difference: Difference) {
        guard hasDraft else { return }
        let storage = own()
        storage.openDraft = nil
        storage.setGone(difference.removed, true)
    }

    // MARK: Releasing screens

    /// Releases a detached or removed screen and all screens that are linked to it, unless one of
    /// these screens is referenced.
    ///
    /// Does nothing for a screen in a window.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - isHeld: A closure that returns whether a screen is still referenced, for example by a
    ///     script.
    package mutating func release(_ id: ScreenID, unless isHeld: (ScreenID) -> Bool) {
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
            storage.change(member.slot) { slot in
                slot.screen = nil
                slot.position = storage.lastFree
            }
            storage.lastFree = member.slot
            storage.freeCount += 1
        }
    }
}
