// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine

/// Functions that run single phases.
extension Engine {
    /// Resolves a request.
    mutating func resolved(
        _ name: String,
        _ info: InfoTable = [:],
        _ options: NavigationOptions = NavigationOptions()
    ) throws(RouteError) -> Journey {
        var journey = Journey(.route(Target(name), info: info), options)
        try onStage(of: &journey) { (stage) throws(RouteError) in try stage.resolve() }
        return journey
    }

    /// Resolves and plans a request.
    mutating func planned(
        _ name: String,
        _ info: InfoTable = [:],
        _ options: NavigationOptions = NavigationOptions()
    ) throws(RouteError) -> Planned {
        var journey = try resolved(name, info, options)
        let found = try onStage(of: &journey) { (stage) throws(RouteError) in
            _ = try stage.plan()
            return stage.journey.plan.map { stage.notation(of: $0.found) }
        }
        return Planned(journey: journey, found: found ?? "")
    }

    /// A planned navigation.
    struct Planned {
        let journey: Journey
        /// The screen where the plan begins, in tree notation.
        let found: String

        /// How the screen where the plan begins was found, such as `reuse`.
        var by: String? { journey.plan?.by }

        /// The steps, in the order in which they are staged.
        var steps: [String] { journey.plan?.links.map(\.step.title) ?? [] }

        /// The plan in one line: `B → Home/show → Show/open`.
        var text: String { ([found] + steps).joined(separator: " → ") }
    }

    /// Arranges a request on a draft, which is then discarded.
    ///
    /// - Returns: The tree of a window in the draft; nil if the request is not arranged.
    mutating func arranged(
        _ request: Act<ScreenID>,
        window: String = "main"
    ) throws(RouteError) -> String? {
        var journey = Journey(request, NavigationOptions())
        return try onStage(of: &journey) { (stage) throws(RouteError) in
            if request.isRoute {
                try stage.resolve()
                _ = try stage.plan()
            }
            stage.open()
            defer { stage.rollBack() }
            guard case .reached = try stage.arrange() else { return nil }
            return stage.treeNotation(window: window)
        }
    }
}

/// Returns the error that a closure throws; nil if it throws none.
func error<Result>(of body: () throws(RouteError) -> Result) -> RouteError? {
    do throws(RouteError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
