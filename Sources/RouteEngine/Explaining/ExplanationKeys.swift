// SPDX-License-Identifier: MIT

public import RouteCore

/// A key of the table for an explanation or a part of it.
package struct ExplanationKey<Part>: Sendable {
    /// The key.
    package let name: String
    /// The description of the value, for documentation.
    package let text: String
    /// Returns the value; nil if the key is absent.
    package let value: @Sendable (Part) -> Value

    package init(_ name: String, _ text: String = "", _ value: @escaping @Sendable (Part) -> Value)
    {
        (self.name, self.text, self.value) = (name, text, value)
    }
}

extension Explanation: ExplanationPart {
    /// The keys of ``table``.
    package static let keys = commonKeys + urlKeys

    private static let commonKeys: [ExplanationKey<Explanation>] = [
        .init("kind", "`target`, `url` or `routeString`") { Value($0.kind.rawValue) },
        .init("text", "what was asked for, as it came") { Value($0.text) },
        .init("service", "the service of the target") { Value(optional: $0.target?.service) },
        .init("task", "its task") { Value(optional: $0.target?.task) },
        .init("info", "the parameters, as they were converted") { .table($0.info) },
        .init("origin", "who asks") { Value($0.origin.rawValue) },
        .init("window", "the name of the window") { Value($0.window) },
        .init(
            "outcome",
            "how it would end, if all interceptors let it pass: `done` `joined` `pending` `failed`"
        ) { Value($0.outcome.rawValue) },
        .init("waitsFor", "where it would wait: a gate, or `turn`") {
            Value(optional: $0.waitsFor)
        },
        .init(
            "failure",
            "why it would fail: `\(Failure.form)`; the phase is `match` `queue` `resolve` `plan` `stage` or `dismissible`; it is not certain where a script wants the value of a call that is not run"
        ) { $0.failure.map { .table($0.table) } ?? .nil },
        .init(
            "turn",
            "what others that are pending mean for it: `\(Turn.form)`; the state is `now` `waits` `joins` `supersedes` or `busy`"
        ) { .table($0.turn.table) },
        .init(
            "detours",
            "the routes that are passed over: a list of `\(Detour.form)`; the reason is `disabled` `next` or `unknown`"
        ) { Value($0.detours) },
        .init("route", "the route that is taken, as `service/task`") {
            Value(optional: $0.route?.description)
        },
        .init("location", "the line that declares it") { Value($0.location) },
        .init("gates", "a list of `\(Gate.form)`") { Value($0.gates) },
        .init(
            "needs",
            "a list of `\(Dependency.form)`; the state is `there` `made` `host` or `missing`"
        ) { Value($0.dependencies) },
        .init(
            "interceptors",
            "what would be asked, in order: a list of `\(Interceptor.form)`; the kind is `search` `every` `step` or `leaving`"
        ) { Value($0.interceptors) },
        .init("start", "the screen where the way begins, in tree notation") {
            Value(optional: $0.start)
        },
        .init("startedBy", "what found it: `find` `reuse` `from`") {
            Value(optional: $0.startedBy)
        },
        .init(
            "steps",
            "from the target backwards: a list of `\(Step.form)`; the outcome is `found` `built` `reused` `foundAfter` or `passes`; a search is `\(Search.form)`, a choice `\(Choice.form)`"
        ) { Value($0.steps) },
        .init("built", "the screens that would be made: a list of `\(Made.form)`") {
            Value($0.built)
        },
        .init("updated", "the screens whose `update` would run, likewise") { Value($0.updated) },
        .init("leaving", "the screens that would go: a list of `\(Leaving.form)`") {
            Value($0.leaving)
        },
        .init(
            "operations",
            "the operations for the host: a list of texts such as `push(Show(id=1))`; none if it would fail"
        ) { Value(texts: $0.operations) },
        .init("before", "what the window shows, in tree notation") { Value($0.before) },
        .init("after", "what it would show; absent if it would fail") {
            Value(optional: $0.after)
        },
        .init("windows", "every window: a list of `\(WindowTree.form)`") { Value($0.windows) },
        .init("afterRuns", "the screens whose `after` would run: a list of `\(Made.form)`") {
            Value($0.afterRuns)
        },
        .init(
            "calls",
            "what scripts called for and what is not run: a list of `\(Call.form)`; the kind is `task` `navigation` `timer` or `other`"
        ) { Value($0.calls) },
        .init("log", "what would be written to the log: a list of `\(Line.form)`") {
            Value($0.log)
        },
    ]

    private static let urlKeys: [ExplanationKey<Explanation>] = [
        .init("matches", "of a URL, best first: a list of `\(Match.form)`") { Value($0.matches) },
        .init("misses", "of a URL, nearest first: a list of `\(Miss.form)`") { Value($0.misses) },
        .init(
            "routings",
            "of a URL, what `router.dispatch` finds, best first: a list of `\(RoutingMatch.form)`"
        ) { Value($0.routings) },
        .init(
            "routingMisses",
            "of a URL, the routings it nearly matches: a list of `\(RoutingMiss.form)`"
        ) { Value($0.routingMisses) },
        .init("missesLeftOut", "of a URL: how many more it comes near") {
            .integer(Int64($0.missesLeftOut))
        },
        .init("dropped", "of a URL: what of it takes no part") { Value(texts: $0.dropped) },
    ]

    /// The explanation as a Lua table: see ``Router/explain(_:info:options:)``.
    public var table: InfoTable { table(of: kind == .url ? Self.keys : Self.commonKeys) }

    /// The explanation as one JSON object: ``table``, with references as strings that name their
    /// kind.
    public var json: String {
        var writer = JSONWriter()
        writer.write(.table(table))
        return writer.text
    }
}
