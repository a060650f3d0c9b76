// SPDX-License-Identifier: MIT

/// A calculation of the time at which to check files after hints of changes: when no hint has
/// arrived for a while, but no later than a maximum time after the first hint.
///
/// This type is a value that never waits. Callers pass in the time.
public struct Settling: Sendable {
    /// The time without a hint after which files count as settled.
    public var quiet: Duration

    /// The maximum time after the first hint.
    public let longest: Duration

    private var hints: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

    /// Creates a value without any hints.
    public init(quiet: Duration = .milliseconds(100), longest: Duration = .seconds(1)) {
        self.quiet = quiet
        self.longest = longest
    }

    /// Records a hint.
    public mutating func note(at time: ContinuousClock.Instant) {
        hints = (min(hints?.first ?? time, time), max(hints?.last ?? time, time))
    }

    /// The time at which files count as settled if no other hint arrives; nil before the first
    /// hint.
    public var end: ContinuousClock.Instant? {
        hints.map { min($0.last + quiet, $0.first + longest) }
    }

    /// Whether files count as settled at the given time; false before the first hint.
    public func isSettled(at time: ContinuousClock.Instant) -> Bool {
        end.map { $0 <= time } ?? false
    }
}
