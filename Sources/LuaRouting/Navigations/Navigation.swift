// SPDX-License-Identifier: MIT

internal import RouteURLs

/// A request to navigate, from its start to its end.
///
/// It belongs to the thread of its router.
///
/// ```swift
/// let navigation = router.navigate(Target("Page", "show"), info: ["id": 7]) { navigation in
///     print(navigation.status.name)  // done
/// }
/// print(navigation.isPending, navigation.screen.map(router.notation) ?? "")
/// // false Page(id=7)
/// ```
public final class Navigation {
    /// The progress of a navigation.
    public enum Status {
        /// The navigation has not ended; `waitingFor` is the cause of its wait, or nil.
        case pending(waitingFor: String?)
        /// The navigation reached its screen, and the host has applied the change.
        case done
        // Behind a reference: an error is large, and the status is copied around.
        /// The navigation failed; nothing has changed.
        indirect case failed(RouteError)
        /// The navigation stayed, which is not an error.
        case stayed(String)
        /// The navigation was cancelled; the code is `cancelled` or `superseded`.
        indirect case cancelled(RouteError)

        /// Whether the navigation has not ended.
        var isPending: Bool {
            if case .pending = self { true } else { false }
        }

        /// The word that scripts read: `pending`, `done`, `failed`, `stayed` or `cancelled`.
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

    /// The approximate number of bytes of the navigation without its values.
    private static let ownBytes = 1_024
    @exclusivity(unchecked) private var memory: KeptMemory.Share
    /// The number of bytes of the request's values, approximately.
    var requestBytes: Int { memory.bytes - Self.ownBytes }

    /// The number, starting at 1; each navigation of a router has its own.
    public let id: Int

    /// The progress of a navigation, its completions, and its scripts.
    struct Progress {
        var status = Status.pending(waitingFor: nil)
        // It is asked far more often than the status, which is large to copy.
        var hasEnded = false
        var screen: ScreenID?
        var resultScreen: ScreenID?
        var isAwaited = false
        var completions = 0
        var generation: Generation?
    }

    // No two accesses overlap: each sets or reads a part.

    /// The navigation's own progress.
    ///
    /// While it is coalesced with another navigation, the status of that one is used.
    @exclusivity(unchecked) private var progress: Progress

    /// The progress; while the navigation is coalesced with another one, the progress of that one.
    public internal(set) var status: Status {
        get { record.leader?.status ?? progress.status }
        set {
            progress.status = newValue
            if !newValue.isPending { progress.hasEnded = true }
        }
    }
    /// The screen that the navigation reached; nil unless it is done.
    public internal(set) var screen: ScreenID? {
        get { progress.screen }
        set { progress.screen = newValue }
    }
    /// The screen whose end gives the navigation's result: the visible leaf of the screen that it
    /// reached.
    var resultScreen: ScreenID? {
        get { progress.resultScreen }
        set { progress.resultScreen = newValue }
    }
    /// Whether a completion or a wait will be notified of the navigation's end.
    package internal(set) var isAwaited: Bool {
        get { progress.isAwaited }
        set { progress.isAwaited = newValue }
    }
    /// The number of times that the completion ran: 0 while it is pending, then 1.
    public internal(set) var completions: Int {
        get { progress.completions }
        set { progress.completions = newValue }
    }

    /// Whether the navigation leads to a route, and neither leaves screens nor sets the first tree.
    let isRoute: Bool
    /// Whether the navigation was asked to open a URL or a route string.
    let opensURL: Bool
    /// Whether the caller's options are the default ones, apart from the window and the origin.
    let hasPlainOptions: Bool
    /// The origin of the request.
    public let origin: Origin
    /// The number of the navigation during which a script started this one.
    package let parent: Int?
    /// The navigation during which a script started this one.
    @exclusivity(unchecked) private(set) weak var parentNavigation: Navigation?
    /// The length of the chain of navigations, each begun by the previous one, that ends with this
    /// one.
    let chain: Int
    /// The line of the script that started the navigation.
    package let location: RouteError.Location?
    /// The number of the generation of scripts that the navigation uses.
    let generationNumber: Int
    /// The scripts that the navigation uses, until it has ended.
    var generation: Generation? {
        get { progress.generation }
        set { progress.generation = newValue }
    }

