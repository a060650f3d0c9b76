// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What a step that failed looked for, as long as nothing has changed since.
extension Session {
    /// How many searches, and how many screens of each, are told.
    private static let told = 3

    /// What the navigation of a step looked for and did not find, one remark for each search.
    ///
    /// - Parameters:
    ///   - step: The step that was done last.
    ///   - error: With what it failed: an explanation that ends otherwise is not about that.
    /// - Returns: The remarks; none for a step that looks for nothing.
    func searches(of step: Step, _ error: RouteError) -> [Diagnostic.Note] {
        guard let explanation = explanation(of: step), let failure = explanation.failure,
            failure.error.code == error.code, failure.error.message == error.message
        else { return [] }
        let failed = explanation.steps.flatMap(\.searches)
            .filter { $0.found == nil && $0.purpose != "reuse" && $0.purpose != "provider" }
        return failed.suffix(Self.told).map { Diagnostic.Note("looked", sentence(about: $0)) }
    }

    func explanation(of step: Step) -> Explanation? {
        switch bound(step).action {
        case .navigate(let navigate):
            guard let options = try? options(of: navigate, step) else { return nil }
            let info = InfoTable(navigate.info)
            return try? router.explain(navigate.target, info: info, options: options)
        case .open(let open):
            guard let options = try? options(of: open, step) else { return nil }
            return try? router.explain(bytes: open.text, options: options)
        default: return nil
        }
    }

    private func sentence(about search: Explanation.Search) -> String {
        let what = "\(search.purpose) \(search.finder)"
        if let note = search.note { return "\(what): \(note)" }
        // Those of another class are not what was meant.
        let near = search.visits.filter { $0.reason?.hasPrefix("its class") == false }
        let count = search.visits.count + search.more
        guard !near.isEmpty else {
            return "\(what): none of \(count) screen\(count == 1 ? "" : "s") is of that class"
        }
        var parts = near.prefix(Self.told).map { "\($0.screen): \($0.reason ?? "")" }
        if near.count > Self.told { parts.append("and \(near.count - Self.told) more") }
        return "\(what): " + parts.joined(separator: "; ")
    }
}
