// SPDX-License-Identifier: MIT

/// A difference between the engine and the naive planner.
struct Mismatch: Sendable {
    enum Kind: String, Sendable {
        case load, given, end, tree, identity, operations, trace, invariants
    }

    var kind: Kind
    /// The index of the course, and the index of the deed in the course.
    var course = 0
    var deed = 0
    var naive: String
    var engine: String

    func isLike(_ other: Mismatch) -> Bool {
        guard kind == other.kind else { return false }
        if kind == .load { return loadFailure == other.loadFailure }
        return kind != .end || (naive == other.naive && engineEnd == other.engineEnd)
    }

    private var engineEnd: Substring { engine.prefix { $0 != " " } }

    /// The reason why a script does not load, without the line and the names.
    private var loadFailure: [Substring] {
        let parts = engine.drop { $0 != " " }.split(separator: "'")
        return parts.indices.filter { $0.isMultiple(of: 2) }.map { parts[$0] }
    }
}

/// A comparison of the engine and the naive planner in one case.
struct Comparison {
    /// A transformation of the naive outcome that plants a bug.
    var distort: @Sendable (NaiveOutcome, NaiveScreen, Deed) -> NaiveOutcome = { outcome, _, _ in
        outcome
    }

    /// Runs a case, and compares the sides after each deed.
    ///
    /// - Returns: The first difference, or nil if there is none.
    func run(_ test: PlannerCase, _ coverage: inout Coverage) -> Mismatch? {
        let engine: Engine
        do {
            engine = try Engine(script: LuaWriter.script(test.world))
        } catch {
            // A policy that compares a field which nothing sets (L0212): there is nothing to compare.
            if "\(error)".contains("nothing sets this field") {
                coverage.count("refused")
                return nil
            }
            return Mismatch(kind: .load, naive: "loads", engine: "\(error)")
        }
        // The classes that routes have led to are kept across courses.
        var planner = NaivePlanner(world: test.world)
        for (index, course) in test.courses.enumerated() {
            if var mismatch = run(course, &planner, engine, &coverage) {
                mismatch.course = index
                return mismatch
            }
        }
        return nil
    }

    private func run(
        _ course: PlannerCase.Course,
        _ planner: inout NaivePlanner,
        _ engine: Engine,
        _ coverage: inout Coverage
    ) -> Mismatch? {
        let world = planner.world
        var naive = NaiveRun(course, world, planner)
        defer { planner = naive.planner }
        do {
            try engine.give(naive.text)
        } catch {
            return Mismatch(kind: .given, naive: naive.text, engine: "\(error)")
        }
        if engine.text != naive.text {
            return Mismatch(kind: .given, naive: naive.text, engine: engine.text)
        }
        if let wrong = engine.pair(naive.tree) {
            return Mismatch(kind: .given, naive: naive.text, engine: wrong)
        }
        for (index, deed) in course.deeds.enumerated() where naive.canPerform(deed) {
            guard let result = engine.perform(deed, on: naive.target(of: deed)) else { continue }
            let outcome = distort(naive.outcome(of: deed), naive.tree, deed)
            coverage.count(outcome, of: deed)
            if var mismatch = compare(outcome, result, engine, naive.tree, world) {
                mismatch.deed = index
                return mismatch
            }
            naive.advance(to: outcome.tree)
        }
        return nil
    }

    private func compare(
        _ outcome: NaiveOutcome,
        _ result: Engine.Result,
        _ engine: Engine,
        _ tree: NaiveScreen,
        _ world: World
    ) -> Mismatch? {
        func differ(_ kind: Mismatch.Kind, _ naive: String, _ engine: String) -> Mismatch {
            Mismatch(kind: kind, naive: naive, engine: engine)
        }
        if outcome.end != result.end {
            return differ(.end, outcome.end, "\(result.end) \(result.message)")
        }
        let text = outcome.tree.notation(world)
        if text != engine.text { return differ(.tree, text, engine.text) }
        if let wrong = engine.pair(outcome.tree) { return differ(.identity, text, wrong) }
        let operations = NaiveOperation.operations(from: tree, to: outcome.tree)
        let names = tree.names.merging(outcome.tree.names) { first, _ in first }
        if operations != engine.operations {
            return differ(.operations, operations.text(names), engine.operations.text(names))
        }
        if outcome.trace != result.trace {
            return differ(
                .trace,
                outcome.trace.joined(separator: " "),
                result.trace.joined(separator: " ")
            )
        }
        let broken = engine.brokenRules
        if !broken.isEmpty { return differ(.invariants, "", broken.joined(separator: "; ")) }
        return nil
    }
}

extension NaiveScreen {
    /// The classes of screens by serial.
    var names: [Int: String] {
        Dictionary(all.map { ($0.serial, $0.name) }) { first, _ in first }
    }
}

extension [NaiveOperation] {
    /// The operations in the notation of scenarios.
    func text(_ names: [Int: String]) -> String {
        isEmpty ? "none" : map { $0.text(names) }.joined(separator: " ")
    }
}

extension NaiveOperation {
    func text(_ names: [Int: String]) -> String {
        "\(name)(\(screens.map { names[$0] ?? "?" }.joined(separator: ", ")))"
    }
}
