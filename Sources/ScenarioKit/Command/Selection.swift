// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The files and lines that the paths on the command line select.
struct Selection {
    /// A file, and the lines whose scenarios are selected; `nil` for all scenarios.
    struct File {
        let path: String
        var lines: [Line]?
        /// The folder on the command line that contains the file; `nil` if the command line names
        /// the file itself.
        var folder: String?
    }

    /// A line, and the number of a record if the line has an `each from` table.
    ///
    /// The number is `nil` if all records are selected.
    struct Line {
        let number: Int
        let record: Int?
    }

    /// The file name extension of scenario files.
    static let fileExtension = ".scenario"

    /// The files without duplicates, in the order of the command line.
    ///
    /// The files of a folder are sorted.
    private(set) var files: [File] = []
    /// The errors for paths that do not exist or cannot be read.
    private(set) var diagnostics: [Diagnostic] = []

    /// The warnings about files that were ignored.
    private(set) var warnings: [Diagnostic] = []

    /// The folders that the command line names.
    private var folders: [String] = []
    /// The indices of files, by the bytes of their paths.
    private var indices: [ByteString: Int] = [:]
    /// The paths of the files, as strings.
    ///
    /// Paths that differ only in their Unicode normalization form are equal.
    private var paths: Set<String> = []

    /// Resolves paths: files, folders, and `file:line`.
    ///
    /// If the folder of `--file-root` does not exist, nothing is selected, because every path is
    /// outside of this folder. If the run is interrupted, files that have not been found yet are
    /// missing.
    init(_ paths: [String], _ options: RunOptions) {
        if let fileRoot = options.fileRoot, SourceFiles.kind(of: fileRoot) != .folder {
            diagnostics = [.noFileRoot(fileRoot)]
            return
        }
        for path in paths {
            switch SourceFiles.kind(of: path) {
            case .file:
                add(path, line: nil)
            case .folder:
                folders.append(path)
                addFolder(path, options.isInterrupted)
            case .missing:
                if let (file, line) = Self.split(path), SourceFiles.kind(of: file) == .file {
                    add(file, line: line)
                } else {
                    diagnostics.append(.missingInput(path))
                }
            }
        }
    }

    /// The likely reason why no scenario is selected: there are no files, or there is no scenario
    /// at the given lines; `nil` if the reason is unknown.
    var helpWithNothing: String? {
        if files.isEmpty, !folders.isEmpty {
            let names = folders.map { $0 == "." ? "the current folder" : "'\($0)'" }
            let list = names.joined(separator: ", ")
            return "there is no '*\(Self.fileExtension)' file in \(list)"
        }
        if files.count == 1, let line = files[0].lines?.first, files[0].lines?.count == 1 {
            if let record = line.record {
                return
                    "no selected scenario is row \(record) of '\(files[0].path):\(line.number)'"
            }
            return "no selected scenario contains line \(line.number) of '\(files[0].path)'"
        }
        return nil
    }

    private mutating func add(_ path: String, line: Line?, in folder: String? = nil) {
        let key = ByteString(path)
        guard let index = indices[key] else {
            guard paths.insert(path).inserted else {
                diagnostics.append(.otherForm(path))
                return
            }
            indices[key] = files.count
            files.append(File(path: path, lines: line.map { [$0] }, folder: folder))
            return
        }
        if folder == nil { files[index].folder = nil }
        if let line { files[index].lines?.append(line) } else { files[index].lines = nil }
    }

    /// Adds the scenario files in a folder and its subfolders.
    ///
    /// Hidden names, `.build`, and symbolic links to folders, which may form a cycle, are ignored.
    private mutating func addFolder(_ folder: String, _ isInterrupted: @escaping () -> Bool) {
        let ending = Self.fileExtension
        for entry in FolderWalk(folder, ending: ending, isInterrupted: isInterrupted) {
            let path = folder == "." ? entry.relative : entry.path
            switch entry.kind {
            case .folder: break
            case .unreadable(let why):
                // A folder that the command line names is intended, but a subfolder found in a
                // folder may not be.
                if entry.relative.isEmpty {
                    diagnostics.append(.unreadableFolder(folder, why: why, severity: .error))
                } else {
                    warnings.append(.unreadableFolder(path, why: why, severity: .warning))
                }
            case .misnamed: diagnostics.append(.misnamed(path))
            case .link where !path.hasByteSuffix(ending) || SourceFiles.kind(of: path) == .folder:
                break
            case .file, .link, .other: add(path, line: nil, in: folder)
            }
        }
    }

    /// Returns the file of a path such as `file:line`, or the path itself if it has no line.
    static func file(of path: String) -> String {
        guard SourceFiles.kind(of: path) == .missing, let (file, _) = split(path) else {
            return path
        }
        return file
    }

    /// Splits a path of the form `file:line` or `file:line#record`.
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
    /// The error for a path that differs from another path only in its Unicode normalization form.
    fileprivate static func otherForm(_ path: String) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "two files are named '\(path)' (\(UnicodeForm.remark))",
            help: "rename one of them: on other file systems, the two names are the same"
        )
    }

    /// The error for a file that no path can name, because the file's name is not UTF-8.
    fileprivate static func misnamed(_ path: String) -> Diagnostic {
        Diagnostic(
            .scenarioUnreadable,
            "cannot read '\(path)' (its name is not UTF-8)",
            help:
                "rename the file so that its name is UTF-8, or does not end with '\(Selection.fileExtension)'"
        )
    }

    fileprivate static func unreadableFolder(
        _ path: String,
        why: String,
        severity: Severity
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
