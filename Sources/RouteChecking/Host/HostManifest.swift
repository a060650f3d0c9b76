// SPDX-License-Identifier: MIT

public import RouteCore
public import RouteEngine

/// A description of what a host supports: its tasks, classes of screens, dependencies, presentation
/// styles and transitions, and the capabilities that the host grants to scripts.
///
/// A manifest is stored as a JSON document, `host.json`, next to the main file of the scripts.
/// Instead of a list of names, each field may contain an object whose keys are the names and whose
/// values are details.
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
    /// The properties of a class of screens that the host shows.
    public struct ScreenClass: Sendable {
        /// The kind of the screens; nil for any kind.
        public var kind: Screen.Kind?
        /// The fields that the host shows; nil for any fields.
        public var fields: [String]?

        /// Creates the description of a class.
        public init(kind: Screen.Kind? = nil, fields: [String]? = nil) {
            self.kind = kind
            self.fields = fields
        }
    }

    /// The identifier of the document's schema.
    public static let schema = "luaroute.host/1"

    /// The tasks that the host performs; nil if unknown.
    public var tasks: Set<Target>?
    /// The classes of screens that the host shows, besides plain containers; nil if unknown.
    public var screens: [String: ScreenClass]?
    /// The names of the dependencies that the host provides; nil if unknown.
    public var dependencies: Set<String>?
    /// The presentation styles besides the default style; nil if unknown.
    public var styles: Set<String>?
    /// The transitions of presentations besides the default transition; nil if unknown.
    public var transitions: Set<String>?
    /// The capabilities that the host grants to scripts.
    public var capabilities = Capabilities()

    /// Creates a manifest with the given names.
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

    /// Creates a manifest from a JSON document.
    ///
    /// - Parameter json: The text in UTF-8.
    /// - Throws: `parse` if the text is not JSON. `badInfo`, with the name of the field, if the
    ///   manifest is invalid.
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
        // The value may be a copied capabilities document, which has a schema.
        let known = Capabilities.keys + ["schema"]
        if let reader = try reader.fields("capabilities", known: known) {
            capabilities = try Capabilities(reader)
        }
    }
}

extension HostManifest.ScreenClass {
    fileprivate init(_ reader: DocumentReader) throws(RouteError) {
        kind = try reader.read("kind", expected: "a kind of screen") { value in
            value.text.flatMap(Screen.Kind.init(rawValue:))
        }
        fields = try reader.names("fields")
    }
}
