// SPDX-License-Identifier: MIT

public import RouteCore
public import RouteEngine

/// The abilities of a host: the tasks that it performs, the classes of screens that it shows, the
/// dependencies that it provides, its presentation styles and transitions, and the capabilities
/// that it gives to scripts.
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

    /// The tasks that the host performs; nil if they are not listed.
    public var tasks: Set<Target>?
    /// The classes of screens that the host shows, besides plain containers; nil if they are not
    /// listed.
    public var screens: [String: ScreenClass]?
    /// The names of the dependencies that the host provides; nil if they are not listed.
    public var dependencies: Set<String>?
    /// The presentation styles, besides the default one; nil if they are not listed.
    public var styles: Set<String>?
    /// The transitions of presentations, besides the default one; nil if they are not listed.
    public var transitions: Set<String>?
    /// The capabilities that the host gives to scripts.
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
        let reader = try DocumentReader(
            json: json,
            schema: Self.schema,
            known: [
                "capabilities", "dependencies", "screens", "styles", "tasks", "transitions",
            ]
        )
        tasks = try reader.entries("tasks").map { (entries) throws(RouteError) in
            try Set(
                entries.map { (entry) throws(RouteError) in try Target(checking: entry.name) }
            )
        }
        screens = try reader.entries("screens").map { (entries) throws(RouteError) in
            var screens: [String: ScreenClass] = [:]
            for (name, about) in entries {
                let known = ["fields", "kind"]
                screens[name] = try ScreenClass(
                    DocumentReader(about, path: "screens.\(name).", known: known)
                )
            }
            return screens
        }
        dependencies = try reader.entries("dependencies").map { Set($0.map(\.name)) }
        styles = try reader.entries("styles").map { Set($0.map(\.name)) }
        transitions = try reader.entries("transitions").map { Set($0.map(\.name)) }
        // A copy of a document of capabilities has a schema.
        let known = Capabilities.keys + ["schema"]
        if let reader = try reader.fields("capabilities", known: known) {
            capabilities = try Capabilities(reader)
        }
    }
}

extension HostManifest.ScreenClass {
    fileprivate init(_ reader: DocumentReader) throws(RouteError) {
        kind = try reader.read("kind", expected: "a kind of screens") { value in
            value.text.flatMap(Screen.Kind.init(rawValue:))
        }
        fields = try reader.names("fields")
    }
}
