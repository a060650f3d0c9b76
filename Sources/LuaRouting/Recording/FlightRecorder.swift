// SPDX-License-Identifier: MIT

/// The recorder of the latest events of a router.
///
/// Recording must be cheap, because most recordings are never read. Therefore, a record is a reused
/// slot of plain numbers, and most records need nothing else: a route is stored as a number that
/// identifies its name, and operations are packed. Values are stored unchanged; the fields of
/// events are created only when the recording is written.
final class FlightRecorder {
    /// The fixed-size part of a record.
    struct Slot {
        /// The form of a record.
        enum Form: UInt8 {
            /// An empty slot: the record was undone or dropped, or the slot has not been used yet.
            case none
            /// An event without fields.
            case plain
            /// An event whose fields are stored in its details.
            case fields
            /// A navigation to a route.
            ///
            /// ``value`` identifies the name of the route.
            case route
            /// A navigation by a verb without arguments.
            ///
            /// ``value`` identifies the verb.
            case verb
            /// A commit.
            ///
            /// ``value`` contains the packed operations, and ``revision`` contains the revision.
            case commit
            /// A change of the screen that a window shows.
            ///
            /// The new screen is stored in the details of the record.
            case shown
        }

        /// The position of the record among all records since the router was created.
        ///
        /// A rewind does not reset this number.
        var number = 0
        /// The sequence number of the event.
        var sequence = 0
        var time = 0.0
        var value: UInt64 = 0
        var revision: Int64 = 0
        /// The numbers of the navigation and of its parent navigation; 0 for none.
        var navigation: Int32 = 0
        var parent: Int32 = 0
        var generation: Int32 = 0
        var kind = Event.Kind.log
        var form = Form.none
        var origin = Origin.host
        /// Whether the app caused the event while the router was in the middle of a call.
        var isNested = false
        /// Whether the record has ``Details``.
        var hasDetails = false
    }

    /// The part of a record that needs separate memory.
    struct Details {
        var fields: [(name: String, value: Value)] = []
        /// The parameters of a navigation.
        var info = InfoTable()
        /// The screen that a window shows.
        var screen: Screen.Content?
        var window = ""
        var location: RouteError.Location?
        /// The approximate size of the details, in bytes.
        var bytes = 0
    }

    /// The state of a router from which later events can be reproduced.
    struct Start {
        /// The position of the first record after the start.
        let number: Int
        /// The position of the last record before the start.
        let last: Int
        /// The sequence number of the last event before the start.
        let sequence: Int
        let generation: Int
        /// The screens; nil if they are too large.
        let tree: ScreenTree?
        /// The shared state; nil if it is too large.
        let state: InfoTable?
        let gates: Set<String>
        /// The number of navigations, tasks, calls, queued deep links and timers that were pending.
        let pending: Int
    }

    /// The maximum number of records.
    static let limit = 500
    /// The maximum number of names of routes.
    static let targetLimit = limit * 2
    /// The maximum size of all details together, in bytes.
    static let byteLimit = 1 << 20
    /// The maximum size, in bytes, of a navigation's parameters that are stored without truncation.
    static let valueLimit = 4 * 1024
    /// The maximum size, in bytes, of a screen's fields in a record of the form
    /// ``Slot/Form/shown``.
    static let fieldLimit = 1024
    /// The maximum size of the tree and of the shared state in a ``Start``, each in bytes.
    static let startLimit = 1 << 18
    /// The maximum number of names in ``privateNames``.
    static let nameLimit = 10_000
    /// The number of records after which a new start is added, depending on whether the router has
    /// pending work.
    private static let distances = (resting: limit / 5, pending: limit * 2 / 5)

    // Accesses cannot overlap, since each one is a read or an edit that calls no other code.

