// SPDX-License-Identifier: MIT

internal import RouteURLs

/// A dispatched deep link, from its dispatch until it ends, once.
///
/// It waits until the routing that it matches has an action. A reload of the scripts may change the
/// routing that it matches, and nothing else. The link belongs to the thread of its router.
///
/// ```swift
/// let link = router.dispatch("app://orders/7")
/// print(link.status.name, link.parameters)  // pending {id=7}
/// try router.call("signIn")
/// print(link.status.name, link.result)  // done "order 7"
/// ```
public final class QueuedLink {
    /// The state of a link.
    public enum Status {
        /// The link waits, or its action runs.
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

    /// The number, starting at 1; each link of a router has its own.
    public let id: Int
    /// The current state.
    public var status: Status { state.status }
    /// The result of the link's action; nil if the action has not run, or has returned nothing.
    public var result: Value { state.result }
    /// The number of times that the completion ran: 0 while it is pending, then 1.
    public var completions: Int { state.completions }
    /// The key under which the link waits.
    public let key: String?
    /// Whether the link is part of snapshots of the router while it waits.
    public let isPersistent: Bool
    /// The origin given when the link was dispatched.
    public let origin: Origin
    /// The end of the link's waiting time, in seconds since 1970; nil if it waits without a limit.
    public var deadline: Double? { state.deadline }

    /// The pattern of the routing that the link matches, as written in the script; nil if there is
    /// none.
    public var pattern: String? { state.pattern }
    /// The parameters that the path and the host give, converted.
    public var pathParameters: InfoTable { state.pathParameters }
    /// The last value of each key of the query; converted if the pattern declares the key.
    public var queryParameters: InfoTable { state.queryParameters }

    /// The URL as it was dispatched.
    let text: ByteString
    /// The line of the script that dispatched the link.
    let location: RouteError.Location?
    /// The length of the chain of navigations and links that led to this link, including itself.
    let chain: Int
    var state: State

    /// The values that a rewind restores.
    struct State {
        var status = Status.pending
        var result = Value.nil
        var completions = 0
        var deadline: Double?
        /// The URL to which the scripts rewrite the link; nil if they do not change it.
        var rewritten: ByteString?
        var pattern: String?
        var pathParameters = InfoTable()
        var queryParameters: InfoTable
        /// The routing that the link matches, in the generation that matched it.
        var routing: Routing?
        /// Called once, at the end.
        var completion: ((QueuedLink) -> Void)?
        /// The link's action, while it runs or waits.
        var activity: Activity?
        /// The timer of the deadline.
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

    /// The URL as it was dispatched, with U+FFFD in place of invalid UTF-8.
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

    /// Uses a match from now on.
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
