// SPDX-License-Identifier: MIT

public import RouteCore

/// A key of the table that represents an explanation or a part of an explanation.
package struct ExplanationKey<Part>: Sendable {
    /// The text of the key.
    package let name: String
    /// The description of the value, for documentation.
    package let text: String
    /// A closure that returns the value for a part; nil if the key is absent from the table.
    package let value: @Sendable (Part) -> Value

    package init(_ name: String, _ text: String = "", value: @escaping @Sendable (Part) -> Value) {
        (self.name, self.text, self.value) = (name, text, value)
    }
}

extension Explanation: ExplanationPart {
    /// The keys of ``table``.
    package static let keys = commonKeys + urlKeys

    private static let commonKeys: [ExplanationKey<Explanation>] = [
        .init("kind", "`target`, `url` or `routeString`") { Value($0.kind.rawValue) },
        .init("text", "the target, URL or route string, as requested") { Value($0.text) },
        .init("service", "the service of the target") { Value(optional: $0.target?.service) },
        .init("task", "the task of the target") { Value(optional: $0.target?.task) },
        .init("info", "the converted parameters") { .table($0.info) },
        .init("origin", "the origin: `script`, `host`, `url` or `external`") {
            Value($0.origin.rawValue)
        },
        .init("window", "the name of the window") { Value($0.window) },
        .init(
            "outcome",
            "the outcome if all interceptors let the navigation proceed: `done`, `joined`, `pending` or `failed`"
        ) { Value($0.outcome.rawValue) },
        .init(
            "waitsFor",
            "the gate for which the navigation would wait, or `turn`, `question` or `dialog`"
        ) {
            Value(optional: $0.waitsFor)
        },
        .init(
            "failure",
            "the error: `\(Failure.form)`; the phase is `match`, `queue`, `resolve`, `plan`, `stage` or `dismissible`; `certain` is false if a script uses the result of a call that the dry run omits"
        ) { $0.failure.map { .table($0.table) } ?? .nil },
        .init(
            "turn",
            "the effect of other pending navigations: `\(Turn.form)`; the state is `now`, `waits`, `joins`, `supersedes`, `busy`, `waitsForQuestion`, `waitsForDialog` or `leavesDialog`"
        ) { .table($0.turn.table) },
        .init(
            "detours",
            "the skipped routes: a list of `\(Detour.form)`; the reason is `disabled`, `next`, `redirect` or `unknown`"
        ) { Value($0.detours) },
        .init("route", "the resolved route, as `service/task`") {
            Value(optional: $0.route?.description)
        },
        .init("location", "the source location of the route") { Value($0.location) },
        .init("gates", "the gates: a list of `\(Gate.form)`") { Value($0.gates) },
        .init(
            "needs",
            "the dependencies: a list of `\(Dependency.form)`; the state is `there`, `made`, `host` or `missing`"
        ) { Value($0.dependencies) },
        .init(
            "interceptors",
            "the interceptors in order: a list of `\(Interceptor.form)`; the kind is `search`, `every`, `step` or `leaving`"
        ) { Value($0.interceptors) },
        .init("start", "the screen at which the navigation starts, in tree notation") {
            Value(optional: $0.start)
        },
        .init("startedBy", "the search that found `start`: `find`, `reuse` or `from`") {
            Value(optional: $0.startedBy)
        },
        .init(
            "steps",
            "the steps from the target backwards: a list of `\(Step.form)`; the outcome is `found`, `built`, `reused`, `foundAfter` or `passes`; a search is `\(Search.form)`, a choice `\(Choice.form)`"
        ) { Value($0.steps) },
        .init("built", "the screens to build: a list of `\(Made.form)`") {
            Value($0.built)
        },
        .init("updated", "the screens whose `update` would run: a list of `\(Made.form)`") {
            Value($0.updated)
        },
        .init("leaving", "the screens to remove: a list of `\(Leaving.form)`") {
            Value($0.leaving)
        },
        .init(
            "operations",
            "the operations for the host: a list of texts such as `push(Show(id=1))` or `present(Login, style=\"sheet\")`; empty if the navigation fails"
        ) { Value(texts: $0.operations) },
        .init("before", "the current tree of the window, in tree notation") { Value($0.before) },
        .init(
            "after",
            "the tree of the window after the navigation; absent if the navigation fails"
        ) {
            Value(optional: $0.after)
        },
        .init("windows", "all windows: a list of `\(WindowTree.form)`") { Value($0.windows) },
        .init("afterRuns", "the screens whose `after` would run: a list of `\(Made.form)`") {
            Value($0.afterRuns)
        },
        .init(
            "calls",
            "the calls by scripts that the dry run omits: a list of `\(Call.form)`; the kind is `task`, `navigation`, `timer` or `other`"
        ) { Value($0.calls) },
        .init("log", "the lines for the log: a list of `\(Line.form)`") {
            Value($0.log)
        },
    ]

    private static let urlKeys: [ExplanationKey<Explanation>] = [
        .init("matches", "the matching patterns of a URL, best first: a list of `\(Match.form)`") {
            Value($0.matches)
        },
        .init("misses", "the near misses of a URL, nearest first: a list of `\(Miss.form)`") {
            Value($0.misses)
        },
        .init(
            "routings",
            "the matching routings of a URL for `router.dispatch`, best first: a list of `\(RoutingMatch.form)`"
        ) { Value($0.routings) },
        .init(
            "routingMisses",
            "the routings that a URL nearly matches: a list of `\(RoutingMiss.form)`"
        ) { Value($0.routingMisses) },
        .init("missesLeftOut", "the number of additional near misses of a URL") {
            .integer(Int64($0.missesLeftOut))
        },
        .init("rewritten", "the URL that the function of `router.rewrite` returned") {
            $0.rewritten.map { Value($0) } ?? .nil
        },
        .init("dropped", "the ignored parts of a URL") { Value(texts: $0.dropped) },
    ]

    /// The explanation as a Lua table; see ``Router/explain(_:info:options:)``.
    public var table: InfoTable { table(of: kind == .url ? Self.keys : Self.commonKeys) }

    /// The explanation as one JSON object: ``table``, with screens, functions and host objects
    /// replaced by strings that name their kind.
    public var json: String {
        var writer = JSONWriter()
        writer.write(.table(table))
        return writer.text
    }
}
