// SPDX-License-Identifier: MIT

#if Bundles
/// The rule by which a new bundle becomes the last good one, or is rolled back.
///
/// A bundle is on probation from its activation until as many navigations or seconds have passed.
/// It is rolled back as soon as more navigations have failed with `script`, `budget`, `timeout` or
/// `composition` than ``allowance`` and ``factor`` times as many as the last good bundle would have
/// had. The rate of the last good one counts over at least as many navigations as a probation has.
/// Failures with other codes, such as `notFound` and `host`, do not roll it back; but by the same
/// measure it does not pass, so that its predecessor is kept. What a person or a script decides, such as
/// `stopped`, is no failure.
///
/// ```swift
/// var probation = Probation()
/// probation.navigations = 500
/// ```
public struct Probation: Sendable, Equatable {
    /// The number of ended navigations after which a bundle has passed.
    public var navigations = 100
    /// The seconds after which a bundle has passed, by the clocks of the routers that ran it: the time
    /// in which the app does not run does not count.
    public var seconds = 600
    /// The factor by which a bundle may fail more often than the last good one.
    public var factor = 2.0
    /// The number of failures that any bundle may have.
    public var allowance = 2

    /// Creates the default rule: 100 navigations or 10 minutes, twice the failures and 2 more.
    public init() {}

    /// The codes of errors that count as failures of a bundle.
    static let codes: Set<String> = ["script", "budget", "timeout", "composition"]

    /// The codes of errors that do not indicate a defect of a bundle.
    static let decisions: Set<String> = [
        "stopped", "notDismissible", "cancelled", "superseded", "busy",
    ]

    /// The ended navigations of a bundle, those that failed with one of ``codes``, those that failed
    /// with another one, and the seconds in which it ran.
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

    /// An answer about a bundle.
    enum Verdict: Equatable {
        case pending
        case passed
        case failed(reason: String)
    }

    /// Decides about a bundle.
    ///
    /// - Parameters:
    ///   - counts: The counts of the bundle since its activation.
    ///   - lastGood: The counts of the last good bundle.
    /// - Returns: The answer.
    func verdict(on counts: Counts, comparedWith lastGood: Counts) -> Verdict {
        // A few navigations are no evidence of a high rate.
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
