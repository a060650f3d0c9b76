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

    /// Returns the fingerprint of this part of a state and another one.
    private func combined(with high: UInt64, _ low: UInt64) -> StateFingerprint {
        StateFingerprint(
            Self.mixed(self.high ^ high << 1 ^ high >> 63),
            Self.mixed(self.low &+ low)
        )
    }

    /// Returns the fingerprint of this part of a state and the variables of its scripts.
    func combined(with scripts: [(first: UInt64, second: UInt64)]) -> StateFingerprint {
        scripts.reduce(self) { $0.combined(with: $1.first, $1.second) }
    }

    /// Returns the fingerprint of this part of a state and another one.
    func combined(with other: StateFingerprint) -> StateFingerprint {
        combined(with: other.high, other.low)
    }
}

/// The parts of a session's state that a search compares.
struct SessionState {
    let fingerprint: StateFingerprint
    /// The objects that scripts can reach and whose inside the fingerprint does not contain.
    let unseen: Set<String>

    init(_ session: Session, includesScripts: Bool = true) {
        let tasks = session.app.tasks.pending.map(\.description).joined(separator: "\n")
        let state = ComparedState(session.app.router, includesScripts: includesScripts)
        fingerprint = StateFingerprint(state.text)
            .combined(with: StateFingerprint("\(tasks)\n\(session.app.host.holds)"))
            .combined(with: state.scripts)
        unseen = state.unseen
    }
}
