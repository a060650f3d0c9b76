// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A Lua state with the libraries for scripts.
///
/// All calls into scripts are made through a state.
///
/// A state is confined to the thread that first uses it, and is not `Sendable`. Using the state on
/// another thread stops the program, unless ``detachFromThread()`` was called before. The state
/// closes when its last reference is released. This may happen on any thread, but not inside one of
/// the state's own callbacks.
public final class LuaState {
    let context: OpaquePointer
    let released = ReleasedHandles()
    /// A handle that stops the running scripts of this state, from any thread.
    public let canceller: LuaCanceller

    // Allocated separately, because a nested entry reads the budgets again, which an `inout` access
    // would not allow.
    let budget: UnsafeMutablePointer<LuaRouteBudget>
    let loadBudget: UnsafeMutablePointer<LuaRouteBudget>

    /// The closures that implement the object types.
    var types: [TypeBox] = []
    private let scratch: UnsafeMutablePointer<Scratch>
    /// The latest errors that callbacks threw.
    ///
    /// The errors are kept until the outermost entry has ended and no coroutine waits.
    let thrown = ThrownErrors()
    // The reader that entries without results return.
    let nothing = FlatReader(FlatBuffer())
    // An exclusivity check would cost more than the check of the thread, which compares two
    // numbers.
    @exclusivity(unchecked) private var confinement = ThreadConfinement()

    /// Opens a state.
    ///
    /// - Throws: An error of the kind `memory` if the configured limit is too small.
    public init(_ configuration: Configuration = Configuration()) throws(ScriptError) {
        canceller = LuaCanceller()
        var host = LuaRouteHost(
            owner: nil,
            call: callBox,
            retainBox: { _, box in
                guard let box else { return }
                _ = Unmanaged<FunctionBox>.fromOpaque(box).retain()
            },
            releaseBox: { _, box in
                guard let box else { return }
                Unmanaged<FunctionBox>.fromOpaque(box).release()
            },
            releaseObject: { owner, type, identifier in
                guard let owner else { return }
                let link = Unmanaged<OwnerLink>.fromOpaque(owner).takeUnretainedValue()
                link.state?.types[Int(type) - 1].released?(identifier)
            }
        )
        let link = OwnerLink()
        host.owner = Unmanaged.passUnretained(link).toOpaque()
        guard
            let context = luaroute_open(
                &host,
                canceller.flag,
                Int32(configuration.profile == .trusted ? LUAROUTE_TRUSTED : LUAROUTE_STRICT),
                LuaRouteBudget(configuration.loadBudget).bytes,
                configuration.randomSeed,
                configuration.refusal.request,
                configuration.refusal.isLasting ? 1 : 0
            )
        else {
            throw ScriptError(kind: .memory, message: "not enough memory to open a Lua state")
        }
        self.context = context
        self.link = link
        budget = .allocate(capacity: 1)
        budget.initialize(to: LuaRouteBudget(configuration.budget))
        loadBudget = .allocate(capacity: 1)
        loadBudget.initialize(to: LuaRouteBudget(configuration.loadBudget))
        scratch = .allocate(capacity: 1)
        scratch.initialize(to: Scratch())
        lineCoverage = configuration.lineCoverage
        link.state = self
        if let lineCoverage { luaroute_cover(context, lineCoverage.record) }
    }

    // Retained, because the state writes to this record.
    private let lineCoverage: LineCoverage?

    // The reference to the state that C code uses. The link is created before `self` exists.
    private let link: OwnerLink

    deinit {
        precondition(luaroute_depth(context) == 0, "a Lua state was closed by its own callback")
        for image in released.removeAll().images { luaroute_image_free(context, image.pointer) }
        let left = luaroute_close(context)
        assert(left == 0, "a closed Lua state has left objects behind")
        budget.deallocate()
        loadBudget.deallocate()
        scratch.deinitialize(count: 1)
        scratch.deallocate()
    }

    // MARK: Entering

    /// Checks the thread, and frees released handles, before the state is used.
    @inline(__always)
    func prepare() {
        confinement.check()
        if !released.isEmpty { freeReleased() }
    }

    /// Stops the program if the state must not be used on this thread.
    @inline(__always)
    package func checkThread() { confinement.check() }

    /// Hands the state over to the next thread that uses it.
    ///
    /// Use this function for a state that is created in one place and then sent to its actor. The
    /// previous owner must no longer use the state. No script of the state may be running.
    public func detachFromThread() {
        precondition(!isRunning, "a Lua state was handed over by its own callback")
        confinement.check()
        confinement.end()
    }

    /// Ends the confinement, so that the state can be closed on any thread.
    package func endConfinement() { confinement.end() }

    func freeReleased() {
        let handles = released.removeAll()
        for slot in handles.slots { luaroute_slot_free(context, slot) }
        for thread in handles.threads { luaroute_thread_free(context, thread) }
        for image in handles.images { luaroute_image_free(context, image.pointer) }
    }

    /// Releases the errors of callbacks after the outermost entry, unless a coroutine is waiting.
    func finish() {
        guard !thrown.isEmpty, luaroute_depth(context) == 0 else { return }
        // A waiting coroutine may have caught an error, and may raise the error again.
        if luaroute_live_threads(context) == 0 { thrown.removeAll() }
    }

    /// Sets the budget of calls, starting with the next outermost call.
    ///
    /// - Parameter new: The budget.
    public func setBudget(_ new: Budget) { budget.pointee = LuaRouteBudget(new) }

