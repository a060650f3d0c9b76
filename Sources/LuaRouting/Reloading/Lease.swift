// SPDX-License-Identifier: MIT

internal import LuaVM

/// The pending work of a generation.
///
/// The pending work determines how long the generation is kept after it is retired.
///
/// Navigations, tasks, calls and timers record their generation; see ``Router/closeRetired()``.
struct Lease {
    /// The drain time: the maximum time that a retired generation has to finish its work, in
    /// seconds.
    var drain = 30.0
    /// The number of the timer that ends the drain time; nil if the timer is not running.
    private(set) var timer: Int?
    /// Whether the drain time is over.
    private(set) var isOverdue = false
    /// Returns whether the owner of the timer that is being called, a navigation or a task, is
    /// still pending; nil if the timer has no owner.
    var isTimerOwned: (() -> Bool)?
    /// The script functions that will be called as completions, by number.
    private var pending: [Int: LuaFunction] = [:]
    private var lastPending = 0
    /// The activities of the generation that are waiting.
    private var waiting: [ObjectIdentifier: Activity] = [:]

    /// Whether the generation can be closed: no activity is waiting, and either no completion is
    /// pending or the drain time is over.
    var isOver: Bool { waiting.isEmpty && (pending.isEmpty || isOverdue) }

    /// The activities of the generation that are waiting.
    var activities: some Collection<Activity> { waiting.values }

    mutating func add(_ activity: Activity) { waiting[ObjectIdentifier(activity)] = activity }

    mutating func remove(_ activity: Activity) { waiting[ObjectIdentifier(activity)] = nil }

    /// The completions that have not yet been called, the oldest first.
    var completions: [LuaFunction] { pending.sorted { $0.key < $1.key }.map(\.value) }

    /// Records a completion that will be called, and returns its number.
    mutating func owe(_ completion: LuaFunction) -> Int {
        lastPending += 1
        pending[lastPending] = completion
        return lastPending
    }

    mutating func pay(_ number: Int) { pending[number] = nil }

    /// Begins the drain time, or ends it immediately if its duration is 0.
    ///
    /// - Parameter start: Starts the timer that ends the drain time, and returns the number of the
    ///   timer.
    mutating func beginDrain(_ start: (Double) -> Int) {
        if drain > 0 { timer = start(drain) } else { isOverdue = true }
    }

    /// Ends the drain time.
    mutating func endDrain() { (timer, isOverdue) = (nil, true) }
}
