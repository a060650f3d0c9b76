// SPDX-License-Identifier: MIT

/// When to look after hints that something changes: once it has been quiet for a while, and
/// after some time even if it never is.
///
/// A value that is told the time, and waits for nothing itself.
public struct Settling: Sendable {
    /// How long nothing may change before it counts as settled.
    public let quiet: Duration

    /// How long to wait at the most, from the first hint on.
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

    /// When it has settled, unless there is another hint; nil before the first one.
    public var end: ContinuousClock.Instant? {
        hints.map { min($0.last + quiet, $0.first + longest) }
    }

    /// Whether it has settled by now; never before a hint.
    public func isSettled(at time: ContinuousClock.Instant) -> Bool {
        end.map { $0 <= time } ?? false
    }
}
