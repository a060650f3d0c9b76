// SPDX-License-Identifier: MIT

/// A sequence of comparison cases.
struct Batch {
    /// A case with different results on the two sides, reduced as far as possible.
    struct Finding: Sendable {
        var original: PlannerCase
        var test: PlannerCase
        var mismatch: Mismatch
        var runs: Int
    }

    var comparison: Comparison
    /// The number of differences after which the batch ends.
    var limit = 1

    /// Runs only the naive side.
    static func rehearse(_ seeds: some Sequence<UInt64>) -> Coverage {
        var coverage = Coverage()
        for seed in seeds {
            let test = Generator.make(seed: seed)
            for course in test.courses {
                var naive = NaiveRun(course, test.world)
                for deed in course.deeds where naive.canPerform(deed) {
                    let outcome = naive.outcome(of: deed)
                    coverage.count(outcome, of: deed)
                    naive.advance(to: outcome.tree)
                }
            }
        }
        return coverage
    }

    func run(_ seeds: some Sequence<UInt64>) -> (findings: [Finding], coverage: Coverage) {
        var coverage = Coverage()
        var findings: [Finding] = []
        for seed in seeds {
            let test = Generator.make(seed: seed)
            guard let mismatch = comparison.run(test, &coverage) else { continue }
            var shrinker = Shrinker(comparison: comparison)
            let (small, last) = shrinker.shrink(test, mismatch)
            findings.append(
                Finding(original: test, test: small, mismatch: last, runs: shrinker.runs)
            )
            if findings.count >= limit { break }
        }
        return (findings, coverage)
    }
}
