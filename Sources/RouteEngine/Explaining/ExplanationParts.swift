// SPDX-License-Identifier: MIT

package import RouteCore

/// An explanation, or a part of an explanation, that scripts receive as a table.
package protocol ExplanationPart {
    /// The keys of the table, in the order of the documentation.
    static var keys: [ExplanationKey<Self>] { get }
}

extension ExplanationPart {
    /// The form of the table in the documentation, such as `{ name =, open =, route = }`.
    package static var form: String {
        let keys = keys.map { "\($0.name) =" + ($0.text.isEmpty ? "" : " \($0.text)") }
        return "{ \(keys.joined(separator: ", ")) }"
    }

    /// The part as a Lua table.
    package var table: InfoTable { table(of: Self.keys) }

    package func table(of keys: [ExplanationKey<Self>]) -> InfoTable {
        var table = InfoTable()
        for key in keys { table[key.name] = key.value(self) }
        return table
    }
}

extension Value {
    package init(optional text: String?) { self = text.map { Value($0) } ?? .nil }

    package init(_ location: RouteError.Location?) { self.init(optional: location?.description) }

    package init(_ parts: [some ExplanationPart]) {
        self = .table(InfoTable(list: parts.map { .table($0.table) }))
    }

    package init(texts: [String]) { self = .table(InfoTable(list: texts.map { Value($0) })) }

    fileprivate init(optional integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .nil }
}

extension Explanation.Failure: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("phase") { Value($0.phase.rawValue) },
        .init("code") { Value($0.error.code.rawValue) },
        .init("message") { Value($0.error.message) },
        .init("location") { Value($0.error.location) },
        .init("step") { Value(optional: $0.error.step) },
        .init("certain") { .boolean($0.isCertain) },
    ]
}

extension Explanation.Turn: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("state") { Value($0.state.rawValue) },
        .init("others", "{ … }") { Value(texts: $0.others) },
    ]
}

extension Explanation.Match: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("service") { Value($0.target.service) }, .init("task") { Value($0.target.task) },
        .init("pattern") { Value($0.pattern) }, .init("location") { Value($0.location) },
        .init("params") { .table($0.parameters) },
    ]
}

extension Explanation.Miss: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("service") { Value($0.target.service) }, .init("task") { Value($0.target.task) },
        .init("pattern") { Value($0.pattern) }, .init("location") { Value($0.location) },
        .init("segment") { Value(optional: $0.segment) }, .init("reason") { Value($0.reason) },
    ]
}

extension Explanation.RoutingMatch: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("pattern") { Value($0.routing.pattern) },
        .init("location") { Value($0.routing.location) },
        .init("params") { .table($0.parameters) },
        .init("action") { .boolean($0.routing.hasAction) },
    ]
}

extension Explanation.RoutingMiss: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("pattern") { Value($0.routing.pattern) },
        .init("location") { Value($0.routing.location) },
        .init("segment") { Value(optional: $0.segment) }, .init("reason") { Value($0.reason) },
    ]
}

extension Explanation.Detour: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("reason") { Value($0.reason.rawValue) }, .init("route") { Value($0.route) },
        .init("location") { Value($0.location) }, .init("taken") { Value($0.taken.description) },
    ]
}

extension Explanation.Gate: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("name") { Value($0.name) }, .init("open") { .boolean($0.isOpen) },
        .init("route") { Value(optional: $0.route) },
    ]
}

extension Explanation.Dependency: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("name") { Value($0.name) }, .init("state") { Value($0.state.rawValue) },
        .init("route") { Value(optional: $0.route) },
    ]
}

extension Explanation.Interceptor: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("kind") { Value($0.kind.rawValue) }, .init("name") { Value($0.name) },
        .init("of") { Value(optional: $0.of) }, .init("location") { Value($0.location) },
        .init("timeout") { .number($0.timeout) }, .init("note") { Value($0.note) },
    ]
}

extension Explanation.Visit: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("screen") { Value($0.screen) }, .init("reason") { Value(optional: $0.reason) },
    ]
}

extension Explanation.Search: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("purpose") { Value($0.purpose) }, .init("finder") { Value($0.finder) },
        .init("visits", "{ \(Explanation.Visit.form) }") { Value($0.visits) },
        .init("more") { .integer(Int64($0.more)) }, .init("found") { Value(optional: $0.found) },
        .init("note") { Value(optional: $0.note) },
    ]
}

extension Explanation.Choice: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("case") { $0.number.map { .integer(Int64($0)) } ?? "default" },
        .init("location") { Value($0.location) },
    ]
}

extension Explanation.Step: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("route") { Value($0.route) }, .init("location") { Value($0.location) },
        .init("info") { .table($0.info) }, .init("action") { Value($0.action) },
        .init("outcome") { Value(optional: $0.outcome?.rawValue) },
        .init("by") { Value(optional: $0.by) }, .init("screen") { Value(optional: $0.screen) },
        .init("container") { Value(optional: $0.container) },
        .init("searches") { Value($0.searches) }, .init("choices") { Value($0.choices) },
    ]
}

extension Explanation.Made: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("screen") { Value($0.screen) }, .init("location") { Value($0.location) },
    ]
}

extension Explanation.Leaving: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("screen") { Value($0.screen) }, .init("asked") { .boolean($0.isAsked) },
    ]
}

extension Explanation.Call: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("kind") { Value($0.kind.rawValue) }, .init("call") { Value($0.text) },
        .init("location") { Value($0.location) },
    ]
}

extension Explanation.Line: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("level") { Value($0.level) }, .init("message") { Value($0.message) },
        .init("location") { Value($0.location) },
    ]
}

extension Explanation.WindowTree: ExplanationPart {
    package static let keys: [ExplanationKey<Self>] = [
        .init("name") { Value($0.name) }, .init("before") { Value($0.before) },
        .init("after") { Value(optional: $0.after) },
    ]
}
