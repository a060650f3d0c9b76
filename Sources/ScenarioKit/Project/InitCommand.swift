// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute init`: writes the files of a new project.
///
/// This type does everything except parsing the command line, writing files and ending the process,
/// so that tests can run it in their own process.
package struct InitCommand: Sendable {
    /// The kind of app for which a new project has routes.
    package enum Template: String, Sendable, CaseIterable {
        /// A list, its items, and an interceptor that asks for a login.
        case app
        /// Tabs, and screens that are reused.
        case tabs
        /// URL patterns, aliases and a fallback.
        case links
    }

    /// An editor for which files can be written.
    package enum Editor: String, Sendable, CaseIterable {
        case vscode, neovim, helix, emacs, sublime, zed
    }

    /// The folder of the project.
    package var folder: String
    /// The kind of app for which the project has routes.
    package var template = Template.app
    /// The editor to write files for, instead of writing a project.
    ///
    /// If nil, a project is written that includes the files for VS Code.
    package var editor: Editor?

    /// Creates a command.
    package init(folder: String) { self.folder = folder }

    /// Writes the files.
    ///
    /// Writes nothing if one of the files already exists.
    ///
    /// - Parameters:
    ///   - console: The output; the results are the paths of the written files.
    ///   - makeFolder: Creates a folder and its missing parent folders; returns the system's
    ///     description of the error if the folder cannot be created, and nil otherwise.
    /// - Returns: The exit code.
    package func run(
        _ console: Console,
        makeFolder: (_ path: String) -> String?
    ) -> ExitCode {
        let files = files.map { (path: Paths.path($0.path, from: folder), text: $0.text) }
        let existing = files.map(\.path).filter(SourceFiles.isThere)
        guard existing.isEmpty else {
            for path in existing {
                var diagnostic = Diagnostic.unwritable(
                    path,
                    "the file already exists, and nothing was written"
                )
                if path == existing.last { diagnostic.notes = [Diagnostic.Note("help", help)] }
                console.write(diagnostic)
            }
            return .outputFailed
        }
        for file in files {
            if let reason = console.create(file.text, at: file.path, makeFolder: makeFolder) {
                console.write(.unwritable(file.path, reason))
                return .outputFailed
            }
            console.output("\(path: file.path)\n")
        }
        if editor == nil {
            let change = folder == "." ? "" : "cd \(ShellWord(folder)) && "
            console.errors("run the scenarios with: \(change)luaroute\n")
        }
        return .success
    }

    /// The help for a project that already has some of the files.
    private var help: String {
        let option =
            editor.map { "--editor \($0.rawValue)" } ?? "--template \(template.rawValue)"
        return "write the files to a new folder with 'luaroute init \(option) FOLDER', "
            + "and copy what is missing here"
    }

    /// The files, with paths relative to the folder.
    private var files: [(path: String, text: String)] {
        if let editor { return Self.files(of: editor, nil) }
        // The scripts of the template are known, so the definitions also contain their routes.
        let scripts = ScriptBundle(files: Dictionary(uniqueKeysWithValues: template.scripts))
        let router = try? Router(scripts: scripts, host: HeadlessHost())
        return projectFiles + Self.files(of: .vscode, router?.interface)
    }

    private var projectFiles: [(path: String, text: String)] {
        let workflow = Self.text(PackageResources.workflow_yml)
            .replacing(part: "VERSION: VERSION", with: "VERSION: \(Release.version)")
        return [(ProjectFile.name, Self.text(PackageResources.project_json))]
            + (template.scripts + [template.scenarios]).map { ("scripts/\($0)", $1) }
            + [(".github/workflows/luaroute.yml", workflow)]
    }

    /// Returns the files for an editor, with definitions of the Lua API and of the declarations in
    /// `interface`.
    ///
    /// VS Code offers the extension in the folder `.vscode/extensions` when it opens the project.
    /// `luaroute types --lua` updates the definitions.
    private static func files(
        of editor: Editor,
        _ interface: ScriptInterface?
    ) -> [(path: String, text: String)] {
        let (vscode, zed) = (".vscode/extensions/luaroute", "luaroute-zed")
        let highlights = text(PackageResources.highlights_scm)
        let grammar = [
            ("tree-sitter-luaroute/grammar.js", TreeSitterGrammar.text),
            ("tree-sitter-luaroute/queries/luaroute/highlights.scm", highlights),
        ]
        let files =
            switch editor {
            case .vscode:
                [
                    (".vscode/settings.json", text(PackageResources.settings_json)),
                    (".vscode/tasks.json", text(PackageResources.tasks_json)),
                    ("\(vscode)/package.json", text(PackageResources.package_json)),
                    ("\(vscode)/extension.js", text(PackageResources.extension_js)),
                    ("\(vscode)/language.json", text(PackageResources.language_json)),
                    ("\(vscode)/luaroute.tmLanguage.json", TextMateGrammar.text),
                ]
            case .neovim: [(".nvim.lua", text(PackageResources.neovim_lua))] + grammar
            case .helix: [(".helix/languages.toml", text(PackageResources.helix_toml))] + grammar
            case .emacs: [("luaroute.el", text(PackageResources.emacs_el))]
            case .sublime:
                [
                    ("luaroute.sublime-project", text(PackageResources.sublime_json)),
                    ("luaroute.tmLanguage.json", TextMateGrammar.text),
                ]
            case .zed:
                [
                    ("\(zed)/extension.toml", text(PackageResources.zed_toml)),
                    ("\(zed)/Cargo.toml", text(PackageResources.zedCargo_toml)),
                    ("\(zed)/src/lib.rs", text(PackageResources.zed_rs)),
                    (
                        "\(zed)/languages/luaroute/config.toml",
                        text(PackageResources.zedLanguage_toml)
                    ),
                    ("\(zed)/languages/luaroute/highlights.scm", highlights),
                ] + grammar
            }
        return [
            (".luarc.json", text(PackageResources.luarc_json)),
            ("library/luaroute.d.lua", LuaDefinitions(interface: interface).text),
        ] + files
    }

    fileprivate static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension InitCommand.Template {
    /// The scripts, by their paths in the bundle.
    fileprivate var scripts: [(String, String)] {
        switch self {
        case .app:
            [
                ("main.lua", InitCommand.text(PackageResources.appMain_lua)),
                ("login.lua", InitCommand.text(PackageResources.appLogin_lua)),
            ]
        case .tabs: [("main.lua", InitCommand.text(PackageResources.tabsMain_lua))]
        case .links: [("main.lua", InitCommand.text(PackageResources.linksMain_lua))]
        }
    }

    /// The path and the text of the scenarios.
    fileprivate var scenarios: (String, String) {
        switch self {
        case .app: ("app.scenario", InitCommand.text(PackageResources.app_scenario))
        case .tabs: ("tabs.scenario", InitCommand.text(PackageResources.tabs_scenario))
        case .links: ("links.scenario", InitCommand.text(PackageResources.links_scenario))
        }
    }
}
