// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A search for a failure, and for a short sequence of changes that causes the failure.
@MainActor
struct ConformanceSearch {
    let kinds: [HostConformance.Kind]
    let pages: [String]
    let subject: (Router) -> ConformanceSubject

    /// Returns the message of the first failure.
    func message(_ count: Int, seed: UInt64, limit: Duration) async -> String? {
        let changes = ConformanceChange.make(count, kinds, seed: seed)
        do {
            guard let failure = try await failure(of: changes, limit) else { return nil }
            let place = failure.count == 0 ? "the start" : "change \(failure.count) of \(count)"
            let (shortest, last) = try await shortened(changes, failure: failure, limit: limit)
            return """
                \(last.problem.text)
                The host failed after \(place) with seed \(seed). The shortest failing sequence that was found:
                \(last.details(after: shortest.map(\.kind)))
                """
        } catch {
            return "the generated scripts cannot be loaded: \(error)"
        }
    }

    private func failure(
        of changes: [ConformanceChange],
        _ limit: Duration
    ) async throws -> ConformanceFailure? {
        let run = try ConformanceRun(kinds: kinds, pages: pages, limit: limit, subject: subject)
        defer { run.end() }
        return await run.failure(of: changes)
    }

    /// Removes changes, larger parts first, as long as the same problem occurs.
    ///
    /// A host that does not finish a change takes long to fail, so the time limit is shorter than
    /// in the run, and the number of attempts is small.
    private func shortened(
        _ changes: [ConformanceChange],
        failure: ConformanceFailure,
        limit: Duration
    ) async throws -> ([ConformanceChange], ConformanceFailure) {
        var attempts = failure.problem.isSlow ? 20 : 300
        var (shortest, last) = (Array(changes.prefix(failure.count)), failure)
        var size = shortest.count
        while size > 0 {
            var (start, isShorter) = (0, false)
            while start < shortest.count {
                guard attempts > 0 else { return (shortest, last) }
                attempts -= 1
                var attempt = shortest
                attempt.removeSubrange(start..<min(start + size, shortest.count))
                if let failure = try await self.failure(of: attempt, limit / 50),
                    failure.problem.kind == last.problem.kind
                {
                    (shortest, last) = (Array(attempt.prefix(failure.count)), failure)
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size > 1 || !isShorter { size /= 2 }
        }
        return (shortest, last)
    }
}
