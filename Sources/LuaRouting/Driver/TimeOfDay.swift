// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The time of day, by the clock of the system.
package enum TimeOfDay {
    /// The current time, in seconds since 1970.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
