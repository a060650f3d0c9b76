// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute init`: writes the files of a new project.
///
/// It does everything except parsing the command line, writing files and ending the process, so
/// tests call it in process.
public struct InitCommand: Sendable {
    /// The app that a new project describes.
    public enum Template: String, Sendable, CaseIterable {
        /// A list, its items, and an interceptor that asks for a login.
        case app
        /// Tabs, and screens that are reused.
        case tabs
        /// URL patterns, aliases and a fallback.
        case links
    }

    /// The folder of the project.
    public var folder: String
    /// The app that the project describes.
    public var template = Template.app
    /// Whether only the files for editors are written.
    public var isEditorOnly = false
    /// Whether diagnostics are coloured.
    public var isErrorsColored = false

    /// Creates a command.
    public init(folder: String) { self.folder = folder }

    /// Writes the files, unless one of them exists.
    ///
    /// - Parameters:
    ///   - output: Called with results: the paths of the written files.
    ///   - errors: Called with all other text.
    ///   - makeFolder: Creates a folder and those above it; returns the system's reason if it
    ///     fails.
    ///   - save: Writes a file completely or not at all; returns the system's reason if it fails.
    /// - Returns: The exit code.
    public func run(
        output: (String) -> Void,
        errors: (String) -> Void,
        makeFolder: (_ path: String) -> String?,
        save: (_ text: String, _ path: String) -> String?
    ) -> ExitCode {
        let console = ConsoleReport(style: TerminalStyle(isColored: isErrorsColored))
        let files = files.map { (path: Paths.path($0.path, from: folder), text: $0.text) }
        let existing = files.map(\.path).filter { SourceFiles.kind(of: $0) != .missing }
        guard existing.isEmpty else {
            for path in existing {
                errors(console.text(of: .unwritable(path, "it exists, and nothing was written")))
            }
            return .outputFailed
        }
        for file in files {
            let folder = Paths.folder(of: file.path)
            let reason = (folder.isEmpty ? nil : makeFolder(folder)) ?? save(file.text, file.path)
            if let reason {
                errors(console.text(of: .unwritable(file.path, reason)))
                return .outputFailed
            }
            output("\(DiagnosticRenderer.printablePath(file.path))\n")
        }
        if !isEditorOnly {
            let change = folder == "." ? "" : "cd \(ShellWord(folder)) && "
            errors("the scenarios run with: \(change)luaroute\n")
        }
        return .success
    }

    /// The files, with paths relative to the folder.
    private var files: [(path: String, text: String)] {
        isEditorOnly ? Self.editorFiles : projectFiles + Self.editorFiles
    }

    private var projectFiles: [(path: String, text: String)] {
        let scripts: [(String, [UInt8])] =
            switch template {
            case .app:
                [
                    ("main.lua", PackageResources.appMain_lua),
                    ("login.lua", PackageResources.appLogin_lua),
                    ("app.scenario", PackageResources.app_scenario),
                ]
            case .tabs:
                [
                    ("main.lua", PackageResources.tabsMain_lua),
                    ("tabs.scenario", PackageResources.tabs_scenario),
                ]
            case .links:
                [
                    ("main.lua", PackageResources.linksMain_lua),
                    ("links.scenario", PackageResources.links_scenario),
                ]
            }
        return [(ProjectFile.name, Self.text(PackageResources.project_json))]
            + scripts.map { ("scripts/\($0)", Self.text($1)) }
            + [(".github/workflows/luaroute.yml", Self.text(PackageResources.workflow_yml))]
    }

    /// The files for editors.
    ///
    /// VS Code offers the extension in the folder `.vscode/extensions` when it opens the project;
    /// other editors can load the grammar in it. The folder `library`, which `.luarc.json` names,
    /// is the one for a file `luaroute.d.lua` with the definitions of the Lua API.
    private static var editorFiles: [(path: String, text: String)] {
        let vscode = ".vscode/extensions/luaroute"
        return [
            (".luarc.json", text(PackageResources.luarc_json)),
            (".vscode/settings.json", text(PackageResources.settings_json)),
            ("\(vscode)/package.json", text(PackageResources.package_json)),
            ("\(vscode)/language.json", text(PackageResources.language_json)),
            ("\(vscode)/luaroute.tmLanguage.json", TextMateGrammar.text),
        ]
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
