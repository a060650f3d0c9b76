// SPDX-License-Identifier: MIT

/// The scripts' use of limited capabilities in the current second.
struct CapabilityAccount {
    /// The start of the current second, by the router's clock.
    private var start = -Double.infinity
    private var used: [Capability: Int] = [:]

    /// Counts a use of a capability.
    ///
    /// - Parameters:
    ///   - capability: A capability that limits a rate.
    ///   - amount: The number of uses; 0 to check the limit without counting.
    ///   - limit: The maximum number of uses in a second.
    ///   - now: The router's time.
    /// - Returns: Whether the use is within the limit. A use beyond the limit is not counted.
    mutating func use(_ capability: Capability, _ amount: Int, limit: Int, at now: Double) -> Bool {
        guard covers(capability, amount, limit: limit, at: now) else { return false }
        used[capability, default: 0] += amount
        return true
    }

    /// Returns whether a use would be within the limit.
    mutating func covers(_ capability: Capability, _ amount: Int, limit: Int, at now: Double)
        -> Bool
    {
        if now >= start + 1 { (start, used) = (now, [:]) }
        return used[capability, default: 0] <= limit - amount
    }
}

/// The breaches of capabilities by one generation of scripts.
struct Breaches {
    /// The number of reported breaches in ``span`` after which timers and listeners are suspended.
    static let limit = 10
    /// The period in which breaches are counted, in seconds.
    static let span = 60.0

    /// A capability, and whether a script exceeds it, or the host.
    private struct Subject: Hashable {
        let capability: Capability
        let isByScript: Bool
    }

    private var times: [Double] = []
    /// The time of the latest report about each subject.
    private var reports: [Subject: Double] = [:]
    /// Whether the timers and listeners of the scripts are suspended.
    private(set) var areSuspending = false

    /// Returns whether a breach must be reported.
    ///
    /// Only the first breach of a capability by scripts, and the first by the host, is reported in
    /// each second, and none while the scripts are suspended. If the result is true, the time of the
    /// report is recorded.
    mutating func isNews(of capability: Capability, isByScript: Bool, at now: Double) -> Bool {
        let subject = Subject(capability: capability, isByScript: isByScript)
        guard !areSuspending, now >= (reports[subject] ?? -.infinity) + 1 else { return false }
        reports[subject] = now
        return true
    }

    /// Counts a reported breach.
    ///
    /// - Returns: Whether this breach suspends the scripts.
    mutating func count(at now: Double) -> Bool {
        guard !areSuspending else { return false }
        times.removeAll { $0 <= now - Self.span }
        times.append(now)
        areSuspending = times.count >= Self.limit
        return areSuspending
    }
}
