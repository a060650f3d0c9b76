// SPDX-License-Identifier: MIT

/// The limits of one entry into a script, including all functions that it calls.
///
/// ```swift
/// var configuration = Router.Configuration()
/// configuration.loadBudget = Budget(instructions: 1_000_000, duration: .milliseconds(50))
/// let endless = ScriptBundle(files: ["main.lua": "while true do end"])
/// do {
///     _ = try Router(scripts: endless, host: HeadlessHost(), configuration: configuration)
/// } catch {
///     print(error.code)  // budget
/// }
/// ```
public struct Budget: Sendable, Equatable {
    /// The maximum number of instructions of the script's code.
    ///
    /// Library functions that take long are charged as the instructions that they replace.
    public var instructions: Int64
    /// The maximum processor time of the entry.
    ///
    /// Time in which other threads use the processor does not count; but ten times this duration in
    /// wall time also ends the entry, so that host functions which wait are bounded too.
    public var duration: Duration
    /// The maximum number of bytes of all values of the state while the entry runs, including an
    /// estimate of the data that the host keeps for them.
    ///
    /// A single operation may exceed the limit up to four times before the entry ends.
    public var bytes: Int
    /// The text that messages add to each limit.
    package var notes = BudgetNotes()

    /// Only the memory limit, for scripts that are trusted to end.
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

    /// The duration in nanoseconds, at least 0; the greatest number for a longer one.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // Rounded, for a number of seconds is seldom one of attoseconds.
        let rest = (attoseconds + 500_000_000) / 1_000_000_000
        let (sum, carry) = whole.addingReportingOverflow(rest)
        return overflow || carry ? .max : max(0, sum)
    }
}

/// The libraries that scripts may use.
///
/// ```swift
/// let configuration = Router.Configuration(profile: .trusted)
/// let script = "router.registerTask('Task', 'run', function() return type(coroutine) end)"
/// let bundle = ScriptBundle(files: ["main.lua": script])
/// let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
/// print(router.doTask(Target("Task", "run")).value)  // "table"
/// ```
public enum ScriptProfile: String, Sendable, CaseIterable {
    /// Only functions that cannot do harm: for scripts from anywhere.
    case strict
    /// All of `string` but `dump`, and `coroutine` too: for scripts of the app's own.
    ///
    /// The same budgets apply, and chunks are text only.
    case trusted
}

extension LuaState {
    /// The settings of a state.
    public struct Configuration: Sendable {
        /// The libraries that scripts may use.
        public var profile = ScriptProfile.strict
        /// The limits of one call.
        public var budget = Budget()
        /// The limits of running one chunk, and of compiling the first one.
        public var loadBudget = Budget()
        /// The seed of `math.random`.
        public var randomSeed: UInt64 = 0
        /// The memory requests that are refused, for tests of this case.
        package var refusal = Refusal.none
        /// The record of the lines that run; nil if there is none.
        package var lineCoverage: LineCoverage?

        /// Creates the configuration of the strict profile.
        public init() {}
    }

    /// Allocations that are refused as if the limit were reached.
    package enum Refusal: Sendable {
        /// Only breaches of the limit itself.
        case none
        /// The k-th, counted from 1.
        case only(Int)
        /// The k-th and all later ones.
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

/// The text that messages about a breach append to each limit, such as " left of the turn"; nil for
/// no text.
package struct BudgetNotes: Sendable, Equatable {
    package var instructions: StaticString?
    package var time: StaticString?
    package var bytes: StaticString?

    package static func == (left: BudgetNotes, right: BudgetNotes) -> Bool {
        left.texts == right.texts
    }

    private var texts: [String?] { [instructions, time, bytes].map { $0?.description } }
}
