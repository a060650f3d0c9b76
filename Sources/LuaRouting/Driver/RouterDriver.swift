// SPDX-License-Identifier: MIT

/// Moves the clock of a router in real time, so that timers and deadlines happen when they are due.
///
/// It sleeps until ``Router/nextDeadline``, then calls ``Router/catchUp(to:)``; the clock is also
/// set before each call by the host. The time of the router continues from where it was, by default
/// the time of day at which the router was made. An app that was suspended catches up within the
/// budget of one turn. The driver wakes at most once in 16 milliseconds, so a script whose timers
/// are due more often than that, or faster than they are done, leaves the actor free in between.
///
/// ```swift
/// let router = try Router(scripts: bundle, host: app)
/// driver = RouterDriver(router)
/// router.start()
/// ```
///
/// The driver belongs to the actor on which it was created, like its router, and stops when its
/// last reference is released.
public final class RouterDriver {
    /// The router whose clock the driver moves.
    public let router: Router

    private let elapsed: () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// The router's time when the driver was made.
    private let start: Double
    private let alarm = Alarm()
    private var isStopped = false
    private var isWaking = false
    /// The time of the last wake-up, by the router's clock.
    private var lastWake = -Double.infinity
    /// The task that sleeps, and the end of the sleep by the router's clock.
    private var sleeper: (task: Task<Void, Never>, until: Double)?

    /// Begins to move the clock of a router.
    ///
    /// - Parameters:
    ///   - router: The router, which has no other driver.
    ///   - clock: The source of time, which also sleeps. It should go on while a device sleeps.
    ///   - isolation: The actor to which the router belongs.
    public init(
        _ router: Router,
        clock: some Clock<Duration> = ContinuousClock(),
        isolation: isolated any Actor = #isolation
    ) {
        precondition(router.pacemaker == nil, "a router has one driver at a time")
        self.router = router
        start = router.now
        let beginning = clock.now
        elapsed = { beginning.duration(to: clock.now) }
        sleep = { until in
            try await clock.sleep(until: beginning.advanced(by: until), tolerance: nil)
        }
        alarm.driver = self
        alarm.actor = isolation
        router.pacemaker = Pacemaker(
            time: { [unowned self] in time },
            timersChanged: { [unowned self] in rest() },
            wake: { [alarm] in Task { await alarm.finishTrial() } }
        )
        rest()
    }

    deinit {
        stop()
    }

    /// Stops moving the clock; the host may move it with ``Router/advance(to:)``.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        sleeper?.task.cancel()
        sleeper = nil
        router.pacemaker = nil
    }

    /// The shortest time between two wakes, in seconds: the duration of one frame.
    private static let shortestRest = 0.016

    /// The time that the router's clock should have.
    private var time: Double { start + elapsed() / .seconds(1) }

    fileprivate func wake() {
        guard let until = sleeper?.until else { return }
        sleeper = nil
        // Not before what was slept for, however the times are rounded.
        isWaking = true
        router.catchUp(to: max(time, until))
        isWaking = false
        lastWake = time
        rest()
    }

    /// Sleeps until work is due.
    ///
    /// The wake is unnecessary if nothing is due by then. This is cheaper than a new sleep whenever
    /// a deadline is cancelled.
    private func rest() {
        guard !isStopped, !isWaking, let next = router.nextDeadline, next.isFinite else { return }
        let due = max(next, lastWake + Self.shortestRest)
        if let sleeper {
            guard due < sleeper.until else { return }
            sleeper.task.cancel()
        }
        // A duration does not hold every number: thirty years at a time do.
        let until = Duration.seconds(min(due - start, router.now - start + 1e9))
        let task = Task { [sleep, alarm] in
            do { try await sleep(until) } catch { return }
            await alarm.ring()
        }
        sleeper = (task, due)
    }
}

/// The continuation of a sleep, which retains neither the driver nor the actor that may own the
/// driver.
private final class Alarm: Sendable {
    // Set once, before there is a sleep. The driver is then used on its actor only.
    nonisolated(unsafe) weak var driver: RouterDriver?
    nonisolated(unsafe) weak var actor: (any Actor)?

    func ring() async {
        if let actor { await wake(on: actor) }
    }

    /// Makes the router complete an attempt to reload whose canary has ended.
    func finishTrial() async {
        if let actor { await finishTrial(on: actor) }
    }

    private func finishTrial(on actor: isolated any Actor) {
        driver?.router.finishTrial()
    }

    private func wake(on actor: isolated any Actor) {
        // A sleep is called off there too: after that nothing wakes.
        if !Task.isCancelled { driver?.wake() }
    }
}
