// SPDX-License-Identifier: MIT

internal import RouteURLs

/// A deep link that was dispatched, and may be waiting for an action.
///
/// A link ends exactly once.
///
/// The link waits until the routing that it matches has an action. A reload of the scripts may
/// change which routing the link matches, but nothing else. The link is confined to the thread of
/// its router.
///
/// ```swift
/// let link = router.dispatch("app://orders/7")
/// print(link.status.name, link.parameters)  // pending {id=7}
/// try router.call("signIn")
/// print(link.status.name, link.result)  // done "order 7"
/// ```
public final class QueuedLink {
    /// The status of a link.
    public enum Status {
        /// The link waits, or its action is running.
        case pending
        /// The link's action has run.
        case done
        /// The link's action raised an error, the link waited too long, or no routing matches.
        case failed(RouteError)
        /// The link was cancelled; the code is `cancelled` or `superseded`.
        case cancelled(RouteError)

        /// The word that scripts read: `pending`, `done`, `failed` or `cancelled`.
        public var name: String {
            switch self {
            case .pending: "pending"
            case .done: "done"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The number of the link, starting at 1 and unique in a router.
    public let id: Int
    /// The current status.
    public var status: Status { state.status }
    /// The result of the link's action; nil if the action has not run, or has returned nothing.
    public var result: Value { state.result }
    /// The number of times that the completion was called: 0 while the link is pending, then 1.
    public var completions: Int { state.completions }
    /// The key of the link; nil if there is none.
    ///
    /// While this link is queued, a later link with the same key replaces it.
    public let key: String?
    /// Whether snapshots of the router contain the link while it waits.
    public let isPersistent: Bool
    /// The origin given when the link was dispatched.
    public let origin: Origin
    /// The time until which the link waits, in seconds since 1970; nil if there is no limit.
    public var deadline: Double? { state.deadline }

    /// The pattern of the routing that the link matches, as written in the script; nil if no
    /// routing matches.
    public var pattern: String? { state.pattern }
    /// The parameters in the path and the host, converted to the kinds in the pattern.
    public var pathParameters: InfoTable { state.pathParameters }
    /// The query parameters, converted if the pattern declares them.
    ///
    /// If a key occurs several times, its last value is used.
    public var queryParameters: InfoTable { state.queryParameters }

    /// The URL as it was dispatched.
    let text: ByteString
    /// The source location of the script that dispatched the link; nil if the host dispatched it.
    let location: RouteError.Location?
    /// The length of the chain of navigations and links that led to this link, including the link.
    let chain: Int
    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var result = Value.nil
        var completions = 0
        var deadline: Double?
        /// The URL to which the scripts rewrote the link; nil if they did not change it.
        var rewritten: ByteString?
        var pattern: String?
        var pathParameters = InfoTable()
        var queryParameters: InfoTable
        /// The routing that the link matches.
        ///
        /// The routing belongs to the generation whose scripts matched the link.
        var routing: Routing?
        /// Called once, when the link has ended.
        var completion: ((QueuedLink) -> Void)?
        /// The activity that runs the link's action; nil unless the action is running or waiting.
        var activity: Activity?
        /// The number of the timer for the deadline.
        var timer: Int?
    }

    init(
        id: Int,
        text: ByteString,
        options: DispatchOptions,
        chain: Int,
        location: RouteError.Location?,
        completion: ((QueuedLink) -> Void)?
    ) {
        self.id = id
        self.text = text
        key = options.key
        isPersistent = options.isPersistent
        origin = options.origin
        self.chain = chain
        self.location = location
        let query = URLMatch.QueryItem.items(of: text).table
        state = State(queryParameters: query, completion: completion)
    }

    /// The dispatched URL.
    ///
    /// Invalid UTF-8 is replaced with U+FFFD.
    public var url: String { text.displayText }

    /// All parameters.
    ///
    /// If a query parameter and a path parameter have the same name, the path wins.
    public var parameters: InfoTable {
        var parameters = queryParameters
        for (name, value) in pathParameters.entries { parameters[name] = value }
        return parameters
    }

    /// Whether the link has not ended.
    public var isPending: Bool {
        if case .pending = status { true } else { false }
    }

    /// Replaces the current match with another one.
    func follow(_ match: URLMatch, _ routing: Routing) {
        state.routing = routing
        state.pattern = routing.pattern
        state.pathParameters = InfoTable()
        state.queryParameters = match.query.table
        for (name, value) in match.parameters.entries {
            if routing.queryNames.contains(name) {
                state.queryParameters[name] = value
            } else {
                state.pathParameters[name] = value
            }
        }
    }

    /// The argument of the link's action.
    var request: InfoTable {
        var request = InfoTable()
        request["url"] = .string(text)
        request["parameters"] = .table(parameters)
        request["pathParameters"] = .table(pathParameters)
        request["queryParameters"] = .table(queryParameters)
        request["origin"] = Value(origin.rawValue)
        return request
    }
}
