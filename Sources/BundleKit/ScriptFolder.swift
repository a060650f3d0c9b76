// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import ScenarioKit

/// The files of a folder that a bundle is made of.
enum ScriptFolder {
    /// The maximum depth of folders: a link to a folder above it leads to endless ones.
    private static let depthLimit = 16

    /// Returns the paths of all Lua files, relative to the folder, without hidden files and
    /// folders.
    static func files(in root: String) throws(LoadedScripts.Failure) -> [String] {
        var files: [String] = []
        try add(to: &files, root, "", depth: 0)
        return files
    }

    private static func add(
        to files: inout [String],
        _ root: String,
        _ folder: String,
        depth: Int
    ) throws(LoadedScripts.Failure) {
        let path = "\(root)/\(folder)"
        let trouble = SourceFiles.trouble(withFolder: path)
        guard trouble == nil, depth <= depthLimit, files.count <= BundleArchive.fileLimit else {
            let reason = trouble ?? "it has too many files, or too deep folders"
            throw failure("the folder '\(path)' cannot be read: \(reason)")
        }
        for name in SourceFiles.names(in: path) where !name.hasPrefix(".") {
            let file = folder + name
            if SourceFiles.kind(of: "\(root)/\(file)") == .folder {
                try add(to: &files, root, file + "/", depth: depth + 1)
            } else if name.hasSuffix(".lua") {
                files.append(file)
            }
        }
    }

    /// Reads scenario files, and returns their paths with those of the files that they include.
    ///
    /// - Parameters:
    ///   - paths: The paths in the folder.
    ///   - root: The folder.
    /// - Returns: The paths, relative to the folder.
    /// - Throws: A failure if a file is missing, is outside the folder, or does not parse.
    static func scenarios(
        _ paths: [String],
        in root: String
    ) throws(LoadedScripts.Failure) -> Set<String> {
        let prefix = root == "." ? "" : root == "/" ? "/" : "\(root)/"
        var files: Set<String> = []
        for path in paths {
            // Whether it is missing is reported like for other files.
            _ = try BundleFiles.read(prefix + path, limit: ScriptBundle.sourceLimit)
            for file in try LoadedScripts.scenarioFiles(prefix + path, root: root) {
                guard file.hasPrefix(prefix), !file.hasPrefix("/") || !prefix.isEmpty else {
                    throw failure("'\(path)' includes '\(file)', which is not in '\(root)'")
                }
                files.insert(String(file.dropFirst(prefix.count)))
            }
        }
        return files
    }

    /// Returns the name of a folder, with `-` in place of other characters than names have.
    static func name(of folder: String) -> String {
        let path = SourceFiles.resolved(folder) ?? folder
        let last = path.split(separator: "/").last ?? ""
        let name = last.unicodeScalars.prefix(64).map { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic
                    || "0123456789._-".unicodeScalars.contains(scalar))
                ? String(scalar) : "-"
        }
        return name.isEmpty ? "bundle" : name.joined()
    }

    private static func failure(_ message: String) -> LoadedScripts.Failure {
        LoadedScripts.Failure(
            diagnostics: [Diagnostic(.inputUnreadable, message)],
            code: .inputMissing
        )
    }
}
#endif