    /// The part of a navigation that its phases and the scheduler work on.
    struct Course {
        var journey: Journey
        var record: NavigationRecord

        /// Creates a course in place, because it is expensive to copy.
        @inline(__always)
        static func initialize(
            _ storage: UnsafeMutablePointer<Course>,
            request: Act<ScreenID>,
            options: consuming NavigationOptions
        ) {
            journey(of: storage).initialize(to: Journey(request, options))
            guard let record = storage.pointer(to: \.record) else {
                preconditionFailure("a record is stored")
            }
            record.initialize(to: NavigationRecord())
        }

        /// The journey of a course.
        @inline(__always)
        static func journey(
            of storage: UnsafeMutablePointer<Course>
        ) -> UnsafeMutablePointer<Journey> {
            guard let journey = storage.pointer(to: \.journey) else {
                preconditionFailure("a journey is stored")
            }
            return journey
        }
    }

    // Apart, so that a stage can hold the journey.

    private let course: UnsafeMutablePointer<Course>

    /// The journey, which a stage may hold.
    var journeyStorage: UnsafeMutablePointer<Journey> { Course.journey(of: course) }

    /// The progress: the request, the plan, and the results of the phases.
    var journey: Journey {
        @inline(__always) _read { yield course.pointee.journey }
        @inline(__always) _modify { yield &course.pointee.journey }
    }

    /// The scheduler's record of the navigation.
    var record: NavigationRecord {
        @inline(__always) _read { yield course.pointee.record }
        @inline(__always) _modify { yield &course.pointee.record }
    }

    /// The parameters, checked and converted once the navigation has begun.
    public var info: InfoTable { journey.info }

    /// A called interceptor that answers later.
    final class Question {
        let interception: Interception
        let name: String
        /// The time at which the navigation was requested.
        let start: Double
        var state = State()

        /// The values that a rewind restores.
        struct State {
            /// The interceptor's answer; nil until it has answered.
            var answer: Result<Router.InterceptorAnswer, RouteError>?
            /// The interceptor's function, which may wait.
            var activity: Activity?
            /// The deadline of an answer by `proceed`.
            var timer: Int?
            /// Whether the navigation's function is running.
            var isRunning = false
        }

        init(_ interception: Interception, name: String, at start: Double) {
            self.interception = interception
            self.name = name
            self.start = start
        }
    }

    init(
        id: Int,
        request: Act<ScreenID>,
        options: NavigationOptions,
        parent: Navigation?,
        chain: Int,
        location: RouteError.Location?,
        generation: Generation,
        completion: ((Navigation) -> Void)?
    ) {
        self.id = id
        // A property of the generic type would be called without its specialization.
        switch request {
        case .route: (isRoute, opensURL) = (true, false)
        case .url: (isRoute, opensURL) = (true, true)
        default: (isRoute, opensURL) = (false, false)
        }
        hasPlainOptions = options.isPlain
        memory = KeptMemory.Share(
            Self.ownBytes + request.size,
            of: generation.router.keptMemory
        )
        self.parent = parent?.id
        parentNavigation = parent
        let timeout = options.timeout.flatMap { $0 <= 0 ? nil : $0 }
        // Once all else has read them: so they are moved, and not copied.
        let storage = memory.memory.takeStorage()
        Course.initialize(storage, request: request, options: options)
        storage.pointee.journey.asker = location.map { .call($0) }
        storage.pointee.record.timeout = timeout
        storage.pointee.record.completion = completion
        origin = storage.pointee.journey.origin
        course = storage
        progress = Progress(isAwaited: completion != nil, generation: generation)
        self.chain = chain
        self.location = location
        generationNumber = generation.number
    }

