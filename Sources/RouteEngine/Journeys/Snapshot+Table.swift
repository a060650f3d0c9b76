// SPDX-License-Identifier: MIT

public import RouteCore

extension Snapshot {
    /// The snapshot as plain data, as `router.snapshot` returns it to scripts.
    ///
    /// The table contains `version` and `screens`, and, if there are any, `state`, `gates` and
    /// `links`. Each screen has `class` and `kind`, optionally `fields`, `selected` and `route`,
    /// and its position. The position is given by `window`, by `parent`, or by `presenter` together
    /// with the attributes of the presentation. `parent` and `presenter` are indices of earlier
    /// screens.
    public var table: InfoTable {
        var table = InfoTable()
        table["version"] = Value(Self.version)
        table["screens"] = .table(InfoTable(list: entries.map { .table($0.table) }))
        if !state.isEmpty { table["state"] = .table(state) }
        if !gates.isEmpty { table["gates"] = .table(InfoTable(list: gates.map { Value($0) })) }
        if !links.isEmpty {
            table["links"] = .table(InfoTable(list: links.map { .table($0.table) }))
        }
        return table
    }

    /// Reads a snapshot from plain data.
    ///
    /// - Throws: `badInfo`, with the path to the first error, for another version, an unknown key,
    ///   a screen that is listed before its container or presenter, or data that is not plain;
    ///   `budget` for more than ``screenLimit`` screens.
    public init(_ table: InfoTable) throws(RouteError) {
        let reader = SnapshotReader(table, path: "")
        let version = reader.table["version"]
        guard version.text == Self.version else {
            throw reader.mismatch("version", "'\(Self.version)'")
        }
        try reader.check(["version", "screens", "state", "gates", "links"])
        let screens = try reader.list("screens")
        guard screens.count <= Self.screenLimit else { throw .tooManyScreens(screens.count) }
        try readScreens(screens)
        if case .table(let state) = reader.table["state"] {
            for (key, value) in state.entries {
                guard case .string(let name) = key, let name = name.text, Name.isValid(name) else {
                    throw .badSnapshot(
                        "state\(key.pathComponent)",
                        expected: "a name",
                        actual: "a key"
                    )
                }
                guard !value.isTooDeep else { throw .tooDeep() }
                if let path = value.pathToReference {
                    throw .badSnapshot(
                        "state.\(name)\(path)",
                        expected: "plain data",
                        actual: "a reference"
                    )
                }
            }
            guard state.list.isEmpty else { throw reader.mismatch("state", "named fields") }
            guard state.size <= World.stateLimit else { throw .stateTooLarge() }
            self.state = state
        } else if !reader.table["state"].isNil {
            throw reader.mismatch("state", "table")
        }
        for (index, gate) in try reader.list("gates").enumerated() {
            guard let name = gate.text, Name.isValid(name), !World.reservedGates.contains(name)
            else {
                throw .badSnapshot(
                    "gates[\(index + 1)]",
                    expected: "the name of a gate",
                    actual: gate.scriptKind
                )
            }
            gates.append(name)
        }
        gates = Set(gates).sorted()
        for (index, link) in try reader.list("links").enumerated() {
            links.append(try Link(SnapshotReader(link, path: "links[\(index + 1)]")))
        }
    }

    private mutating func readScreens(_ screens: [Value]) throws(RouteError) {
        var depths: [Int] = []
        var counts: [Int] = []
        var presenters: Set<Int> = []
        var windows: Set<String> = []
        entries.reserveCapacity(screens.count)
        for (index, value) in screens.enumerated() {
            let reader = try SnapshotReader(value, path: "screens[\(index + 1)]")
            let entry = try Entry(reader, at: index)
            switch entry.position {
            case .root(let window):
                guard windows.insert(window).inserted else {
                    throw reader.mismatch("window", "a window that has no root yet")
                }
                depths.append(1)
            case .child(let parent):
                guard entries[parent].kind.isContainer else {
                    throw reader.mismatch("parent", "a container")
                }
                counts[parent] += 1
                depths.append(depths[parent] + 1)
            case .modal(let presenter, _):
                guard presenters.insert(presenter).inserted else {
                    throw reader.mismatch("presenter", "a screen that presents no other screen")
                }
                depths.append(depths[presenter] + 1)
            }
            guard depths[index] <= ScreenTree.depthLimit else {
                throw .snapshotTooDeep(reader.path)
            }
            counts.append(0)
            entries.append(entry)
        }
        for (index, entry) in entries.enumerated()
        where entry.selection != 0 && entry.selection >= counts[index] {
            throw .badSnapshot(
                "screens[\(index + 1)].selected",
                expected: "number up to \(counts[index])",
                actual: "\(entry.selection + 1)"
            )
        }
    }
}

