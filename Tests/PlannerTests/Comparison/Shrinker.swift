// SPDX-License-Identifier: MIT

/// A shrinker that reduces a failing case while it still fails in the same way.
struct Shrinker {
    let comparison: Comparison
    /// The number of runs so far.
    private(set) var runs = 0
    /// The maximum number of runs.
    var limit = 2000

    init(comparison: Comparison) { self.comparison = comparison }

    mutating func shrink(_ test: PlannerCase, _ mismatch: Mismatch) -> (PlannerCase, Mismatch) {
        var test = test
        var mismatch = mismatch
        for first in starts(test, mismatch) {
            if let next = failure(of: first), next.isLike(mismatch) {
                (test, mismatch) = (first, next)
                break
            }
        }
        var isSmaller = true
        while isSmaller, runs < limit {
            isSmaller = false
            var position = 0
            while runs < limit {
                let candidates = test.reductions
                guard position < candidates.count else { break }
                if let next = failure(of: candidates[position]), next.isLike(mismatch) {
                    (test, mismatch) = (candidates[position], next)
                    isSmaller = true
                } else {
                    position += 1
                }
            }
        }
        return (test, mismatch)
    }

    /// Returns versions of the case that begin with the tree in which the difference occurred.
    ///
    /// They contain neither the deeds after the difference, nor earlier deeds, nor other courses.
    private func starts(_ test: PlannerCase, _ mismatch: Mismatch) -> [PlannerCase] {
        if mismatch.kind == .load { return [] }
        let course = test.courses[mismatch.course]
        if mismatch.kind == .given {
            return [test.with(PlannerCase.Course(given: course.given, deeds: []))]
        }
        let deeds = Array(course.deeds[...mismatch.deed])
        var naive = NaiveRun(course, test.world)
        for deed in deeds.dropLast() where naive.canPerform(deed) {
            naive.advance(to: naive.outcome(of: deed).tree)
        }
        let late = PlannerCase.Course(given: naive.tree.template, deeds: deeds.suffix(1))
        let whole = PlannerCase.Course(given: course.given, deeds: deeds)
        return [test.with(late), test.with(whole)]
    }

    private mutating func failure(of test: PlannerCase) -> Mismatch? {
        runs += 1
        var coverage = Coverage()
        return comparison.run(test, &coverage)
    }
}

extension PlannerCase {
    /// Returns the case with only the given course.
    fileprivate func with(_ course: Course) -> PlannerCase {
        PlannerCase(seed: seed, world: world, courses: [course])
    }
}
