// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers

/// An action of the host, the user or time on a router.
///
/// Numbers in an action are indices into the screens, routes or requests that exist at that time,
/// modulo their count.
indirect enum ScheduleDeed {
    struct Options: CustomStringConvertible {
        var via: String?
        var from: Int?
        var policy: Policy?
        var timeout: Double?
        var isAgain = false
        var isForced = false
        var origin = Origin.host

        var description: String {
            let parts = [
                via, from.map { "from \($0)" }, policy?.rawValue, timeout.map { "\($0) s" },
                isAgain ? "again" : nil, isForced ? "force" : nil,
                origin == .host ? nil : origin.rawValue,
            ]
            return "(\(parts.compactMap(\.self).joined(separator: ", ")))"
        }
    }

    case start
    case navigate(route: Int, n: Int, Options, then: ScheduleDeed?)
    /// Opens a deep link to a route.
    case open(route: Int, n: Int)
    /// Closes the gate with `unreadyLeaving`.
    case unreadyLeaving
    /// Closes the last login or question.
    case answerDialog(isYes: Bool)
    case doTask(String, then: ScheduleDeed?)
    case back(Int, force: Bool)
    case popTo(screen: Int)
    case popToRoot
    case dismiss(force: Bool)
    case dismissAll
    case close(screen: Int, value: Int?, force: Bool)
    case select(screen: Int)
    case cancelNavigation(Int)
    case cancelPending(Int)
    case cancelTask(Int)
    case hold(Bool)
    case refuseNext
    case refusePreparation
    case answer(refuses: Bool)
    case answerLate
    case endHostTask(Int, finished: Bool, twice: Bool)
    /// Reports that an edit has changed the children of a container.
    case reportChildren(container: Int, edit: Int)
    case reportSelected(Int)
    case reportDismissed(Int)
    case setTree(Int)
    case advance(Double)
    case advanceToDeadline
    case call(Int)
    case collectGarbage
    case setState(Int)
    case setGate(isOpen: Bool)
    /// Reloads the script without one of its pieces, or a rewritten script with all pieces.
    case reload(without: Int)
    /// Performs an action while the host receives the next change.
    case duringNextChange(ScheduleDeed)

    static let trees = [
        "nav[P0]", "nav[P0, P1(n=1), P2(n=2)]", "tabs[*nav[P0], nav[P3(n=1)], P4]",
        "split[nav[P1], P5(n=0)]", "nav[P0] ^ nav[P3]", "nav[P6, P7] ^ P2(n=1) ^ nav[P8]",
        "tabs[nav[P1], *nav[P2, P6]] ^ nav[P9]", "split[nav[P1, P2], nav[P10, P11]]",
    ]

    static func make(_ numbers: inout RandomNumbers, depth: Int = 0) -> ScheduleDeed {
        switch numbers.below(40) {
        case 0...9:
            return .navigate(
                route: numbers.below(ScheduleScript.routeCount),
                n: numbers.below(3),
                options(&numbers),
                then: next(&numbers, depth)
            )
        case 10:
            let task = numbers.pick(["T0", "T1", "T2", "T3", "T4", "H0"])
            return .doTask(task, then: next(&numbers, depth))
        case 11: return .back(1 + numbers.below(2), force: numbers.isTrue(oneIn: 3))
        case 12: return .popTo(screen: numbers.below(20))
        case 13: return numbers.isTrue(oneIn: 2) ? .popToRoot : .dismissAll
        case 14: return .dismiss(force: numbers.isTrue(oneIn: 3))
        case 15, 16:
            return .close(
                screen: numbers.below(20),
                value: numbers.isTrue(oneIn: 2) ? 7 : nil,
                force: numbers.isTrue(oneIn: 3)
            )
        case 17: return .select(screen: numbers.below(20))
        case 18: return .cancelNavigation(numbers.below(20))
        case 19: return .cancelPending(numbers.below(20))
        case 20: return .cancelTask(numbers.below(20))
        case 21, 22: return .hold(numbers.isTrue(oneIn: 2))
        case 23: return numbers.isTrue(oneIn: 3) ? .refusePreparation : .refuseNext
        case 24, 25: return .answer(refuses: numbers.isTrue(oneIn: 4))
        case 26:
            return numbers.isTrue(oneIn: 3) ? .answerLate : .answer(refuses: false)
        case 27, 28:
            return .endHostTask(
                numbers.below(20),
                finished: !numbers.isTrue(oneIn: 3),
                twice: numbers.isTrue(oneIn: 5)
            )
        case 29: return .reportChildren(container: numbers.below(20), edit: numbers.below(5))
        case 30:
            return numbers.isTrue(oneIn: 3)
                ? .reportSelected(numbers.below(20)) : .reportDismissed(numbers.below(20))
        case 31:
            return numbers.isTrue(oneIn: 3)
                ? .setTree(numbers.below(trees.count)) : .setState(numbers.below(3))
        case 32, 33, 34: return .advance(numbers.pick([0.25, 0.5, 1, 3, 20, 61]))
        case 35: return .advanceToDeadline
        case 36, 37: return .call(numbers.below(3))
        case 38: return .collectGarbage
        default:
            guard depth == 0 else { return .advanceToDeadline }
            return .duringNextChange(make(&numbers, depth: 1))
        }
    }

    private static func next(_ numbers: inout RandomNumbers, _ depth: Int) -> ScheduleDeed? {
        depth == 0 && numbers.isTrue(oneIn: 5) ? make(&numbers, depth: 1) : nil
    }

    private static func options(_ numbers: inout RandomNumbers) -> Options {
        var options = Options()
        if numbers.isTrue(oneIn: 5) {
            options.via = numbers.pick(["push", "present", "presentWithNav"])
        }
        if numbers.isTrue(oneIn: 8) { options.from = numbers.below(20) }
        if numbers.isTrue(oneIn: 4) { options.policy = numbers.pick(Policy.allCases) }
        if numbers.isTrue(oneIn: 5) { options.timeout = numbers.pick([0, 0.5, 2, 40]) }
        options.isAgain = numbers.isTrue(oneIn: 4)
        options.isForced = numbers.isTrue(oneIn: 8)
        options.origin = numbers.pick([.host, .host, .script, .url, .external])
        return options
    }

    /// The versions of this action in which one option or one inner action is left out.
    var smaller: [ScheduleDeed] {
        switch self {
        case .navigate(let route, let n, let options, let then?):
            return [.navigate(route: route, n: n, options, then: nil), then]
                + then.smaller.map { .navigate(route: route, n: n, options, then: $0) }
        case .navigate(let route, let n, var options, nil):
            let old = options
            var all: [Options] = []
            if old.via != nil { options = old; options.via = nil; all.append(options) }
            if old.from != nil { options = old; options.from = nil; all.append(options) }
            if old.policy != nil { options = old; options.policy = nil; all.append(options) }
            if old.timeout != nil { options = old; options.timeout = nil; all.append(options) }
            if old.isAgain { options = old; options.isAgain = false; all.append(options) }
            if old.isForced { options = old; options.isForced = false; all.append(options) }
            if old.origin != .host { options = old; options.origin = .host; all.append(options) }
            return all.map { .navigate(route: route, n: n, $0, then: nil) }
        case .doTask(let name, let then?): return [.doTask(name, then: nil), then]
        case .duringNextChange(let deed):
            return [deed] + deed.smaller.map { .duringNextChange($0) }
        case .endHostTask(let index, let finished, true):
            return [.endHostTask(index, finished: finished, twice: false)]
        default: return []
        }
    }
}
