// SPDX-License-Identifier: MIT

/// What one entry into a script may cost, all that it calls included.
public struct Budget: Sendable, Equatable {
    /// How many instructions of the script's code may run.
    ///
    /// Library functions that take long are charged as the instructions that they replace.
    public var instructions: Int64
    /// How much time of the processor the entry may take.
    ///
    /// That others have the processor meanwhile does not end it; but ten times as much of wall
    /// time does, so that host functions which wait are bounded too.
    public var duration: Duration
    /// How many bytes all values of the state may take while the entry runs, with what the host
    /// keeps for them, which is estimated.
    ///
    /// What a single operation asks for may exceed it up to four times before the entry ends.
    public var bytes: Int
    /// What messages add to each limit.
    package var notes = BudgetNotes()

    /// No limit but that of memory, for scripts that are trusted to end.
    ///
    /// They cannot be cancelled while they run, and run about twice as fast.
    public static let unlimited = Budget(
        instructions: .max,
        duration: .seconds(Int64.max)
    )

    /// Creates a budget.
    public init(
        instructions: Int64 = 5_000_000,
        duration: Duration = .milliseconds(100),
        bytes: Int = 16 * 1024 * 1024
    ) {
        self.instructions = instructions
        self.duration = duration
        self.bytes = bytes
    }

    /// The duration in nanoseconds, from 0 on; the greatest number for a longer one.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // Rounded, for a number of seconds is seldom one of attoseconds.
        let rest = (attoseconds + 500_000_000) / 1_000_000_000
        let (sum, carry) = whole.addingReportingOverflow(rest)
        return overflow || carry ? .max : max(0, sum)
    }
}

/// What scripts may use.
public enum ScriptProfile: String, Sendable, CaseIterable {
    /// What no script can do harm with: for scripts that come from anywhere.
    case strict
    /// All of `string` but `dump`, and `coroutine` too: for scripts of the app's own.
    ///
    /// The same budgets hold, and chunks are text only.
    case trusted
}

extension LuaState {
    /// How a state is set up.
    public struct Configuration: Sendable {
        /// What scripts may use.
        public var profile = ScriptProfile.strict
        /// What one call may cost.
        public var budget = Budget()
        /// What running one chunk may cost, and what compiling the first may take.
        public var loadBudget = Budget()
        /// Where `math.random` begins.
        public var randomSeed: UInt64 = 0
        /// Which requests for memory are refused; for tests of that path.
        package var refusal = Refusal.none

        /// Creates the configuration of the strict profile.
        public init() {}
    }

    /// Requests for memory that are refused as if the limit were reached.
    package enum Refusal: Sendable {
        /// None but those beyond the limit.
        case none
        /// The k-th, counted from 1.
        case only(Int)
        /// The k-th and all after it.
        case from(Int)

        var request: Int {
            switch self {
            case .none: 0
            case .only(let request), .from(let request): request
            }
        }

        var isLasting: Bool {
            if case .from = self { true } else { false }
        }
    }
}

/// What the message of a breach adds to each limit, such as " left of the turn"; nil for nothing.
package struct BudgetNotes: Sendable, Equatable {
    package var instructions: StaticString?
    package var time: StaticString?
    package var bytes: StaticString?

    package static func == (left: BudgetNotes, right: BudgetNotes) -> Bool {
        left.texts == right.texts
    }

    private var texts: [String?] { [instructions, time, bytes].map { $0?.description } }
}
