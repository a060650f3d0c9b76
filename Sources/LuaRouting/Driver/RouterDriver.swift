// SPDX-License-Identifier: MIT

/// An object that moves the clock of a router in real time, so that timers and deadlines occur when
/// they are due.
///
/// The driver sleeps until ``Router/nextDeadline``, then calls ``Router/catchUp(to:)``. The clock
/// is also set before each call by the host. The time of the router continues from its current
/// value, which by default is the time of day at which the router was created. An app that was
/// suspended catches up within the budget of one turn. The driver wakes at most once in 16
/// milliseconds, so that frequent or slow timers of a script do not block the actor.
///
/// ```swift
/// let router = try Router(scripts: bundle, host: app)
/// driver = RouterDriver(router)
/// router.start()
/// ```
///
/// The driver is confined to the actor on which it was created, like its router. It stops when its
/// last reference is released.
public final class RouterDriver {
    /// The router whose clock the driver moves.
    public let router: Router

    private let elapsed: () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// The router's time when the driver was created.
    private let start: Double
    private let alarm = Alarm()
    private var isStopped = false
    private var isWaking = false
    /// The time of the latest wake-up, by the router's clock.
    private var lastWake = -Double.infinity
    /// The task that sleeps, and the router's time at which it wakes.
    private var sleeper: (task: Task<Void, Never>, until: Double)?

    /// Creates a driver that immediately begins to move the clock of a router.
    ///
    /// - Parameters:
    ///   - router: The router. It must not have another driver.
    ///   - clock: The clock that the driver reads and sleeps on. It should continue while the
    ///     device sleeps.
    ///   - isolation: The actor to which the router belongs.
    public init(
        _ router: Router,
        clock: some Clock<Duration> = ContinuousClock(),
        isolation: isolated any Actor = #isolation
    ) {
        precondition(router.pacemaker == nil, "the router already has a driver")
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

    /// Stops moving the clock.
    ///
    /// The host may then move the clock with ``Router/advance(to:)``.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        sleeper?.task.cancel()
        sleeper = nil
        router.pacemaker = nil
    }

    /// The minimum time between two wake-ups, in seconds: the duration of one frame.
    private static let shortestRest = 0.016

    /// The time to which the router's clock should be set.
    private var time: Double { start + elapsed() / .seconds(1) }

    fileprivate func wake() {
        guard let until = sleeper?.until else { return }
        sleeper = nil
        // The new time is not before the end of the sleep, even after rounding.
        isWaking = true
        router.catchUp(to: max(time, until))
        isWaking = false
        lastWake = time
        rest()
    }

    /// Sleeps until work is due.
    ///
    /// An existing sleep is kept if it ends early enough, even if nothing is due when it ends. An
    /// unnecessary wake-up is cheaper than a new sleep for each deadline that is cancelled.
    private func rest() {
        guard !isStopped, !isWaking, let next = router.nextDeadline, next.isFinite else { return }
        let due = max(next, lastWake + Self.shortestRest)
        if let sleeper {
            guard due < sleeper.until else { return }
            sleeper.task.cancel()
        }
        // A duration cannot represent every number, so one sleep is limited to about thirty years.
        let until = Duration.seconds(min(due - start, router.now - start + 1e9))
        let task = Task { [sleep, alarm] in
            do { try await sleep(until) } catch { return }
            await alarm.ring()
        }
        sleeper = (task, due)
    }
}

/// The object that a sleeping task uses to wake the driver.
///
/// The object retains neither the driver nor the actor that may own the driver.
private final class Alarm: Sendable {
    // Both properties are set once, before the first sleep. The driver is only used on its actor.
    nonisolated(unsafe) weak var driver: RouterDriver?
    nonisolated(unsafe) weak var actor: (any Actor)?

    func ring() async {
        if let actor { await wake(on: actor) }
    }

    /// Makes the router complete a reload whose canary has ended.
    func finishTrial() async {
        if let actor { await finishTrial(on: actor) }
    }

    private func finishTrial(on actor: isolated any Actor) {
        driver?.router.finishTrial()
    }

    private func wake(on actor: isolated any Actor) {
        // A sleep may be cancelled on the actor; the driver must not wake after that.
        if !Task.isCancelled { driver?.wake() }
    }
}
