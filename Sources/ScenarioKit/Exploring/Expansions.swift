// SPDX-License-Identifier: MIT

/// A type that expands states on several threads, and returns the results in order.
final class Expansions<App: ExploredApp> {
    typealias Result = Expander.Result<App.Mark>

    private let marks: [App.Mark]
    private let expander: Expander
    private let steps: (@Sendable (Session) -> [ExploredStep])?
    /// The app that expands all states if there is only one thread.
    ///
    /// Otherwise each thread has its own app.
    private let app: App
    private let workers: Workers<Result>?

    /// Begins to expand the given states.
    ///
    /// - Parameters:
    ///   - marks: The marks of the states.
    ///   - search: The search, which determines the number of threads and creates the apps.
    ///   - expander: The expander that takes the steps.
    ///   - app: The app to use if there is only one thread.
    ///   - steps: Returns the steps to take; by default, all steps that can be tried.
    init(
        of marks: [App.Mark],
        for search: StateSearch<App>,
        _ expander: Expander,
        _ app: App,
        steps: (@Sendable (Session) -> [ExploredStep])? = nil
    ) {
        (self.marks, self.expander) = (marks, expander)
        (self.app, self.steps) = (app, steps)
        guard search.limits.jobs > 1, marks.count > 1 else {
            workers = nil
            return
        }
        let apps = search.apps
        workers = Workers(count: marks.count, threads: search.limits.jobs) { number in
            let mark = marks[number]
            return apps.use(for: mark) { expander.expansion(at: mark, of: $0, steps: steps) }
        }
    }

    deinit { workers?.skip(to: marks.count) }

    /// Returns the expansion of a state.
    ///
    /// Call this method once for each state, in order.
    func result(of number: Int) -> Result {
        workers?.result(of: number)
            ?? expander.expansion(at: marks[number], of: .success(app), steps: steps)
    }
}