    /// The slots.
    ///
    /// Once there are ``limit`` slots, they are used as a ring buffer.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var capacity = 0
    /// The index of the slot for the next record.
    @exclusivity(unchecked) private var end = 0
    /// The details of the slots, by index.
    ///
    /// Slots beyond the end of the array have no details.
    @exclusivity(unchecked) private var details: ContiguousArray<Details> = []
    /// The size of all details, in bytes.
    @exclusivity(unchecked) private var bytes = 0
    /// The position of the next record among all records since the router was created.
    @exclusivity(unchecked) private(set) var next = 0
    /// The value of ``last`` if there are no records.
    @exclusivity(unchecked) private var base = -1
    /// The value of ``next`` at which a new start must be added.
    @exclusivity(unchecked) private var nextStart = distances.resting
    /// The starts after which all records are still stored, the oldest first.
    @exclusivity(unchecked) private var starts: [Start] = []
    /// Whether the recording contains all records of the session.
    @exclusivity(unchecked) private(set) var isComplete = true
    /// The names of values that retired scripts declared private.
    @exclusivity(unchecked) private(set) var privateNames: Set<String> = []
    /// The names of routes, by number.
    @exclusivity(unchecked) private(set) var targets: [Target] = []
    @exclusivity(unchecked) private var numbers: [Target: UInt64] = [:]
    /// The numbers of recently used names, by a short hash of the name.
    @exclusivity(unchecked) private var recent: ContiguousArray<UInt64> = []

    /// The memory that contains ``slots`` if a crash handler may read them; nil otherwise.
    @exclusivity(unchecked) private var crashMemory: CrashMemory?

    init() { slots = .allocate(capacity: 0) }

    deinit { if crashMemory == nil { slots.deallocate() } }

    /// The records, the oldest first.
    var records: [(slot: Slot, details: Details)] {
        (Array(end..<max(end, capacity)) + Array(0..<end)).compactMap { place in
            let slot = slots[place]
            if slot.form == .none { return nil }
            return (slot, slot.hasDetails ? details[place] : Details())
        }
    }

    /// The position of the oldest record among all records since the router was created.
    private var first: Int {
        for offset in 0..<capacity {
            let place = end + offset < capacity ? end + offset : end + offset - capacity
            if slots[place].form != .none { return slots[place].number }
        }
        return next
    }

    /// The position of the last record among all records since the router was created.
    ///
    /// The position identifies the state after this record.
    var last: Int {
        let place = (end == 0 ? capacity : end) - 1
        return place < 0 || slots[place].form == .none ? base : slots[place].number
    }

    /// The start from which the stored records can be reproduced; nil if the recording is complete,
    /// or if no start is stored.
    var start: Start? {
        let first = first
        return isComplete ? nil : starts.first { $0.number >= first }
    }

    // MARK: Recording

    /// Adds a record.
    ///
    /// - Returns: The index of the record. Use the index to add details to the record.
    @inline(__always)
    @discardableResult
    func append(_ record: Slot) -> Int {
        if end == capacity { makeRoom() }
        let place = end
        if slots[place].hasDetails { dropDetails(place) }
        slots[place] = record
        slots[place].number = next
        end = place + 1
        next += 1
        return place
    }

    @inline(never)
    private func makeRoom() {
        guard capacity < Self.limit else {
            end = 0
            isComplete = false
            return
        }
        grow(to: min(Self.limit, max(16, capacity * 2)))
    }

    /// Returns the memory that a crash handler reads.
    ///
    /// After this call, the slots do not move.
    func crashMemory(verbs: [String]) -> CrashMemory {
        if let crashMemory { return crashMemory }
        if capacity < Self.limit { grow(to: Self.limit) }
        let memory = CrashMemory(
            slots: slots,
            capacity: capacity,
            targetLimit: Self.targetLimit,
            verbs: verbs
        )
        for (number, target) in targets.enumerated() { memory.setTarget(UInt64(number), target) }
        crashMemory = memory
        return memory
    }

    private func grow(to larger: Int) {
        let copy = UnsafeMutablePointer<Slot>.allocate(capacity: larger)
        copy.moveInitialize(from: slots, count: capacity)
        (copy + capacity).initialize(repeating: Slot(), count: larger - capacity)
        slots.deallocate()
        (slots, capacity) = (copy, larger)
    }

    @inline(never)
    private func dropDetails(_ place: Int) {
        bytes -= details[place].bytes
        details[place] = Details()
        slots[place].hasDetails = false
    }

