// SPDX-License-Identifier: MIT

internal import RouteCore
package import RouteFiles

/// Operations on paths as users write them: with `/`, and relative to the working directory.
package enum Paths {
    /// Returns the folder that contains a file, or an empty text for the working directory.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastSlash else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns a path that is relative to a folder.
    ///
    /// `.` and `..` are removed where possible.
    package static func path(_ path: String, from folder: String) -> String {
        let path = path.isAbsolutePath || folder.isEmpty ? path : "\(folder)/\(path)"
        let clean = clean(path)
        // If the path contains a symbolic link to a folder, removing `..` may change its meaning.
        return SourceFiles.resolved(clean) == SourceFiles.resolved(path) ? clean : path
    }

    private static func clean(_ path: String) -> String {
        var parts: [String] = []
        for part in path.pathNames where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let text = parts.joined(separator: "/")
        if path.isAbsolutePath { return "/\(text)" }
        return text.isEmpty ? "." : text
    }

    /// Returns a hint about a missing path: the nearest path that exists.
    package static func hint(forMissing path: String) -> String {
        let path = path.hasBytePrefix("./") ? String(path.unicodeScalars.dropFirst(2)) : path
        var name = lastPart(of: path)
        var folder = folder(of: path)
        while !folder.isEmpty, SourceFiles.kind(of: folder) != .folder {
            name = lastPart(of: folder)
            folder = self.folder(of: folder)
        }
        let names = SourceFiles.names(in: folder.isEmpty ? "." : folder)
        if names.contains(where: { UnicodeForm.differs($0, name) }) {
            return " (\(UnicodeForm.remark))"
        }
        if let near = Suggestion.nearest(to: name, among: names) {
            let prefix = folder.isEmpty ? "" : folder == "/" ? "/" : "\(folder)/"
            return ", did you mean '\(prefix)\(near)'?"
        }
        return folder.isEmpty ? "" : ", the nearest existing folder is '\(folder)'"
    }

    private static func lastPart(of path: String) -> String {
        path.lastSlash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Returns the reason why a file cannot be used.
    ///
    /// If the file is missing, the message contains the nearest path that exists.
    ///
    /// If a folder contains no scripts, the message names the folder, because the user did not name
    /// the file.
    package static func message(of error: BundleError) -> String {
        guard error.reason == .missing else { return error.message }
        let folder = folder(of: error.path)
        guard lastPart(of: error.path) == "main.lua", SourceFiles.kind(of: folder) == .folder else {
            return error.message + hint(forMissing: error.path)
        }
        return folder == "."
            ? "the current folder has no 'main.lua' (name a script, or a folder that contains 'main.lua')"
            : "the folder '\(folder)' has no 'main.lua'"
    }
}
