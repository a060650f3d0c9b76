// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Explains targets, many with one loading of the scripts.
struct Explainer {
    /// How many near misses are told where not all are asked for.
    private static let usualMisses = 5

    private let inventory: RouteInventory
    private let explain: (ByteString, _ limit: Int) throws(RouteError) -> URLExplanation
    private let problem: (Target) -> String?
    private let showsAll: Bool

    /// Creates an explainer.
    ///
    /// - Parameters:
    ///   - inventory: What is registered.
    ///   - showsAll: Whether all near misses are told.
    ///   - problem: Says why a target leads nowhere.
    ///   - explain: Says what the table of URLs says of one.
    init(
        _ inventory: RouteInventory,
        showsAll: Bool = false,
        problem: @escaping (Target) -> String? = { _ in nil },
        explain: @escaping (ByteString, _ limit: Int) throws(RouteError) -> URLExplanation
    ) {
        self.inventory = inventory
        self.showsAll = showsAll
        self.problem = problem
        self.explain = explain
    }

    /// Explains what a person asks about.
    func explanation(of text: ByteString) -> Explanation {
        let target = ExplainedTarget(text)
        var explanation = Explanation(text: text.displayText, kind: target.kind)
        switch target {
        case .url(let url):
            do throws(RouteError) {
                fill(&explanation, try explain(url, showsAll ? .max : Self.usualMisses))
            } catch {
                explanation.problem = error.description
            }
        case .target(let target, let fields):
            if let row = inventory.row(of: target) {
                explanation.fields = fields
                explanation.matches = [Explanation.Match(row: row, parameters: [:])]
            } else {
                explanation.problem = problem(target) ?? "nothing is registered"
            }
        case .routeString:
            explanation.problem = "a route string; URLs, and targets as 'Service/task', expected"
        }
        return explanation
    }

    private func fill(_ explanation: inout Explanation, _ urls: URLExplanation) {
        explanation.problem = urls.problem?.description
        explanation.matches = urls.matches.map {
            Explanation.Match(
                row: inventory.row(of: $0.route, $0.pattern),
                parameters: $0.parameters
            )
        }
        // What differs in the first segment already comes near to a misspelling at most.
        let near = urls.misses.filter { $0.segment != 1 }
        let misses = near.isEmpty && urls.matches.isEmpty ? urls.misses : near
        explanation.misses = misses.map {
            Explanation.Miss(
                row: inventory.row(of: $0.route, $0.pattern),
                segment: $0.segment,
                reason: $0.reason
            )
        }
        explanation.missesLeftOut = urls.leftOut
        explanation.dropped = urls.dropped
    }
}