    /// Sets the details of the record that was just added, at the given index.
    @inline(__always)
    func setDetails(_ place: Int, bytes size: Int, _ set: (inout Details) -> Void) {
        if place >= details.count { makeDetails() }
        set(&details[place])
        slots[place].hasDetails = true
        details[place].bytes += size
        bytes += size
        if bytes > Self.byteLimit { dropUntilSmall() }
    }

    @inline(never)
    private func makeDetails() {
        details += repeatElement(Details(), count: capacity - details.count)
    }

    @inline(never)
    private func dropUntilSmall() {
        for place in Array(end..<max(end, capacity)) + Array(0..<end) where bytes > Self.byteLimit {
            if slots[place].form == .none { continue }
            drop(place)
            isComplete = false
        }
    }

    private func drop(_ place: Int) {
        if slots[place].hasDetails { dropDetails(place) }
        slots[place].form = .none
    }

    // MARK: Names of routes

    /// Returns the number that identifies a route in the slots; nil if the name of the route is
    /// too long.
    @inline(__always)
    func number(of target: Target) -> UInt64? {
        let place = target.shortHash & 63
        if place < recent.count {
            let number = recent[place]
            if number < targets.count, targets[Int(number)] == target { return number }
        }
        return learn(target, place)
    }

    @inline(never)
    private func learn(_ target: Target, _ place: Int) -> UInt64? {
        if recent.isEmpty { recent = ContiguousArray(repeating: .max, count: 64) }
        if let number = numbers[target] {
            recent[place] = number
            return number
        }
        let isShort = target.service.utf8.count + target.task.utf8.count <= Event.stringLimit
        guard isShort else { return nil }
        if targets.count >= Self.targetLimit { forgetTargets() }
        let number = UInt64(targets.count)
        targets.append(target)
        crashMemory?.setTarget(number, target)
        numbers[target] = number
        recent[place] = number
        return number
    }

    /// Removes the names that no record uses.
    private func forgetTargets() {
        let known = targets
        (targets, numbers) = ([], [:])
        recent = ContiguousArray(repeating: .max, count: 64)
        for place in 0..<capacity where slots[place].form == .route {
            let target = known[Int(slots[place].value)]
            if numbers[target] == nil {
                numbers[target] = UInt64(targets.count)
                crashMemory?.setTarget(UInt64(targets.count), target)
                targets.append(target)
            }
            slots[place].value = numbers[target] ?? 0
        }
    }

    // MARK: Starts

    /// Whether a start should be added before the next record, if no work is pending.
    @inline(__always)
    var wantsStart: Bool { next >= nextStart }

    /// Whether a start must be added before the next record, even if work is pending.
    var wantsAnyStart: Bool { next >= nextStart + Self.distances.pending - Self.distances.resting }

    /// Adds a start before the next record.
    func append(_ start: Start) {
        let first = first
        starts.removeAll { $0.number < first }
        starts.append(start)
        nextStart = next + Self.distances.resting
    }

    // MARK: Rewinding and reloading

    /// Removes the records of the events that a rewind undoes.
    ///
    /// If the records before the checkpoint do not lead to the checkpoint, because an earlier
    /// rewind removed them or because they are too old, all records are removed.
    ///
    /// - Parameter checkpoint: The value of ``last`` at the checkpoint.
    func rewind(to checkpoint: Int) {
        while last > checkpoint, last != base {
            let place = (end == 0 ? capacity : end) - 1
            drop(place)
            end = place
        }
        guard last == checkpoint else { return dropAll() }
        starts.removeAll { $0.last > checkpoint }
        nextStart = (starts.last?.number ?? 0) + Self.distances.resting
        if checkpoint == -1 { isComplete = true }
    }

    private func dropAll() {
        for place in 0..<capacity { drop(place) }
        isComplete = false
        starts = []
        base = next
        next += 1
        nextStart = next
    }

    /// Remembers the private names of a released generation, so that their values stay hidden.
    func retire(_ names: Set<String>) {
        privateNames.formUnion(names)
        guard privateNames.count > Self.nameLimit else { return }
        // Without records, there are no values to hide.
        dropAll()
        privateNames = []
    }
}