extension Snapshot.Entry {
    fileprivate var table: InfoTable {
        var table = InfoTable()
        table["class"] = Value(`class`)
        table["kind"] = Value(kind.rawValue)
        if fields.count > 0 {
            var values = InfoTable()
            for name in fields.names { values[name] = fields[name] }
            table["fields"] = .table(values)
        }
        if let route { table["route"] = Value(route) }
        if selection != 0 { table["selected"] = .integer(Int64(selection) + 1) }
        switch position {
        case .root(let window): table["window"] = Value(window)
        case .child(let parent): table["parent"] = .integer(Int64(parent) + 1)
        case .modal(let presenter, let presentation):
            table["presenter"] = .integer(Int64(presenter) + 1)
            for (name, value) in presentation.attributes { table[name] = value }
        }
        return table
    }

    fileprivate init(_ reader: SnapshotReader, at index: Int) throws(RouteError) {
        let places = ["window", "parent", "presenter"].filter { !reader.table[$0].isNil }
        guard places.count == 1, let word = places.first else {
            throw .badSnapshot(
                reader.path,
                expected: "exactly one of 'window', 'parent' and 'presenter'",
                actual: places.isEmpty
                    ? "none" : places.map { "'\($0)'" }.joined(separator: " and ")
            )
        }
        let more = Screen.Presentation.Attribute.allCases.map(\.rawValue)
        try reader.check(
            ["class", "kind", "fields", "selected", "route", word]
                + (word == "presenter" ? more : [])
        )
        `class` = try reader.name("class")
        guard let kind = reader.table["kind"].text.flatMap({ Screen.Kind(rawValue: $0) }) else {
            throw reader.mismatch("kind", "a kind of screen")
        }
        self.kind = kind
        switch word {
        case "window": position = .root(window: try reader.name("window"))
        case "parent": position = .child(of: try reader.position("parent", upTo: index))
        default:
            let presenter = try reader.position("presenter", upTo: index)
            position = .modal(of: presenter, try reader.presentation())
        }
        fields = try reader.fields()
        route = reader.table["route"].text
        if route == nil, !reader.table["route"].isNil { throw reader.mismatch("route", "string") }
        guard !reader.table["selected"].isNil else { return }
        guard kind == .tabs || kind == .container else {
            throw reader.mismatch("selected", "no selection for \(kind.rawValue.withArticle)")
        }
        selection = try reader.position("selected", upTo: Snapshot.screenLimit)
    }
}

extension Snapshot.Link {
    fileprivate var table: InfoTable {
        var table = InfoTable()
        table["url"] = .string(url)
        if let key { table["key"] = Value(key) }
        table["origin"] = Value(origin.rawValue)
        if let left { table["left"] = .number(left) }
        return table
    }

    fileprivate init(_ reader: SnapshotReader) throws(RouteError) {
        try reader.check(["url", "key", "origin", "left"])
        guard case .string(let url) = reader.table["url"] else {
            throw reader.mismatch("url", "string")
        }
        self.url = url
        key = reader.table["key"].text
        if key == nil, !reader.table["key"].isNil { throw reader.mismatch("key", "string") }
        guard let origin = reader.table["origin"].text.flatMap({ Origin(rawValue: $0) }) else {
            throw reader.mismatch("origin", "the name of an origin")
        }
        self.origin = origin
        left = reader.table["left"].double
        guard reader.table["left"].isNil || left.map({ $0 > 0 && $0.isFinite }) == true else {
            throw reader.mismatch("left", "a positive number of seconds")
        }
    }
}

/// A reader for a table of a snapshot, which includes the path in its errors.
private struct SnapshotReader {
    let table: InfoTable
    let path: String

    init(_ table: InfoTable, path: String) {
        self.table = table
        self.path = path
    }

