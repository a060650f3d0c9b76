// SPDX-License-Identifier: MIT

internal import LuaVM

/// The users of a generation: the rules by which a retired one is kept or closed.
///
/// Navigations, tasks, calls and timers record their generation; see ``Router/closeRetired()``.
struct Lease {
    /// The maximum time that a retired generation has to finish its work, in seconds.
    var drain = 30.0
    /// The timer that ends the drain time.
    private(set) var timer: Int?
    /// Whether the drain time is over.
    private(set) var isOverdue = false
    /// Whether the navigation or task is pending to which the timer belongs whose function is being
    /// called; nil if it belongs to none.
    var isTimerOwned: (() -> Bool)?
    /// The completions that are functions of the scripts and have not been called, by number.
    private var pending: [Int: LuaFunction] = [:]
    private var lastPending = 0
    /// The activities that wait in functions of the scripts.
    private var waiting: [ObjectIdentifier: Activity] = [:]

    /// Whether the lease has ended: no activity is waiting, and no completion is pending or the
    /// drain time is over.
    var isOver: Bool { waiting.isEmpty && (pending.isEmpty || isOverdue) }

    /// The activities that wait in functions of the scripts.
    var activities: some Collection<Activity> { waiting.values }

    mutating func add(_ activity: Activity) { waiting[ObjectIdentifier(activity)] = activity }

    mutating func remove(_ activity: Activity) { waiting[ObjectIdentifier(activity)] = nil }

    /// The completions that have not been called, the oldest first.
    var completions: [LuaFunction] { pending.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the number of a completion that will be called.
    mutating func owe(_ completion: LuaFunction) -> Int {
        lastPending += 1
        pending[lastPending] = completion
        return lastPending
    }

    mutating func pay(_ number: Int) { pending[number] = nil }

    /// Begins the drain time, unless it is 0: then it is over.
    ///
    /// - Parameter start: Starts the timer that ends it.
    mutating func beginDrain(_ start: (Double) -> Int) {
        if drain > 0 { timer = start(drain) } else { isOverdue = true }
    }

    /// Ends the drain time.
    mutating func endDrain() { (timer, isOverdue) = (nil, true) }
}
