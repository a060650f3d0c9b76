// SPDX-License-Identifier: MIT

internal import LuaVM

/// The source of time for a router whose clock is moved by a driver.
struct Pacemaker {
    /// The time, in seconds since 1970.
    let time: () -> Double
    /// Called whenever the next due time changes.
    let timersChanged: () -> Void
    /// Makes the router complete an attempt to reload, on its actor; called on any thread.
    let wake: @Sendable () -> Void
}

extension Router {
    /// Prepares each call by the host: it begins a turn, unless the router called the host.
    ///
    /// Stops the program on a wrong thread. If a driver moves the clock, the clock is set first;
    /// otherwise the time of new work would start at the last due timer.
    ///
    /// - Returns: Whether a turn begins.
    @discardableResult
    @inline(__always)
    func enter() -> Bool {
        generation.runtime.lua.checkThread()
        guard isAtRest else { return false }
        if let pacemaker { catchUp(to: pacemaker.time()) }
        turnAccount.begin(at: now)
        return true
    }

    /// Whether no function of the router is active.
    @inline(__always)
    var isAtRest: Bool {
        !queue.isPumping && queue.nesting == 0 && !isAdvancing && !isRunningScript
    }

    /// Sets the clock, then does the due work, within the budget of one turn.
    ///
    /// Unlike ``advance(to:)`` it does not replay the time that has passed: timers that are set in
    /// the meantime count from the new time. So an app that was suspended catches up in one turn.
    /// Work that exceeds the budget stays due: ``nextDeadline`` is not later than the new time. A
    /// timeout that is more than a second late ends nothing before 0.1 seconds have passed, so that
    /// an app that was suspended first receives the answers that have arrived in the meantime.
    ///
    /// ``RouterDriver`` calls it; so does a host that moves the clock by itself in real time.
    ///
    /// - Parameter time: In seconds since 1970; the clock never goes back. A time that is not finite or
    ///   not below 10¹¹ is ignored, and logged as a warning.
    public func catchUp(to time: Double) {
        guard isTime(time, of: "catchUp(to:)"), isAtRest else { return }
        now = max(now, Self.inMicroseconds(time))
        timers.postponeDeadlines(before: now - 1, to: self.time(in: 0.1))
        turnAccount.begin(at: now)
        isAdvancing = true
        defer {
            isAdvancing = false
            pacemaker?.timersChanged()
        }
        let start = ContinuousClock.now
        while mayBeginWork, let entry = timers.first, entry.time <= now {
            timers.remove(entry.number)
            entry.action()
            pump()
            // Timers that enter no script spend none of the budget, but time.
            if ContinuousClock.now - start > configuration.budget.duration { break }
        }
        if hasEndedTrial { pump() }
    }

    // MARK: Turns

    /// Whether the budget of the turn covers a whole entry, and the process need not end.
    @inline(__always)
    var mayBeginWork: Bool {
        turnAccount.covers(serving.runtime.budget) && !LuaCanceller.hasCancelledAll
    }

    /// Does the work that was postponed and is due, turn by turn, while a condition is true.
    package func finishPostponedWork(while mayGoOn: () -> Bool) {
        while let due = timers.next(.turn), due <= now, mayGoOn() {
            _ = advance(limit: 1) { _ in false }
        }
    }

    /// Postpones the work that has not begun.
    ///
    /// It runs in the next turn, which is due at once, or in the next second if scripts have used
    /// up their time in this second.
    func postponeWork() {
        guard queue.nextTurn == nil else { return }
        let due = turnAccount.nextTurn(for: serving.runtime.budget, at: now)
        queue.nextTurn = timers.add(at: due, .turn) { [unowned self] in queue.nextTurn = nil }
    }

    /// Hands the router over to the next thread that calls it.
    ///
    /// Use it for a router that is created in one place and then sent to its actor. The previous
    /// owner must no longer use the router. Must not be called from within a call by the router.
    public func detachFromThread() {
        for generation in generations { generation.runtime.lua.detachFromThread() }
    }
}
