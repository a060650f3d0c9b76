// SPDX-License-Identifier: MIT

internal import LuaRouting

extension HostManifest {
    /// The largest manifest that is read, in bytes.
    private static let sizeLimit = 1024 * 1024

    /// Reads a manifest from disk.
    init(path: String) throws(LoadedScripts.Failure) {
        let why: String
        do throws(BundleError) {
            let bytes = try SourceFiles.read(path, limit: Self.sizeLimit)
            do throws(RouteError) {
                try self.init(json: bytes)
                return
            } catch {
                why = "'\(path)' is no manifest of a host: \(error.message)"
            }
        } catch {
            why = Paths.message(of: error)
        }
        let diagnostic = Diagnostic(.manifestUnreadable, why)
        throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
    }
}

extension HeadlessHost {
    /// Creates a host that brings what a manifest says; without one, all that is asked for.
    convenience init(_ manifest: HostManifest?) {
        self.init()
        classes = manifest?.screens.map { Set($0.keys) }
    }
}
