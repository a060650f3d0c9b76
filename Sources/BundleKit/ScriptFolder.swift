// SPDX-License-Identifier: MIT

#if BundleCommand
internal import LuaRouteBundles
internal import LuaRouting
internal import ScenarioKit

/// Functions that find the files from which a bundle is made.
enum ScriptFolder {
    /// Returns the paths of all Lua files, relative to the folder.
    ///
    /// Hidden files and folders are skipped, and so are definitions for editors, `.d.lua`: because
    /// a dot in the name of a module separates folders, no script can load such a file.
    ///
    /// - Throws: A failure if a folder cannot be read, or if a symbolic link points to a folder.
    static func files(in root: String) throws(LoadedScripts.Failure) -> [String] {
        var files: [String] = []
        for entry in FolderWalk(root, ending: ".lua") {
            let path = entry.path
            switch entry.kind {
            case .folder: break
            case .unreadable(let why): throw failure("the folder '\(path)' cannot be read: \(why)")
            case .misnamed: throw failure("'\(path)' cannot be read: its name is not UTF-8")
            case .link where SourceFiles.kind(of: path) == .folder:
                throw failure(
                    "'\(path)' is a symbolic link to a folder, whose files would be missing from the bundle: copy the folder, or move the link out of '\(root)'"
                )
            case .link where !path.hasByteSuffix(".lua"): break
            case _ where path.hasByteSuffix(".d.lua"): break
            case .file, .link, .other: files.append(entry.relative)
            }
            guard files.count <= BundleArchive.fileLimit else {
                throw failure("'\(root)' has more than \(BundleArchive.fileLimit) scripts")
            }
        }
        return files
    }

    /// Parses scenario files, and returns their paths and the paths of all included files.
    ///
    /// - Parameters:
    ///   - paths: The paths in the folder.
    ///   - root: The folder.
    /// - Returns: The paths, relative to the folder.
    /// - Throws: A failure if a file is missing, is outside of the folder, or does not parse.
    static func scenarios(
        _ paths: [String],
        in root: String
    ) throws(LoadedScripts.Failure) -> Set<String> {
        let prefix = root == "." ? "" : root == "/" ? "/" : "\(root)/"
        var files: Set<String> = []
        for path in paths {
            // Read the file first, so that a missing file is reported in the same way as other
            // missing files.
            _ = try BundleFiles.read(prefix + path, limit: ScriptBundle.sourceLimit)
            for file in try LoadedScripts.scenarioFiles(prefix + path, root: root) {
                guard file.hasBytePrefix(prefix), !file.isAbsolutePath || !prefix.isEmpty else {
                    throw failure("'\(path)' includes '\(file)', which is not in '\(root)'")
                }
                files.insert(String(file.unicodeScalars.dropFirst(prefix.unicodeScalars.count)))
            }
        }
        return files
    }

    /// Returns the name of a folder, with each character that is invalid in bundle names replaced
    /// by `-`.
    static func name(of folder: String) -> String {
        let path = SourceFiles.resolved(folder) ?? folder
        let last = path.pathNames.last ?? ""
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
