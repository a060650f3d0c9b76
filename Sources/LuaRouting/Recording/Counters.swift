// SPDX-License-Identifier: MIT

internal import LuaVM

/// The counters of a router's metrics.
///
/// A rewind does not reset the counters.
struct Counters {
    private var counted = Router.Metrics()
    /// The outcomes of navigations to registered routes.
    private var routes: [Target: Router.Metrics.Ends] = [:]

    /// The maximum number of counted names of routes and verbs, and of counted error codes.
    private static let limit = (names: 1_000, codes: 100)

    /// The current counts and times.
    var metrics: Router.Metrics {
        var metrics = counted
        for (target, ends) in routes { metrics.navigations[target.description] = ends }
        return metrics
    }

    /// Counts the end of a navigation to a registered route.
    mutating func count(_ end: Router.Metrics.Ends.Kind, of target: Target) {
        let names = routes.count + counted.navigations.count
        guard names < Self.limit.names || routes[target] != nil else {
            return count(end, of: Router.Metrics.unknownRoute)
        }
        counted.endedNavigations += 1
        routes[target, default: Router.Metrics.Ends()].add(end)
    }

    /// Counts the end of any other navigation, under the name of its verb or as unknown.
    mutating func count(_ end: Router.Metrics.Ends.Kind, of name: String) {
        counted.endedNavigations += 1
        counted.navigations[name, default: Router.Metrics.Ends()].add(end)
    }

    /// Counts a failure by its code.
    ///
    /// A new code is ignored if the maximum number of codes has been reached.
    mutating func count(_ failure: RouteError) {
        guard counted.failures.count < Self.limit.codes || counted.failures[failure.code] != nil
        else { return }
        counted.failures[failure.code, default: 0] += 1
    }

    /// Counts the answer of an interceptor that answered after the given number of seconds.
    mutating func count(interceptor seconds: Double) {
        counted.interceptors.add(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? 0)
    }

    /// Counts an entry into scripts.
    mutating func count(entryOf instructions: Int64, nanoseconds: Int64) {
        counted.scripts.add(nanoseconds: nanoseconds)
        counted.instructions &+= instructions
    }

    /// Counts an entry that was ended by a limit.
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
    /// The outcome of a navigation.
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
        let declarations = (navigation.generation ?? serving).declarations
        guard let target = navigation.firstTarget, declarations.state.routes[target] != nil else {
            return counters.count(end, of: Metrics.unknownRoute)
        }
        counters.count(end, of: target)
    }
}
