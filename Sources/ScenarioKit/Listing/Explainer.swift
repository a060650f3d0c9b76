// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteURLs

/// A type that explains many targets with scripts that are loaded only once.
struct Explainer {
    /// The maximum number of near misses that are reported by default.
    private static let usualMisses = 5

    private let inventory: RouteInventory
    private let router: Router
    private let urls: (routes: URLExplainer, routings: URLExplainer)
    private let showsAll: Bool

    /// Creates an explainer.
    ///
    /// - Parameters:
    ///   - inventory: The registrations of the scripts.
    ///   - router: The router that explains the navigations.
    ///   - showsAll: Whether to report all near misses.
    init(_ inventory: RouteInventory, _ router: Router, showsAll: Bool = false) {
        self.inventory = inventory
        self.router = router
        self.showsAll = showsAll
        urls = router.urlExplainers
    }

    /// Explains a target.
    func explanation(of text: ByteString) -> TargetExplanation {
        let target = ExplainedTarget(text)
        var explanation = TargetExplanation(text: text.displayText, kind: target.kind)
        do throws(RouteError) {
            switch target {
            case .url(let url), .routeString(let url):
                let plan = try router.explain(
                    bytes: url,
                    options: NavigationOptions(origin: .url),
                    limit: showsAll ? .max : Self.usualMisses,
                    by: urls
                )
                fill(&explanation, plan)
            case .target(let target, let info, let fields):
                try fill(&explanation, target: target, with: info, fields: fields)
            case .gate(let name):
                explanation.plan = try router.explain(unreadyLeaving: name)
                explanation.fields = ""
            case .noTarget(let error):
                explanation.problem = error.message
                explanation.flaw = error
            }
        } catch {
            explanation.problem = error.description
        }
        return explanation
    }

    private func fill(
        _ explanation: inout TargetExplanation,
        target: Target,
        with info: InfoTable,
        fields: String
    ) throws(RouteError) {
        if let row = inventory.row(of: target) {
            explanation.fields = fields
            explanation.matches = [TargetExplanation.Match(row: row, parameters: [:])]
            // A task shows no screen, so it has no plan.
            if row.kind == .task { return }
        }
        let plan = try router.explain(target, info: info)
        if explanation.matches.isEmpty {
            do throws(RouteError) {
                _ = try router.registration(of: target)
            } catch {
                let addition = "; a navigation to this target ends at the fallback"
                explanation.problem = error.message + (router.hasFallback ? addition : "")
            }
        }
        if explanation.problem == nil || plan.route != nil { explanation.plan = plan }
    }

    private func fill(_ explanation: inout TargetExplanation, _ plan: Explanation) {
        explanation.routings = plan.routings.map {
            TargetExplanation.Match(
                row: inventory.row(ofRouting: $0.index, $0.matched),
                parameters: $0.parameters
            )
        }
        explanation.hasAction = plan.routings.first?.routing.hasAction ?? false
        if let failure = plan.failure, failure.phase == .match {
            if plan.routings.isEmpty {
                explanation.problem = plan.problem ?? failure.error.description
            }
        } else {
            explanation.plan = plan
        }
        explanation.matches = plan.matches.map {
            TargetExplanation.Match(
                row: inventory.row(of: $0.index, $0.matched),
                parameters: $0.parameters
            )
        }
        // Patterns whose first segment differs are reported only if nothing matches and no other
        // pattern is a near miss.
        let ofRoutes = plan.misses.map {
            TargetExplanation.Miss(
                row: inventory.row(of: $0.index, $0.matched),
                segment: $0.segment,
                reason: $0.reason
            )
        }
        let ofRoutings = plan.routingMisses.map {
            TargetExplanation.Miss(
                row: inventory.row(ofRouting: $0.index, $0.matched),
                segment: $0.segment,
                reason: $0.reason
            )
        }
        let misses = ofRoutes + ofRoutings
        let near = misses.filter { $0.segment != 1 }
        let isMatched = !plan.matches.isEmpty || !plan.routings.isEmpty
        explanation.misses = near.isEmpty && !isMatched ? misses : near
        explanation.missesLeftOut = plan.missesLeftOut
        explanation.dropped = plan.dropped
        explanation.rewritten = plan.rewritten
    }
}
