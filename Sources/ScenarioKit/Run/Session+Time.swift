// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The goal of a step that moves the clock.
enum ClockGoal {
    /// The clock moves to a time, in seconds since 1970.
    case time(Double)
    /// The clock moves to each timer that is due before the next deadline.
    case settled
}

/// The steps that move the clock.
extension Session {
    /// Moves the clock to a time.
    func moveClock(to time: Double, _ step: ScenarioStep) throws(Diagnostic) {
        guard time >= app.router.now else {
            throw failure(of: step, label: "the clock is already at \(clock)")
        }
        cursor.clockGoal = .time(time)
    }

    /// Moves the clock towards the goal of the step, until the app's host has work to do.
    func moveClock(_ step: ScenarioStep) throws(Diagnostic) {
        switch cursor.clockGoal {
        case .time(let end):
            guard try runTimers(step, while: { $0 <= end }) else { return }
            app.router.advance(to: end)
        case .settled:
            let isDone = try runTimers(step) { [router = app.router] time in
                time == router.nextTimer && time.isFinite
                    && router.nextTimeout.map { time < $0 } ?? true
            }
            guard isDone else { return }
        case nil: return
        }
        cursor.clockGoal = nil
    }

    /// Runs timers and deadlines in order while a condition is true.
    ///
    /// - Returns: Whether all due timers and deadlines have run. If not, the app's host has work to
    ///   do first.
    /// - Throws: An error after 10,000 timers, if the timers have used up the time limit of a step,
    ///   or when the run is interrupted.
    private func runTimers(
        _ step: ScenarioStep,
        while isDue: (Double) -> Bool
    ) throws(Diagnostic) -> Bool {
        let end = SystemThread.processorTime + timeLimit
        var isLate = false
        let isComplete = app.router.advance { time in
            guard isDue(time), !isAwaitingAppHost, !options.isInterrupted() else { return false }
            isLate = SystemThread.processorTime >= end
            return !isLate
        }
        try checkInterruption(step)
        if isLate {
            let seconds = Value.number(timeLimit / .seconds(1))
            let label =
                "the timers used more than \(printer.value(seconds)) s of processor time, up to \(clock)"
            throw failure(of: step, label: label)
        }
        guard isComplete else {
            let label =
                "timers set each other without end: \(Router.advanceLimit) were due up to \(clock)"
            throw failure(of: step, label: label)
        }
        return !isAwaitingAppHost
    }

    /// The processor time that the timers of one step may use, which equals the time budget of one
    /// call into the scripts.
    private var timeLimit: Duration { options.configuration(settings).budget.duration }

    private var clock: String { Moment.text(app.router.now) }
}
