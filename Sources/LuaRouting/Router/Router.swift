// SPDX-License-Identifier: MIT

public import LuaVM

/// The router of an app: scripts declare the routes, a host shows the screens, and the router
/// decides which screens are shown.
///
/// A router is confined to the thread that created it, or to the thread to which
/// ``detachFromThread()`` handed it over; see <doc:Threads>. It starts no thread, task or timer of
/// its own. A navigation that does not have to wait has already ended when
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
        /// If nil, the default, the clock starts at the time of day when the router is created. The
        /// clock never goes back.
        public var now: Double?
        /// The profile of the scripts.
        ///
        /// With `trusted`, scripts may also use `os.getenv`.
        ///
        /// A bundle cannot choose its own profile.
        public var profile: ScriptProfile
        /// The budget of one entry into a script.
        public var budget: Budget
        /// The budget for loading the scripts.
        public var loadBudget: Budget
        /// A test that a bundle must pass before it replaces the active one.
        public typealias Canary = @Sendable (ScriptBundle) async throws -> Void

        /// A test that a bundle must pass before it replaces the active one, such as a set of
        /// scenarios.
        ///
        /// The test throws an error to reject the bundle.
        ///
        /// ``Router/reload(_:completion:)`` loads and checks the scripts, discards them, and runs
        /// the canary with the same bytes on another thread. The active scripts stay active in the
        /// meantime. When the canary has returned, the scripts are loaded again on the router's
        /// thread and become active: immediately if the router has a ``RouterDriver`` or the caller
        /// uses the async form of `reload`, otherwise in the next call to the router. A newer
        /// reload, ``Router/cancel(_:)-(Reload)`` and ``Router/shutDown()`` cancel the Swift task
        /// of the canary.
        ///
        /// If the canary throws a ``RouteError`` with several ``RouteError/findings``, all findings
        /// are reported with the rejection.
        public var canary: Canary?
        /// The manifest of the host; nil if there is none.
        ///
        /// Scripts that need more than the manifest provides are rejected.
        public var manifest: HostManifest?
        /// The declarations that the app was compiled against; nil to accept all scripts.
        ///
        /// Scripts that no longer match the typed calls by the app are rejected.
        public var contract: RouterContract?
        /// The capabilities of all bundles.
        ///
        /// A manifest may reduce them.
        public var capabilities = Capabilities()
        /// The maximum budget of a turn, as a multiple of the budget of one entry; at least 1.
        ///
        /// A turn is all work that one call by the host, or one due timer, causes. The entry that
        /// exceeds the turn's budget fails with `budget`. Work that has not begun is postponed to
        /// the next turn, which is due immediately; see ``Router/nextDeadline``.
        public var entriesPerTurn = 4
        /// The time in which the host must complete ``RouterHost/show(_:_:done:)``, in seconds; nil
        /// for no limit.
        ///
        /// If the host does not complete a change in time, the navigation fails with the code
        /// `host`, and the host is asked to show the previous tree again.
        public var applyTimeout: Double? = 10
        /// The maximum number of deep links that may be queued until an action for them is set.
        public var linkLimit: Int
        /// The maximum size of all checkpoints together, in bytes.
        public var checkpointBytes = 256 * 1024 * 1024
        /// The memory allocations of scripts that are made to fail, for tests.
        package var refusal = LuaState.Refusal.none
        /// The records of the script lines that run; nil if they are not recorded.
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
        /// The dispatched deep links that have not ended.
        var queuedLinkRecords = QueuedLinks()
        var pendingTasks: [RouteTask] = []
        var pendingCalls: [ExportedCall] = []
        /// The detached screens that the host has created but not yet shown.
        var hostScreens: Set<ScreenID> = []
        /// The scripts' use of capabilities.
        var capabilityAccount = CapabilityAccount()
        /// The budget that the entries of this turn share.
        var turnAccount: TurnAccount
        var timers = Timers()
        /// The active generation; nil while the first generation is being created, because its
        /// creation needs the router.
        fileprivate(set) var serving: Generation?
        /// The retired generations with pending work; the oldest first.
        var retired: [Generation] = []
        /// The objects of generations that have been released.
        var leftObjects: [(objects: ScriptObjects, left: LeftGeneration)] = []
        /// The former bundles that the router can roll back to, the newest last.
        var history: [ScriptBundle] = []
        /// Whether the router is pinned to the active bundle.
        var isPinned = false
        /// The latest bundle that was offered while the router was pinned to another bundle.
        var offered: ScriptBundle?
        /// Whether an earlier generation called `router.complete()`.
        var mustBeComplete = false
        /// The parameters and the error of the last ``Router/start(_:completion:)``; nil if the
        /// navigation did not fail.
        var failedStart: (info: InfoTable, error: RouteError)?
    }

    /// The current activity of the router.
    enum Turn {
        case idle
        /// Script functions are called to plan a navigation; these functions cannot have effects.
        case planning(Navigation?)
        /// Screens are created and placed in a draft of the tree.
        case staging(Navigation)
        /// The host applies a navigation's change, or a change to fields.
        case applying(Navigation?)
    }

    /// The app that shows the screens.
    ///
    /// After ``shutDown()``, a substitute that shows nothing.
    public internal(set) var host: any RouterHost {
        _read {
            checkThread()
            yield hostStorage
        }
        _modify { yield &hostStorage }
    }
    private var hostStorage: any RouterHost

    /// The world of the router, stored separately so that a stage can borrow it.
    private let worldStorage: UnsafeMutablePointer<World>
    /// The context of the running script call, and the stage that the call has borrowed.
    let lending: Lending

    /// The state of the router.
    ///
    /// While a script runs for a navigation, this is the copy that the navigation's stage changes.
    var world: World {
        @inline(__always) _read { yield lending.world.pointee }
        @inline(__always) _modify { yield &lending.world.pointee }
    }

    /// The tree of the screens.
    public internal(set) var tree: ScreenTree {
        @inline(__always) _read {
            checkThread()
            yield lending.world.pointee.tree
        }
        @inline(__always) _modify { yield &lending.world.pointee.tree }
    }

    /// The plain data that scripts share.
    ///
    /// The data survives a reload.
    public internal(set) var state: InfoTable {
        _read {
            checkThread()
            yield world.shared.state
        }
        _modify { yield &world.shared.state }
    }

    // A navigation accesses these properties so often that checks for overlapping accesses would be
    // a significant part of its cost. No accesses can overlap: each access is a read, or an edit
    // that ends before a host or a script is called, and no edit calls code that uses the same
    // property.

    /// The observers of events and failures.
    @exclusivity(unchecked) var observers = Observers()
    /// The values that a rewind restores, in addition to the world and the objects that the world
    /// references.
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
    /// The calls to exported functions that have not ended, the oldest first.
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
    /// The counters of the metrics.
    ///
    /// A rewind does not reset the counters.
    @exclusivity(unchecked) var counters = Counters()
    /// Whether events are recorded; false only to measure the cost.
    package var isRecording = true
    /// The recorder of the latest events.
    let recorder = FlightRecorder()

    /// Called with every event, in order.
    ///
    /// The closure must not call the router.
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

    /// Called with each script failure that may have no other listener, before any completion is
    /// called.
    package var onScriptFailure: ((ScriptFailure) -> Void)? {
        get { observers.onScriptFailure }
        set { observers.onScriptFailure = newValue }
    }

    /// Whether the host awaits all work that it begins, as a scenario run does.
    ///
    /// If false, failures of work without a completion handler are logged.
    package var awaitsAllWork = false

    /// The router's clock, in seconds since 1970.
    public internal(set) var now: Double {
        get {
            checkThread()
            return world.now
        }
        set { world.now = newValue }
    }

    /// The time that scripts see, in whole seconds; 0 for an invalid time.
    var wholeSeconds: Int64 { Int64(exactly: now.rounded(.down)) ?? 0 }

    /// The account of the memory that navigations and tasks use.
    let keptMemory = KeptMemory()
    let configuration: Configuration
    /// The time at which the clock started, in seconds since 1970.
    let startTime: Double
    /// The capabilities of the scripts.
    let capabilities: Capabilities
    /// Whether the capabilities of the scripts are limited.
    let isRestricted: Bool
    var timers: Timers {
        @inline(__always) _read { yield contents.timers }
        @inline(__always) _modify {
            defer { noteTimers() }
            yield &contents.timers
        }
    }
    /// The driver that advances the clock in real time.
    var pacemaker: Pacemaker? {
        didSet { if let pacemaker { queue.trial?.onEnd(pacemaker.wake) } }
    }
    /// Whether the clock is being advanced.
    ///
    /// Advancing the clock runs the work that becomes due.
    var isAdvancing = false
    /// The queued deep links, in order of arrival.
    public var queuedLinks: [QueuedLink] {
        checkThread()
        return contents.queuedLinkRecords.waiting
    }
    /// The deep links whose action is running or waiting.
    public var activeLinks: [QueuedLink] {
        checkThread()
        return contents.queuedLinkRecords.followed
    }

    /// The number of times that the host was asked to show the tree.
    ///
    /// A rewind does not reset this number.
    var askedChanges = 0

    /// Creates a router and loads the scripts of a bundle.
    ///
    /// - Parameters:
    ///   - scripts: The scripts.
    ///   - host: The app that shows the screens.
    ///   - configuration: Budgets, random seed, start time and limits.
    ///   - onEvent: Called with every event, including the events of loading.
    /// - Throws: ``RouteError`` if the scripts do not load, with the code `script` or `budget`, or
    ///   the code of the first mistake in their registrations; ``RouteError/findings`` contains all
    ///   mistakes. `badInfo` if a time in the configuration is not finite, or not below 10¹¹
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

    // Breaks the retain cycle navigation → question → function → navigation, and cancels pending
    // work.
    deinit {
        var endings: [Ending] = []
        defer {
            worldStorage.deinitialize(count: 1)
            worldStorage.deallocate()
            for ending in endings { ending.callCompletionOfHost() }
        }
        for stream in observers.streams { stream.finish() }
        // The last reference may be released on any thread.
        for generation in generations {
            generation.runtime.lua.endConfinement()
            // Otherwise the paused deadlines would resume in a router that is being deallocated.
            for activity in generation.lease.activities {
                activity.navigation?.record.timeout = nil
            }
            for activity in generation.lease.activities { cancel(activity) }
        }
        let left = abandonWork()
        for task in left.hostTasks { host.cancelTask(task) }
        endings = left.endings
    }

    /// Stops the program if the router is used on the wrong thread, with the same message as the
    /// verbs.
    @inline(__always)
    func checkThread() { contents.serving?.runtime.lua.checkThread() }

    /// The current activity of the router.
    var turn: Turn {
        switch lending.context.effects {
        case .none, .state: return .planning(lending.navigation)
        case .stage, .action:
            guard let navigation = lending.navigation else {
                preconditionFailure("the stage has no navigation")
            }
            return .staging(navigation)
        case .all: return queue.isApplying ? .applying(queue.applying) : .idle
        }
    }

    /// Whether the host is applying a change.
    package var isApplying: Bool { queue.isApplying }

    /// Whether no navigation is being planned, staged or applied.
    var isIdle: Bool { !queue.isApplying && lending.context.effects == .all }

    /// The navigation for which a script runs; the parent of all navigations that the script
    /// begins.
    var currentNavigation: Navigation? { lending.navigation }

    /// The length of the chain of navigations, each begun by the previous one, that led to the
    /// running call.
    var chain: Int { lending.chain }

    /// The activity that runs the current call; nil if the call cannot wait.
    var currentActivity: Activity? { lending.activity }

    /// The trace of the explanation for which a script runs; nil if there is none.
    var trace: Trace? { lending.stage?.pointee.trace }

    /// Notifies the driver that a timer may have been added or removed.
    @inline(__always)
    func noteTimers() { if !isAdvancing { pacemaker?.timersChanged() } }

    /// Updates ``Observers/isHeard``.
    ///
    /// The result is stored because a navigation reads it several times.
    func noteListeners() {
        observers.isHeard =
            isRestricted || onEvent != nil || !observers.streams.isEmpty
            || contents.serving?.listeners.isEmpty == false
    }

    /// The release of Lua that runs the scripts, such as `Lua 5.4.4`.
    public static var luaRelease: String { LuaState.release }

    /// The known defects of the linked Lua version.
    ///
    /// A script that would trigger a defect gets an error.
    ///
    /// Lua 5.4.8 and newer have none of these defects. `LuaDefect` describes the errors.
    public static var luaDefects: [LuaDefect] { LuaState.defects }

    /// The active generation, to which new work belongs.
    var serving: Generation {
        get {
            guard let serving = contents.serving else {
                preconditionFailure("the router has no generation")
            }
            return serving
        }
        set {
            contents.serving = newValue
            noteListeners()
        }
    }

    /// The scripts on whose behalf the router works now.
    ///
    /// Pending work continues with the scripts that began it, even if other scripts have become
    /// active.
    var generation: Generation { lending.generation ?? serving }

    /// The retired generations with pending work, and the active generation.
    var generations: [Generation] {
        retired.isEmpty ? [contents.serving].compactMap(\.self) : retired + [serving]
    }

    /// The classes that the scripts declared.
    public var classes: ScreenClasses {
        checkThread()
        return generation.declarations.state.classes
    }

    /// Frees the values that scripts can no longer reach, and the screens that only these values
    /// reference.
    ///
    /// Lua's garbage collector also frees these values gradually. The time that this function takes
    /// is proportional to the size of the scripts' data.
    public func collectGarbage() {
        enter()
        for generation in generations {
            generation.runtime.lua.collectGarbage()
            generation.runtime.lua.trimMemory()
        }
        releaseScreens()
    }

    /// The memory of the scripts' values in Lua, in bytes.
    public var scriptMemory: Int {
        checkThread()
        return generations.map(\.runtime).reduce(0) {
            $0 + $1.lua.memoryUsed - $1.state.countedBytes
        }
    }

    /// The registered services, sorted by name, each with the names of its tasks.
    public var services: [(name: String, tasks: [String])] {
        checkThread()
        return serving.declarations.routes.services
    }

    /// The URL patterns that the scripts declare.
    public var links: URLRouteTable {
        checkThread()
        return serving.links
    }

    /// Sets a value in the shared state of the scripts, or removes it if the new value is nil.
    ///
    /// - Throws: `badInfo` if the value contains a function, a screen or a host object, if it
    ///   contains tables of more than 32 levels, or if the name is invalid; `budget` if the state
    ///   would be too large. The state is then unchanged.
    public func setState(_ name: String, to value: Value) throws(RouteError) {
        enter()
        try changeState(name, to: value)
        emitCall(.set(name, classes.hidingPrivate(value, of: name)))
        // Listeners are notified, and guards may have changed.
        pump()
    }

    /// Sets a value in the shared state of the scripts, without recording a call by the app.
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
