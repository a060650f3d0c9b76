// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The steps that move the clock.
extension Session {
    /// Moves the clock by a duration, in seconds.
    func moveClock(by seconds: Double, _ step: Step) throws(Diagnostic) {
        try moveClock(to: router.now + seconds, step)
    }

    /// Moves the clock to a time.
    func moveClock(to time: Double, _ step: Step) throws(Diagnostic) {
        guard time >= router.now else { throw failure(of: step, label: "it is \(clock) already") }
        try runTimers(step) { $0 <= time }
        router.advance(to: time)
    }

    /// Moves the clock to each timer that is due before the next deadline.
    func settle(_ step: Step) throws(Diagnostic) {
        try runTimers(step) { [router] time in
            time == router.nextTimer && time.isFinite
                && router.nextTimeout.map { time < $0 } ?? true
        }
    }

    /// Runs timers and deadlines in order, as long as a condition is true.
    ///
    /// - Throws: An error after 10,000 of them, when they have used the time that a step may take,
    ///   or when the run is interrupted.
    private func runTimers(
        _ step: Step,
        while isDue: (Double) -> Bool
    ) throws(Diagnostic) {
        let end = SystemThread.processorTime + timeLimit
        var isLate = false
        let isComplete = router.advance { time in
            guard isDue(time), !options.isInterrupted() else { return false }
            isLate = SystemThread.processorTime >= end
            return !isLate
        }
        try checkInterruption(step)
        if isLate {
            let seconds = Value.number(timeLimit / .seconds(1))
            let label = "its timers took more than \(printer.value(seconds)) s, up to \(clock)"
            throw failure(of: step, label: label)
        }
        guard isComplete else {
            let label = "timers set one another: \(Router.advanceLimit) were due, to \(clock)"
            throw failure(of: step, label: label)
        }
    }

    /// The processor time that the timers of one step may use: the budget of one entry.
    private var timeLimit: Duration { options.configuration(settings).budget.duration }

    private var clock: String { Moment.text(router.now) }
}
