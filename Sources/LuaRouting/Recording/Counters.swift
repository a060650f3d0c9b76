// SPDX-License-Identifier: MIT

internal import LuaVM

/// The counters of a router's metrics.
///
/// No rewind sets them back.
struct Counters {
    private var counted = Router.Metrics()
    /// The counts of the routes used lately, each at the index of its step's number, so that a
    /// navigation on the fast path hashes no name.
    private var recent = [RecentRoute](repeating: RecentRoute(), count: 64)

    private struct RecentRoute {
        /// The number of the step; 0 for none.
        var number = 0
        var target: Target?
        var ends = Router.Metrics.Ends()
    }

    /// The maximum number of names of routes, and of error codes.
    private static let limit = (routes: 1_000, codes: 100)

    /// The counts and times until now.
    var metrics: Router.Metrics {
        var copy = self
        for index in recent.indices { copy.settle(index) }
        return copy.counted
    }

    /// Counts the end of a navigation to a registered route.
    @inline(__always)
    mutating func count(_ end: Router.Metrics.Ends.Kind, of step: Step) {
        counted.endedNavigations += 1
        let index = step.number & 63
        if recent[index].number != step.number { take(step, index) }
        recent[index].ends.add(end)
    }

    /// Counts the end of another navigation.
    mutating func count(_ end: Router.Metrics.Ends.Kind, of name: String) {
        counted.endedNavigations += 1
        var ends = Router.Metrics.Ends()
        ends.add(end)
        add(ends, to: name)
    }

    private mutating func take(_ step: Step, _ index: Int) {
        settle(index)
        recent[index] = RecentRoute(number: step.number, target: step.target)
    }

    private mutating func settle(_ index: Int) {
        guard let target = recent[index].target, recent[index].ends.total > 0 else { return }
        add(recent[index].ends, to: target.description)
        recent[index].ends = Router.Metrics.Ends()
    }

    private mutating func add(_ ends: Router.Metrics.Ends, to name: String) {
        let isKept =
            counted.navigations.count < Self.limit.routes || counted.navigations[name] != nil
        let name = isKept ? name : Router.Metrics.unknownRoute
        counted.navigations[name, default: Router.Metrics.Ends()] += ends
    }

    /// Counts a failure.
    mutating func count(_ failure: RouteError) {
        guard counted.failures.count < Self.limit.codes || counted.failures[failure.code] != nil
        else { return }
        counted.failures[failure.code, default: 0] += 1
    }

    /// Counts an answer of an interceptor, in seconds.
    mutating func count(interceptor seconds: Double) {
        counted.interceptors.add(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? 0)
    }

    /// Counts an entry into scripts.
    mutating func count(entryOf instructions: Int64, nanoseconds: Int64) {
        counted.scripts.add(nanoseconds: nanoseconds)
        counted.instructions &+= instructions
    }

    /// Counts an entry that a limit ended.
    mutating func count(_ limit: ScriptError.Kind) {
        switch limit {
        case .instructions, .deadline, .memory: counted.budgetBreaches += 1
        default: break
        }
    }

    /// Counts a reload that was accepted or rejected.
    mutating func count(reload isAccepted: Bool) {
        if isAccepted { counted.acceptedReloads += 1 } else { counted.rejectedReloads += 1 }
    }
}

extension Router.Metrics.Ends {
    /// A kind of end of a navigation.
    enum Kind { case done, failed, stayed, cancelled }

    @inline(__always)
    fileprivate mutating func add(_ end: Kind) {
        switch end {
        case .done: done += 1
        case .failed: failed += 1
        case .stayed: stayed += 1
        case .cancelled: cancelled += 1
        }
    }

    fileprivate static func += (left: inout Self, right: Self) {
        left.done += right.done
        left.failed += right.failed
        left.stayed += right.stayed
        left.cancelled += right.cancelled
    }
}

extension Router {
    /// Counts a navigation that has ended.
    func countEnd(of navigation: Navigation) {
        let end: Metrics.Ends.Kind
        switch navigation.status {
        case .pending: return
        case .done: end = .done
        case .stayed: end = .stayed
        case .failed(let error):
            end = .failed
            counters.count(error)
        case .cancelled: end = .cancelled
        }
        guard navigation.isRoute else { return counters.count(end, of: navigation.title) }
        if let step = requestedRoute(of: navigation) { return counters.count(end, of: step) }
        let target = navigation.journey.redirects.first?.target ?? navigation.target
        let routes = (navigation.generation ?? serving).declarations.routes
        let name = target.flatMap { routes[$0] == nil ? nil : $0.description }
        counters.count(end, of: name ?? Metrics.unknownRoute)
    }

    /// The route that a navigation asked for, if it is known without a look at the table of routes.
    private func requestedRoute(of navigation: Navigation) -> Step? {
        guard navigation.journey.redirects.isEmpty, let step = navigation.journey.definition,
            let target = step.target, target == navigation.target
        else { return nil }
        return step
    }
}
