// SPDX-License-Identifier: MIT

/// What is due at times of the router's clock.
///
/// What is due at the same time comes in the order in which it was added.
struct Timers {
    /// What an entry is to those who move the clock.
    enum Kind {
        /// A script asked for it: a sleep, a delay.
        case timer
        /// The longest that something may wait.
        case deadline
        /// Work was postponed to the next turn.
        case turn
    }

    struct Entry {
        let number: Int
        /// In seconds since 1970.
        let time: Double
        let kind: Kind
        /// The generation of the script that asked for it, 0 for what is the router's own.
        let owner: Int
        let action: () -> Void
    }

    /// By time; of the same time, by number.
    private var entries: [Entry] = []
    private var last = 0

    /// The entry that is due first.
    var first: Entry? { entries.first }

    /// How many entries scripts asked for.
    private(set) var timerCount = 0

    /// When the first entry of a kind is due.
    func next(_ kind: Kind) -> Double? { entries.first { $0.kind == kind }?.time }

    /// Adds an entry.
    ///
    /// - Returns: Its number, to remove it.
    /// - Complexity: O(*n*) in the number of entries that are due later.
    mutating func add(
        at time: Double,
        _ kind: Kind,
        of owner: Int = 0,
        _ action: @escaping () -> Void
    ) -> Int {
        last += 1
        let index = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        if kind == .timer { timerCount += 1 }
        let entry = Entry(number: last, time: time, kind: kind, owner: owner, action: action)
        entries.insert(entry, at: index)
        return last
    }

    mutating func remove(_ number: Int) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        if entries.remove(at: index).kind == .timer { timerCount -= 1 }
    }

    /// Whether a generation waits for an entry.
    func hasEntry(of owner: Int) -> Bool { entries.contains { $0.owner == owner } }

    /// Removes what a generation waits for.
    mutating func removeAll(of owner: Int) {
        entries.removeAll { $0.owner == owner }
        timerCount = entries.count { $0.kind == .timer }
    }
}
