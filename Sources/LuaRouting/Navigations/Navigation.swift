// SPDX-License-Identifier: MIT

internal import RouteURLs

/// A requested change to the screens, with its status and its outcome.
///
/// A navigation is confined to the thread of its router.
///
/// ```swift
/// let navigation = router.navigate(Target("Page", "show"), info: ["id": 7]) { navigation in
///     print(navigation.status.name)  // done
/// }
/// print(navigation.isPending, navigation.screen.map(router.notation) ?? "")
/// // false Page(id=7)
/// print(navigation)  // navigation 2 'Page/show': done
/// ```
public final class Navigation {
    /// The status of a navigation.
    public enum Status {
        /// The navigation has not ended.
        ///
        /// `waitingFor` names what the navigation is waiting for, such as `turn`; nil if it is not
        /// waiting.
        case pending(waitingFor: String?)
        /// The navigation reached its screen, and the host has applied the change.
        case done
        // Indirect, because an error is large and the status is copied often.
        /// The navigation failed; nothing has changed.
        indirect case failed(RouteError)
        /// The navigation stayed, for the given reason.
        ///
        /// This is not an error.
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

    /// The approximate size of the navigation without the request's values, in bytes.
    private static let ownBytes = 1_024
    @exclusivity(unchecked) private var memory: KeptMemory.Share
    /// The approximate size of the request's values, in bytes.
    var requestBytes: Int { memory.bytes - Self.ownBytes }

    /// The number of the navigation, starting at 1 and unique in a router.
    public let id: Int

    /// The status of a navigation, its results, and its scripts.
    struct Progress {
        var status = Status.pending(waitingFor: nil)
        // Stored separately, because it is read far more often than the status, which is expensive
        // to copy.
        var hasEnded = false
        var screen: ScreenID?
        var resultScreen: ScreenID?
        var isAwaited = false
        var completions = 0
        var generation: Generation?
    }

    // Accesses cannot overlap, since each one sets or reads a single property.

    /// The navigation's own progress.
    ///
    /// While the navigation is coalesced with another one, the other navigation's status is used
    /// instead.
    @exclusivity(unchecked) private var progress: Progress

    /// The status.
    ///
    /// While the navigation is coalesced with another one, this is the other navigation's status.
    public internal(set) var status: Status {
        get { record.leader?.status ?? progress.status }
        set {
            progress.status = newValue
            if !newValue.isPending { progress.hasEnded = true }
        }
    }
    /// The screen that the navigation reached; nil unless the navigation is done.
    public internal(set) var screen: ScreenID? {
        get { progress.screen }
        set { progress.screen = newValue }
    }
    /// The screen whose removal provides the navigation's result: the visible leaf of the screen
    /// that the navigation reached.
    var resultScreen: ScreenID? {
        get { progress.resultScreen }
        set { progress.resultScreen = newValue }
    }
    /// Whether a completion handler or a waiting caller will be notified when the navigation has
    /// ended.
    package internal(set) var isAwaited: Bool {
        get { progress.isAwaited }
        set { progress.isAwaited = newValue }
    }
    /// The number of times that the completion was called: 0 while the navigation is pending, then
    /// 1.
    public internal(set) var completions: Int {
        get { progress.completions }
        set { progress.completions = newValue }
    }

    /// Whether the navigation leads to a route.
    ///
    /// False for navigations that leave screens or build the first tree.
    let isRoute: Bool
    /// Whether the navigation opens a URL or a route string.
    let opensURL: Bool
    /// Whether the caller's options are the defaults, except for the window and the origin.
    let hasPlainOptions: Bool
    /// The origin of the request.
    public let origin: Origin
    /// The number of the navigation during which a script began this navigation; nil if there is
    /// none.
    package let parent: Int?
    /// The navigation during which a script began this navigation; nil if there is none.
    @exclusivity(unchecked) private(set) weak var parentNavigation: Navigation?
    /// The length of the chain of navigations, each begun by the previous one, up to and including
    /// this navigation.
    let chain: Int
    /// The source location in the script that began the navigation; nil if the host began it.
    package let location: RouteError.Location?
    /// The number of the generation that the navigation uses.
    let generationNumber: Int
    /// The generation that the navigation uses; nil once the navigation has ended.
    var generation: Generation? {
        get { progress.generation }
        set { progress.generation = newValue }
    }

    /// The state of a navigation that its phases and the scheduler use.
    struct Course {
        var journey: Journey
        var record: NavigationRecord

        /// Initializes a course in place, because copying a course is expensive.
        @inline(__always)
        static func initialize(
            _ storage: UnsafeMutablePointer<Course>,
            request: Act<ScreenID>,
            options: consuming NavigationOptions
        ) {
            journey(of: storage).initialize(to: Journey(request, options))
            guard let record = storage.pointer(to: \.record) else {
                preconditionFailure("the navigation has no record")
            }
            record.initialize(to: NavigationRecord())
        }

