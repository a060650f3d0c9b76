// SPDX-License-Identifier: MIT

#if Bundles
internal import LuaRouting
internal import RouteCore

/// The description of a bundle, which is covered by the bundle's signature.
///
/// In the bundle, the manifest is a JSON document with the schema `luaroute.bundle/1` and without
/// white space. Equal manifests have equal bytes.
///
/// ```swift
/// print(bundle.manifest.name, bundle.manifest.version)  // podcast 42
/// let allowed = granted.intersection(bundle.manifest.capabilities.rights)
/// ```
public struct BundleManifest: Sendable, Equatable {
    /// A file of a bundle.
    public struct File: Sendable, Equatable {
        /// The path in the bundle, such as `routes/show.lua`.
        public let path: String
        /// The number of bytes.
        public let size: Int
        /// The SHA-256 digest, 64 hexadecimal digits.
        public let digest: String
    }

    /// The tasks, screens and dependencies that the scripts need from the host, as declared with
    /// `router.expects`.
    public struct Needs: Sendable, Equatable {
        /// The tasks of the host, as `Service/task`, sorted.
        public var tasks: [String] = []
        /// The classes of screens, sorted; nil if they are not declared.
        public var screens: [String]?
        /// The names of dependencies, sorted.
        public var dependencies: [String] = []

        /// Creates a value without any needs.
        public init() {}
    }

    /// The schema of the document.
    public static let schema = "luaroute.bundle/1"

    /// The highest version: 2⁵³ − 1, the highest integer that every reader of JSON can represent.
    package static let highestVersion = 9_007_199_254_740_991

    /// The name: at most 64 characters, which are letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The version, from 1 to 2⁵³ − 1.
    public let version: Int
    /// The API level that the scripts need.
    public var api = 1
    /// The path of the file that is run first.
    public var entry = "main.lua"
    /// The time of creation, in seconds since 1970; nil if it is not recorded.
    public var created: Int?
    /// The last second in which the bundle may be staged, in seconds since 1970; nil if there is no
    /// limit.
    public var notAfter: Int?
    /// The needs that the scripts declare.
    public var needs = Needs()
    /// The capabilities that the scripts request.
    public var capabilities = BundleCapabilities()
    /// The paths of the scenarios that `luaroute bundle run` runs.
    public var canary: [String] = []
    /// The files, sorted by the bytes of their paths.
    public internal(set) var files: [File] = []

    /// Creates a manifest without files.
    ///
    /// - Throws: ``BundleRefusal`` for an invalid name or version.
    public init(name: String, version: Int) throws(BundleRefusal) {
        self.name = name
        self.version = version
        try check(
            (1...Self.highestVersion).contains(version),
            field: "version",
            expected: "an integer from 1 to \(Self.highestVersion)",
            got: "\(version)"
        )
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
                default: false
                }
            }
        try check(
            isName,
            field: "name",
            expected: "1 to 64 ASCII letters, digits, '.', '_' or '-'",
            got: quoted(name)
        )
    }

    /// The JSON document of the manifest.
    public var json: String {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", Value(Self.schema))
        json.member("name", Value(name))
        json.member("version", .integer(Int64(version)))
        json.member("api", .integer(Int64(api)))
        json.member("entry", Value(entry))
        if let created { json.member("created", .integer(Int64(created))) }
        if let notAfter { json.member("notAfter", .integer(Int64(notAfter))) }
        json.name("needs")
        json.begin("{")
        json.names("tasks", needs.tasks)
        if let screens = needs.screens { json.names("screens", screens) }
        json.names("dependencies", needs.dependencies)
        json.end("}")
        json.names("capabilities", capabilities.words)
        json.names("canary", canary)
        json.name("files")
        json.begin("[")
        for file in files {
            json.begin("{")
            json.member("path", Value(file.path))
            json.member("size", .integer(Int64(file.size)))
            json.member("sha256", Value(file.digest))
            json.end("}")
        }
        json.end("]")
        json.end("}")
        return json.text
    }

    /// Returns the manifest with the given list of files.
    func with(_ files: [File]) throws(BundleRefusal) -> BundleManifest {
        var manifest = self
        manifest.files = files
        try manifest.checkFiles()
        return manifest
    }
}

