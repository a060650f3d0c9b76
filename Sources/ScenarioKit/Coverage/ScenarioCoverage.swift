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
        var reached = ReachedParts()
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
        var builds = false
        var isReused = false
    }

    private(set) var keys: Set<ScriptPart.Key> = []
    private var ways: [Int: Way] = [:]

    /// Adds the parts that an event names.
    mutating func note(_ event: Event) {
        if event.kind == .task, event["phase"].text == "started" {
            reach(.task, event.target.description)
        }
        guard let number = event.navigation else { return }
        var way = ways[number] ?? Way()
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
            for step in texts(event["steps"]) { reach(.route, step) }
            for choice in texts(event["cases"]) { reach(.case, choice) }
        case .intercept: reach(.interceptor, event["name"].text ?? "")
        case .build:
            way.builds = true
            if let route = event["route"].text { reach(.route, route) }
        case .reused: way.isReused = true
        case .done:
            if let target = way.target, way.isReused || way.builds {
                reach(.reuse, "\(target) \(way.isReused ? "found" : "built")")
            }
            ways[number] = nil
            return
        default: break
        }
        ways[number] = way
    }

    private mutating func reach(_ kind: ScriptPart.Kind, _ name: String) {
        keys.insert(ScriptPart.Key(kind, name))
    }

    private func texts(_ value: Value) -> [String] {
        guard case .table(let table) = value else { return [] }
        return table.list.compactMap(\.text)
    }
}
