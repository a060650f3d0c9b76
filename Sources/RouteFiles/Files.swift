// SPDX-License-Identifier: MIT

/// The files on disk, some of which have newer unsaved texts.
///
/// With this type, an editor can check and run the text that the user sees.
package struct Files: Sendable {
    /// Only the files on disk, without unsaved texts.
    package static let disk = Files()

    /// The unsaved texts, by their paths with symbolic links resolved.
    private var unsaved: [String: [UInt8]] = [:]

    /// The paths of the unsaved texts, with symbolic links resolved.
    package var unsavedPaths: some Collection<String> { unsaved.keys }

    /// The unsaved text of a file; nil if the file on disk is current.
    ///
    /// - Parameter path: The path of the file. Symbolic links are followed.
    package subscript(unsaved path: String) -> [UInt8]? {
        get { unsaved.isEmpty ? nil : unsaved[SourceFiles.resolved(path) ?? path] }
        set { unsaved[SourceFiles.resolved(path) ?? path] = newValue }
    }

    /// Reads a file as ``SourceFiles/read(_:limit:in:)`` does, or returns its unsaved text.
    ///
    /// - Throws: ``BundleError``; `tooLarge` also if an unsaved text exceeds the limit.
    package func read(
        _ path: String,
        limit: Int,
        in folder: String? = nil
    ) throws(BundleError) -> [UInt8] {
        if let text = try unsavedText(of: path, limit: limit, in: folder, calling: path) {
            return text
        }
        return try SourceFiles.read(path, limit: limit, in: folder)
    }

    /// Reads a file as ``SourceFiles/readIdentified(_:limit:in:calling:)`` does, or returns its
    /// unsaved text.
    package func readIdentified(
        _ path: String,
        limit: Int,
        in folder: String?,
        calling name: String
    ) throws(BundleError) -> (bytes: [UInt8], identity: FileIdentity?) {
        if let text = try unsavedText(of: path, limit: limit, in: folder, calling: name) {
            return (text, FileIdentity(path))
        }
        return try SourceFiles.readIdentified(path, limit: limit, in: folder, calling: name)
    }

    private func unsavedText(
        of path: String,
        limit: Int,
        in folder: String?,
        calling name: String
    ) throws(BundleError) -> [UInt8]? {
        guard let text = self[unsaved: path] else { return nil }
        if let folder, !SourceFiles.isPath(SourceFiles.resolved(path) ?? path, in: folder) {
            return nil
        }
        guard text.count <= limit else { throw .tooLarge(name, limit: limit) }
        return text
    }
}
