// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The steps that move the clock.
extension Session {
    /// How many timers `settle` waits for: those that set one another have no end.
    private static let settleLimit = 10_000

    /// Moves the clock on to each timer that is due before a deadline passes.
    func settle(_ step: Step) throws(Diagnostic) {
        var count = 0
        while let timer = router.nextTimer, timer.isFinite,
            router.nextTimeout.map({ timer < $0 }) ?? true
        {
            count += 1
            guard count <= Self.settleLimit else {
                let label = "timers set one another: \(Self.settleLimit) were due, to \(clock)"
                throw failure(of: step, label: label)
            }
            router.advance(to: timer)
        }
    }

    /// Moves the clock on to a time.
    func moveClock(to time: Double, _ step: Step) throws(Diagnostic) {
        guard time >= router.now else { throw failure(of: step, label: "it is \(clock) already") }
        router.advance(to: time)
    }

    private var clock: String { Moment.text(router.now) }
}
