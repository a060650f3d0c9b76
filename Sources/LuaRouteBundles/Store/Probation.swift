// SPDX-License-Identifier: MIT

#if Bundles
/// The rule by which a new bundle becomes the last good one, or is rolled back.
///
/// A bundle is on probation from its activation until it has run for the given number of
/// ``navigations`` or ``seconds``.
///
/// It is rolled back as soon as too many navigations have failed with `script`, `budget`, `timeout`
/// or `composition`. The limit is ``allowance`` plus ``factor`` times the number of failures that
/// would be expected from the last good bundle. The failure rate of the last good bundle is
/// computed over at least ``navigations``.
///
/// Failures with other codes, such as `notFound` and `host`, do not cause a rollback. But if they
/// exceed the same limit, the bundle does not pass, and its predecessor is kept. Navigations that
/// were ended by a decision of the user or a script, such as `stopped`, are not failures.
///
/// ```swift
/// var probation = Probation()
/// probation.navigations = 500
/// ```
public struct Probation: Sendable, Equatable {
    /// The number of ended navigations after which a bundle passes.
    public var navigations = 100
    /// The number of seconds after which a bundle passes.
    ///
    /// Only the time in which the bundle runs counts, measured by the clocks of its routers.
    public var seconds = 600
    /// The maximum ratio of the failures of a bundle to those of the last good bundle.
    public var factor = 2.0
    /// The number of failures that are always allowed.
    public var allowance = 2

    /// Creates the default rule: 100 navigations or 10 minutes, and at most twice the failures plus
    /// 2.
    public init() {}

    /// The error codes that cause a rollback.
    static let codes: Set<String> = ["script", "budget", "timeout", "composition"]

    /// The error codes that do not indicate a defect of a bundle.
    static let decisions: Set<String> = [
        "stopped", "notDismissible", "cancelled", "superseded", "busy",
    ]

    /// The counts of a bundle: ended navigations, failures with one of ``codes``, other failures,
    /// and the seconds in which the bundle ran.
    package struct Counts: Sendable, Equatable {
        package var navigations = 0
        package var failures = 0
        package var otherFailures = 0
        package var seconds = 0

        /// Counts the end of a navigation.
        mutating func add(code: String?) {
            navigations += 1
            guard let code, !Probation.decisions.contains(code) else { return }
            if Probation.codes.contains(code) { failures += 1 } else { otherFailures += 1 }
        }

        static func + (first: Counts, second: Counts) -> Counts {
            Counts(
                navigations: first.navigations + second.navigations,
                failures: first.failures + second.failures,
                otherFailures: first.otherFailures + second.otherFailures,
                seconds: first.seconds + second.seconds
            )
        }

        static func += (first: inout Counts, second: Counts) { first = first + second }
    }

    /// A decision about a bundle on probation.
    enum Verdict: Equatable {
        case pending
        case passed
        case failed(reason: String)
    }

    /// Decides whether a bundle passes, is rolled back, or stays on probation.
    ///
    /// - Parameters:
    ///   - counts: The counts of the bundle since its activation.
    ///   - lastGood: The counts of the last good bundle.
    /// - Returns: The decision.
    func verdict(on counts: Counts, comparedWith lastGood: Counts) -> Verdict {
        // A failure rate over few navigations is not reliable.
        func accepted(_ failures: Int) -> Double {
            let rate = Double(failures) / Double(max(navigations, lastGood.navigations))
            return Double(allowance) + factor * rate * Double(counts.navigations)
        }
        let limit = accepted(lastGood.failures)
        if Double(counts.failures) > limit {
            return .failed(
                reason: "\(counts.failures) of \(counts.navigations) navigations failed (at most "
                    + "\(Int(limit)) expected)"
            )
        }
        if Double(counts.otherFailures) > accepted(lastGood.otherFailures) { return .pending }
        return counts.navigations >= navigations || counts.seconds >= seconds ? .passed : .pending
    }
}
#endif
