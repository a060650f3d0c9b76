// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The file systems that accept watches but do not report all changes: network file systems, file
/// systems in user space, and file systems of the kernel itself.
enum SilentFileSystems {
    private static let types: Set<String> = [
        "9p", "afs", "ceph", "cifs", "drvfs", "fuse", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
        "prl_fs", "proc", "smb3", "smbfs", "sysfs", "vboxsf", "virtiofs", "vmhgfs",
    ]

    /// Returns the type of the silent file system that contains a folder.
    ///
    /// - Parameters:
    ///   - folder: An absolute path, with symbolic links resolved.
    ///   - mounts: The text of `/proc/self/mountinfo`.
    /// - Returns: The type; nil if the file system reports all changes.
    static func type(of folder: String, mounts: String) -> String? {
        var best: (point: String, type: String)?
        for line in mounts.split(separator: "\n") {
            // The fields are ID, parent, device, root, mount point, options, any number of fields,
            // "-", type, …
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            let point = unescaped(fields[4])
            guard SourceFiles.isPath(folder, in: point) else { continue }
            // If two mounts have the same mount point, the later one covers the earlier one.
            if let best, best.point.utf8.count > point.utf8.count { continue }
            best = (point, String(fields[dash + 1]))
        }
        guard let type = best?.type else { return nil }
        return types.contains(type) || type.hasPrefix("fuse.") ? type : nil
    }

    /// White space in a mount point is written as `\040`.
    private static func unescaped(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest.removeFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
