// SPDX-License-Identifier: MIT

internal import LuaVM

/// The budget that all entries into scripts share during one turn.
///
/// A turn is what one call by the host, or one due timer, causes. Each entry may spend at most its
/// own budget and what is left of the turn's. New work begins only while a whole entry's budget is
/// left; the rest of the work is postponed to the next turn. So an entry exceeds the turn's budget
/// only if the work that it belongs to spent too much.
struct TurnAccount {
    /// The instructions that the turn may still spend.
    private(set) var instructions: Int64
    /// The processor time that the turn may still spend, in nanoseconds.
    private(set) var nanoseconds: Int64
    private let whole: (instructions: Int64, nanoseconds: Int64)

    /// Creates an account for a number of entries.
    ///
    /// - Parameters:
    ///   - budget: The budget of one entry.
    ///   - entries: The number of entries whose budgets the turn has, at least 1.
    init(_ budget: Budget, entries: Int) {
        let count = Int64(max(1, entries))
        let (instructions, isMany) = budget.instructions.multipliedReportingOverflow(by: count)
        let (time, isLong) = budget.nanoseconds.multipliedReportingOverflow(by: count)
        whole = (isMany ? .max : instructions, isLong ? .max : time)
        (self.instructions, nanoseconds) = whole
    }

    /// Begins the next turn, which has the whole budget.
    mutating func begin() { (instructions, nanoseconds) = whole }

    /// Whether an entry can have its whole budget.
    @inline(__always)
    func covers(_ budget: Budget) -> Bool {
        isWhole || (instructions >= budget.instructions && nanoseconds >= budget.nanoseconds)
    }

    /// Whether nothing has been spent.
    @inline(__always)
    private var isWhole: Bool {
        instructions == whole.instructions && nanoseconds == whole.nanoseconds
    }

    /// The budget of one entry, reduced to what is left of the turn.
    func reduced(_ budget: Budget) -> Budget {
        var budget = budget
        budget.instructions = min(budget.instructions, instructions)
        if nanoseconds < budget.nanoseconds { budget.duration = .nanoseconds(nanoseconds) }
        return budget
    }

    /// Takes what an entry has spent.
    mutating func spend(instructions: Int64, nanoseconds: Int64) {
        if whole.instructions != .max {
            self.instructions = max(0, self.instructions - instructions)
        }
        if whole.nanoseconds != .max { self.nanoseconds = max(0, self.nanoseconds - nanoseconds) }
    }
}
