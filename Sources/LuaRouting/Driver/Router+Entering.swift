// SPDX-License-Identifier: MIT

/// What the clock of a router goes by, where something moves it.
struct Pacemaker {
    /// The time, in seconds since 1970.
    let time: () -> Double
    /// Called whenever something became due at a time, or is so no more.
    let timersChanged: () -> Void
}

extension Router {
    /// What comes before each call of the host.
    ///
    /// Debug builds trap on a wrong thread. A clock that is driven is set: what the host begins
    /// would else be timed from when something was due last.
    @inline(__always)
    func enter() {
        generation.lua.checkThread()
        if let pacemaker { catchUp(with: pacemaker) }
    }

    /// Sets the clock, unless a function of the router is still to return.
    private func catchUp(with pacemaker: Pacemaker) {
        guard !isAdvancing, !isPumping, nesting == 0, !isRunningScript else { return }
        advance(to: pacemaker.time())
    }

    /// Lets another thread have the router: from now on the one that calls it next.
    ///
    /// It is for a router that is made in one place and then sent to the actor where it stays. Who
    /// hands it over must not use it any more. Not in what the router calls.
    public func detachFromThread() {
        for generation in generations { generation.lua.detachFromThread() }
    }
}
