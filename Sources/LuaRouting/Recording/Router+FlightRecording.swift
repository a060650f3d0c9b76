// SPDX-License-Identifier: MIT

extension Router {
    /// Returns the last 500 events, in the format of `luaroute events`: lines of
    /// `luaroute.events/1`.
    ///
    /// A router always records. An app can write the text to a file when something fails. With
    /// `luaroute events FILE --scenario --script main.lua`, the file becomes a scenario that
    /// reproduces the session.
    ///
    /// ```swift
    /// router.navigate(Target("Page", "missing"))
    /// let lines = router.flightRecording().split(separator: "\n")
    /// print(lines.count, lines.last?.contains("notFound") == true)  // 8 true
    /// ```
    ///
    /// The text contains the input from outside the router, and the resulting waits, commits and
    /// completions; <doc:FlightRecorder> lists the kinds of events. If the
    /// oldest events are no longer stored, the first line contains the state from which the later
    /// events can be reproduced: the trees, the shared state and the open gates.
    ///
    /// Values are written as `•••` if scripts declare them private, or declared them private when
    /// the event occurred. Long values are truncated as in all events. A rewind removes the events
    /// that it undoes.
    ///
    /// - Complexity: O(*n*) in the number of events and in the size of the stored trees.
    public func flightRecording() -> String {
        checkThread()
        var names = recorder.privateNames
        for generation in generations {
            names.formUnion(generation.declarations.classes.privateNames)
        }
        var classes = serving.declarations.classes
        classes.privateNames = names
        var text = header(classes) + "\n"
        for (slot, details) in recorder.records {
            text += event(of: slot, details, classes).json + "\n"
        }
        return text
    }

    // MARK: Header

    private func header(_ classes: ScreenClasses) -> String {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("schema", Value(Event.schema))
        if configuration.seed != 0 { writer.member("seed", Value("\(configuration.seed)")) }
        if configuration.profile != .strict {
            writer.member("profile", Value(configuration.profile.rawValue))
        }
        if !recorder.isComplete {
            var start = InfoTable()
            if let kept = recorder.start { start = fields(of: kept, classes) }
            writer.member("start", .table(start))
        }
        writer.end("}")
        return writer.text
    }

    private func fields(of start: FlightRecorder.Start, _ classes: ScreenClasses) -> InfoTable {
        var table = InfoTable()
        table["sequence"] = .integer(Int64(start.sequence))
        table["generation"] = .integer(Int64(start.generation))
        table["pending"] = .integer(Int64(start.pending))
        table["gates"] = .table(InfoTable(list: start.gates.sorted().map { Value($0) }))
        if let state = start.state { table["state"] = .table(classes.hidingPrivate(state)) }
        if let tree = start.tree {
            let printer = NotationPrinter(classes: classes)
            let trees = tree.windows.map { window in
                var fields = InfoTable()
                fields["window"] = Value(window.name)
                fields["tree"] = Value(printer.tree(tree, window: window.name))
                return Value.table(fields)
            }
            table["trees"] = .table(InfoTable(list: trees))
        }
        return table
    }

    // MARK: Events

    private func event(
        of slot: FlightRecorder.Slot,
        _ details: FlightRecorder.Details,
        _ classes: ScreenClasses
    ) -> Event {
        let fields = fields(of: slot, details, classes).map {
            ($0.name, classes.hidingPrivate($0.value))
        }
        return Event(
            sequence: slot.sequence,
            time: slot.time,
            navigation: slot.navigation == 0 ? nil : Int(slot.navigation),
            parent: slot.parent == 0 ? nil : Int(slot.parent),
            generation: Int(slot.generation),
            location: details.location,
            kind: slot.kind,
            fields: slot.kind.hasValues ? Event.cut(fields) : fields
        )
    }

    private func fields(
        of slot: FlightRecorder.Slot,
        _ details: FlightRecorder.Details,
        _ classes: ScreenClasses
    ) -> [(name: String, value: Value)] {
        let nesting: [(name: String, value: Value)] =
            slot.isNested ? [("nested", .boolean(true))] : []
        switch slot.form {
        case .none, .plain: return []
        case .fields: return details.fields
        case .route:
            let target = recorder.targets[Int(slot.value)]
            let generation = Int(slot.generation)
            return opening(of: target, details.info, slot.origin, by: generation) + nesting
        case .verb:
            return [
                ("verb", Value(Self.recordedVerbs[Int(slot.value)])),
                ("origin", Value(slot.origin.rawValue)),
            ] + nesting
        case .commit:
            let kinds = TreeOperation.Kind.allCases
            let names = (0..<16).compactMap { place -> Value? in
                let number = Int(slot.value >> (4 * place) & 15)
                return number == 0 ? nil : Value(kinds[number - 1].rawValue)
            }
            return [
                ("operations", .table(InfoTable(list: names))),
                ("revision", .integer(slot.revision)),
            ]
        case .shown:
            guard let screen = details.screen else { return [] }
            let printer = NotationPrinter.forEvents(classes)
            let kind = classes[screen.class].kind == .leaf ? "" : ":leaf"
            let text = screen.class + kind + printer.fields(screen.fields, of: screen.class)
            return [("window", Value(details.window)), ("screen", Value(text))]
        }
    }

    func opening(
        of target: Target,
        _ info: InfoTable,
        _ origin: Origin,
        by generation: Int
    ) -> [(name: String, value: Value)] {
        var fields: [(name: String, value: Value)] = [
            ("service", Value(target.service)), ("task", Value(target.task)),
        ]
        let routes = serving.declarations.routes
        if generation == serving.number, let location = routes[target]?.location {
            fields.append(("defined", Value(location.description)))
        }
        fields.append(("origin", Value(origin.rawValue)))
        if !info.isEmpty { fields.append(("info", .table(info))) }
        return fields
    }
}
