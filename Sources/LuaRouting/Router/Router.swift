// SPDX-License-Identifier: MIT

public import LuaVM

/// Decides which screens an app shows: scripts declare the routes, and a host shows the screens.
///
/// A router is confined to the thread that created it, or to the thread to which
/// ``detachFromThread()`` handed it over; see <doc:Threads>. It starts no thread, task or timer of
/// its own; a navigation that waits for nothing has ended when
/// ``navigate(_:info:options:completion:)-(_,InfoTable,_,_)`` returns.
///
/// ```swift
/// let bundle = try ScriptBundle(path: "scripts/podcast")
/// let router = try Router(scripts: bundle, host: HeadlessHost())
/// router.start()
/// router.navigate(Target("ShowPage", "open"), info: ["showId": 1])
/// ```
public final class Router {
    /// The configuration of a router.
    public struct Configuration: Sendable {
        /// The seed of the scripts' `math.random`.
        public var seed: UInt64
        /// The time at which the router's clock starts, in seconds since 1970.
        ///
        /// Nil, the default, is the time of day when the router is made. The clock never goes back.
        public var now: Double?
        /// The profile of the scripts: with `trusted`, they may also use `os.getenv`.
        ///
        /// A bundle cannot choose its own profile.
        public var profile: ScriptProfile
        /// The budget of one entry into a script.
        public var budget: Budget
        /// The budget of loading the scripts.
        public var loadBudget: Budget
        /// A test of a bundle before it replaces another one.
        public typealias Canary = @Sendable (ScriptBundle) async throws -> Void

        /// A test of a bundle before it replaces another one, such as scenarios that must pass: throws
        /// an error to reject the bundle.
        ///
        /// ``Router/reload(_:completion:)`` loads and checks the scripts, discards them, and runs
        /// the canary with the same bytes on another thread: the active scripts stay active in the
        /// meantime. When the canary has returned, the scripts are loaded again and become active,
        /// on the router's thread: by a ``RouterDriver``, in the async form of `reload`, or
        /// otherwise in the next call of the router. A newer attempt,
        /// ``Router/cancel(_:)-(Reload)`` and ``Router/shutDown()`` cancel the Swift task of the
        /// canary.
        ///
        /// A ``RouteError`` with several ``RouteError/findings`` rejects the bundle with all of them.
        public var canary: Canary?
        /// The manifest of the host: scripts that need more than it provides are rejected; nil if
        /// there is none.
        public var manifest: HostManifest?
        /// The declarations that the app was compiled against: scripts that break its typed calls are
        /// rejected; nil to accept all.
        public var contract: RouterContract?
        /// The capabilities of all bundles; the manifest may reduce them.
        public var capabilities = Capabilities()
        /// The number of entries whose budgets one turn may spend in all, at least 1.
        ///
        /// A turn is all work caused by one call by the host, or by one due timer. The entry that
        /// exceeds the turn's budget fails with `budget`; work that has not begun is postponed to
        /// the next turn, which is due at once: see ``Router/nextDeadline``.
        public var entriesPerTurn = 4
        /// The seconds within which the host must answer ``RouterHost/show(_:_:done:)``; nil for no
        /// limit.
        ///
        /// A change that is not answered in time ends its navigation with the code `host`, and the
        /// host is asked to show the previous tree again.
        public var applyTimeout: Double? = 10
        /// The maximum number of deep links that may be queued until their action is set.
        public var linkLimit: Int
        /// The maximum number of bytes of all checkpoints together.
        public var checkpointBytes = 256 * 1024 * 1024
        /// The memory requests of scripts that are refused, for tests of this case.
        package var refusal = LuaState.Refusal.none
        /// The records of the lines of scripts that run; nil for none.
        package var coverage: CoverageRecords?

        /// Creates a configuration.
        public init(
            seed: UInt64 = 0,
            now: Double? = nil,
            profile: ScriptProfile = .strict,
            budget: Budget = Budget(),
            loadBudget: Budget = Budget(),
            linkLimit: Int = 100
        ) {
            self.seed = seed
            self.now = now
            self.profile = profile
            self.budget = budget
            self.loadBudget = loadBudget
            self.linkLimit = linkLimit
        }
    }

