// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A pool of sessions that have run the background of a file.
///
/// Each scenario of the file continues from the end of the background.
///
/// A thread has exclusive use of a session until it returns the session to the pool.
final class PreparedSessions: Sendable {
    /// A session with a checkpoint at the end of the background.
    private final class Prepared {
        let session: Session
        private var restore: (() -> Void)?

        init(_ session: Session, _ restore: @escaping () -> Void) {
            (self.session, self.restore) = (session, restore)
        }

        // A checkpoint must not outlive its session.
        deinit {
            restore = nil
            session.end()
        }

        /// Returns to the checkpoint, so that another thread can use the session.
        func rewind() {
            restore?()
            session.app.router.detachFromThread()
        }
    }

    /// A session that no thread uses.
    ///
    /// The session is safe to send, because a lock passes it from one thread to the next.
    private struct Free: @unchecked Sendable { let prepared: Prepared }

    private let free = Monitor<[Free]>([])

    /// The number of sessions that no thread uses.
    var count: Int { free.withLock { $0.count } }

    /// Runs a scenario.
    ///
    /// If a prepared session is free, the run begins after the background.
    ///
    /// A session is used again only if no request of the background has failed, because a scenario
    /// may expect such a failure.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - makeSession: Creates a session that has not run any step.
    ///   - report: Creates the report of a session that has ended.
    /// - Returns: The report.
    /// - Throws: The error thrown by `makeSession`.
    func run<Report>(
        _ scenario: Scenario,
        _ makeSession: () throws(ScenarioRunner.Failure) -> Session,
        report: (Session) -> Report
    ) throws(ScenarioRunner.Failure) -> Report {
        if let prepared = free.withLock({ $0.popLast()?.prepared }) {
            prepared.session.becomes(scenario)
            prepared.session.run()
            return giveBack(prepared, report(prepared.session))
        }
        let session = try makeSession()
        var prepared: Prepared?
        session.afterBackground = { [unowned session] in
            let hasFailed = session.requests.all.values.contains { $0.outcome.hasFailed }
            guard !hasFailed, let restore = try? session.restoration() else { return }
            prepared = Prepared(session, restore)
        }
        session.run()
        let report = report(session)
        session.afterBackground = nil
        return prepared.map { giveBack($0, report) } ?? report
    }

    /// Ends the sessions that no thread uses.
    func removeAll() {
        let all = free.withLock { free in
            defer { free = [] }
            return free
        }
        withExtendedLifetime(all) {}
    }

    private func giveBack<Report>(_ prepared: Prepared, _ report: Report) -> Report {
        guard !prepared.session.wasInterrupted else { return report }
        prepared.rewind()
        let own = Free(prepared: prepared)
        free.withLock { $0.append(own) }
        return report
    }
}
