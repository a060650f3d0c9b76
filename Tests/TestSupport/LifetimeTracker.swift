// SPDX-License-Identifier: MIT

import SystemGaps

/// An object that makes other objects, and counts how many of them are alive.
public final class LifetimeTracker: Sendable {
    private let alive = Atomic()

    /// Creates a tracker without objects.
    public init() {}

    /// The number of live objects.
    public var liveCount: Int { alive.value }

    /// Makes an object that is counted until its last reference is released.
    public func track() -> Token {
        Token(self)
    }

    /// An object that is counted.
    public final class Token: Sendable {
        private let tracker: LifetimeTracker

        fileprivate init(_ tracker: LifetimeTracker) {
            self.tracker = tracker
            tracker.alive.add(1)
        }

        deinit {
            tracker.alive.add(-1)
        }
    }
}
