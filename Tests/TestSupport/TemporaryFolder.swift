// SPDX-License-Identifier: MIT

import Foundation

/// A folder that is deleted when its last reference is released.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-\(UUID().uuidString)")
        path = url.path()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func write(_ name: String, _ text: String) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    package func read(_ name: String) throws -> String {
        let data = try Data(contentsOf: URL(filePath: path).appending(path: name))
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes a file for a command.
    ///
    /// - Returns: The reason why the file cannot be written; nil on success.
    package static func save(_ text: String, to path: String) -> String? {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
