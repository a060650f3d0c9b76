// SPDX-License-Identifier: MIT

public import RouteCore
internal import RouteEngine
internal import RouteURLs

/// Capabilities as JSON: a separate document, or the field `capabilities` of a host's manifest.
///
/// A missing field allows everything.
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
    /// The schema of the document.
    public static let schema = "luaroute.capabilities/1"

    /// Reads a document.
    ///
    /// - Parameter json: The text in UTF-8.
    /// - Throws: `parse` for text that is not JSON, `badInfo` for any other error, with the name of
    ///   the field.
    public init(json: [UInt8]) throws(RouteError) {
        let table = try JSONDocument.object(json, refusesNull: true)
        guard table["schema"].text == Self.schema else {
            throw .badManifest("schema", expected: "\"\(Self.schema)\"", table["schema"])
        }
        try self.init(table, path: "", known: ["schema"])
    }

    /// Reads the fields of an object.
    ///
    /// - Parameters:
    ///   - table: The object.
    ///   - path: The prefix of field names in messages, such as `capabilities.`.
    ///   - known: Further fields, which others read.
    /// - Throws: `badInfo` for an unknown or invalid field.
    init(_ table: InfoTable, path: String, known: [String] = []) throws(RouteError) {
        let reader = try FieldReader(
            table,
            path,
            known: known + [
                "screens", "tasks", "urls", "tree", "leaving", "interceptAll", "timeout", "timers",
                "rates", "time", "memory", "pending",
            ]
        )
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
        if let words = try reader.names("tree") { try readTree(words, path) }
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

    /// Reads the words of `tree`; without `windows(n)`, only one window is allowed.
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

/// A reader of the fields of a JSON object, whose errors contain the path.
private struct FieldReader {
    private let table: InfoTable
    private let path: String

    init(_ table: InfoTable, _ path: String, known: [String]) throws(RouteError) {
        (self.table, self.path) = (table, path)
        try HostManifest.checkKeys(of: table, known: known, path: path)
    }

    /// Reads a field, or returns nil if it is missing.
    private func read<Content>(
        _ key: String,
        expected: String,
        _ convert: (Value) -> Content?
    ) throws(RouteError) -> Content? {
        let value = table[key]
        if value.isNil { return nil }
        guard let content = convert(value) else {
            throw .badManifest(path + key, expected: expected, value)
        }
        return content
    }

    func names(_ key: String) throws(RouteError) -> [String]? {
        try read(key, expected: "a list of names") { value in
            guard case .table(let list) = value, list.entries.isEmpty else { return nil }
            let names = list.list.compactMap(\.text)
            return names.count == list.list.count ? names : nil
        }
    }

    func boolean(_ key: String) throws(RouteError) -> Bool? {
        try read(key, expected: "true or false", \.boolean)
    }

    func number(_ key: String, isPositive: Bool = false) throws(RouteError) -> Double? {
        let range = isPositive ? "above 0" : "from 0"
        return try read(key, expected: "a number of seconds \(range) to 1e9") { value in
            value.double.flatMap { number in
                (isPositive ? number > 0 : number >= 0) && number <= 1e9 ? number : nil
            }
        }
    }

    func count(_ key: String) throws(RouteError) -> Int? {
        try read(key, expected: "an integer of 0 or more") { value in
            value.integer.flatMap { $0 >= 0 ? Int(clamping: $0) : nil }
        }
    }

    func fields(_ key: String, known: [String]) throws(RouteError) -> FieldReader? {
        let inner = try read(key, expected: "an object") { value in
            if case .table(let table) = value { table } else { nil }
        }
        guard let inner else { return nil }
        return try FieldReader(inner, "\(path)\(key).", known: known)
    }
}
