// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The recorded events of one scenario, or of one run of an app.
struct EventRecording: Sendable {
    /// A setting of the scenario that cannot be derived from the events.
    enum Setting: String, CaseIterable {
        case seed, profile
    }

    /// The name of the scenario; `nil` for the recording of an app.
    var scenario: String?
    /// The location of the scenario, as written on the command line.
    var location: String?
    /// The path of the scripts.
    var script: String?
    /// The settings of the scenario, as written in its file.
    var settings: [Setting: String] = [:]
    /// The reproducible state before the first event; `nil` if the recording is complete, and empty
    /// if the state is unknown.
    var start: InfoTable?
    /// The events, in order.
    var events: [Event] = []

    /// Creates a recording without events from the header of a stream.
    init(header: InfoTable) {
        scenario = header["scenario"].text
        location = header["location"].text
        script = header["script"].text
        if case .table(let start) = header["start"] { self.start = start }
        for setting in Setting.allCases {
            settings[setting] = header[.string(ByteString(setting.rawValue))].text
        }
    }

    /// The events after ``start``, from which the session can be reproduced.
    var eventsFromStart: ArraySlice<Event> {
        guard let sequence = start?["sequence"].integer else { return events[...] }
        return events.drop { $0.sequence <= sequence }
    }
}

extension Event {
    /// The keys that are common to all events.
    ///
    /// They precede the fields of the event's kind.
    private static let keys = [
        "seq", "time", "navigation", "parent", "generation", "location", "kind",
    ]

    /// Creates an event from its JSON object; `nil` if a key is missing or has a value of another
    /// type.
    ///
    /// The fields are stored in the documented order of the event's kind, followed by unknown
    /// fields, sorted by name.
    init?(_ table: InfoTable, kind: Kind) {
        guard let sequence = table["seq"].integer, let time = table["time"].double,
            let generation = table["generation"].integer
        else { return nil }
        var fields = kind.reference.fields.compactMap { name in
            let value = table[.string(ByteString(name))]
            return value.isNil ? nil : (name: name, value: value)
        }
        let known = Set(fields.map(\.name))
        for (key, value) in table.entries {
            guard case .string(let key) = key, let name = key.text, !Self.keys.contains(name),
                !known.contains(name)
            else { continue }
            fields.append((name, value))
        }
        self.init(
            sequence: Int(clamping: sequence),
            time: time,
            navigation: table["navigation"].integer.map { Int(clamping: $0) },
            parent: table["parent"].integer.map { Int(clamping: $0) },
            generation: Int(clamping: generation),
            location: table["location"].text.flatMap(RouteError.Location.init(text:)),
            kind: kind,
            fields: fields
        )
    }
}

extension RouteError.Location {
    /// Parses a location such as `shop.lua:8`.
    fileprivate init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...])
        else { return nil }
        self.init(file: String(text[..<colon]), line: line)
    }
}
