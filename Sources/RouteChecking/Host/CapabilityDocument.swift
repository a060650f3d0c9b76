// SPDX-License-Identifier: MIT

public import RouteCore
internal import RouteEngine
internal import RouteURLs

/// Capabilities can be read from JSON, either from a separate document or from the field
/// `capabilities` of a host's manifest.
///
/// A missing field restricts nothing.
///
/// ```json
/// {
///   "schema": "luaroute.capabilities/1",
///   "screens": ["Main", "ShowPage"],
///   "tasks": ["Player/play"],
///   "urls": ["podcast", "https://podcasts.example"],
///   "tree": ["push", "present", "windows(2)"],
///   "leaving": true,
///   "interceptAll": false,
///   "timeout": 10,
///   "timers": { "count": 20, "period": 0.1 },
///   "rates": { "navigations": 10, "presents": 2, "logBytes": 10000, "events": 500 },
///   "time": { "turn": 0.05, "second": 0.2 },
///   "memory": 8388608,
///   "pending": 20
/// }
/// ```
extension Capabilities {
    /// The identifier of the document's schema.
    public static let schema = "luaroute.capabilities/1"

    /// Creates capabilities from a JSON document.
    ///
    /// - Parameter json: The text in UTF-8.
    /// - Throws: `parse` if the text is not JSON. `badInfo`, with the name of the field, if a field
    ///   is unknown or invalid.
    public init(json: [UInt8]) throws(RouteError) {
        try self.init(DocumentReader(json: json, schema: Self.schema, known: Self.keys))
    }

    /// The names of all fields.
    static let keys = [
        "screens", "tasks", "urls", "tree", "leaving", "interceptAll", "timeout", "timers", "rates",
        "time", "memory", "pending",
    ]

    /// Creates capabilities from the fields of a JSON object.
    ///
    /// - Throws: `badInfo` if a field is invalid.
    init(_ reader: DocumentReader) throws(RouteError) {
        screens = try reader.names("screens").map { Set($0) }
        tasks = try reader.names("tasks").map { (names) throws(RouteError) in
            try Set(names.map(Target.init(checking:)))
        }
        urls = try reader.names("urls").map { (texts) throws(RouteError) in
            try Set(
                texts.map { (text) throws(RouteError) in
                    do throws(NotationError) {
                        return try URLOrigin(text).unnamed
                    } catch {
                        throw .badURLText("origin", text: text, error: error)
                    }
                }
            )
        }
        if let words = try reader.names("tree") { try readTree(words, reader.path) }
        leaving = try reader.boolean("leaving") ?? true
        interceptAll = try reader.boolean("interceptAll") ?? true
        timeout = try reader.number("timeout", isPositive: true)
        if let fields = try reader.fields("timers", known: ["count", "period"]) {
            timers.count = try fields.count("count")
            timers.period = try fields.number("period")
        }
        let names = ["navigations", "presents", "logBytes", "events"]
        if let fields = try reader.fields("rates", known: names) {
            rates.navigations = try fields.count("navigations")
            rates.presents = try fields.count("presents")
            rates.logBytes = try fields.count("logBytes")
            rates.events = try fields.count("events")
        }
        if let fields = try reader.fields("time", known: ["turn", "second"]) {
            time.turn = try fields.number("turn").map { .seconds($0) }
            time.second = try fields.number("second").map { .seconds($0) }
        }
        memory = try reader.count("memory")
        pending = try reader.count("pending")
    }

    /// Reads the entries of `tree`.
    ///
    /// Without the entry `windows(n)`, only one window is allowed.
    private mutating func readTree(_ words: [String], _ path: String) throws(RouteError) {
        tree = []
        windows = 1
        for word in words {
            if let change = TreeChange(rawValue: word) {
                tree.insert(change)
            } else if word.hasPrefix("windows("), word.hasSuffix(")"),
                let count = Int(word.dropFirst(8).dropLast()), count > 0
            {
                windows = count
            } else {
                let known = TreeChange.allCases.map(\.rawValue) + ["windows(n)"]
                throw .unknownParameter("\(path)tree.\(word)", among: known)
            }
        }
    }
}
