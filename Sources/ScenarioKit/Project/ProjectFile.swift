// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The file `luaroute.json`, with a project's defaults for command-line options.
///
/// Options on the command line take precedence. Paths are relative to the file, and must not leave
/// the folder of the file.
package struct ProjectFile: Sendable {
    /// A setting of the file.
    enum Key: String, CaseIterable {
        case script, host, contract, paths, tags, budget

        /// The field in the schema of the file.
        fileprivate var field: DocumentObject.Field {
            switch self {
            case .script:
                .optional(
                    rawValue,
                    .text,
                    help:
                        "The scripts to use if neither a scenario file nor an option names scripts."
                )
            case .host: .optional(rawValue, .text, help: "The path of the host manifest.")
            case .contract:
                .optional(
                    rawValue,
                    .text,
                    help: "The path of the Swift file that 'luaroute types' wrote for the app."
                )
            case .paths:
                .optional(
                    rawValue,
                    .list(.text),
                    help: "The paths that commands use if no path is given."
                )
            case .tags:
                .optional(
                    rawValue,
                    .list(.text),
                    help: "The tags that select scenarios, such as 'auth,!slow'."
                )
            case .budget:
                .optional(
                    rawValue,
                    .text,
                    help: "The limits for scripts, such as 'instructions=5M'."
                )
            }
        }
    }

    /// The key that editors read to find the schema of the file.
    ///
    /// The value of the key is ignored.
    private static let schemaKey = "$schema"

    /// The description of the file's JSON object, for the schema.
    static let shape = DocumentObject(
        name: "project",
        fields: [.optional(schemaKey, .text, help: "The URL of the JSON schema, for editors.")]
            + Key.allCases.map(\.field),
        isClosed: true
    )

    /// The name of the file.
    static let name = "luaroute.json"
    /// The maximum size of the file, in bytes.
    static let sizeLimit = 1 << 20

    /// The default scripts, for scenario files without a `use` line and for commands that load
    /// scripts.
    package private(set) var script: String?
    /// The path of the host's manifest.
    package private(set) var host: String?
    /// The path of the Swift file with the contract that the app was compiled against.
    package private(set) var contract: String?
    /// The paths to run, check, watch and format; empty for the current folder.
    package private(set) var paths: [String] = []
    /// The tag conditions.
    ///
    /// A scenario is selected if one of the conditions is true, or if there are no conditions.
    package private(set) var tags: [TagCondition] = []
    /// The limits for loading scripts and for each call into the scripts.
    package private(set) var budget: BudgetLimits?

    /// The text of each value, and the location at which the value is set.
    private var values: [Key: (text: String, location: String)] = [:]

    /// Creates empty settings, for a project without the file.
    package init() {}

    /// Reads the file in the current folder, or otherwise in the nearest parent folder that
    /// contains the file.
    ///
    /// The search ends at a folder that contains `.git`.
    ///
    /// - Returns: The settings; empty if there is no file.
    /// - Throws: An error if the file cannot be read or is invalid.
    package static func find() throws(Failure) -> ProjectFile {
        guard var folder = SourceFiles.resolved(".") else { return ProjectFile() }
        var prefix = ""
        while true {
            let bytes: [UInt8]
            do throws(BundleError) {
                bytes = try SourceFiles.read(prefix + name, limit: sizeLimit, in: folder)
            } catch {
                guard error.reason == .missing else {
                    throw Failure(Diagnostic(.projectUnreadable, error.message))
                }
                guard folder != "/", SourceFiles.kind(of: prefix + ".git") == .missing else {
                    return ProjectFile()
                }
                folder = Paths.folder(of: folder)
                prefix += "../"
                continue
            }
            return try ProjectFile(SourceText(name: prefix + name, content: bytes))
        }
    }

    /// Reads the text of a file.
    init(_ source: SourceText) throws(Failure) {
        func failure(_ message: String, at offset: Int) -> Failure {
            // The location is limited to the end of the text, which may have no final line break.
            let end = min(offset + 1, source.bytes.count)
            return Failure(
                Diagnostic(
                    .projectUnreadable,
                    message,
                    at: Span(source, min(offset, end)..<end),
                    help: "the keys of a project file are \(Self.listOfKeys)"
                )
            )
        }
        if let offset = source.invalidOffset {
            throw failure("'\(source.name)' is not UTF-8 text", at: offset)
        }
        let members: [JSONDocument.Member]
        do throws(JSONDocument.Flaw) {
            members = try JSONDocument.members(source.bytes)
        } catch {
            let message = "'\(source.name)' is not a project file: \(error.message)"
            throw failure(message, at: error.offset)
        }
        for member in members {
            if member.key == Self.schemaKey, member.value.text != nil { continue }
            guard let key = Key(rawValue: member.key) else {
                let known = Key.allCases.map(\.rawValue)
                let hint = Suggestion.hint(for: member.key, among: known)
                throw failure("unknown key '\(member.key)'\(hint)", at: member.keyOffset)
            }
            do throws(UsageError) {
                let text = try set(key, member.value, from: Paths.folder(of: source.name))
                let line = source.lineNumber(at: member.keyOffset)
                values[key] = (text, "\(source.name):\(line)")
            } catch {
                let message = "bad value of '\(member.key)': \(error.message)"
                throw failure(message, at: member.valueOffset)
            }
        }
    }

    private static var listOfKeys: String {
        Key.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    /// Sets a value, and returns the text of the value.
    private mutating func set(
        _ key: Key,
        _ value: Value,
        from folder: String
    ) throws(UsageError) -> String {
        switch key {
        case .script, .host, .contract:
            let path = try path(try text(value, "a path"), from: folder)
            switch key {
            case .script: script = path
            case .host: host = path
            default: contract = path
            }
            return path
        case .paths:
            var paths: [String] = []
            for text in try list(value, "a list of paths") {
                paths.append(try path(text, from: folder))
            }
            self.paths = paths
            return paths.joined(separator: " ")
        case .tags:
            let texts = try list(value, "a list of conditions such as 'auth,!slow'")
            var tags: [TagCondition] = []
            for text in texts { tags.append(try TagCondition(text)) }
            self.tags = tags
            return texts.joined(separator: " ")
        case .budget:
            let limits = try text(value, "limits such as 'instructions=5M'")
            budget = try BudgetLimits(limits)
            return limits
        }
    }

    /// Returns a path relative to the working directory.
    ///
    /// Paths are restricted because the file may come from an untrusted source, and commands read
    /// the files that these paths name.
    ///
    /// - Throws: An error if the path is absolute or leaves the folder of the file.
    private func path(_ text: String, from folder: String) throws(UsageError) -> String {
        guard !text.isAbsolutePath else {
            throw UsageError("a path relative to the project file expected, got '\(text)'")
        }
        var depth = 0
        var isInside = true
        for part in text.pathNames where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { isInside = false }
        }
        let path = Paths.path(text, from: folder)
        // A symbolic link may lead out of the folder.
        guard isInside, FileRoot(folder: folder.isEmpty ? "." : folder).contains(path) else {
            throw UsageError("'\(text)' is outside of the folder of the project file")
        }
        return path
    }

    private func text(_ value: Value, _ what: String) throws(UsageError) -> String {
        guard let text = value.text, !text.isEmpty else {
            let kind = value.text == nil ? value.kindName : "an empty text"
            throw UsageError("\(what) expected, got \(kind)")
        }
        return text
    }

    private func list(_ value: Value, _ what: String) throws(UsageError) -> [String] {
        guard case .table(let table) = value, table.isList else {
            throw UsageError("\(what) expected, got \(value.kindName)")
        }
        var texts: [String] = []
        for element in table.list { texts.append(try text(element, what)) }
        return texts
    }

    /// Lists the settings with their values and origins, as printed by `version --verbose`.
    ///
    /// - Parameter environment: Returns the value of an environment variable.
    /// - Returns: A line for each setting.
    package func summary(environment: (String) -> String?) -> PrintedText {
        let defaults: [Key: String] = [.script: ".", .paths: ".", .tags: "all"]
        var table = TextTable()
        for key in Key.allCases {
            let value = values[key]
            table.add([
                key.rawValue, value?.text ?? defaults[key] ?? "none", value?.location ?? "default",
            ])
        }
        for name in ["CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"] {
            if let value = environment(name) { table.add([name, value, "environment"]) }
        }
        return table.lines().map { "\($0)\n" }.joined()
    }
}

extension ProjectFile {
    /// The error for a project file that cannot be read or is invalid.
    package struct Failure: Error {
        /// The diagnostic.
        package let diagnostic: Diagnostic

        init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

        /// The exit code.
        package var exitCode: ExitCode { .inputMissing }

        /// Returns the text for the user.
        package func text(isColored: Bool) -> PrintedText {
            ConsoleReport(style: TerminalStyle(isColored: isColored)).text(of: diagnostic)
        }
    }
}