    /// The values that a rewind restores, in addition to the world and the objects that the world
    /// references.
    struct State {
        /// The pending work.
        var queue = WorkQueue()
        /// The routes, dependencies and waits that belong to screens.
        var screens = ScreenRecords()
        /// The deferred links that have not ended.
        var queuedLinkRecords = QueuedLinks()
        var pendingTasks: [RouteTask] = []
        var pendingCalls: [ExportedCall] = []
        /// The detached screens that the host has made but not shown.
        var hostScreens: Set<ScreenID> = []
        /// The use of capabilities by the scripts.
        var capabilityAccount = CapabilityAccount()
        /// The budget that the entries of this turn share.
        var turnAccount: TurnAccount
        var timers = Timers()
        /// The active generation; nil until the first one is made, which needs the router.
        fileprivate(set) var serving: Generation?
        /// The retired generations with pending work; the oldest first.
        var retired: [Generation] = []
        /// The objects of generations that were released.
        var leftObjects: [(objects: ScriptObjects, left: LeftGeneration)] = []
        /// The former bundles that the router can roll back to, the newest last.
        var history: [ScriptBundle] = []
        /// Whether the router is pinned to the active bundle.
        var isPinned = false
        /// The bundle that was offered last while the router was pinned to another one.
        var offered: ScriptBundle?
        /// Whether an earlier generation called `router.complete()`.
        var mustBeComplete = false
        /// The parameters of the last start, if it failed.
        var failedStart: InfoTable?
    }

    /// The current activity of the router.
    enum Turn {
        case idle
        /// Functions of scripts are called to plan a navigation, without effects.
        case planning(Navigation?)
        /// Screens are made and placed on a draft of the tree.
        case staging(Navigation)
        /// The host applies the change of a navigation, or of fields.
        case applying(Navigation?)
    }

    /// The app that shows the screens; a substitute that shows nothing after ``shutDown()``.
    public internal(set) var host: any RouterHost {
        _read {
            checkThread()
            yield hostStorage
        }
        _modify { yield &hostStorage }
    }
    private var hostStorage: any RouterHost

    /// Stored separately, so that a stage can borrow it.
    private let worldStorage: UnsafeMutablePointer<World>
    /// The context of the running script call, and the stage that it has borrowed.
    let lending: Lending

    /// The state of the router: the copy in the stage that a script has borrowed, if there is one.
    var world: World {
        @inline(__always) _read { yield lending.world.pointee }
        @inline(__always) _modify { yield &lending.world.pointee }
    }

    /// The screens.
    public internal(set) var tree: ScreenTree {
        @inline(__always) _read {
            checkThread()
            yield lending.world.pointee.tree
        }
        @inline(__always) _modify { yield &lending.world.pointee.tree }
    }

    /// The plain data that scripts share, which survives a reload.
    public internal(set) var state: InfoTable {
        _read {
            checkThread()
            yield world.shared.state
        }
        _modify { yield &world.shared.state }
    }

    // A navigation reads and writes these so often that the checks for overlapping accesses would
    // be a good part of it. None can overlap: each is a read, or an edit that is over before
    // a host or a script is called, and no edit calls anybody back who uses the same property.

    /// The observers of events and failures.
    @exclusivity(unchecked) var observers = Observers()
    /// The values that a rewind restores, besides the world and the objects.
    @exclusivity(unchecked) var contents: State
    var queue: WorkQueue {
        @inline(__always) _read { yield contents.queue }
        @inline(__always) _modify { yield &contents.queue }
    }
    var screens: ScreenRecords {
        @inline(__always) _read { yield contents.screens }
        @inline(__always) _modify { yield &contents.screens }
    }
    /// The tasks that have not ended, the oldest first.
    public internal(set) var pendingTasks: [RouteTask] {
        _read {
            checkThread()
            yield contents.pendingTasks
        }
        @inline(__always) _modify { yield &contents.pendingTasks }
    }
    /// The calls of exported functions that have not ended, the oldest first.
    public internal(set) var pendingCalls: [ExportedCall] {
        _read {
            checkThread()
            yield contents.pendingCalls
        }
        @inline(__always) _modify { yield &contents.pendingCalls }
    }
    var turnAccount: TurnAccount {
        @inline(__always) _read { yield contents.turnAccount }
        @inline(__always) _modify { yield &contents.turnAccount }
    }
    var retired: [Generation] {
        @inline(__always) _read { yield contents.retired }
        @inline(__always) _modify { yield &contents.retired }
    }
    /// The counters of the metrics, which a rewind does not reset.
    @exclusivity(unchecked) var counters = Counters()
    /// Whether events are recorded; false only to measure the cost.
    package var isRecording = true
    /// The last events.
    let recorder = FlightRecorder()

    /// Called with every event, in order; it must not call the router.
    public var onEvent: ((Event) -> Void)? {
        get {
            checkThread()
            return observers.onEvent
        }
        set {
            checkThread()
            observers.onEvent = newValue
            noteListeners()
        }
    }

    /// Called with each failure of a script that may have no other listener, before any completion.
    package var onScriptFailure: ((ScriptFailure) -> Void)? {
        get { observers.onScriptFailure }
        set { observers.onScriptFailure = newValue }
    }

    /// Whether the host awaits all work that it begins, like the run of a scenario; otherwise a
    /// failure of work without a completion handler is logged.
    package var awaitsAllWork = false

