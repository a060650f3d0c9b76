// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import LuaVM

/// The parts and lines of scripts that one scenario reached.
struct ScenarioCoverage: Sendable {
    /// The scripts that were active at the end of the scenario.
    let scripts: ScriptBundle
    /// The parts of ``scripts``.
    let parts: [ScriptPart]
    /// The parts that were reached.
    let reached: Set<ScriptPart.Key>
    /// The lines that ran in each generation of scripts, by the path of the file in the bundle.
    let lines: [(bundle: ScriptBundle, lines: [String: LineSet])]
}

extension Session {
    /// The parts and lines that the scenario reached; nil if coverage is not recorded.
    var coverage: ScenarioCoverage? {
        guard let coverageRecords else { return nil }
        let parts = app.router.scriptParts
        var reached = ReachedParts(routes: app.router.registrations)
        for event in log.events { reached.note(event) }
        return ScenarioCoverage(
            scripts: scripts,
            parts: parts,
            reached: reached.keys,
            lines: coverageRecords.all.map { ($0.bundle, $0.lines.lines) }
        )
    }
}

/// The parts of scripts that were reached, collected from events.
struct ReachedParts {
    /// A navigation that has started.
    private struct Way {
        var target: Target?
        /// The planned steps whose screens were neither found nor built yet.
        var steps: [String] = []
        /// Whether the last event was the plan, so that the next one names the screen that an
        /// existing step has found.
        var isPlanned = false
        /// The parts of reuse policies to add when the navigation succeeds.
        var reuse: [String] = []
    }

    private(set) var keys: Set<ScriptPart.Key> = []
    private var ways: [Int: Way] = [:]
    /// The routes, by the locations that declare them.
    private let routes: [RouteError.Location?: [RouteDescription]]

    /// - Parameter routes: The routes of the scripts; if there are none, the parts of reuse policies
    ///   are not collected.
    init(routes: [RouteDescription] = []) {
        self.routes = Dictionary(grouping: routes, by: \.location)
    }

    /// Adds the parts that an event names.
    mutating func note(_ event: Event) {
        if event.kind == .task, event["phase"].text == "started" {
            reach(.task, event.target.description)
        }
        guard let number = event.navigation else { return }
        var way = ways[number] ?? Way()
        let wasPlanned = way.isPlanned
        way.isPlanned = event.kind == .plan
        switch event.kind {
        case .navigate, .redirect, .fallback:
            let route = event["route"].text
            if event.kind == .fallback, let route { reach(.fallback, route) }
            if event.kind == .redirect, let route = route ?? way.target?.description {
                reach(.route, route)
            }
            if !event["service"].isNil { way.target = event.target }
        case .plan:
            if let target = way.target { reach(.route, target.description) }
            (way.steps, way.reuse) = (texts(event["steps"]), [])
            for step in way.steps { reach(.route, step) }
            for choice in texts(event["cases"]) { reach(.case, choice) }
        case .intercept: reach(.interceptor, event["name"].text ?? "")
        case .find:
            let step = wasPlanned ? firstStep(foundBy: event) : nextStep(of: event, &way)
            if let step { way.reuse.append("\(step) found") }
        case .build:
            if let route = event["route"].text {
                reach(.route, route)
            } else if let step = nextStep(of: event, &way) {
                way.reuse.append("\(step) built")
            }
        case .reused:
            if let target = way.target { way.reuse.append("\(target) found") }
        case .done:
            for part in way.reuse { reach(.reuse, part) }
            ways[number] = nil
            return
        default: break
        }
        ways[number] = way
    }

    /// Returns the route whose existing screen is the start of a plan; nil if it is unknown.
    ///
    /// Routes that a loop declares have the same location, and are distinguished by the classes of
    /// their screens.
    private func firstStep(foundBy event: Event) -> String? {
        guard event["by"].text != "from" else { return nil }
        var found = routes[event.location, default: []].filter { $0.reuse != nil }
        if found.count > 1, let name = event["class"].text {
            found.removeAll { !$0.screens.contains(name) }
        }
        return found.count == 1 ? found[0].target.description : nil
    }

    /// Removes the planned steps up to the one whose screen was found or built, and returns that
    /// step; nil if it is not the step of a route.
    private func nextStep(of event: Event, _ way: inout Way) -> String? {
        let names = routes[event.location, default: []].map(\.target.description)
        guard let index = way.steps.firstIndex(where: names.contains) else { return nil }
        defer { way.steps.removeFirst(index + 1) }
        return way.steps[index]
    }

    private mutating func reach(_ kind: ScriptPart.Kind, _ name: String) {
        keys.insert(ScriptPart.Key(kind, name))
    }

    private func texts(_ value: Value) -> [String] {
        guard case .table(let table) = value else { return [] }
        return table.list.compactMap(\.text)
    }
}
