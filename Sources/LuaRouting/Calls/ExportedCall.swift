// SPDX-License-Identifier: MIT

/// A call to an exported function that may wait.
///
/// A call ends exactly once.
///
/// ```swift
/// let call = router.call("checkout", ["cart": 7]) { result in
///     if case .success(let receipt) = result { print(receipt) }
/// }
/// ```
///
/// A call is confined to the thread of its router.
public final class ExportedCall {
    /// The status of a call.
    public enum Status {
        /// The function has not yet returned.
        case pending
        /// The function returned a value.
        case done(Value)
        /// The function raised an error or exceeded its deadline, or does not exist.
        case failed(RouteError)
        /// The call was cancelled; the code is `cancelled` or `superseded`.
        case cancelled(RouteError)

        /// The status in one word: `pending`, `done`, `failed` or `cancelled`.
        public var name: String {
            switch self {
            case .pending: "pending"
            case .done: "done"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The number of the call, starting at 1 and unique in a router.
    public let id: Int
    /// The name under which the function is exported.
    public let name: String
    /// The status of the call.
    public var status: Status { state.status }
    /// The number of times that the completion was called: 0 while the call is pending, then 1.
    public var completions: Int { state.completions }

    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var completions = 0
        /// Called once, when the call has ended.
        var completion: ((Result<Value, RouteError>) -> Void)?
        /// The activity that runs the function; nil unless the function is running or waiting.
        var activity: Activity?
        /// The generation that exports the function; nil once the call has ended.
        var generation: Generation?
    }

    init(
        id: Int,
        name: String,
        generation: Generation,
        completion: @escaping (Result<Value, RouteError>) -> Void
    ) {
        self.id = id
        self.name = name
        state = State(completion: completion, generation: generation)
    }

    /// Whether the call has not ended.
    public var isPending: Bool { result == nil }

    /// The value that the function returned, or the error that ended the call; nil while the call
    /// is pending.
    public var result: Result<Value, RouteError>? {
        switch status {
        case .pending: nil
        case .done(let value): .success(value)
        case .failed(let error), .cancelled(let error): .failure(error)
        }
    }
}
