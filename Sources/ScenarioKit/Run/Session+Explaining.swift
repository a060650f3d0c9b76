// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The failed searches of a step.
///
/// The searches can be reported only until the state changes.
extension Session {
    /// The maximum number of searches, and of screens in each search, that are reported.
    private static let limit = 3

    /// Returns a note for each search without a result in the navigation of a step.
    ///
    /// - Parameters:
    ///   - step: The last step that was run.
    ///   - error: The error with which the step failed. An explanation that ends with another error
    ///     is not used.
    /// - Returns: The notes; empty if no search failed.
    func searches(of step: ScenarioStep, _ error: RouteError) -> [Diagnostic.Note] {
        guard let explanation = explanation(of: step), let failure = explanation.failure,
            failure.error.code == error.code, failure.error.message == error.message
        else { return [] }
        let failed = explanation.steps.flatMap(\.searches)
            .filter { $0.found == nil && $0.purpose != "reuse" && $0.purpose != "provider" }
        return failed.suffix(Self.limit).map { Diagnostic.Note("looked", sentence(about: $0)) }
    }

    func explanation(of step: ScenarioStep) -> Explanation? {
        guard case .act(let act, let clauses) = step.action, act.isRoute,
            let options = try? options(clauses?.value, ofRoute: true, step)
        else { return nil }
        return switch act {
        case .route(let target, let info):
            try? app.router.explain(target, info: InfoTable(info, names), options: options)
        case .url(let text): try? app.router.explain(bytes: text, options: options)
        default: nil
        }
    }

    private func sentence(about search: Explanation.Search) -> String {
        let what = "\(search.purpose) \(search.finder)"
        if let note = search.note { return "\(what): \(note)" }
        // Screens of another class are not near misses.
        let near = search.visits.filter { $0.reason?.hasPrefix("its class") == false }
        let count = search.visits.count + search.more
        guard !near.isEmpty else {
            return "\(what): no screen has that class (\(count.counted("screen")) searched)"
        }
        var parts = near.prefix(Self.limit).map { "\($0.screen): \($0.reason ?? "")" }
        if near.count > Self.limit { parts.append("and \(near.count - Self.limit) more") }
        return "\(what): " + parts.joined(separator: "; ")
    }
}
