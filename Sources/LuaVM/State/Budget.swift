// SPDX-License-Identifier: MIT

/// The limits of one entry into a script, including all functions that the entry calls.
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
    /// The maximum number of instructions in script code.
    ///
    /// A long-running library function is charged as if script instructions did its work.
    public var instructions: Int64
    /// The maximum processor time of the entry.
    ///
    /// The time in which other threads use the processor does not count. However, ten times this
    /// duration in wall-clock time also ends the entry, so that waiting host functions are limited
    /// too.
    public var duration: Duration
    /// The maximum size of all values of the state while the entry is running, in bytes.
    ///
    /// This includes an estimate of the data that the host keeps for the values.
    ///
    /// A single operation may use up to four times this limit before the entry ends.
    public var bytes: Int
    /// The notes that messages add to each limit.
    package var notes = BudgetNotes()

    /// A budget that limits only the memory, for scripts that are trusted to end.
    ///
    /// Scripts with this budget cannot be cancelled while they are running. They run about twice as
    /// fast as with other budgets.
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

    /// The duration in nanoseconds, at least 0.
    ///
    /// A duration that cannot be represented becomes `Int64.max`.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // Rounded, because a fraction of a second often has no exact number of attoseconds.
        let rest = (attoseconds + 500_000_000) / 1_000_000_000
        let (sum, carry) = whole.addingReportingOverflow(rest)
        return overflow || carry ? .max : max(0, sum)
    }
}

/// The set of libraries that scripts may use.
///
/// ```swift
/// let configuration = Router.Configuration(profile: .trusted)
/// let script = "router.registerTask('Task', 'run', function() return type(coroutine) end)"
/// let bundle = ScriptBundle(files: ["main.lua": script])
/// let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
/// print(router.doTask(Target("Task", "run")).value)  // "table"
/// ```
public enum ScriptProfile: String, Sendable, CaseIterable {
    /// Only functions that cannot do harm.
    ///
    /// Use this profile for scripts from any source.
    case strict
    /// The functions of ``strict``, the library `coroutine`, and all functions of `string` except
    /// `dump`.
    ///
    /// Use this profile for scripts that are part of the app.
    ///
    /// The same budgets apply, and scripts must be text.
    case trusted
}

extension LuaState {
    /// The settings of a state.
    public struct Configuration: Sendable {
        /// The libraries that scripts may use.
        public var profile = ScriptProfile.strict
        /// The limits of one call.
        public var budget = Budget()
        /// The limits for running a chunk, and for compiling a chunk while no entry is running.
        public var loadBudget = Budget()
        /// The seed of `math.random`.
        public var randomSeed: UInt64 = 0
        /// The memory allocations that are made to fail, for tests.
        package var refusal = Refusal.none
        /// The record of the lines that run; nil if they are not recorded.
        package var lineCoverage: LineCoverage?

        /// Creates the configuration of the strict profile.
        public init() {}
    }

    /// Memory allocations that fail as if the limit were reached.
    package enum Refusal: Sendable {
        /// No allocation fails unless it exceeds the limit.
        case none
        /// Only the allocation with the given number fails, counted from 1.
        case only(Int)
        /// The allocation with the given number and all later allocations fail.
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

/// The text that messages append to each exceeded limit, such as " left in the turn"; nil for no
/// text.
package struct BudgetNotes: Sendable, Equatable {
    package var instructions: StaticString?
    package var time: StaticString?
    package var bytes: StaticString?

    package static func == (left: BudgetNotes, right: BudgetNotes) -> Bool {
        left.texts == right.texts
    }

    private var texts: [String?] { [instructions, time, bytes].map { $0?.description } }
}
