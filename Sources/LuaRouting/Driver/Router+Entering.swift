// SPDX-License-Identifier: MIT

internal import LuaVM

/// The source of time for a router whose clock is moved by a driver.
struct Pacemaker {
    /// Returns the current time, in seconds since 1970.
    let time: () -> Double
    /// Called whenever the next due time has changed.
    let timersChanged: () -> Void
    /// Makes the router complete a reload on the router's actor.
    ///
    /// The closure may be called on any thread.
    let wake: @Sendable () -> Void
}

extension Router {
    /// Prepares for a call by the host: begins a turn, unless the router itself has called the
    /// host.
    ///
    /// Stops the program if the call is on the wrong thread. If a driver moves the clock, the clock
    /// is set first, so that new work is not timed from the last due timer.
    ///
    /// - Returns: Whether a turn has begun.
    @discardableResult
    @inline(__always)
    func enter() -> Bool {
        generation.runtime.lua.checkThread()
        guard isAtRest else { return false }
        if let pacemaker { catchUp(to: pacemaker.time()) }
        turnAccount.begin(at: now)
        return true
    }

    /// Whether the router is not in the middle of a call.
    @inline(__always)
    var isAtRest: Bool {
        !queue.isPumping && queue.nesting == 0 && !isAdvancing && !isRunningScript
    }

    /// Sets the clock, then does the work that is due, within the budget of one turn.
    ///
    /// Unlike ``advance(to:)``, this function does not replay the time that has passed: timers that
    /// are set in the meantime start at the new time, so an app that was suspended catches up in
    /// one turn. Work that exceeds the budget stays due: ``nextDeadline`` is not later than the new
    /// time. A timeout that is more than a second late is postponed by 0.1 seconds, so that an app
    /// that was suspended first receives the answers that have arrived in the meantime.
    ///
    /// ``RouterDriver`` calls this function. A host that moves the clock in real time itself must
    /// call this function too.
    ///
    /// - Parameter time: The new time, in seconds since 1970. The clock never goes back. A time
    ///   that is not finite or not below 10¹¹ is ignored, and logged as a warning.
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
            // Timers that do not call scripts do not use the budget, but they take time.
            if ContinuousClock.now - start > configuration.budget.duration { break }
        }
        if hasEndedTrial { pump() }
    }

    // MARK: Turns

    /// Whether new work may begin: what is left of the turn's budget is sufficient for an entry
    /// with its complete budget, and the process is not being terminated.
    @inline(__always)
    var mayBeginWork: Bool {
        turnAccount.covers(serving.runtime.budget) && !LuaCanceller.hasCancelledAll
    }

    /// Does the postponed work that is due, turn by turn, while the given condition is true.
    package func finishPostponedWork(while mayGoOn: () -> Bool) {
        while let due = timers.next(.turn), due <= now, mayGoOn() {
            _ = advance(limit: 1) { _ in false }
        }
    }

    /// Postpones the work that has not begun.
    ///
    /// The work runs in the next turn, which is due immediately, or in the next second if scripts
    /// have used up their time in the current second.
    func postponeWork() {
        guard queue.nextTurn == nil else { return }
        let due = turnAccount.nextTurn(for: serving.runtime.budget, at: now)
        queue.nextTurn = timers.add(at: due, .turn) { [unowned self] in queue.nextTurn = nil }
    }

    /// Hands the router over to the next thread that calls it.
    ///
    /// Use this function for a router that is created in one place and then sent to its actor. The
    /// previous owner must no longer use the router. The router must not be in the middle of a
    /// call.
    public func detachFromThread() {
        for generation in generations { generation.runtime.lua.detachFromThread() }
    }
}