    init(_ value: Value, path: String) throws(RouteError) {
        guard case .table(let table) = value else {
            throw .badSnapshot(path, expected: "table", actual: value.scriptKind)
        }
        self.init(table, path: path)
    }

    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Returns the error for a field that does not have the expected value.
    func mismatch(_ name: String, _ expected: String) -> RouteError {
        let value = table[name]
        let actual =
            switch value {
            case .string(let text): "'\(RouteError.shortened(text))'"
            case .integer, .number: value.description
            default: value.scriptKind
            }
        return .badSnapshot(path(of: name), expected: expected, actual: actual)
    }

    /// Checks that the table has no fields other than the given fields.
    func check(_ names: [String]) throws(RouteError) {
        guard table.list.isEmpty else {
            throw .badSnapshot(path, expected: "named fields", actual: "a list")
        }
        for (key, _) in table.entries {
            guard case .string(let string) = key, let name = string.text, names.contains(name)
            else {
                let name = String(key.pathComponent.drop { $0 == "." })
                throw .unknownInSnapshot(path(of: name), Suggestion.hint(for: name, among: names))
            }
        }
    }

    func name(_ field: String) throws(RouteError) -> String {
        guard let name = table[field].text, Name.isValid(name) else {
            throw mismatch(field, "a name")
        }
        return name
    }

    func list(_ field: String) throws(RouteError) -> [Value] {
        guard case .table(let list) = table[field], list.isList else {
            if table[field].isNil, field != "screens" { return [] }
            throw mismatch(field, "list")
        }
        return list.list
    }

    /// Reads an index that is counted from 1, and returns the index counted from 0.
    func position(_ field: String, upTo last: Int) throws(RouteError) -> Int {
        guard let number = table[field].integer, (1...Int64(max(last, 1))).contains(number),
            last >= 1
        else {
            let range = last < 1 ? "the number of an earlier screen" : "number from 1 to \(last)"
            throw mismatch(field, range)
        }
        return Int(number) - 1
    }

    func fields() throws(RouteError) -> Fields {
        var fields = Fields()
        guard !table["fields"].isNil else { return fields }
        let reader = try SnapshotReader(table["fields"], path: path(of: "fields"))
        guard reader.table.list.isEmpty else {
            throw .badSnapshot(reader.path, expected: "named fields", actual: "a list")
        }
        for (key, value) in reader.table.entries {
            guard case .string(let string) = key, let name = string.text, Name.isValid(name),
                ScreenProperty.named(name) == nil
            else {
                throw .badSnapshot(
                    "\(reader.path)\(key.pathComponent)",
                    expected: "the name of a field",
                    actual: "another key"
                )
            }
            guard !value.isTooDeep else { throw .tooDeep() }
            if let path = value.pathToReference {
                throw .badSnapshot(
                    "\(reader.path).\(name)\(path)",
                    expected: "plain data",
                    actual: "a reference"
                )
            }
            fields[name] = value
        }
        return fields
    }

    func presentation() throws(RouteError) -> Screen.Presentation {
        var presentation = Screen.Presentation()
        for (name, field) in [("style", \Screen.Presentation.style), ("transition", \.transition)]
        where !table[name].isNil {
            guard let text = table[name].text else { throw mismatch(name, "string") }
            presentation[keyPath: field] = text
        }
        if !table["size"].isNil {
            let size = try SnapshotReader(table["size"], path: path(of: "size"))
            try size.check(["width", "height"])
            guard let width = size.table["width"].double else {
                throw size.mismatch("width", "number")
            }
            guard let height = size.table["height"].double else {
                throw size.mismatch("height", "number")
            }
            presentation.size = .init(width: width, height: height)
        }
        if !table["modal"].isNil {
            guard let isModal = table["modal"].boolean else { throw mismatch("modal", "boolean") }
            presentation.isModal = isModal
        }
        if !table["options"].isNil {
            guard case .table(let options) = table["options"] else {
                throw mismatch("options", "table")
            }
            guard !table["options"].isTooDeep else { throw .tooDeep() }
            if let path = table["options"].pathToReference {
                throw .badSnapshot(
                    "\(self.path).options\(path)",
                    expected: "plain data",
                    actual: "a reference"
                )
            }
            presentation.options = options
        }
        return presentation
    }
}
