// SPDX-License-Identifier: MIT

internal import LuaVM

/// The timers and deadlines of a router, in the time of the router's clock.
///
/// Timers that are due at the same time fire in the order in which they were added.
struct Timers {
    /// The kind of an entry.
    enum Kind: Int, CaseIterable {
        /// A sleep or a delay that a script has requested.
        case timer
        /// A deadline, such as the end of the maximum duration of a wait.
        case deadline
        /// The next turn, for work that was postponed.
        case turn
    }

    struct Entry {
        let number: Int
        /// The time at which the entry is due, in seconds since 1970.
        var time: Double
        let kind: Kind
        /// The number of the generation whose script requested the timer; 0 for timers of the
        /// router.
        let owner: Int
        /// The script function that the action calls; nil if the action calls none.
        let function: LuaFunction?
        let action: () -> Void
    }

    /// The entries of each kind, sorted by time, then by number.
    private var entries: [[Entry]] = Kind.allCases.map { _ in [] }
    private var last = 0

    /// The entry that is due first.
    var first: Entry? {
        entries.lazy.compactMap(\.first).min { ($0.time, $0.number) < ($1.time, $1.number) }
    }

    /// All entries, sorted by kind, then by time.
    var all: [Entry] { entries.flatMap(\.self) }

    /// The number of entries that scripts requested.
    var timerCount: Int { entries[Kind.timer.rawValue].count }

    /// Returns the time of the first entry of a kind; nil if there is none.
    ///
    /// - Complexity: O(1).
    func next(_ kind: Kind) -> Double? { entries[kind.rawValue].first?.time }

    /// Adds an entry.
    ///
    /// - Returns: The number of the entry, for ``remove(_:)``.
    /// - Complexity: O(*n*) in the number of entries of the kind that are due later.
    mutating func add(
        at time: Double,
        _ kind: Kind,
        of owner: Int = 0,
        calling function: LuaFunction? = nil,
        _ action: @escaping () -> Void
    ) -> Int {
        last += 1
        let index = entries[kind.rawValue].lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        let entry = Entry(
            number: last,
            time: time,
            kind: kind,
            owner: owner,
            function: function,
            action: action
        )
        entries[kind.rawValue].insert(entry, at: index)
        return last
    }

    /// Postpones all deadlines before the given time to a later time.
    ///
    /// The deadlines keep their order.
    ///
    /// - Complexity: O(1) if there are no such deadlines.
    mutating func postponeDeadlines(before time: Double, to later: Double) {
        let kind = Kind.deadline.rawValue
        var late = Array(entries[kind].prefix { $0.time < time })
        guard !late.isEmpty else { return }
        entries[kind].removeFirst(late.count)
        for index in late.indices { late[index].time = later }
        let index = entries[kind].firstIndex { $0.time >= later } ?? entries[kind].count
        entries[kind].insert(contentsOf: late, at: index)
    }

    mutating func remove(_ number: Int) {
        for kind in entries.indices {
            guard let index = entries[kind].firstIndex(where: { $0.number == number }) else {
                continue
            }
            entries[kind].remove(at: index)
            return
        }
    }

    /// Returns the number of entries that scripts of a generation requested.
    func count(of owner: Int) -> Int {
        entries[Kind.timer.rawValue].count { $0.owner == owner }
    }

    /// Returns the times at which timers call script functions of a generation.
    func times(of owner: Int) -> [Double] {
        entries[Kind.timer.rawValue].filter { $0.owner == owner && $0.function != nil }.map(\.time)
    }

    /// Returns whether there is an entry that a generation requested.
    func hasEntry(of owner: Int) -> Bool {
        entries.contains { $0.contains { $0.owner == owner } }
    }

    /// Removes the entries of a generation, either of one kind or of all kinds.
    mutating func removeAll(of owner: Int, _ kind: Kind? = nil) {
        for index in entries.indices where kind == nil || index == kind?.rawValue {
            entries[index].removeAll { $0.owner == owner }
        }
    }
}
