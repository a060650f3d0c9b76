// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting

extension BundleStore {
    /// Makes the staged bundle current in a running app.
    ///
    /// The router loads the bundle as in any reload. If the scripts do not load or a canary fails,
    /// the bundle is rejected and removed from the store. The capabilities of a router cannot
    /// change, so a bundle whose capabilities differ from those of the running scripts waits for
    /// the next start.
    ///
    /// - Parameter router: The router that ``start(_:)`` has created, on whose actor this function
    ///   must be called.
    /// - Returns: Whether the bundle is current. If not, no bundle is staged, or the bundle waits
    ///   for the next start.
    /// - Throws: The error of the rejected reload. The bundle remains staged only if the code is
    ///   `superseded`, `cancelled` or `busy`; the code is also `busy` while a rollback has pinned
    ///   the router.
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
        do throws(RouteError) {
            try await router.reload(bundle.scripts)
        } catch {
            if ![.superseded, .cancelled, .busy].contains(error.code) {
                access { $0.state.remove(candidate, .removed, because: error.message, at: time) }
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
    ///   current bundle is on probation, the counts decide whether it becomes the last good bundle
    ///   or is quarantined. After a quarantine, the router loads the last good bundle or the
    ///   embedded scripts, and logs the reason as a warning. Scripts with different capabilities
    ///   wait for the next start.
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
        let earlier = access { content in
            defer { content.events = nil }
            return content.events?.router == ObjectIdentifier(router) ? content.events?.stream : nil
        }
        let supervision = Supervision(of: router, in: self)
        let confirmation = Task {
            try await clock.sleep(for: .seconds(10))
            if !access(\.hasFailedToStart) { try confirm() }
        }
        defer { confirmation.cancel() }
        for await event in earlier ?? router.events() { await supervision.hear(event) }
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
            guard let failed = content.state.probationer else { return nil }
            content.state.remove(failed, .quarantined, because: reason, at: time)
            return (failed, content.running?.capabilities)
        }
        guard let (failed, rights) = removed else { return }
        let next = chosen((lastGood ?? access(\.state.previous)).flatMap(read))
        let successor = next.bundle.map { "version \($0.manifest.version)" }
        router.log(
            "warning",
            "version \(failed.version) of the bundle '\(name)' is rolled back to "
                + "\(successor ?? "the embedded scripts"): \(reason)"
        )
        guard next.capabilities == rights else { return }
        // If the reload is rejected, the router has reported an event, and the next start chooses
        // again.
        guard (try? await router.reload(next.scripts)) != nil else { return }
        access { $0.run(next) }
    }

    /// Counts the end of a navigation of the running scripts.
    ///
    /// - Parameters:
    ///   - code: The error code of the navigation if it failed; otherwise nil.
    ///   - scripts: The digest of the navigation's scripts.
    ///   - seconds: The seconds since the previous navigation ended.
    /// - Returns: The reason to roll back; nil to continue.
    fileprivate func count(_ code: String?, scripts: String, after seconds: Int) -> String? {
        access { content in
            // The app may have loaded scripts that are not in the store.
            guard let running = content.running, running.scripts.digest == scripts else {
                return nil
            }
            let digest = running.bundle?.digest
            content.counts.add(code: code)
            content.counts.seconds += seconds
            guard let probation = configuration.probation,
                let probationer = content.state.probationer, probationer.digest == digest
            else {
                if content.counts.navigations >= Self.countInterval { content.keepCounts() }
                return nil
            }
            let verdict = probation.verdict(
                on: probationer.counts + content.counts,
                comparedWith: content.state.lastGood?.counts ?? content.state.embeddedCounts
            )
            // The process may end soon after a failure, so the counts are written immediately.
            if code.map(Probation.codes.contains) == true || verdict != .pending
                || content.counts.navigations >= Self.countInterval
            {
                content.keepCounts()
            }
            switch verdict {
            case .pending: return nil
            case .passed:
                content.state.pass(at: configuration.time())
                return nil
            case .failed(let reason): return reason
            }
        }
    }

    /// The number of navigations after which the counts are written.
    private static let countInterval = 50
}

/// Counts the navigations of a router's scripts by reading the router's events.
package final class Supervision {
    private let router: Router
    private let store: BundleStore
    /// The digest of the scripts.
    private var scripts: String
    /// The time, by the router's clock, at which the last navigation ended or the scripts became
    /// active.
    private var last: Double
    /// The generation number of the scripts; nil for the first generation.
    private var generation: Int?

    /// Starts to count.
    package init(of router: Router, in store: BundleStore) {
        (self.router, self.store) = (router, store)
        (scripts, last) = (router.bundle.digest, router.now)
    }

    /// If the given event ends a navigation, counts the navigation, and rolls the bundle back if
    /// too many navigations have failed.
    nonisolated(nonsending)
        package func hear(_ event: Event) async
    {
        switch event.kind {
        case .reload:
            if event["status"] == "accepted", let digest = event["digest"].text {
                (scripts, last, generation) = (digest, event.time, event.generation)
            }
        case .done, .stayed, .cancelled, .failed:
            let hasFailedToStart = router.hasFailedToStart
            store.access { $0.hasFailedToStart = hasFailedToStart }
            // A navigation that began with the previous scripts says nothing about the current
            // ones.
            guard event.generation >= generation ?? event.generation else { return }
            let seconds = Int(event.time) - Int(last)
            last = event.time
            let reason = store.count(
                event["code"].text,
                scripts: scripts,
                after: seconds
            )
            if let reason { await store.rollBack(router, because: reason) }
        default: break
        }
    }

    /// Adds the counts of the running scripts to the record, and confirms the start if there are
    /// screens in the tree.
    package func end() {
        store.access { $0.keepCounts() }
        // If the app has not started, the start counts as unconfirmed.
        if !router.hasFailedToStart, !router.tree.windows.isEmpty { try? store.confirm() }
    }
}
#endif
