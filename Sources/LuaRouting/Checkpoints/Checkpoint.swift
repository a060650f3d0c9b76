// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// The complete state of a router and its scripts at one point in time: the screens, the shared
    /// state, the clock, all pending work, the variables of the scripts, and their waiting
    /// coroutines.
    ///
    /// ``Router/checkpoint()`` creates a checkpoint, and ``Router/rewind(to:)`` goes back to it,
    /// any number of times and in any order. A checkpoint retains its router and the generations
    /// that the router had. It is confined to the thread of its router, where its last reference
    /// must also be released.
    ///
    /// ```swift
    /// let before = try router.checkpoint()
    /// router.navigate(Target("Page", "show"), info: ["id": 7])
    /// try router.rewind(to: before)
    /// print(router.treeNotation())  // nav[Home]
    /// ```
    public final class Checkpoint {
        let router: Router
        fileprivate let world: World
        fileprivate let contents: State
        /// The released generations that the checkpoint keeps open.
        private let left: [Generation?]
        /// The position of the last recorded event.
        fileprivate let recorded: Int
        fileprivate private(set) var images: [LuaCheckpoint]
        let objects: ReachedObjects
        fileprivate let restorations: [(_ remembersCalls: Bool) -> Void]

        fileprivate init(_ router: Router) throws(ScriptError) {
            self.router = router
            var images: [LuaCheckpoint] = []
            for generation in router.generations {
                images.append(try generation.runtime.lua.checkpoint())
            }
            self.images = images
            world = router.world
            contents = router.contents
            left = contents.leftObjects.map(\.left.generation)
            recorded = router.recorder.last
            objects = ReachedObjects(of: router)
            restorations = objects.all.map { $0.restoration }
        }

        // An image retains closures of the host, which may retain the generation. The images are
        // freed here, and not when the Lua states are next used, because the states may never be
        // used again.
        deinit {
            let states = images.map(\.state)
            images = []
            for state in states { state.freeWhatIsReleased() }
        }

        /// The sequence number of the last event before the checkpoint, whether or not a listener
        /// received that event; 0 if there was none.
        public var sequence: Int { world.lastEvent }
    }

    /// The size of all existing checkpoints in bytes.
    ///
    /// Shared parts are counted once.
    public var checkpointBytes: Int {
        checkThread()
        return generations.reduce(0) { $0 + $1.runtime.lua.checkpointBytes }
    }

    /// Creates a checkpoint, which ``rewind(to:)`` can restore.
    ///
    /// The time is proportional to the memory of the scripts, about 10 µs for 100 KB. The space is
    /// proportional to the changes since the last checkpoint.
    ///
    /// - Throws: `busy` in a callback of the router, while the host has not completed a change, and
    ///   while a reload is pending; `cancelled` after ``shutDown()``; `budget` if there is not
    ///   enough memory or if all checkpoints together would exceed
    ///   ``Configuration/checkpointBytes``. If an error is thrown, nothing has changed.
    public func checkpoint() throws(RouteError) -> Checkpoint {
        try checkRest("make a checkpoint")
        return try checkpoint(whole: false)
    }

    /// Restores a checkpoint.
    ///
    /// Afterwards, the router and its scripts have the state that they had when the checkpoint was
    /// created, including the scripts' variables and waiting functions.
    ///
    /// Events that were sent and completions that were called are not undone. The host is asked to
    /// show each window again (``Change/isRewind``), and ``onEvent`` receives a single event
    /// `rewind`. If work began after the checkpoint, the work ends with the code `cancelled`: its
    /// completion is called, and the tasks that the host does for the work are ended by
    /// ``RouterHost/cancelTask(_:)``; scripts are not notified. If work ended after the checkpoint,
    /// the work is pending again, but the app's completions are not called a second time, and the
    /// host is not asked to do the tasks again. If a driver moves the clock, the clock continues
    /// from the present time.
    ///
    /// - Throws: `busy` in a callback of the router, while the host has not completed a change, and
    ///   while a reload is pending; `cancelled` after ``shutDown()``; `composition` for a
    ///   checkpoint of another router. If an error is thrown, nothing has changed.
    public func rewind(to checkpoint: Checkpoint) throws(RouteError) {
        try checkRest("go back to a checkpoint")
        try rewind(to: checkpoint, whole: false)
    }

    /// Creates a checkpoint, even while the host is applying a change or work is postponed to the
    /// next turn.
    ///
    /// - Parameter whole: Whether the caller saves the state of the host and of the caller's own
    ///   work.
    /// - Returns: The checkpoint.
    /// - Throws: `busy` in a callback of the router; `budget` as for ``checkpoint()``.
    package func checkpoint(whole: Bool) throws(RouteError) -> Checkpoint {
        let checkpoint: Checkpoint
        do throws(ScriptError) {
            checkpoint = try Checkpoint(self)
        } catch {
            throw error.kind == .memory ? .noMemoryForCheckpoint() : RouteError(error)
        }
        guard checkpointBytes <= configuration.checkpointBytes else {
            throw .checkpointsTooLarge(configuration.checkpointBytes)
        }
        count(checkpoint.objects)
        renewDependencies(of: checkpoint.objects)
        return checkpoint
    }

    /// Goes back to a checkpoint, even while the host is applying a change.
    ///
    /// - Parameters:
    ///   - checkpoint: The checkpoint.
    ///   - whole: Whether the caller restores the state of the host and of the caller's own work.
    ///     If so, the host is not notified of the rewind, no completions are called because of the
    ///     rewind, and completions that were already called may be called again.
    /// - Throws: `composition` for a checkpoint of another router.
    package func rewind(to checkpoint: Checkpoint, whole: Bool) throws(RouteError) {
        guard checkpoint.router === self else { throw .checkpointOfAnother() }
        let windows = tree.windows.map(\.name)
        let left = abandonWork(.rewound(), except: checkpoint.objects)
        let activities = generations.flatMap { Array($0.lease.activities) }
        for activity in activities where !checkpoint.objects.contains(activity) { activity.letGo() }
        for generation in generations where !checkpoint.objects.contains(generation) {
            generation.lease = Lease()
        }
        do throws(ScriptError) {
            for image in checkpoint.images { try image.rewind() }
        } catch {
            preconditionFailure(
                "the checkpoint of a Lua state cannot be restored: \(error.message)"
            )
        }
        world = checkpoint.world
        contents = checkpoint.contents
        recorder.rewind(to: checkpoint.recorded)
        for restore in checkpoint.restorations { restore(!whole) }
        noteListeners()
        noteTimers()
        count(checkpoint.objects)
        renewDependencies(of: checkpoint.objects)
        sendRewind()
        if whole { return }
        showRewound(instead: windows)
        for task in left.hostTasks { host.cancelTask(task) }
        for ending in left.endings
        where !ending.isOfScript && ending.ended.map({ !checkpoint.objects.contains($0) }) ?? true {
            queue.endings.append(ending)
        }
        pump()
    }

    /// Counts the memory of the objects that the router references on behalf of the scripts.
    ///
    /// Objects that only the app or a checkpoint references are no longer counted.
    func count(_ reached: ReachedObjects) {
        keptMemory.reset()
        for object in reached.all { object.count() }
    }

    /// Replaces the dependencies with copies that have the same values.
    ///
    /// The dependencies of a checkpoint live as long as the checkpoint. All other dependencies live
    /// only as long as something references them.
    private func renewDependencies(of reached: ReachedObjects) {
        guard !generations.allSatisfy({ $0.dependencies.living.isEmpty }) else { return }
        var renewed: [ObjectIdentifier: Dependency] = [:]
        func renew(_ dependency: Dependency) -> Dependency {
            if let known = renewed[ObjectIdentifier(dependency)] { return known }
            let parts = dependency.parts.map(renew)
            let copy = Dependency(dependency.name, dependency.value, parts: parts)
            renewed[ObjectIdentifier(dependency)] = copy
            return copy
        }
        screens.dependencies = screens.dependencies.mapValues { $0.mapValues(renew) }
        for object in reached.all { object.renewDependencies(renew) }
        for generation in generations { generation.dependencies.take(renewed) }
    }

    private func checkRest(_ action: String) throws(RouteError) {
        guard enter(), !isApplying, queue.reload == nil, queue.trial == nil else {
            throw .mustRest(to: action)
        }
        if queue.isShutDown { throw .routerHasEnded() }
    }

    /// Sends the event of a rewind to the app, but not to scripts.
    private func sendRewind() {
        guard onEvent != nil || !observers.streams.isEmpty else { return }
        let event = Event(
            sequence: world.lastEvent,
            time: now,
            generation: serving.number,
            kind: .rewind
        )
        onEvent?(event)
        sendToStreams(event)
    }
}

extension RouteError {
    fileprivate static func mustRest(to action: String) -> RouteError {
        RouteError(
            .busy,
            "the router cannot \(action) in a callback, while the host applies a change, or during a reload"
        )
    }

    fileprivate static func rewound() -> RouteError {
        RouteError(.cancelled, "the router went back to a checkpoint from before this work began")
    }

    fileprivate static func checkpointOfAnother() -> RouteError {
        RouteError(.composition, "the checkpoint belongs to another router")
    }

    fileprivate static func noMemoryForCheckpoint() -> RouteError {
        RouteError(.budget, "not enough memory for a checkpoint")
    }

    fileprivate static func checkpointsTooLarge(_ limit: Int) -> RouteError {
        RouteError(
            .budget,
            "the checkpoints take too much memory (at most \(limit) bytes for all checkpoints together)"
        )
    }
}
