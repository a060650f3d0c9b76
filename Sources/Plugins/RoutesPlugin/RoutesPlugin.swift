// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Writes the typed routes of a target's scripts before the target is compiled, as `luaroute types
/// --swift` does.
///
/// The scripts are in the folder of the target or in a subfolder. If a folder contains a
/// `luaroute.json`, its `script` names the scripts; otherwise the scripts are in the folder that
/// contains a `main.lua`.
@main struct RoutesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        try commands(
            target: target.name,
            folders: [target.directoryURL],
            tool: context.tool(named: "RoutesTool").url,
            output: context.pluginWorkDirectoryURL
        )
    }

    /// Returns the command that writes the typed routes of a target.
    private func commands(
        target: String,
        folders: [URL],
        tool: URL,
        output: URL
    ) throws -> [Command] {
        let files = folders.flatMap { self.files(in: $0) }
        let (scripts, project) = try self.scripts(of: target, files)
        let folder = scripts.pathExtension == "lua" ? scripts.deletingLastPathComponent() : scripts
        let inputs = files.filter {
            $0.pathExtension == "lua" && $0.path.hasPrefix(folder.path + "/")
        }
        let file = output.appending(path: "Routes.swift")
        return [
            .buildCommand(
                displayName: "Typed routes of \(target)",
                executable: tool,
                arguments: [scripts.path, file.path],
                inputFiles: inputs + (project.map { [$0] } ?? []),
                outputFiles: [file]
            )
        ]
    }

    /// Returns the file or folder of the scripts, and the project file if there is one.
    private func scripts(of target: String, _ files: [URL]) throws -> (URL, project: URL?) {
        for name in ["luaroute.json", "main.lua"] {
            let found = files.filter { $0.lastPathComponent == name }
            // A subfolder of a bundle may also contain a `main.lua`.
            let depth = found.map(\.pathComponents.count).min()
            let highest = found.filter { $0.pathComponents.count == depth }
            guard let first = highest.first else { continue }
            guard highest.count == 1 else {
                let paths = highest.map(\.path).sorted().joined(separator: "', '")
                throw Failure(
                    "target '\(target)' has several bundles of scripts, but can have only one: '\(paths)'"
                )
            }
            let folder = first.deletingLastPathComponent()
            guard name == "luaroute.json" else { return (folder, nil) }
            let project = try JSONSerialization.jsonObject(with: Data(contentsOf: first))
            let script = (project as? [String: Any])?["script"] as? String
            return (script.map { folder.appending(path: $0) } ?? folder, first)
        }
        throw Failure(
            "target '\(target)' has no scripts: add a 'main.lua', or a 'luaroute.json' that names the scripts, to the folder of the target or to a subfolder"
        )
    }

    private func files(in folder: URL) -> [URL] {
        let files = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil,
            options: [.skipsHiddenFiles]
        )
        return (files?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension RoutesPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        // A target of an Xcode project has no folder, so the scripts are next to its files.
        let folders = Set(target.inputFiles.map { $0.url.deletingLastPathComponent() })
        return try commands(
            target: target.displayName,
            folders: folders.filter { folder in
                !folders.contains { $0 != folder && folder.path.hasPrefix($0.path + "/") }
            },
            tool: context.tool(named: "RoutesTool").url,
            output: context.pluginWorkDirectoryURL
        )
    }
}
#endif
