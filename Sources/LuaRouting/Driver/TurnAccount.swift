// SPDX-License-Identifier: MIT

internal import LuaVM

/// The budget that all entries into scripts share during one turn.
///
/// A turn is all the work that one call by the host, or one due timer, causes. Each entry may spend
/// at most its own budget, and at most what is left of the turn's budget. New work begins only if
/// the turn can afford an entry with its complete budget; otherwise, it is postponed to the next
/// turn. Therefore, an entry exceeds the turn's budget only if the work to which it belongs has
/// already spent too much.
struct TurnAccount {
    /// The number of instructions that the turn may still spend.
    private(set) var instructions: Int64
    /// The processor time that the turn may still spend, in nanoseconds.
    private(set) var nanoseconds: Int64
    private let whole: (instructions: Int64, nanoseconds: Int64)
    /// The number of lines and bytes that the turn may write to the log: the limits of one entry,
    /// multiplied by the number of entries.
    let wholeLog: (lines: Int, bytes: Int)
    private var logged = (lines: 0, bytes: 0)
    /// The number of log lines that were dropped because the turn had reached its limit.
    private(set) var droppedLines = 0
    private var hasReported = false
    /// The note that is added to the error message if the turn's time is exceeded.
    private let turnNote: StaticString?
    /// The processor time that scripts may spend in one second of the clock; nil for no limit.
    private let second: Int64?
    /// The start of the current second, and the processor time that scripts may still spend in it.
    private var current: (start: Double, left: Int64)

    /// Creates the account of a turn.
    ///
    /// - Parameters:
    ///   - budget: The budget of one entry.
    ///   - entries: The budget of the turn, as a multiple of the budget of one entry; at least 1.
    ///   - time: The capability that limits the processor time.
    init(_ budget: Budget, entries: Int, _ time: Capabilities.Time = Capabilities.Time()) {
        let count = Int64(max(1, entries))
        let (instructions, isMany) = budget.instructions.multipliedReportingOverflow(by: count)
        let (longest, isLong) = budget.nanoseconds.multipliedReportingOverflow(by: count)
        wholeLog = (
            ScriptRuntime.logLines.multipliedCapped(by: count),
            ScriptRuntime.logLimit.multipliedCapped(by: count)
        )
        let turn = time.turn?.nanoseconds ?? .max
        whole = (isMany ? .max : instructions, min(isLong ? .max : longest, turn))
        turnNote = turn == whole.nanoseconds ? Capability.turnTime.note : " left in the turn"
        second = time.second?.nanoseconds
        current = (-.infinity, second ?? .max)
        (self.instructions, nanoseconds) = whole
    }

    /// Begins the next turn, with the complete budget or with what is left of the current second.
    ///
    /// - Parameter now: The router's time.
    mutating func begin(at now: Double) {
        (instructions, nanoseconds) = whole
        (logged, droppedLines, hasReported) = ((0, 0), 0, false)
        guard let second else { return }
        if now >= current.start + 1 { current = (now, second) }
        nanoseconds = min(nanoseconds, current.left)
    }

    /// Returns the time at which the next turn may begin: now, or the beginning of the next second
    /// if there is not enough time left for an entry in the current second.
    ///
    /// - Parameters:
    ///   - budget: The budget of one entry.
    ///   - now: The router's time.
    /// - Returns: The time, in seconds since 1970.
    func nextTurn(for budget: Budget, at now: Double) -> Double {
        guard second != nil, current.left < budget.nanoseconds else { return now }
        return max(now, current.start + 1)
    }

    /// Returns whether an entry can use its complete budget.
    @inline(__always)
    func covers(_ budget: Budget) -> Bool {
        isWhole || (instructions >= budget.instructions && nanoseconds >= budget.nanoseconds)
    }

    /// Whether nothing has been spent.
    @inline(__always)
    private var isWhole: Bool {
        instructions == whole.instructions && nanoseconds == whole.nanoseconds
    }

    /// Returns the budget of one entry, reduced to what is left of the turn's budget.
    func reduced(_ budget: Budget) -> Budget {
        var budget = budget
        if instructions < budget.instructions {
            budget.instructions = instructions
            budget.notes.instructions = " left in the turn"
        }
        if nanoseconds < budget.nanoseconds {
            budget.duration = .nanoseconds(nanoseconds)
            let isSecond = second != nil && nanoseconds == current.left
            budget.notes.time = isSecond ? Capability.secondTime.note : turnNote
        }
        return budget
    }

    /// Counts a line of the log.
    ///
    /// - Returns: Whether the line is within the limits of the turn.
    mutating func log(_ bytes: Int) -> Bool {
        guard logged.lines < wholeLog.lines, bytes <= wholeLog.bytes - logged.bytes else {
            droppedLines += 1
            return false
        }
        logged.lines += 1
        logged.bytes += bytes
        return true
    }

    /// Returns whether dropped lines must be reported.
    ///
    /// This is true only for the first call in a turn.
    mutating func takeReport() -> Bool {
        defer { hasReported = true }
        return !hasReported
    }

    /// Subtracts the cost of an entry into a script.
    mutating func spend(instructions: Int64, nanoseconds: Int64) {
        if whole.instructions != .max {
            self.instructions = max(0, self.instructions - instructions)
        }
        if whole.nanoseconds != .max { self.nanoseconds = max(0, self.nanoseconds - nanoseconds) }
        if second != nil { current.left = max(0, current.left - nanoseconds) }
    }
}

extension RouteError {
    /// Returns the error for a turn whose entries together have reached the log limit.
    static func logQuota(ofTurn log: (lines: Int, bytes: Int)) -> RouteError {
        RouteError(
            .budget,
            "log quota exceeded (at most \(log.lines) lines and \(log.bytes) bytes in a turn)"
        )
    }
}

extension Int {
    fileprivate func multipliedCapped(by count: Int64) -> Int {
        let (product, isLarge) = multipliedReportingOverflow(by: Int(clamping: count))
        return isLarge ? .max : product
    }
}

extension Duration {
    /// The duration in nanoseconds, at least 0.
    ///
    /// A duration that cannot be represented becomes `Int64.max`.
    fileprivate var nanoseconds: Int64 { Budget(duration: self).nanoseconds }
}

extension Budget {
    /// Returns the budget, reduced to the limits that the capabilities set for one entry.
    func reduced(to capabilities: Capabilities) -> Budget {
        var budget = self
        if let turn = capabilities.time.turn, turn < budget.duration {
            budget.duration = max(.zero, turn)
            budget.notes.time = Capability.turnTime.note
        }
        // An entry may use at most a quarter of the time for one second, so that one entry does not
        // postpone all other work.
        if let second = capabilities.time.second, second / 4 < budget.duration {
            budget.duration = max(.zero, second / 4)
            budget.notes.time = Capability.secondTime.note
        }
        if let memory = capabilities.memory, memory < bytes {
            budget.bytes = max(0, memory)
            budget.notes.bytes = Capability.memory.note
        }
        return budget
    }
}
