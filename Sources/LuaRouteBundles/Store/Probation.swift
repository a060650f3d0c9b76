// SPDX-License-Identifier: MIT

#if Bundles
/// The rule by which a new bundle becomes the last good one, or is rolled back.
///
/// A bundle is on probation from its activation until it has run for the given number of
/// ``navigations`` or ``seconds``, whichever is reached first.
///
/// | observed | decision |
/// | --- | --- |
/// | more navigations than the limit have failed with `script`, `budget`, `timeout` or `composition` | the bundle is rolled back at once |
/// | the probation ends, and no more than the limit have failed with other codes | the bundle passes |
/// | the probation ends, and more than the limit have failed with other codes | the bundle is held back |
///
/// The limit is ``allowance`` plus ``factor`` times the number of failures that would be expected
/// from the last good bundle. The failure rate of the last good bundle is computed over at least
/// ``navigations``.
///
/// A bundle that is held back stays current, and is no longer rolled back. Its predecessor is kept.
/// Its counts begin again, and it passes as soon as it has run for another ``navigations`` or
/// ``seconds`` in which neither kind of failure exceeds the limit. The store records only the first
/// time that a bundle is held back.
///
/// Failures with other codes, such as `notFound` and `host`, do not cause a rollback, because a
/// wrong link or an older app may be the cause. Navigations that were ended by a decision of the
/// user or a script, such as `stopped`, are not failures.
///
/// ```swift
/// var probation = Probation()
/// probation.navigations = 500
/// ```
public struct Probation: Sendable, Equatable {
    /// The number of ended navigations after which the probation ends.
    public var navigations = 100
    /// The number of seconds after which the probation ends.
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
        case held(reason: String)
        case failed(reason: String)
    }

    /// Decides whether a bundle passes, is held back, is rolled back, or stays on probation.
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
        let (limit, others) = (accepted(lastGood.failures), accepted(lastGood.otherFailures))
        if Double(counts.failures) > limit {
            return .failed(
                reason: "\(counts.failures) of \(counts.navigations) navigations failed (at most "
                    + "\(Int(limit)) expected)"
            )
        }
        guard counts.navigations >= navigations || counts.seconds >= seconds else {
            return .pending
        }
        guard Double(counts.otherFailures) > others else { return .passed }
        return .held(
            reason: "\(counts.otherFailures) of \(counts.navigations) navigations failed with "
                + "codes that cause no rollback, such as 'notFound' (at most \(Int(others)) expected)"
        )
    }
}
#endif