    deinit {
        course.deinitialize(count: 1)
        memory.memory.reuse(course)
    }

    /// The request; a redirect replaces it.
    var request: Act<ScreenID> {
        @inline(__always) _read { yield course.pointee.journey.request }
    }

    /// The caller's options; a redirect replaces some.
    var options: NavigationOptions {
        @inline(__always) _read { yield course.pointee.journey.options }
    }

    /// The service and task that the navigation requests; nil for a leaving verb or the first tree.
    public var target: Target? { journey.target }

    /// The service and task that the caller asked for, before all redirects; nil for other
    /// navigations.
    var firstTarget: Target? {
        // Read by parts, because a property of the journey would be called with a copy of all of it.
        if let first = course.pointee.journey.redirects.first { return first.target }
        guard case .route(let target, _) = course.pointee.journey.request else { return nil }
        return target
    }

    /// The route of the navigation: its target, or the fallback of the target; nil for a leaving
    /// verb or the first tree.
    public var route: Target? { journey.route }

    /// The text for the request: the target, or the verb.
    var title: String { request.title }

    /// The pending navigations that started this one, directly or through others, nearest first.
    var pendingAncestors: some Sequence<Navigation> {
        sequence(state: self) { navigation -> Navigation? in
            guard let parent = navigation.parentNavigation, parent.isPending else { return nil }
            navigation = parent
            return parent
        }
    }

    /// The maximum number of pending ancestors.
    static let nestingLimit = 16

    /// The error if too many pending navigations started each other.
    var nestingError: RouteError? {
        let ancestors = Array(pendingAncestors)
        guard ancestors.count > Self.nestingLimit else { return nil }
        return .tooDeeplyNested(([self] + ancestors).reversed().map(\.title), Self.nestingLimit)
    }

    /// Returns the error if a pending ancestor with the same target and info waits for an
    /// interceptor, which is about to be called.
    func recursionError(of interceptor: Interceptor, _ name: String) -> RouteError? {
        guard let target else { return nil }
        let isAsked = pendingAncestors.contains { ancestor in
            ancestor.record.asked?.interception.interceptor == interceptor
                && ancestor.target == target && ancestor.info == info
        }
        return isAsked
            ? .asksItself(name, ([self] + pendingAncestors).reversed().map(\.title)) : nil
    }

    /// Whether another navigation started this one, directly or through others.
    func isBelow(_ other: Navigation) -> Bool {
        var current = parentNavigation
        while let ancestor = current {
            if ancestor === other { return true }
            current = ancestor.parentNavigation
        }
        return false
    }

    /// Whether the navigation has not ended.
    public var isPending: Bool {
        guard let leader = record.leader else { return !progress.hasEnded }
        return leader.isPending
    }
}

extension Navigation: Rewindable {
    /// Whether the completion is a function of a script.
    var isOfScript: Bool { origin == .script || location != nil }

    /// The values that a rewind restores.
    struct State {
        fileprivate var progress: Progress
        fileprivate var course: Course
    }

    var state: State {
        get { State(progress: progress, course: course.pointee) }
        set { (progress, course.pointee) = (newValue.progress, newValue.course) }
    }

    func settle(after left: State, remembersCalls: Bool) {
        guard remembersCalls, !isOfScript, left.progress.completions > 0,
            record.completion != nil
        else { return }
        (completions, record.completion) = (left.progress.completions, nil)
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(parentNavigation)
        reached.add(generation)
        reached.add(record.deferred)
        reached.add(record.starter)
        reached.add(record.asked)
        reached.add(record.children)
        reached.add(record.tasks)
        reached.add(record.leader)
        reached.add(record.followers)
        reached.add(record.waitsFor?.navigation)
        reached.add(record.waiting)
        reached.add(record.awaiting)
        reached.add(record.awaitingResult)
    }

    func renewDependencies(_ renew: (Dependency) -> Dependency) {
        guard !record.dependencies.isEmpty else { return }
        record.dependencies = record.dependencies.mapValues(renew)
    }

    func count() { memory.count() }
}