    /// The router's clock, in seconds since 1970.
    public internal(set) var now: Double {
        get {
            checkThread()
            return world.now
        }
        set { world.now = newValue }
    }

    /// The clock for scripts: whole seconds; 0 for an invalid time.
    var wholeSeconds: Int64 { Int64(exactly: now.rounded(.down)) ?? 0 }

    /// The number of bytes of navigations and tasks.
    let keptMemory = KeptMemory()
    let configuration: Configuration
    /// The time at which the clock started, in seconds since 1970.
    let startTime: Double
    /// The capabilities of the scripts.
    let capabilities: Capabilities
    /// Whether the capabilities of the scripts are limited.
    let isRestricted: Bool
    /// The timers.
    var timers: Timers {
        @inline(__always) _read { yield contents.timers }
        @inline(__always) _modify {
            defer { noteTimers() }
            yield &contents.timers
        }
    }
    /// The driver that moves the clock by itself.
    var pacemaker: Pacemaker? {
        didSet { if let pacemaker { queue.trial?.onEnd(pacemaker.wake) } }
    }
    /// Whether the clock is moving to a time and running the due work in between.
    var isAdvancing = false
    /// The queued deep links, which wait for an action, in order of arrival.
    public var queuedLinks: [QueuedLink] {
        checkThread()
        return contents.queuedLinkRecords.waiting
    }
    /// The links whose action runs or waits.
    public var activeLinks: [QueuedLink] {
        checkThread()
        return contents.queuedLinkRecords.followed
    }

    /// The number of times that the host was asked to show the tree, which a rewind does not reset.
    var askedChanges = 0

    /// Loads the scripts of a bundle.
    ///
    /// - Parameters:
    ///   - scripts: The scripts.
    ///   - host: The app that shows the screens.
    ///   - configuration: Budgets, random seed, start time and limits.
    ///   - onEvent: Called with every event, including the events of loading.
    /// - Throws: ``RouteError`` if the scripts do not load: with the code `script` or `budget`, or
    ///   the code of the first mistake in their registrations; ``RouteError/findings`` has all of
    ///   them. `badInfo` for a time in the configuration that is not finite or not below 10¹¹
    ///   seconds.
    public init(
        scripts: ScriptBundle,
        host: any RouterHost,
        configuration: Configuration = Configuration(),
        onEvent: ((Event) -> Void)? = nil
    ) throws(RouteError) {
        let capabilities =
            configuration.manifest?.capabilities
            .intersection(configuration.capabilities) ?? configuration.capabilities
        for (name, time) in [
            ("now", configuration.now), ("applyTimeout", configuration.applyTimeout),
            ("capabilities.timeout", capabilities.timeout),
            ("capabilities.timers.period", capabilities.timers.period),
        ] {
            if let time, !Self.isTime(time) { throw .notATime("Configuration.\(name)", time) }
        }
        worldStorage = .allocate(capacity: 1)
        startTime = Self.inMicroseconds(configuration.now ?? TimeOfDay.now)
        worldStorage.initialize(to: World(now: startTime))
        lending = Lending(worldStorage)
        observers.onEvent = onEvent
        hostStorage = host
        self.configuration = configuration
        self.capabilities = capabilities
        isRestricted = capabilities != Capabilities()
        contents = State(
            turnAccount: TurnAccount(
                configuration.budget,
                entries: configuration.entriesPerTurn,
                capabilities.time
            )
        )
        let generation = try Generation(number: 1, bundle: scripts, router: self)
        contents.serving = generation
        noteListeners()
        try generation.load()
        contents.mustBeComplete = generation.isComplete
        activate(generation, after: nil)
    }

    // Breaks the retain cycle navigation → question → function → navigation, and cancels pending work.
    deinit {
        var endings: [Ending] = []
        defer {
            worldStorage.deinitialize(count: 1)
            worldStorage.deallocate()
            for ending in endings { ending.callCompletionOfHost() }
        }
        for stream in observers.streams { stream.finish() }
        // The last reference may go on any thread.
        for generation in generations {
            generation.runtime.lua.endConfinement()
            // The paused deadlines would continue, in a router that is gone.
            for activity in generation.lease.activities {
                activity.navigation?.record.timeout = nil
            }
            for activity in generation.lease.activities { cancel(activity) }
        }
        let left = abandonWork()
        for task in left.hostTasks { host.cancelTask(task) }
        endings = left.endings
    }

    /// Stops the program on a read from a wrong thread, with the same message as verbs.
    @inline(__always)
    func checkThread() { contents.serving?.runtime.lua.checkThread() }

    /// The current activity of the router.
    var turn: Turn {
        switch lending.context.effects {
        case .none, .state: return .planning(lending.navigation)
        case .stage, .action:
            guard let navigation = lending.navigation else {
                preconditionFailure("a stage belongs to a navigation")
            }
            return .staging(navigation)
        case .all: return queue.isApplying ? .applying(queue.applying) : .idle
        }
    }

