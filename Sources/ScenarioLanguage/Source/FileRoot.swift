// SPDX-License-Identifier: MIT

internal import RouteFiles

/// The folder that must contain all files named in a scenario file.
///
/// A scenario file may come from an untrusted source. The files that it names with 'use',
/// 'include', 'each from' and 'reload' are read, and lines of these files are printed.
package struct FileRoot: Sendable {
    /// The files and folders that mark the root of a project.
    private static let marks = ["luaroute.json", ".git"]

    /// The path of the folder, with symbolic links resolved.
    package let path: String

    /// Creates a root from a folder that was given on the command line.
    package init(folder: String) { path = SourceFiles.resolved(folder) ?? folder }

    /// Finds the root of a file.
    ///
    /// This is the nearest folder above the file that marks a project, or the working directory if
    /// there is none. If the file is outside of the working directory, the root is `base`.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - base: The folder that was given on the command line, or nil for the folder of the file.
    package init(of file: String, base: String? = nil) {
        let folder = Paths.folder(of: file)
        let start = SourceFiles.resolved(folder.isEmpty ? "." : folder) ?? "/"
        var candidate = start
        while true {
            let isRoot = Self.marks.contains {
                SourceFiles.kind(of: "\(candidate)/\($0)") != .missing
            }
            if isRoot {
                path = candidate.isEmpty ? "/" : candidate
                return
            }
            guard !candidate.isEmpty else { break }
            candidate = Paths.folder(of: candidate)
            if candidate == "/" { candidate = "" }
        }
        let current = FileRoot(folder: ".")
        self = current.holds(start) ? current : FileRoot(folder: base ?? start)
    }

    /// Returns whether a path is in the folder, after symbolic links are resolved.
    ///
    /// If nothing exists at the path, the nearest parent folder that exists is used instead.
    package func contains(_ path: String) -> Bool {
        var existing = path
        while !existing.isEmpty, existing != "/" {
            if let resolved = SourceFiles.resolved(existing) { return holds(resolved) }
            existing = Paths.folder(of: existing)
        }
        return SourceFiles.resolved(existing.isEmpty ? "." : existing).map(holds) ?? false
    }

    private func holds(_ resolved: String) -> Bool {
        SourceFiles.isPath(resolved, in: path)
    }
}

extension SyntaxError {
    /// Returns the error for a path outside of the root.
    package static func outsideRoot(_ path: String, in root: FileRoot, at range: Range<Int>)
        -> SyntaxError
    {
        SyntaxError(
            code: .outsideRoot,
            message: "'\(path)' is outside of '\(root.path)'",
            range: range,
            help:
                "a path in a scenario file must stay in the folder of '--file-root DIR' or, without this option, in the nearest parent folder that contains 'luaroute.json' or '.git'"
        )
    }
}