    /// Sets whether scripts are loading.
    ///
    /// While scripts are loading, garbage is collected earlier, to save memory.
    public func setLoading(_ isLoading: Bool) {
        prepare()
        luaroute_set_loading(context, isLoading ? 1 : 0)
    }

    // MARK: Scratch memory

    // Buffers that are reused by entries. They are stored behind a pointer, so that accesses need
    // no exclusivity checks.
    private struct Scratch {
        var ended: (any ScriptEnd)?
        var spare: FlatBuffer?
        /// A second buffer, for nested entries.
        var innerSpare: FlatBuffer?
        var read: FlatBuffer?

        /// Releases the functions in buffers that no reader uses any more.
        mutating func letGo() {
            spare?.clear()
            innerSpare?.clear()
            if isKnownUniquelyReferenced(&read) { read?.clear() }
        }
    }

    /// The error with which a callback ended the innermost entry; nil after ``failure(_:)`` has
    /// read the error.
    var ended: (any ScriptEnd)? {
        get { scratch.pointee.ended }
        set { scratch.pointee.ended = newValue }
    }

    func takeBuffer() -> FlatBuffer {
        guard let buffer = scratch.pointee.spare.take() ?? scratch.pointee.innerSpare.take()
        else { return FlatBuffer() }
        buffer.clear()
        return buffer
    }

    func giveBack(_ buffer: FlatBuffer) {
        if scratch.pointee.spare == nil {
            scratch.pointee.spare = buffer
        } else {
            // The next use may be much later, so the functions in the buffer are released now.
            buffer.clear()
            scratch.pointee.innerSpare = buffer
        }
    }

    /// Returns a buffer for a reader.
    ///
    /// The previous buffer is reused if its reader was released.
    func takeReadBuffer() -> FlatBuffer {
        if isKnownUniquelyReferenced(&scratch.pointee.read), let read = scratch.pointee.read {
            read.clear()
            return read
        }
        let buffer = FlatBuffer()
        scratch.pointee.read = buffer
        return buffer
    }

    /// The release of Lua that runs the scripts, such as `Lua 5.4.4`.
    public static var release: String { String(cString: luaroute_release()) }

    // MARK: Counting

    /// Whether a script is running.
    ///
    /// If so, an entry would be nested.
    public var isRunning: Bool { luaroute_depth(context) > 0 }

    /// Returns the kind of the limit that has ended an entry since this function was last called;
    /// nil if no limit has ended an entry.
    public func takeBreach() -> ScriptError.Kind? {
        let status = luaroute_take_breach(context)
        return status == LUAROUTE_OK ? nil : ScriptError.Kind(status: status)
    }

    /// The number of instructions that the last outermost entry has spent, in steps of about a
    /// thousand.
    public var instructionsSpent: Int64 { luaroute_spent(context) }

    /// The processor time that the last outermost entry took, in nanoseconds; 0 if the entry was
    /// too short to be measured.
    public var nanosecondsSpent: Int64 { luaroute_time_spent(context) }

    /// The size of the state's values and of the host's data for these values, in bytes.
    public var memoryUsed: Int { luaroute_used(context) }

    /// Counts bytes that the host keeps for scripts toward the memory of the state.
    ///
    /// Use a negative number for released bytes.
    public func countMemory(_ bytes: Int) {
        prepare()
        luaroute_count_bytes(context, Int64(bytes))
    }

    /// The number of Swift closures that the state retains.
    public var liveBoxes: Int { luaroute_live_boxes(context) }

    /// The number of host objects that the state keeps alive.
    public var liveObjects: Int { luaroute_live_objects(context) }

    /// The number of functions and environments of the state that Swift keeps alive.
    public var liveHandles: Int {
        prepare()
        return luaroute_live_slots(context)
    }

    /// The number of coroutines that are running or waiting.
    public var liveThreads: Int {
        prepare()
        return luaroute_live_threads(context)
    }

    /// Frees all unreachable values, including closures and host objects.
    ///
    /// The time is proportional to the number of all values of the state.
    public func collectGarbage() {
        scratch.pointee.letGo()
        prepare()
        luaroute_collect(context)
    }

    /// Returns memory that no value uses to the system.
    ///
    /// The time is proportional to the amount of unused memory.
    package func trimMemory() {
        prepare()
        luaroute_trim(context)
    }

    /// Collects garbage once more if the last collection has left the second of the collector's two
    /// marks on all objects.
    ///
    /// Checkpoints of states with the same mark share everything that no script has changed.
    package func collectToFirstMark() {
        prepare()
        luaroute_collect_to_first_mark(context)
    }

    /// Makes the given allocations fail, counted from this call.
    package func refuse(_ refusal: Refusal) {
        luaroute_refuse(context, refusal.request, refusal.isLasting ? 1 : 0)
    }

    /// Limits additional memory to the given number of bytes.
    package func limitMemory(to more: Int) {
        luaroute_limit(context, more)
    }

    /// The number of allocations since the last ``refuse(_:)``.
    package var requests: Int { luaroute_requests(context) }
}

/// The reference from C to a state.
private final class OwnerLink {
    unowned(unsafe) var state: LuaState?
}

extension LuaRouteBudget {
    init(_ budget: Budget) {
        self = luaroute_budget(
            max(0, budget.instructions),
            budget.nanoseconds,
            Int64(min(max(0, budget.bytes), .max / 4))
        )
        instructionsNote = Self.characters(of: budget.notes.instructions)
        timeNote = Self.characters(of: budget.notes.time)
        bytesNote = Self.characters(of: budget.notes.bytes)
    }

    private static func characters(of note: StaticString?) -> UnsafePointer<CChar>? {
        note.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) }
    }
}
