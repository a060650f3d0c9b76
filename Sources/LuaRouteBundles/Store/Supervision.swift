// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting
internal import SystemGaps

extension BundleStore {
    /// Makes the staged bundle current in a running app.
    ///
    /// The router loads the bundle as in any reload. If a canary fails, the bundle is quarantined.
    /// If the router rejects the bundle for another reason, the bundle stays staged: later starts
    /// try it again, because a newer app may be able to load it. The capabilities of a router cannot
    /// change, so a bundle whose capabilities differ from those of the running scripts waits for
    /// the next start.
    ///
    /// - Parameter router: The router that ``start(_:)`` has created, on whose actor this function
    ///   must be called.
    /// - Returns: Whether the bundle is current. If not, no bundle is staged, or the bundle waits
    ///   for the next start.
    /// - Throws: The error of the rejected reload. The code is also `busy` while a rollback has
    ///   pinned the router. Unless the code is `superseded`, `cancelled` or `busy`, the store
    ///   records the rejection.
    @discardableResult
    nonisolated(nonsending)
        public func activate(in router: Router) async throws(RouteError) -> Bool
    {
        guard let candidate, let bundle = read(candidate) else { return false }
        let chosen = chosen(bundle)
        let isAllowed = access { content in
            guard content.running?.capabilities == chosen.capabilities else { return false }
            content.activating = candidate
            return true
        }
        guard isAllowed else { return false }
        defer { access { $0.activating = nil } }
        let time = configuration.time()
        let events = router.events(limit: .max)
        do throws(RouteError) {
            try await router.reload(bundle.scripts)
        } catch {
            guard ![.superseded, .cancelled, .busy].contains(error.code) else { throw error }
            // The event was sent before the reload ended.
            let event = await events.first { $0.kind == .reload && $0["status"] == "rejected" }
            let isOfCanary = event?["reason"] == "canary"
            access { content in
                if isOfCanary {
                    content.state.remove(candidate, .quarantined, because: error.message, at: time)
                } else {
                    content.state.note(.skipped, candidate, because: error.message, at: time)
                }
            }
            throw error
        }
        access { content in
            content.state.activate(candidate, at: time)
            content.run(chosen)
        }
        return true
    }

    /// Supervises the running scripts until the router ends or the Swift task is cancelled.
    ///
    /// - Confirms the start after 10 seconds, unless `router.start` of the scripts has failed. If
    ///   the supervision ends earlier, it confirms the start if there are screens in the tree,
    ///   because the app has not crashed.
    /// - Counts navigations and failures, from the first navigation of the router. While the
    ///   current bundle is on probation, the counts decide whether it becomes the last good bundle,
    ///   is held back, or is quarantined; see ``Probation``. After a quarantine, the router loads
    ///   the last good bundle or the embedded scripts, and logs the reason as a warning. Scripts
    ///   with different capabilities wait for the next start.
    ///
    /// ```swift
    /// let supervision = Task { await store.supervise(router) }
    /// ```
    ///
    /// - Parameters:
    ///   - router: The router that ``start(_:)`` has created, on whose actor this function must be
    ///     called.
    ///   - clock: The clock that measures the 10 seconds.
    nonisolated(nonsending)
        public func supervise(
            _ router: Router,
            clock: any Clock<Duration> = ContinuousClock()
        ) async
    {
        let supervision = Supervision(of: router, in: self)
        let confirmation = Task {
            try await clock.sleep(for: .seconds(10))
            if !access(\.hasFailedToStart) { try confirm() }
        }
        defer { confirmation.cancel() }
        for await _ in supervision.navigations() { await supervision.decide() }
        supervision.end()
    }

    /// Quarantines the current bundle, and makes the router load the previous one.
    nonisolated(nonsending)
        fileprivate func rollBack(_ router: Router, because reason: String) async
    {
        let time = configuration.time()
        // Continue even if the record cannot be written: the next start would only try the bundle
        // once more.
        let removed = access { content -> (StoredBundle, Capabilities?)? in
            guard let failed = content.state.successor else { return nil }
            content.state.remove(failed, .quarantined, because: reason, at: time)
            return (failed, content.running?.capabilities)
        }
        guard let (failed, rights) = removed else { return }
        let next = chosen((lastGood ?? access(\.state.previous)).flatMap(read))
        let successor =
            next.bundle.map { "version \($0.manifest.version)" } ?? "the embedded scripts"
        let isNow = next.capabilities == rights
        let effect =
            isNow
            ? "rolled back to \(successor)"
            : "quarantined, and runs until the next start, which loads \(successor), because their capabilities differ"
        router.log(
            "warning",
            "version \(failed.version) of the bundle '\(name)' is \(effect): \(reason)"
        )
        guard isNow else { return }
        // If the reload is rejected, the router has reported an event, and the next start chooses
        // again.
        guard (try? await router.reload(next.scripts)) != nil else { return }
        access { $0.run(next) }
    }

