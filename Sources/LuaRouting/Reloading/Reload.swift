// SPDX-License-Identifier: MIT

/// One attempt to activate other scripts, from its start to its end.
///
/// It belongs to the thread of its router.
///
/// ```swift
/// let reload = router.reload(ScriptBundle(files: ["main.lua": "rooter.start()"]))
/// if let rejection = reload.rejection {
///     print(rejection.reason)  // script
///     print(rejection.findings[0])
///     // main.lua:1: undefined global 'rooter', did you mean 'router'?
/// }
/// print(router.services.count)  // 3
/// ```
public final class Reload {
    /// The state of an attempt.
    public enum Status: Sendable {
        /// A turn of the router or the canary is running: the attempt is completed after that.
        case pending
        /// The scripts are active.
        case accepted(Acceptance)
        /// The scripts were rejected; the previous ones stay active.
        case rejected(Rejection)
        /// The active scripts have the same bytes: nothing was done.
        case unchanged
        /// A newer attempt replaced this one before its turn, or while its canary ran.
        case superseded
        /// The caller cancelled the attempt before its turn, or while its canary ran.
        case cancelled

        /// The word: `pending accepted rejected unchanged superseded cancelled`.
        public var name: String {
            switch self {
            case .pending: "pending"
            case .accepted: "accepted"
            case .rejected: "rejected"
            case .unchanged: "unchanged"
            case .superseded: "superseded"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The result of an accepted reload.
    public struct Acceptance: Sendable {
        /// The number of the generation that is active after the attempt.
        public let generation: Int
        /// The digest of the attempt's bundle, in hexadecimal digits.
        public let digest: String
        /// The duration of the attempt by the router's clock, in milliseconds; 0 if nothing drives
        /// that clock.
        public let milliseconds: Double
        /// The time for which the attempt blocked the router, by the machine's clock.
        public let commitTime: Duration
        /// The routes and tasks that are new, as `Service/task`, sorted.
        public let added: [String]
        /// The routes and tasks whose registration changed, sorted.
        public let changed: [String]
        /// The routes and tasks that were removed, sorted.
        public let removed: [String]
    }

    /// The reason why a reload was rejected, with its findings.
    public struct Rejection: Sendable {
        /// The step that refused.
        public enum Reason: String, Sendable, CaseIterable {
            /// A file is not there.
            case missing
            /// A file cannot be read.
            case unreadable
            /// A file changed while it was read.
            case unstable
            /// A file is too large.
            case tooLarge
            /// A file is not UTF-8.
            case notUTF8
            /// A file is not Lua.
            case syntax
            /// A script raised an error while it was loaded.
            case script
            /// Loading took too long, or used too much memory.
            case budget
            /// The scripts need an API level that is not among ``Router/apiLevels``.
            case api
            /// The registrations are inconsistent with each other, or with the host.
            case check
            /// The canary threw an error: a required scenario failed.
            case canary
            /// The state could not be carried over.
            case migrate
            /// ``Router/rollback(completion:)`` has pinned the router to a bundle.
            case pinned
        }

        /// The step that refused.
        public let reason: Reason
        /// All findings of the step, at least one.
        public let findings: [Finding]
    }

    /// The scripts to activate.
    public let bundle: ScriptBundle
    /// The current state.
    public var status: Status { state.status }
    /// Whether the attempt rolls back to an earlier bundle, and pins the router to it.
    let isRollback: Bool
    /// Whether the attempt is made even if the active scripts have the same bytes.
    let isForced: Bool
    /// Called once, at the end.
    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var completion: ((Reload) -> Void)?
    }

    /// Called on any thread when the canary has ended: ``Router/finishTrial()`` then completes the
    /// attempt.
    let wake: (@Sendable () -> Void)?
    /// The canary that runs on the router's thread, in place of the canary of the configuration.
    ///
    /// A stored function with a typed error requires iOS 18.
    let immediateCanary: ((ScriptBundle) -> Result<Void, RouteError>)?

    init(
        _ bundle: ScriptBundle,
        isRollback: Bool = false,
        isForced: Bool = false,
        wake: (@Sendable () -> Void)? = nil,
        immediateCanary: ((ScriptBundle) -> Result<Void, RouteError>)? = nil,
        completion: ((Reload) -> Void)?
    ) {
        self.bundle = bundle
        self.isRollback = isRollback
        self.isForced = isForced
        self.wake = wake
        self.immediateCanary = immediateCanary
        state = State(completion: completion)
    }

    /// Whether the scripts are active.
    public var isAccepted: Bool {
        if case .accepted = status { true } else { false }
    }

    /// The reason why the scripts were rejected; nil if they were not.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = status { rejection } else { nil }
    }
}
