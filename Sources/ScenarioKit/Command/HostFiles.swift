// SPDX-License-Identifier: MIT

internal import LuaRouting

extension HostManifest {
    /// Reads a manifest from disk.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - folder: The folder that must contain the file, with symbolic links resolved; `nil` for
    ///     any folder.
    ///   - files: The files on disk, and the unsaved texts that replace some of them.
    /// - Throws: A failure if the file cannot be read or is not a host manifest.
    init(path: String, in folder: String? = nil, _ files: Files) throws(LoadedScripts.Failure) {
        let kind = "a host manifest"
        self = try HostFile.read(path, as: kind, in: folder, files: files) {
            json throws(RouteError) in
            try HostManifest(json: json)
        }
    }
}

extension Capabilities {
    /// Reads capabilities from disk.
    init(path: String, _ files: Files) throws(LoadedScripts.Failure) {
        let kind = "a capabilities document"
        self = try HostFile.read(path, as: kind, files: files) { json throws(RouteError) in
            try Capabilities(json: json)
        }
    }
}

extension RouterContract {
    /// Reads the contract from a Swift file on disk.
    init(path: String, _ files: Files) throws(LoadedScripts.Failure) {
        self = try HostFile.read(
            path,
            as: "a file written by 'luaroute types --swift'",
            limit: TypesCommand.sizeLimit,
            files: files
        ) { bytes throws(RouteError) in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let contract = RouterContract(inSwift: text, file: path) else {
                throw RouteError(.parse, "the line '\(RouterContract.header)' is missing")
            }
            return contract
        }
    }
}

/// A namespace for reading the files that describe the host of scripts.
private enum HostFile {
    /// The maximum size of a file, in bytes.
    static let sizeLimit = 1024 * 1024

    static func read<Content>(
        _ path: String,
        as kind: String,
        limit: Int = sizeLimit,
        in folder: String? = nil,
        files: Files,
        _ parse: ([UInt8]) throws(RouteError) -> Content
    ) throws(LoadedScripts.Failure) -> Content {
        let why: String
        do throws(BundleError) {
            let bytes = try files.read(path, limit: limit, in: folder)
            do throws(RouteError) {
                return try parse(bytes)
            } catch {
                why = "'\(path)' is not \(kind): \(error.message)"
            }
        } catch {
            why = Paths.message(of: error)
        }
        let diagnostic = Diagnostic(.manifestUnreadable, why)
        throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
    }
}

extension HeadlessHost {
    /// Creates a host that supports everything that the manifest declares.
    ///
    /// Without a manifest, the host supports everything that the scripts require.
    convenience init(_ manifest: HostManifest?) {
        self.init()
        classes = manifest?.screens.map { Set($0.keys) }
    }
}
