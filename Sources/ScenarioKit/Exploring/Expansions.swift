// SPDX-License-Identifier: MIT

/// The expansions of states on several threads, whose results are used in order.
final class Expansions<App: ExploredApp> {
    typealias Result = Expander.Result<App.Mark>

    private let marks: [App.Mark]
    private let expander: Expander
    private let steps: (@Sendable (Session) -> [ExploredStep])?
    /// The app that serves all states; unused with threads, each of which has its own app.
    private let app: App
    private let workers: Workers<Result>?

    /// Begins to expand states.
    ///
    /// - Parameters:
    ///   - marks: The states.
    ///   - search: The search, which has the number of threads and makes apps.
    ///   - expander: Takes the steps.
    ///   - app: The app to use without threads.
    ///   - steps: Returns the steps; by default all that can be tried.
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

    /// Returns the expansion of a state; may be called once for each, in order.
    func result(of number: Int) -> Result {
        workers?.result(of: number)
            ?? expander.expansion(at: marks[number], of: .success(app), steps: steps)
    }
}
