// SPDX-License-Identifier: MIT

/// An attempt to replace the active scripts.
///
/// A reload is confined to the thread of its router.
///
/// ```swift
/// let reload = router.reload(ScriptBundle(files: ["main.lua": "rooter.start()"]))
/// print(reload)
/// // reload: rejected (script): main.lua:1: undefined global 'rooter', did you mean 'router'?
/// if let rejection = reload.rejection {
///     print(rejection.reason)  // script
///     print(rejection.findings[0])
///     // main.lua:1: undefined global 'rooter', did you mean 'router'?
/// }
/// print(router.services.count)  // 3
/// ```
public final class Reload {
    /// The status of a reload.
    public enum Status: Sendable {
        /// The reload waits until a turn of the router, or the canary, has ended.
        case pending
        /// The scripts have become active.
        case accepted(Acceptance)
        /// The scripts were rejected.
        ///
        /// The previous scripts stay active.
        case rejected(Rejection)
        /// The active scripts have the same bytes, so nothing was done.
        case unchanged
        /// A newer reload replaced this one before the turn ended, or while the canary was running.
        case superseded
        /// The caller cancelled the reload before the turn ended, or while the canary was running.
        case cancelled

        /// The name of the status: `pending`, `accepted`, `rejected`, `unchanged`, `superseded` or
        /// `cancelled`.
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
        /// The number of the generation that became active.
        public let generation: Int
        /// The digest of the bundle, in hexadecimal digits.
        public let digest: String
        /// The duration of the reload by the router's clock, in milliseconds; 0 if the clock has no
        /// driver.
        public let milliseconds: Double
        /// The time for which the reload blocked the router, by the system's clock.
        public let commitTime: Duration
        /// The new routes and tasks, as `Service/task`, sorted.
        public let added: [String]
        /// The routes and tasks whose registration changed, sorted.
        public let changed: [String]
        /// The routes and tasks that were removed, sorted.
        public let removed: [String]
    }

    /// The rejection of a reload, with the reason and the findings.
    public struct Rejection: Sendable {
        /// The reason for a rejection.
        public enum Reason: String, Sendable, CaseIterable {
            /// A file does not exist.
            case missing
            /// A file cannot be read.
            case unreadable
            /// A file changed while it was read.
            case unstable
            /// A file exceeds the maximum size.
            case tooLarge
            /// A file is not UTF-8.
            case notUTF8
            /// A file is not valid Lua.
            case syntax
            /// A script raised an error while it was being loaded.
            case script
            /// Loading took too long or used too much memory.
            case budget
            /// The scripts need an API level that is not in ``Router/apiLevels``.
            case api
            /// The registrations are not consistent with each other or with the host.
            case check
            /// The canary threw an error, for example because a required scenario failed.
            case canary
            /// The state could not be migrated.
            case migrate
            /// The router is pinned to a bundle by ``Router/rollback(completion:)``.
            case pinned
        }

        /// The reason for the rejection.
        public let reason: Reason
        /// The findings that led to the rejection; at least one.
        public let findings: [Finding]
    }

    /// The scripts to activate.
    public let bundle: ScriptBundle
    /// The current status.
    public var status: Status { state.status }
    /// Whether the reload rolls back to an earlier bundle, and pins the router to that bundle.
    let isRollback: Bool
    /// Whether to reload even if the active scripts have the same bytes.
    let isForced: Bool
    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var completion: ((Reload) -> Void)?
    }

    /// Called on any thread when the canary has ended.
    ///
    /// The closure must make the router's actor call ``Router/finishTrial()``, which completes the
    /// reload.
    let wake: (@Sendable () -> Void)?
    /// The canary to run on the router's thread instead of the canary of the configuration.
    ///
    /// The closure returns its error, because a stored function with a typed error requires iOS 18.
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

    /// Whether the scripts have become active.
    public var isAccepted: Bool {
        if case .accepted = status { true } else { false }
    }

    /// The reason why the scripts were rejected; nil if they were not rejected.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = status { rejection } else { nil }
    }
}

extension Reload: CustomStringConvertible {
    /// The status in one line: `reload: accepted as generation 2`.
    public var description: String {
        switch status {
        case .accepted(let acceptance): "reload: accepted as generation \(acceptance.generation)"
        case .rejected(let rejection):
            "reload: rejected (\(rejection.reason.rawValue))"
                + (rejection.findings.first.map { ": \($0)" } ?? "")
        case .pending, .unchanged, .superseded, .cancelled: "reload: \(status.name)"
        }
    }
}
