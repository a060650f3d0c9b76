// SPDX-License-Identifier: MIT

internal import RouteFiles

/// The folder in which the paths in a scenario file must stay.
///
/// A scenario file may come from an untrusted source. The files that it names with 'use',
/// 'include', 'each from' and 'reload' are read, and lines of them are printed.
package struct FileRoot: Sendable {
    /// The files that mark the root of a project.
    private static let marks = ["luaroute.json", ".git"]

    /// The folder, without links.
    package let path: String

    /// Creates the root given on the command line.
    package init(folder: String) { path = SourceFiles.resolved(folder) ?? folder }

    /// Finds the root of a file: the nearest folder above it that marks a project, otherwise the
    /// working directory; otherwise the file's own base, if it is outside of the working directory.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - base: The folder given on the command line, if any; otherwise the folder of the file.
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

    /// Returns whether a path is in the folder, after links are resolved.
    ///
    /// If nothing exists at the path, its existing parent folders decide.
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
    /// Returns the error for a path outside of the root of its file.
    package static func outsideRoot(_ path: String, in root: FileRoot, at range: Range<Int>)
        -> SyntaxError
    {
        SyntaxError(
            code: .outsideRoot,
            message: "'\(path)' is outside of '\(root.path)'",
            range: range,
            help:
                "paths in scenario files must stay in the folder of '--file-root DIR', otherwise in the nearest folder above with 'luaroute.json' or '.git'"
        )
    }
}
