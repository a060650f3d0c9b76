// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The identity of a state of a search: two states with equal fingerprints count as one.
struct StateFingerprint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates the fingerprint of a text, the same on every machine and in every run.
    init(_ text: String) {
        // FNV-1a with two offsets, and a final mix of both halves.
        var (high, low) = (UInt64(0xcbf2_9ce4_8422_2325), UInt64(0x9ae1_6a3b_2f90_404f))
        for byte in text.utf8 {
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_0233
            low = low << 7 | low >> 57
        }
        self.init(Self.mixed(high ^ low << 1), Self.mixed(low &+ high))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }

    /// Returns the fingerprint of a state from those of its parts.
    ///
    /// The variables of scripts are not included yet: two states that differ only in a local
    /// variable, an upvalue, a table that only scripts reach, or the state of `math.random` have
    /// one fingerprint. Of such states the search expands the first one only; the check of merged
    /// states (finding X008) reports some of them. A fingerprint of the scripts' heap is to be
    /// combined here.
    static func combined(world: StateFingerprint, hostTasks: StateFingerprint) -> StateFingerprint {
        StateFingerprint(
            mixed(world.high ^ hostTasks.high << 1),
            mixed(world.low &+ hostTasks.low)
        )
    }
}

extension Session {
    /// The fingerprint of the current state.
    var fingerprint: StateFingerprint {
        let tasks = tasks.pending.map(\.description).joined(separator: "\n")
        return .combined(
            world: StateFingerprint(router.stateText),
            hostTasks: StateFingerprint("\(tasks)\n\(host.holds)")
        )
    }
}
