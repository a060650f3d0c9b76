// SPDX-License-Identifier: MIT

/// A run of a task.
///
/// Tasks are work without a screen.
///
/// A task ends exactly once.
///
/// A task is confined to the thread of its router.
///
/// ```swift
/// let task = router.doTask(Target("Settings", "load"))
/// print(task.status.name, task.value)  // done {theme="dark"}
/// ```
public final class RouteTask {
    /// The status of a task.
    public enum Status {
        /// The worker has not ended the task.
        case pending
        /// The worker has ended the task.
        ///
        /// `finished` is whether the worker completed its work.
        case done(finished: Bool, info: Value)
        /// The worker raised an error or waited too long, or there is no such task.
        case failed(RouteError)
        /// The task was cancelled.
        case cancelled(RouteError)

        /// The word that scripts read: `pending`, `done`, `failed` or `cancelled`.
        public var name: String {
            switch self {
            case .pending: "pending"
            case .done(let finished, _): finished ? "done" : "failed"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The number of the task, starting at 1 and unique in a router.
    public let id: Int
    /// The service and the name of the task.
    public let target: Target
    /// The current status.
    public internal(set) var status: Status {
        get { state.status }
        set {
            state.status = newValue
            memory.resize(to: size)
        }
    }
    /// The immediate result of the worker; nil if there is none.
    public internal(set) var value: Value {
        get { state.value }
        set {
            state.value = newValue
            memory.resize(to: size)
        }
    }
    private var memory: KeptMemory.Share
    /// The approximate size of the task without its result, in bytes.
    private let ownBytes: Int
    /// The number of times that the completion was called: 0 while the task is pending, then 1.
    public var completions: Int { state.completions }

    /// The source location of the script call that began the task; nil if the host began it.
    package let location: RouteError.Location?
    /// Whether a script began the task.
    ///
    /// If so, the capabilities of the scripts must allow the task.
    let isByScript: Bool
    /// Whether the outcome is observed: the task has a completion handler, or a script awaited the
    /// task or read its final status.
    package var isAwaited: Bool { state.isAwaited }

    /// The navigation during which the task was begun; nil if there is none.
    private(set) weak var navigation: Navigation?
    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var value = Value.nil
        var completions = 0
        var isAwaited: Bool
        /// Called once, when the task has ended.
        var completion: ((RouteTask) -> Void)?
        /// The generation that the task uses; nil once the task has ended.
        var generation: Generation?
        /// The task's worker, which may wait.
        var activity: Activity?
        /// The timer of the deadline for a worker that ends the task later.
        var timer: Int?
        /// Whether the deadline that the caller set has passed.
        var hasExpired = false
        /// The timer of the deadline that the caller set.
        var deadline: Int?
        /// The task that the host was asked to do; nil if a script does the task.
        var hostTask: HostTask?
        /// The waits for the end of the task.
        var awaiting: [Wait] = []
        /// The location at which the worker ended the task, for the error message if the worker
        /// tries to end it again.
        var endPlace: RouteError.Location?
        /// The declared type of the task's result; nil for any type.
        var result: InfoDeclaration.Parameter?
    }

    init(
        id: Int,
        target: Target,
        size: Int,
        navigation: Navigation?,
        location: RouteError.Location?,
        isByScript: Bool,
        generation: Generation,
        completion: ((RouteTask) -> Void)?
    ) {
        self.id = id
        self.target = target
        ownBytes = 512 + size
        memory = KeptMemory.Share(ownBytes, of: generation.router.keptMemory)
        self.navigation = navigation
        self.location = location
        self.isByScript = isByScript
        state = State(
            isAwaited: completion != nil,
            completion: completion,
            generation: generation
        )
    }

    /// The number of bytes counted in the memory account of the scripts.
    private var size: Int {
        guard case .done(_, let info) = status else { return ownBytes + value.size }
        return ownBytes + value.size + info.size
    }

    /// The results for `await` and completions: whether the task succeeded, then its value or the
    /// reason for its failure.
    var results: [Value] {
        switch status {
        case .pending: [.boolean(false), .nil]
        case .done(let finished, let info): [.boolean(finished), info]
        case .failed(let error), .cancelled(let error):
            [.boolean(false), Value(why: status.name, error)]
        }
    }

    /// Returns the status to end the task with: the given status if the result has the declared
    /// type, otherwise a failure.
    func checked(_ status: Status, at location: RouteError.Location?) -> Status {
        guard let result = state.result, case .done(true, let info) = status else { return status }
        if info.isNil, result.isOptional { return status }
        do throws(RouteError) {
            let privateNames = state.generation?.declarations.classes.privateNames ?? []
            let checked = try result.check(info, hiding: privateNames, acceptsNil: false)
            if value == info { value = checked }
            return .done(finished: true, info: checked)
        } catch {
            value = .nil
            var error = error
            error.location = error.location ?? location
            return .failed(error)
        }
    }

    /// Whether the task has not ended.
    public var isPending: Bool {
        if case .pending = status { true } else { false }
    }
}

extension RouteTask: Rewindable {
    func settle(after left: State, remembersCalls: Bool) {
        memory.resize(to: size)
        guard remembersCalls, !isByScript, state.completion != nil, left.completions > 0 else {
            return
        }
        (state.completions, state.completion) = (left.completions, nil)
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(navigation)
        reached.add(state.generation)
        reached.add(state.activity)
        reached.add(state.awaiting)
    }

    func count() { memory.count() }
}