    /// Adds the counts of navigations of the running scripts, and decides about the bundle.
    ///
    /// - Parameters:
    ///   - counts: The counts.
    ///   - scripts: The digest of the navigations' scripts.
    /// - Returns: The reason to roll back; nil to continue.
    fileprivate func add(_ counts: Probation.Counts, scripts: String) -> String? {
        access { content in
            // The app may have loaded scripts that are not in the store.
            guard let running = content.running, running.scripts.digest == scripts else {
                return nil
            }
            let digest = running.bundle?.digest
            content.counts += counts
            guard let probation = configuration.probation,
                let successor = content.state.successor, successor.digest == digest
            else {
                if content.counts.navigations >= Self.countInterval { content.keepCounts() }
                return nil
            }
            let verdict = probation.verdict(
                on: successor.counts + content.counts,
                comparedWith: content.state.lastGood?.counts ?? content.state.embeddedCounts
            )
            // The process may end soon after a failure, so the counts are written immediately.
            if counts.failures > 0 || verdict != .pending
                || content.counts.navigations >= Self.countInterval
            {
                content.keepCounts()
            }
            let time = configuration.time()
            switch verdict {
            case .pending: return nil
            case .passed: content.state.pass(at: time)
            case .held(let reason): content.state.hold(because: reason, at: time)
            case .failed(let reason):
                guard successor.isHeld else { return reason }
                content.state.hold(because: reason, at: time)
            }
            return nil
        }
    }

    /// The number of navigations after which the counts are written.
    private static let countInterval = 50
}

/// The counts of the navigations of a router's scripts that the supervision has not read yet.
///
/// The router notifies the counter of each event while the event happens, so that no navigation is
/// lost, no matter how many end before the supervision continues.
final class NavigationCounter: Sendable {
    /// The counts of navigations that ran with the same scripts.
    struct Entry {
        /// The digest of the scripts.
        let scripts: String
        var counts: Probation.Counts
    }

    private struct State {
        /// The oldest first.
        var entries: [Entry] = []
        /// The digest of the scripts.
        var scripts: String
        /// The time, by the router's clock, at which the last navigation ended or the scripts
        /// became active.
        var last: Double
        /// The generation number of the scripts; nil for the first generation.
        var generation: Int?
        /// Wakes the supervision.
        var wake: AsyncStream<Void>.Continuation?
        var hasRouterEnded = false
        /// Whether the supervision has ended.
        var isOver = false
    }

    /// The maximum number of entries, beyond which the counts of navigations are added up.
    private static let entryLimit = 1_000

    private let state: Lock<State>

    /// Counts the navigations of a router from now on.
    init(of router: Router) {
        state = Lock(State(scripts: router.bundle.digest, last: router.now))
        router.observe(
            { [self] event in hear(event) },
            atEnd: { [self] in
                state.withLock { state in
                    state.hasRouterEnded = true
                    state.wake?.finish()
                }
            }
        )
    }

    /// Returns a sequence with an element whenever there are counts to read, which ends with the
    /// router.
    func wakes() -> AsyncStream<Void> {
        let (stream, wake) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            state.wake = wake
            if !state.entries.isEmpty { wake.yield() }
            if state.hasRouterEnded { wake.finish() }
        }
        return stream
    }

    /// Removes and returns the counts.
    func take() -> [Entry] {
        state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
    }

    /// Ends the counting.
    func end() { state.withLock { $0.isOver = true } }

    /// Counts the navigation that the given event ends.
    ///
    /// - Returns: Whether the counting goes on.
    private func hear(_ event: Event) -> Bool {
        state.withLock { state in
            switch event.kind {
            case .reload:
                if event["status"] == "accepted", let digest = event["digest"].text {
                    (state.scripts, state.last) = (digest, event.time)
                    state.generation = event.generation
                }
            case .done, .stayed, .cancelled, .failed:
                // A navigation that began with the previous scripts says nothing about the current
                // ones.
                guard event.generation >= state.generation ?? event.generation else { break }
                var counts = Probation.Counts()
                counts.add(code: event["code"].text)
                counts.seconds = Int(event.time) - Int(state.last)
                state.last = event.time
                let index = state.entries.count - 1
                if index >= Self.entryLimit, state.entries[index].scripts == state.scripts {
                    state.entries[index].counts += counts
                } else {
                    state.entries.append(Entry(scripts: state.scripts, counts: counts))
                }
                state.wake?.yield()
            default: break
            }
            return !state.isOver
        }
    }
}

/// The supervision of a router's scripts, which decides about the bundle on probation.
package final class Supervision {
    private let router: Router
    private let store: BundleStore
    private let counter: NavigationCounter

    /// Starts to supervise a router, including its navigations since `BundleStore.start`.
    package init(of router: Router, in store: BundleStore) {
        (self.router, self.store) = (router, store)
        let known = store.access { content in
            defer { content.navigations = nil }
            return content.navigations
        }
        if let known, known.router == ObjectIdentifier(router) {
            counter = known.counter
        } else {
            known?.counter.end()
            counter = NavigationCounter(of: router)
        }
    }

    /// Returns a sequence with an element whenever navigations have ended, which ends with the
    /// router.
    func navigations() -> AsyncStream<Void> { counter.wakes() }

    /// Counts the navigations that have ended, and rolls the bundle back if too many have failed.
    nonisolated(nonsending)
        package func decide() async
    {
        let hasFailedToStart = router.hasFailedToStart
        store.access { $0.hasFailedToStart = hasFailedToStart }
        for entry in counter.take() {
            if let reason = store.add(entry.counts, scripts: entry.scripts) {
                await store.rollBack(router, because: reason)
            }
        }
    }

    /// Adds the counts of the running scripts to the record, and confirms the start if there are
    /// screens in the tree.
    package func end() {
        counter.end()
        // If a bundle has failed, the next navigation, in the next process, rolls it back.
        for entry in counter.take() { _ = store.add(entry.counts, scripts: entry.scripts) }
        store.access { $0.keepCounts() }
        // If the app has not started, the start counts as unconfirmed.
        if !router.hasFailedToStart, !router.tree.windows.isEmpty { try? store.confirm() }
    }
}
#endif