extension BundleManifest {
    /// Reads a JSON document, which must consist of exactly the bytes that ``json`` returns for the
    /// manifest.
    init(json bytes: [UInt8]) throws(BundleRefusal) {
        let table: InfoTable
        do throws(RouteError) {
            table = try JSONDocument.object(bytes, refusesNull: true)
        } catch {
            throw .manifest("the manifest", expected: "JSON", got: error.message)
        }
        let reader = ManifestReader(table)
        let schema = try reader.text("schema")
        guard schema == Self.schema else {
            throw .manifest("the field 'schema'", expected: "'\(Self.schema)'", got: quoted(schema))
        }
        try self.init(name: try reader.text("name"), version: try reader.integer("version"))
        api = try reader.integer("api")
        entry = try reader.text("entry")
        created = try reader.optional("created") { $0.integer.map { Int($0) } }
        notAfter = try reader.optional("notAfter") { $0.integer.map { Int($0) } }
        let needs = ManifestReader(try reader.table("needs"))
        self.needs.tasks = try needs.names("tasks")
        self.needs.screens = try needs.optional("screens", ManifestReader.names)
        self.needs.dependencies = try needs.names("dependencies")
        capabilities = BundleCapabilities(try reader.names("capabilities"))
        canary = try reader.names("canary")
        for value in try reader.table("files").list {
            guard case .table(let table) = value else {
                throw .manifest("the field 'files'", expected: "objects", got: value.kindName)
            }
            let file = ManifestReader(table)
            files.append(
                File(
                    path: try file.text("path"),
                    size: try file.integer("size"),
                    digest: try file.text("sha256")
                )
            )
        }
        try checkFiles()
        guard json.utf8.elementsEqual(bytes) else {
            let offset = zip(json.utf8, bytes).enumerated().first { $1.0 != $1.1 }?.offset
            throw .manifest(
                "the manifest",
                expected: "exactly the JSON that 'luaroute bundle' writes",
                got: "a difference at byte \((offset ?? min(json.utf8.count, bytes.count)) + 1)"
            )
        }
    }

    /// The sum of the sizes of the files.
    var filesSize: Int { files.reduce(0) { $0 + $1.size } }

    private func checkFiles() throws(BundleRefusal) {
        try check(api > 0, field: "api", expected: "an integer of 1 or more", got: "\(api)")
        for (field, time) in [("created", created), ("notAfter", notAfter)] {
            // Times until the end of the year 9999 are valid.
            try check(
                (0...253_402_300_799).contains(time ?? 0),
                field: field,
                expected: "seconds since 1970 up to the year 9999",
                got: "\(time ?? 0)"
            )
        }
        guard files.count <= BundleArchive.fileLimit else {
            throw BundleRefusal(
                .tooLarge,
                "the bundle has too many files",
                expected: "at most \(BundleArchive.fileLimit)",
                got: "\(files.count)"
            )
        }
        var previous: String?
        for file in files {
            try file.check(after: previous)
            previous = file.path
        }
        try Self.checkCollisions(of: files.map(\.path))
        let paths = Set(files.map(\.path))
        try check(
            paths.contains(entry),
            field: "entry",
            expected: "a file of the bundle",
            got: quoted(entry)
        )
        for path in canary {
            try check(
                paths.contains(path),
                field: "canary",
                expected: "a file of the bundle",
                got: quoted(path)
            )
        }
    }

    /// Refuses paths that some file systems do not distinguish: paths that differ only in case or
    /// Unicode normalization, and a path that names both a file and a folder.
    package static func checkCollisions(of paths: [String]) throws(BundleRefusal) {
        var known: [String: String] = [:]
        func refusal(_ problem: String, path: String, other: String) -> BundleRefusal {
            let got = "\(quoted(other)) and \(quoted(path))"
            return BundleRefusal(
                .path,
                problem,
                expected: "paths that do not collide on any file system",
                got: got
            )
        }
        for path in paths {
            // Equal strings may differ in bytes: an accented letter can be one Unicode scalar or
            // two.
            guard let other = known.updateValue(path, forKey: folded(path)) else { continue }
            throw refusal(
                "two paths differ only in letter case or Unicode normalization",
                path: path,
                other: other
            )
        }
        for path in paths {
            var folder = folded(path)[...]
            while let slash = folder.lastSlash {
                folder = folder[..<slash]
                guard let other = known[String(folder)] else { continue }
                throw refusal("a file and a folder have the same path", path: path, other: other)
            }
        }
    }

    /// Returns a text that is equal for all paths that a file system may treat as equal.
    private static func folded(_ path: String) -> String {
        var scalars = String.UnicodeScalarView()
        // Convert to upper case first, because two lowercase letters may have the same uppercase
        // letter.
        for scalar in path.uppercased().lowercased().unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint { scalars.append(scalar) }
        return String(scalars)
    }