    /// Whether the host has not yet answered a change.
    package var isApplying: Bool { queue.isApplying }

    /// Whether nothing is planned, staged or applied.
    var isIdle: Bool { !queue.isApplying && lending.context.effects == .all }

    /// The navigation for which a script runs, which is the parent of the navigations that it
    /// begins.
    var currentNavigation: Navigation? { lending.navigation }

    /// The number of navigations, each begun by the previous one, that led to the running call.
    var chain: Int { lending.chain }

    /// The activity that may wait in the call that runs.
    var currentActivity: Activity? { lending.activity }

    /// The trace of the explanation for which a script runs; nil if there is none.
    var trace: Trace? { lending.stage?.pointee.trace }

    /// Notifies the driver that a timer may have been added or removed.
    @inline(__always)
    func noteTimers() { if !isAdvancing { pacemaker?.timersChanged() } }

    /// Updates whether any event has a listener or is counted, which is read several times in a
    /// navigation.
    func noteListeners() {
        observers.isHeard =
            isRestricted || onEvent != nil || !observers.streams.isEmpty
            || contents.serving?.listeners.isEmpty == false
    }

    /// The release of Lua that runs the scripts, such as `Lua 5.4.4`.
    public static var luaRelease: String { LuaState.release }

    /// The defects of the linked Lua, for which scripts get errors.
    ///
    /// Lua 5.4.8 and newer have none of them. `LuaDefect` describes the errors.
    public static var luaDefects: [LuaDefect] { LuaState.defects }

    /// The active generation, to which new work belongs.
    var serving: Generation {
        get {
            guard let serving = contents.serving else {
                preconditionFailure("a router has a generation")
            }
            return serving
        }
        set {
            contents.serving = newValue
            noteListeners()
        }
    }

    /// The scripts on whose behalf the router works now: pending work continues with the scripts
    /// that it began with, even if others are active by then.
    var generation: Generation { lending.generation ?? serving }

    /// The active generation, and the retired ones with pending work.
    var generations: [Generation] {
        retired.isEmpty ? [contents.serving].compactMap(\.self) : retired + [serving]
    }

    /// The classes that the scripts declared.
    public var classes: ScreenClasses {
        checkThread()
        return generation.declarations.state.classes
    }

    /// Frees the values that scripts can no longer reach, and the screens that only they
    /// referenced.
    ///
    /// Lua's garbage collector also does this gradually. Takes time in proportion to all their
    /// data.
    public func collectGarbage() {
        enter()
        for generation in generations { generation.runtime.lua.collectGarbage() }
        releaseScreens()
    }

    /// The number of bytes of the scripts' values in Lua.
    public var scriptMemory: Int {
        checkThread()
        return generations.map(\.runtime).reduce(0) {
            $0 + $1.lua.memoryUsed - $1.state.countedBytes
        }
    }

    /// The registered services: their names, sorted, each with the names of its tasks.
    public var services: [(name: String, tasks: [String])] {
        checkThread()
        return serving.declarations.routes.services
    }

    /// The URLs that the scripts answer for.
    public var links: URLRouteTable {
        checkThread()
        return serving.declarations.links
    }

    /// Sets a value in the shared state of the scripts; nil removes it.
    ///
    /// - Throws: `badInfo` if the value contains a function, screen or host object, or tables of
    ///   more than 32 levels, or if the name is invalid; `budget` if the state would be too large.
    ///   The state is then unchanged.
    public func setState(_ name: String, to value: Value) throws(RouteError) {
        enter()
        try changeState(name, to: value)
        emitCall(.set(name, classes.hidingPrivate(value, of: name)))
        // A listener hears of it, and guards may have changed.
        pump()
    }

    /// Sets a value in the shared state of the scripts, for a caller that is not the app.
    func changeState(_ name: String, to value: Value) throws(RouteError) {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard !value.isTooDeep else { throw .tooDeep() }
        if let path = value.pathToReference { throw .stateHoldsReference(name, path: path) }
        guard world.shared.stateBytes(with: value, as: name) <= World.stateLimit else {
            throw .stateTooLarge()
        }
        world.shared.setState(name, to: value)
        world.shared.edits += 1
    }

    /// The navigations that have not ended, the oldest first.
    public var pending: [Navigation] {
        checkThread()
        var pending: [Int: Navigation] = [:]
        for navigation in queue.gated + queue.ready + queue.active
        where navigation.isPending {
            pending[navigation.id] = navigation
            for child in navigation.record.deferred + navigation.record.followers {
                pending[child.id] = child
            }
        }
        return pending.values.sorted { $0.id < $1.id }
    }
}