        /// Returns the journey of a course.
        @inline(__always)
        static func journey(
            of storage: UnsafeMutablePointer<Course>
        ) -> UnsafeMutablePointer<Journey> {
            guard let journey = storage.pointer(to: \.journey) else {
                preconditionFailure("the navigation has no journey")
            }
            return journey
        }
    }

    // Stored separately, so that a stage can reference the journey.

    private let course: UnsafeMutablePointer<Course>

    /// The storage of the journey.
    ///
    /// A stage may reference this storage.
    var journeyStorage: UnsafeMutablePointer<Journey> { Course.journey(of: course) }

    /// The journey: the request, the plan, and the results of the phases.
    var journey: Journey {
        @inline(__always) _read { yield course.pointee.journey }
        @inline(__always) _modify { yield &course.pointee.journey }
    }

    /// The scheduler's record of the navigation.
    var record: NavigationRecord {
        @inline(__always) _read { yield course.pointee.record }
        @inline(__always) _modify { yield &course.pointee.record }
    }

    /// The parameters.
    ///
    /// The parameters are checked and converted once the navigation has begun.
    public var info: InfoTable { journey.info }

    /// An interceptor that was called and may answer later.
    final class Question {
        let interception: Interception
        let name: String
        /// The time at which the interceptor was called.
        let start: Double
        var state = State()

        /// The values that a rewind restores.
        struct State {
            /// The interceptor's answer; nil until the interceptor has answered.
            var answer: Result<Router.InterceptorAnswer, RouteError>?
            /// The activity that runs the interceptor's function, which may wait.
            var activity: Activity?
            /// The number of the timer for the deadline by which `proceed` must be called.
            var timer: Int?
            /// Whether the call to the interceptor has not yet returned.
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
        // A computed property of the generic type `Act` would be called in its unspecialized form.
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
        // This is the last use of these values, so they are moved and not copied.
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

    /// The request.
    ///
    /// A redirect replaces the request.
    var request: Act<ScreenID> {
        @inline(__always) _read { yield course.pointee.journey.request }
    }

    /// The options.
    ///
    /// A redirect replaces some of the options.
    var options: NavigationOptions {
        @inline(__always) _read { yield course.pointee.journey.options }
    }

    /// The target that the navigation requests; nil for a leaving verb or the first tree.
    public var target: Target? { journey.target }

    /// The target that the caller requested, before all redirects; nil if the caller did not
    /// request a target.
    var firstTarget: Target? {
        // The parts are read directly, because a property of the journey would copy the whole
        // journey.
        if let first = course.pointee.journey.redirects.first { return first.target }
        guard case .route(let target, _) = course.pointee.journey.request else { return nil }
        return target
    }

    /// The route of the navigation: the target, or the fallback of the target; nil for a leaving
    /// verb or the first tree.
    public var route: Target? { journey.route }

    /// The target, or the name of the verb.
    var title: String { request.title }

    /// The pending navigations that began this one, directly or indirectly, the nearest first.
    var pendingAncestors: some Sequence<Navigation> {
        sequence(state: self) { navigation -> Navigation? in
            guard let parent = navigation.parentNavigation, parent.isPending else { return nil }
            navigation = parent
            return parent
        }
    }

    /// The maximum number of pending ancestors.
    static let nestingLimit = 16

    /// The error for a navigation with too many pending ancestors; nil if there are not too many.
    var nestingError: RouteError? {
        let ancestors = Array(pendingAncestors)
        guard ancestors.count > Self.nestingLimit else { return nil }
        return .tooDeeplyNested(([self] + ancestors).reversed().map(\.title), Self.nestingLimit)
    }

    /// Returns the error for a call to an interceptor that would be a recursion; nil otherwise.
    ///
    /// The call would be a recursion if a pending ancestor with the same target and info still
    /// waits for the interceptor's answer.
    func recursionError(of interceptor: Interceptor, _ name: String) -> RouteError? {
        guard let target else { return nil }
        let isAsked = pendingAncestors.contains { ancestor in
            ancestor.record.asked?.interception.interceptor == interceptor
                && ancestor.target == target && ancestor.info == info
        }
        return isAsked
            ? .asksItself(name, ([self] + pendingAncestors).reversed().map(\.title)) : nil
    }

    /// Returns whether another navigation began this one, directly or indirectly.
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
    /// Whether a script began the navigation, so that the completion is a script function.
    ///
    /// If a script opens a URL, the origin is `url`, and only the location shows the script.
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

extension Navigation: CustomStringConvertible {
    /// The number, the request and the status in one line: `navigation 2 'Page/show': done`.
    public var description: String {
        let start = "navigation \(id) '\(title)': \(status.name)"
        return switch status {
        case .failed(let error), .cancelled(let error): "\(start) (\(error))"
        case .stayed(let reason): "\(start) (\(reason))"
        case .pending(let reason): reason.map { "\(start) (waiting for \($0))" } ?? start
        case .done: start
        }
    }
}