    private func check(
        _ isValid: Bool,
        field: String,
        expected: String,
        got: String
    ) throws(BundleRefusal) {
        if !isValid { throw .manifest("the field '\(field)'", expected: expected, got: got) }
    }
}

extension BundleManifest.File {
    /// Checks the path and the size of the file, and that its path comes after the previous one.
    fileprivate func check(after previous: String?) throws(BundleRefusal) {
        func refusal(_ problem: String, expected: String) -> BundleRefusal {
            BundleRefusal(.path, problem, expected: expected, got: quoted(path))
        }
        // Search bytes, as the system does. In a string, a combining mark after '/' would hide the
        // slash.
        let slash = UInt8(ascii: "/")
        let parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard (1...255).contains(path.utf8.count),
            parts.allSatisfy({ !["", ".", ".."].contains(String(decoding: $0, as: UTF8.self)) }),
            path.split(separator: "/").count == parts.count,
            !path.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") })
        else {
            throw refusal(
                "the path of a file is invalid",
                expected:
                    "a relative path of at most 255 bytes, without the parts '.' and '..', '\\' or "
                    + "control characters"
            )
        }
        if let previous, !previous.utf8.lexicographicallyPrecedes(path.utf8) {
            throw refusal("the paths are not sorted", expected: "a path after '\(previous)'")
        }
        guard (0...ScriptBundle.sourceLimit).contains(size) else {
            throw BundleRefusal(
                .tooLarge,
                "the file \(quoted(path)) is too large",
                expected: "at most \(ScriptBundle.sourceLimit) bytes",
                got: "\(size)"
            )
        }
        guard digest.utf8.count == 64, Hexadecimal.bytes(digest) != nil else {
            throw .manifest(
                "the field 'sha256'",
                expected: "64 hexadecimal digits",
                got: quoted(digest)
            )
        }
    }
}

/// A reader of the fields of a manifest.
private struct ManifestReader {
    let fields: InfoTable

    init(_ fields: InfoTable) { self.fields = fields }

    func optional<Content>(
        _ field: String,
        _ convert: (Value) -> Content?
    ) throws(BundleRefusal) -> Content? {
        let value = fields[field]
        if value.isNil { return nil }
        guard let content = convert(value) else { throw refusal(field, value) }
        return content
    }

    func text(_ field: String) throws(BundleRefusal) -> String {
        guard let text = fields[field].text else { throw refusal(field, fields[field]) }
        return text
    }

    func integer(_ field: String) throws(BundleRefusal) -> Int {
        guard let integer = fields[field].integer else { throw refusal(field, fields[field]) }
        return Int(clamping: integer)
    }

    func names(_ field: String) throws(BundleRefusal) -> [String] {
        guard let names = Self.names(fields[field]) else { throw refusal(field, fields[field]) }
        return names
    }

    static func names(_ value: Value) -> [String]? {
        guard case .table(let table) = value, table.entries.isEmpty else { return nil }
        let names = table.list.compactMap(\.text)
        return names.count == table.list.count ? names : nil
    }

    func table(_ field: String) throws(BundleRefusal) -> InfoTable {
        guard case .table(let table) = fields[field] else { throw refusal(field, fields[field]) }
        return table
    }

    private func refusal(_ field: String, _ value: Value) -> BundleRefusal {
        let expected =
            switch field {
            case "version", "api", "created", "notAfter", "size": "an integer"
            case "needs": "an object"
            case "files": "a list of objects"
            case "tasks", "screens", "dependencies", "capabilities", "canary": "a list of names"
            default: "a string"
            }
        return .manifest(
            "the field '\(field)'",
            expected: expected,
            got: value.isNil ? "nothing" : value.kindName
        )
    }
}

extension BundleRefusal {
    fileprivate static func manifest(
        _ part: String,
        expected: String,
        got: String
    ) -> BundleRefusal {
        BundleRefusal(
            .manifest,
            "\(part) is invalid",
            at: BundleArchive.headerSize,
            expected: expected,
            got: got
        )
    }
}

/// Returns a text from a bundle in quotes, for messages.
///
/// The text is shortened and escaped, because it may have any length and contain any characters.
private func quoted(_ text: String) -> String { "'\(RouteError.shortened(text))'" }

extension JSONWriter {
    fileprivate mutating func names(_ name: String, _ names: [String]) {
        self.name(name)
        begin("[")
        for name in names { write(Value(name)) }
        end("]")
    }
}
#endif
