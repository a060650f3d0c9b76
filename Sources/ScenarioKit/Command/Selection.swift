// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The files, and the lines in them, that the paths of a command line select.
struct Selection {
    /// A file, and the lines whose scenarios are selected; nil for all.
    struct File {
        let path: String
        var lines: [Line]?
        /// The folder of the command line that contains it; nil if the command line names the file
        /// itself.
        var folder: String?
    }

    /// A line, and the number of the record of the `each from` table there; nil for all records.
    struct Line {
        let number: Int
        let record: Int?
    }

    /// The ending of scenario files.
    static let fileExtension = ".scenario"

    /// The files, each once, in the order of the command line; those of a folder sorted.
    private(set) var files: [File] = []
    /// The errors for paths that are missing or cannot be read.
    private(set) var diagnostics: [Diagnostic] = []

    /// The warnings about files that were ignored.
    private(set) var warnings: [Diagnostic] = []

    /// The folders that the command line names.
    private var folders: [String] = []

    /// Resolves paths: files, folders, and `file:line`.
    ///
    /// Nothing is selected if the folder of `--file-root` is missing: every path is outside of it.
    init(_ paths: [String], fileRoot: String?) {
        if let fileRoot, SourceFiles.kind(of: fileRoot) != .folder {
            diagnostics = [.noFileRoot(fileRoot)]
            return
        }
        for path in paths {
            switch SourceFiles.kind(of: path) {
            case .file:
                add(path, line: nil)
            case .folder:
                folders.append(path)
                addFolder(path, in: path)
            case .missing:
                if let (file, line) = Self.split(path), SourceFiles.kind(of: file) == .file {
                    add(file, line: line)
                } else {
                    diagnostics.append(.missingInput(path))
                }
            }
        }
    }

    /// The likely reason why no scenario is selected: there is no file, or no scenario is at the
    /// lines; nil if unknown.
    var helpWithNothing: String? {
        if files.isEmpty, !folders.isEmpty {
            let names = folders.map { $0 == "." ? "the current folder" : "'\($0)'" }
            let list = names.joined(separator: ", ")
            return "there is no '*\(Self.fileExtension)' file in \(list)"
        }
        if files.count == 1, let line = files[0].lines?.first, files[0].lines?.count == 1 {
            return "line \(line.number) of '\(files[0].path)' is in none of the selected scenarios"
        }
        return nil
    }

    private mutating func add(_ path: String, line: Line?, in folder: String? = nil) {
        guard let index = files.firstIndex(where: { $0.path == path }) else {
            files.append(File(path: path, lines: line.map { [$0] }, folder: folder))
            return
        }
        if folder == nil { files[index].folder = nil }
        if let line { files[index].lines?.append(line) } else { files[index].lines = nil }
    }

    /// Adds the files in a folder.
    ///
    /// Hidden names, `.build`, and links to folders, which may form a cycle, are ignored.
    private mutating func addFolder(_ folder: String, in named: String) {
        if let trouble = SourceFiles.trouble(withFolder: folder) {
            // A file that the command line names is intended; a file found in a folder may not be.
            if folders.contains(folder) {
                diagnostics.append(.unreadableFolder(folder, trouble, .error))
            } else {
                warnings.append(.unreadableFolder(folder, trouble, .warning))
            }
        }
        for name in SourceFiles.names(in: folder) where !name.hasPrefix(".") {
            let path =
                folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            switch SourceFiles.kind(of: path) {
            case .file: if name.hasSuffix(Self.fileExtension) { add(path, line: nil, in: named) }
            case .folder: if !isLink(path) { addFolder(path, in: named) }
            case .missing: break
            }
        }
    }

    private func isLink(_ path: String) -> Bool {
        guard let resolved = SourceFiles.resolved(path),
            let folder = SourceFiles.resolved(
                Paths.folder(of: path).isEmpty ? "." : Paths.folder(of: path)
            )
        else { return true }
        let parent = folder == "/" ? "" : folder
        return resolved != "\(parent)/\(path.split(separator: "/").last ?? "")"
    }

    /// Returns the file of a path such as `file:line`, or the path itself.
    static func file(of path: String) -> String {
        guard SourceFiles.kind(of: path) == .missing, let (file, _) = split(path) else {
            return path
        }
        return file
    }

    /// Splits `file:line`, or `file:line#record`.
    private static func split(_ path: String) -> (file: String, line: Line)? {
        guard let colon = path.lastIndex(of: ":") else { return nil }
        let numbers = path[path.index(after: colon)...].split(
            separator: "#",
            maxSplits: 1,
            omittingEmptySubsequences: false
        ).map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ $0 > 0 }) else { return nil }
        let line = Line(number: numbers[0], record: numbers.count > 1 ? numbers[1] : nil)
        return (String(path[..<colon]), line)
    }
}

extension Diagnostic {
    fileprivate static func unreadableFolder(
        _ path: String,
        _ why: String,
        _ severity: Severity
    ) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "cannot read the folder '\(path)' (\(why.lowercased()))",
            severity: severity
        )
    }

    static func missingInput(_ path: String) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "no file or folder '\(path)'" + Paths.hint(forMissing: path)
        )
    }
}
