// SPDX-License-Identifier: MIT

/// The time to look at files after hints of changes: after a quiet period, but no later than after
/// a maximum time.
///
/// It is a value: callers pass the time in, and nothing waits here.
public struct Settling: Sendable {
    /// The time without a hint after which files count as settled.
    public var quiet: Duration

    /// The maximum time from the first hint on.
    public let longest: Duration

    private var hints: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

    /// Creates a value that has had no hint.
    public init(quiet: Duration = .milliseconds(100), longest: Duration = .seconds(1)) {
        self.quiet = quiet
        self.longest = longest
    }

    /// Notes a hint.
    public mutating func note(at time: ContinuousClock.Instant) {
        hints = (min(hints?.first ?? time, time), max(hints?.last ?? time, time))
    }

    /// The time at which files count as settled if there is no other hint; nil before the first
    /// hint.
    public var end: ContinuousClock.Instant? {
        hints.map { min($0.last + quiet, $0.first + longest) }
    }

    /// Whether files count as settled at a time; false before the first hint.
    public func isSettled(at time: ContinuousClock.Instant) -> Bool {
        end.map { $0 <= time } ?? false
    }
}
