// SPDX-License-Identifier: MIT

public import RouteCore
public import RouteEngine

/// The abilities of a host: the tasks that it performs, the classes of screens that it shows, the
/// dependencies that it provides, its presentation styles and transitions, and the rights that it gives
/// to scripts.
///
/// On disk it is a JSON document, `host.json`, next to the entry of the scripts. Each of its lists
/// may be an object instead, whose keys are the names, with details as values.
///
/// ```json
/// {
///   "schema": "luaroute.host/1",
///   "tasks": ["Player/play"],
///   "screens": { "ShowPage": { "kind": "leaf", "fields": ["showId"] }, "Web": {} },
///   "dependencies": ["session"],
///   "styles": ["sheet"],
///   "transitions": ["flip"],
///   "capabilities": { "tree": ["push", "present"], "pending": 20 }
/// }
/// ```
///
/// ```swift
/// let manifest = HostManifest(tasks: [Target("Player", "stop")])
/// for finding in router.check(manifest: manifest) {
///     print(finding.message)  // the host has no task 'Player/play'
/// }
/// ```
public struct HostManifest: Sendable {
    /// The details of a class of screens.
    public struct ScreenClass: Sendable {
        /// The kind; nil for any.
        public var kind: Screen.Kind?
        /// The fields that the host shows; nil for any.
        public var fields: [String]?

        /// Creates a class.
        public init(kind: Screen.Kind? = nil, fields: [String]? = nil) {
            self.kind = kind
            self.fields = fields
        }
    }

    /// The schema of the document.
    public static let schema = "luaroute.host/1"

    /// The tasks that it performs; nil if they are not listed.
    public var tasks: Set<Target>?
    /// The classes of screens that it shows, besides plain containers; nil if they are not listed.
    public var screens: [String: ScreenClass]?
    /// The names of the dependencies that it provides; nil if they are not listed.
    public var dependencies: Set<String>?
    /// The presentation styles, besides the default one; nil if they are not listed.
    public var styles: Set<String>?
    /// The transitions of presentations, besides the default one; nil if they are not listed.
    public var transitions: Set<String>?
    /// The rights that it gives to scripts.
    public var capabilities = Capabilities()

    /// Creates a manifest.
    public init(
        tasks: Set<Target>? = nil,
        screens: [String: ScreenClass]? = nil,
        dependencies: Set<String>? = nil,
        styles: Set<String>? = nil,
        transitions: Set<String>? = nil
    ) {
        self.tasks = tasks
        self.screens = screens
        self.dependencies = dependencies
        self.styles = styles
        self.transitions = transitions
    }

    /// Reads a document.
    ///
    /// - Parameter json: The text in UTF-8.
    /// - Throws: `parse` for malformed JSON, `badInfo` for an invalid manifest, naming the key.
    public init(json: [UInt8]) throws(RouteError) {
        let table = try JSONDocument.object(json, refusesNull: true)
        try Self.checkKeys(
            of: table,
            known: [
                "capabilities", "dependencies", "schema", "screens", "styles", "tasks",
                "transitions",
            ],
            path: ""
        )
        guard table["schema"].text == Self.schema else {
            throw .badManifest("schema", expected: "\"\(Self.schema)\"", table["schema"])
        }
        tasks = try Self.entries(table, "tasks").map { (entries) throws(RouteError) in
            try Set(
                entries.map { (entry) throws(RouteError) in try Target(checking: entry.name) }
            )
        }
        screens = try Self.entries(table, "screens").map { (entries) throws(RouteError) in
            var screens: [String: ScreenClass] = [:]
            for (name, about) in entries {
                screens[name] = try ScreenClass(about, path: "screens.\(name)")
            }
            return screens
        }
        dependencies = try Self.entries(table, "dependencies").map { Set($0.map(\.name)) }
        styles = try Self.entries(table, "styles").map { Set($0.map(\.name)) }
        transitions = try Self.entries(table, "transitions").map { Set($0.map(\.name)) }
        switch table["capabilities"] {
        case .nil: break
        case .table(let fields):
            capabilities = try Capabilities(fields, path: "capabilities.", known: ["schema"])
        case let other:
            throw .badManifest("capabilities", expected: "an object", other)
        }
    }

    /// Returns the names in a list, or the keys of an object with their details.
    private static func entries(
        _ table: InfoTable,
        _ key: String
    ) throws(RouteError) -> [(name: String, about: InfoTable)]? {
        let value = table[key]
        if value.isNil { return nil }
        guard case .table(let table) = value else {
            throw .badManifest(key, expected: "a list of names or an object", value)
        }
        var entries: [(String, InfoTable)] = []
        for element in table.list {
            guard let name = element.text else {
                throw .badManifest(key, expected: "names", element)
            }
            entries.append((name, InfoTable()))
        }
        for (entryKey, value) in table.entries {
            guard case .string(let string) = entryKey, let name = string.text,
                case .table(let about) = value
            else { throw .badManifest(key, expected: "objects by name", value) }
            entries.append((name, about))
        }
        return entries
    }

    static func checkKeys(
        of table: InfoTable,
        known: [String],
        path: String
    ) throws(RouteError) {
        for (key, _) in table.entries {
            let name = String(key.pathComponent.drop { $0 == "." })
            if !known.contains(name) { throw .unknownParameter(path + name, among: known) }
        }
    }
}

extension HostManifest.ScreenClass {
    fileprivate init(_ table: InfoTable, path: String) throws(RouteError) {
        try HostManifest.checkKeys(of: table, known: ["fields", "kind"], path: "\(path).")
        if !table["kind"].isNil {
            guard let kind = table["kind"].text.flatMap({ Screen.Kind(rawValue: $0) }) else {
                throw .badManifest("\(path).kind", expected: "a kind of screens", table["kind"])
            }
            self.kind = kind
        }
        if !table["fields"].isNil { fields = table["fields"].names }
    }
}

extension RouteError {
    static func badManifest(
        _ key: String,
        expected: String,
        _ got: Value
    ) -> RouteError {
        let found = got.text.map { "'\(shortened($0))'" } ?? got.kindName
        return RouteError(.badInfo, "bad field '\(key)' (\(expected) expected, got \(found))")
    }
}
