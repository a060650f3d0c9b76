// SPDX-License-Identifier: MIT

/// An explanation as plain data: what `router.explain` gives to scripts, and JSON.
extension Explanation {
    /// The explanation as scripts have it: see ``Router/explain(_:info:options:)``.
    public var table: Table {
        var table = Table()
        table["kind"] = Value(kind.rawValue)
        table["text"] = Value(text)
        table["origin"] = Value(origin.rawValue)
        table["window"] = Value(window)
        table["service"] = Value(optional: target?.service)
        table["task"] = Value(optional: target?.task)
        table["info"] = .table(info)
        table["outcome"] = Value(outcome.rawValue)
        table["waitsFor"] = Value(optional: waitsFor)
        table["failure"] = failure.map { .table($0.table) } ?? .nil
        if kind == .url {
            table["matches"] = Value(list: matches, \.table)
            table["misses"] = Value(list: misses, \.table)
            table["missesLeftOut"] = .integer(Int64(missesLeftOut))
            table["routings"] = Value(list: routings, \.table)
            table["routingMisses"] = Value(list: routingMisses, \.table)
            table["dropped"] = Value(list: dropped) { Value($0) }
        }
        table["turn"] = .table([
            "state": Value(turn.state.rawValue),
            "others": Value(list: turn.others) { Value($0) },
        ])
        table["detours"] = Value(list: detours, \.table)
        table["route"] = Value(optional: route?.description)
        table["place"] = Value(optional: place?.description)
        table["gates"] = Value(list: gates, \.table)
        table["needs"] = Value(list: dependencies, \.table)
        table["interceptors"] = Value(list: interceptors, \.table)
        table["start"] = Value(optional: start)
        table["startedBy"] = Value(optional: startedBy)
        table["steps"] = Value(list: steps, \.table)
        table["built"] = Value(list: built, \.table)
        table["updated"] = Value(list: updated, \.table)
        table["leaving"] = Value(list: leaving, \.table)
        table["operations"] = Value(list: operations) { Value($0) }
        table["before"] = Value(before)
        table["after"] = Value(optional: after)
        table["windows"] = Value(list: windows, \.table)
        table["afterRuns"] = Value(list: afterRuns, \.table)
        table["calls"] = Value(list: calls, \.table)
        table["log"] = Value(list: log, \.table)
        return table
    }

    /// The explanation as one JSON object: ``table``, where references are strings that name their kind.
    public var json: String {
        var writer = JSONWriter()
        writer.write(.table(table))
        return writer.text
    }
}

extension Table {
    /// Makes a table of what is not nil.
    fileprivate init(present: [(String, Value)]) {
        self.init()
        for (name, value) in present { self[name] = value }
    }
}

extension Value {
    fileprivate init(optional text: String?) { self = text.map { Value($0) } ?? .nil }

    fileprivate init(_ place: RouteError.Location?) { self.init(optional: place?.description) }

    fileprivate init<Element>(list: [Element], _ table: (Element) -> Table) {
        self.init(list: list) { .table(table($0)) }
    }

    fileprivate init<Element>(list: [Element], _ value: (Element) -> Value) {
        self = .table(Table(list: list.map(value)))
    }
}

extension Explanation.Failure {
    fileprivate var table: Table {
        Table(present: [
            ("phase", Value(phase.rawValue)), ("code", Value(error.code.rawValue)),
            ("message", Value(error.message)), ("place", Value(error.location)),
            ("step", Value(optional: error.step)), ("certain", .boolean(isCertain)),
        ])
    }
}

extension Explanation.Match {
    fileprivate var table: Table {
        Table(present: [
            ("service", Value(target.service)), ("task", Value(target.task)),
            ("pattern", Value(pattern)), ("place", Value(place)),
            ("params", .table(parameters)),
        ])
    }
}

extension Explanation.Miss {
    fileprivate var table: Table {
        Table(present: [
            ("service", Value(target.service)), ("task", Value(target.task)),
            ("pattern", Value(pattern)), ("place", Value(place)),
            ("segment", segment.map { .integer(Int64($0)) } ?? .nil), ("reason", Value(reason)),
        ])
    }
}

extension Explanation.RoutingMatch {
    fileprivate var table: Table {
        Table(present: [
            ("pattern", Value(routing.pattern)), ("place", Value(routing.place)),
            ("params", .table(parameters)), ("action", .boolean(routing.hasAction)),
        ])
    }
}

extension Explanation.RoutingMiss {
    fileprivate var table: Table {
        Table(present: [
            ("pattern", Value(routing.pattern)), ("place", Value(routing.place)),
            ("segment", segment.map { .integer(Int64($0)) } ?? .nil), ("reason", Value(reason)),
        ])
    }
}

extension Explanation.Detour {
    fileprivate var table: Table {
        Table(present: [
            ("reason", Value(reason.rawValue)), ("route", Value(route)), ("place", Value(place)),
            ("taken", Value(taken.description)),
        ])
    }
}

extension Explanation.Gate {
    fileprivate var table: Table {
        Table(present: [
            ("name", Value(name)), ("open", .boolean(isOpen)), ("route", Value(optional: route)),
        ])
    }
}

extension Explanation.Dependency {
    fileprivate var table: Table {
        Table(present: [
            ("name", Value(name)), ("state", Value(state.rawValue)),
            ("route", Value(optional: route)),
        ])
    }
}

extension Explanation.Interceptor {
    fileprivate var table: Table {
        Table(present: [
            ("kind", Value(kind.rawValue)), ("name", Value(name)), ("of", Value(optional: of)),
            ("place", Value(place)), ("timeout", .number(timeout)),
        ])
    }
}

extension Explanation.Search {
    fileprivate var table: Table {
        Table(present: [
            ("purpose", Value(purpose)), ("finder", Value(finder)),
            (
                "visits",
                Value(list: visits) { visit in
                    Table(present: [
                        ("screen", Value(visit.screen)), ("reason", Value(optional: visit.reason)),
                    ])
                }
            ),
            ("more", .integer(Int64(more))), ("found", Value(optional: found)),
            ("note", Value(optional: note)),
        ])
    }
}

extension Explanation.Step {
    fileprivate var table: Table {
        Table(present: [
            ("route", Value(route)), ("place", Value(place)), ("info", .table(info)),
            ("action", Value(action)), ("outcome", Value(optional: outcome?.rawValue)),
            ("by", Value(optional: by)), ("screen", Value(optional: screen)),
            ("container", Value(optional: container)),
            ("searches", Value(list: searches, \.table)),
            (
                "choices",
                Value(list: choices) { choice in
                    Table(present: [
                        ("case", choice.number.map { .integer(Int64($0)) } ?? "default"),
                        ("place", Value(choice.place)),
                    ])
                }
            ),
        ])
    }
}

extension Explanation.Made {
    fileprivate var table: Table {
        Table(present: [("screen", Value(screen)), ("place", Value(place))])
    }
}

extension Explanation.Leaving {
    fileprivate var table: Table {
        Table(present: [("screen", Value(screen)), ("asked", .boolean(isAsked))])
    }
}

extension Explanation.Call {
    fileprivate var table: Table {
        Table(present: [
            ("kind", Value(kind.rawValue)), ("call", Value(text)), ("place", Value(place)),
        ])
    }
}

extension Explanation.Line {
    fileprivate var table: Table {
        Table(present: [
            ("level", Value(level)), ("message", Value(message)), ("place", Value(place)),
        ])
    }
}

extension Explanation.WindowTree {
    fileprivate var table: Table {
        Table(present: [
            ("name", Value(name)), ("before", Value(before)), ("after", Value(optional: after)),
        ])
    }
}
