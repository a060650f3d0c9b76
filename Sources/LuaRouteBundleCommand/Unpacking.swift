// SPDX-License-Identifier: MIT

#if BundleCommand
import CommandStreams
import SystemGaps

extension Streams {
    /// The current time in seconds since 1970.
    static var secondsSince1970: Int { Int(time(nil)) }

    /// Writes files to a new folder, calls a function with the path of the folder, and removes the
    /// folder.
    ///
    /// - Returns: The system's reason if the files cannot be written; otherwise nil.
    static func unpack(_ files: [String: String], _ body: (String) -> Void) -> String? {
        let base = variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(base)/luaroute-bundle-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return String(cString: strerror(errno)) }
        let folder = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        var folders: Set<String> = []
        defer {
            for path in files.keys { unlink("\(folder)/\(path)") }
            for path in folders.sorted(by: >) { rmdir(path) }
            rmdir(folder)
        }
        for (path, text) in files {
            var parent = folder
            for part in path.split(separator: "/").dropLast() {
                parent += "/\(part)"
                folders.insert(parent)
            }
            if let reason = makeFolder(parent) ?? save(text, to: "\(folder)/\(path)") {
                return reason
            }
        }
        body(folder)
        return nil
    }
}
#endif
