// SPDX-License-Identifier: MIT

internal import RouteURLs

/// One request to go somewhere, from its beginning to its one end.
///
/// It belongs to the thread of its router.
public final class Navigation {
    /// How far a navigation is.
    public enum Status {
        /// It runs, or waits for what is named.
        case pending(waitingFor: String?)
        /// It reached its screen, and the host has applied the change.
        case done
        // Behind a reference: an error is large, and the status is copied around.
        /// It ended with an error; nothing has changed.
        indirect case failed(RouteError)
        /// It ended without going anywhere, which is not an error.
        case stayed(String)
        /// It was cancelled; the code is `cancelled` or `superseded`.
        indirect case cancelled(RouteError)

        /// Whether it has not ended.
        var isPending: Bool {
            if case .pending = self { true } else { false }
        }

        /// The word that scripts read: `pending done failed stayed cancelled`.
        public var name: String {
            switch self {
            case .pending: "pending"
            case .done: "done"
            case .failed: "failed"
            case .stayed: "stayed"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The number of bytes that the navigation takes without its values, roughly.
    private static let ownBytes = 1_024
    private let memory: KeptMemory.Share

    /// The number, from 1 on; each navigation of a router has its own.
    public let id: Int

    /// How far it is; that of the one that it joined, while it has joined one.
    public internal(set) var status: Status {
        get { record.leader?.status ?? record.status }
        set { record.status = newValue }
    }
    /// The screen that it reached, nil unless it is done.
    public internal(set) var screen: ScreenID? {
        get { record.screen }
        set { record.screen = newValue }
    }
    /// Whether somebody asked to be notified of its end: by a completion, or by waiting for it.
    package internal(set) var isAwaited: Bool {
        get { record.isAwaited }
        set { record.isAwaited = newValue }
    }
    /// How often its completions ran: 0 while it is pending, then 1.
    public internal(set) var completions: Int {
        get { record.completions }
        set { record.completions = newValue }
    }

    /// Whether it goes to a route: it does not leave, and does not set the first tree.
    let isRoute: Bool
    /// Whether it was asked to open a URL or a route string.
    let opensURL: Bool
    /// The origin of the request.
    public let origin: Origin
    /// The number of the navigation during which a script started this one.
    let parent: Int?
    /// The navigation during which a script started this one.
    private(set) weak var parentNavigation: Navigation?
    /// How many navigations, one beginning the next, led to it, itself counted.
    let chain: Int
    /// The line of the script that started it.
    package let place: RouteError.Location?
    /// The number of the generation of scripts that it goes by.
    let generationNumber: Int
    /// The scripts that it goes by, until it has ended.
    @exclusivity(unchecked) var generation: Generation?

    /// Apart, so that a stage can hold it.
    let journeyStorage: UnsafeMutablePointer<Journey>

    /// How far it is: what it asks for, the plan, and what its phases have learned.
    var journey: Journey {
        @inline(__always) _read { yield journeyStorage.pointee }
        @inline(__always) _modify { yield &journeyStorage.pointee }
    }

    /// The parameters, as checked and converted once the navigation has begun.
    public var info: Table { journey.info }

    // No two accesses overlap: each sets or reads a part.

    /// The scheduler's record of it.
    @exclusivity(unchecked) var record = NavigationRecord()

    /// An interceptor that was asked and says later whether it lets pass.
    final class Question {
        let interception: Interception
        let name: String
        /// Its answer; nil until it has answered.
        var answer: Result<Router.InterceptorAnswer, RouteError>?
        /// Its function, which may wait.
        var activity: Activity?
        /// The deadline of an answer that comes by `proceed`.
        var timer: Int?
        /// Whether its function runs.
        var isRunning = false

        init(_ interception: Interception, name: String) {
            self.interception = interception
            self.name = name
        }
    }

    init(
        id: Int,
        request: NavigationRequest,
        options: NavigationOptions,
        parent: Navigation?,
        chain: Int,
        place: RouteError.Location?,
        generation: Generation,
        completion: ((Navigation) -> Void)?
    ) {
        self.id = id
        if case .url = request { opensURL = true } else { opensURL = false }
        isRoute = request.isRoute
        memory = KeptMemory.Share(
            Self.ownBytes + request.size,
            of: generation.router.keptMemory
        )
        self.parent = parent?.id
        parentNavigation = parent
        record.patience = options.timeout.flatMap { $0 > 0 ? $0 : nil }
        // Once all else has read them: so they are moved, and not copied.
        journeyStorage = memory.memory.takeStorage()
        journeyStorage.initialize(to: Journey(request, options))
        origin = journeyStorage.pointee.origin
        self.chain = chain
        self.place = place
        self.generation = generation
        generationNumber = generation.number
        record.completion = completion
        record.isAwaited = completion != nil
    }

    deinit {
        journeyStorage.deinitialize(count: 1)
        memory.memory.reuse(journeyStorage)
    }

    /// The request; a redirect replaces it.
    var request: NavigationRequest {
        @inline(__always) _read { yield journeyStorage.pointee.request }
    }

    /// The caller's options; a redirect replaces some.
    var options: NavigationOptions {
        @inline(__always) _read { yield journeyStorage.pointee.options }
    }

    /// The service and task that it asks for, nil for a leaving verb or the first tree.
    public var target: Target? { journey.target }

    /// The route that it takes: its target, or what that falls back to; nil for a leaving verb or
    /// the first tree.
    public var route: Target? { journey.route }

    /// The word for what is asked: the target, or the verb.
    var title: String { request.title }

    /// Whether it was started, directly or by others, by another one.
    func isBelow(_ other: Navigation) -> Bool {
        var current = parentNavigation
        while let ancestor = current {
            if ancestor === other { return true }
            current = ancestor.parentNavigation
        }
        return false
    }

    /// Whether it has not ended.
    public var isPending: Bool { record.leader == nil ? !record.hasEnded : status.isPending }
}
