// SPDX-License-Identifier: MIT

import LuaRouteWatching
import LuaRouting

/// The Swift examples of this library's documentation, word for word, so that they compile.
///
/// `DocumentationTests` of the other library looks for each of them here.
@MainActor
enum DocumentationExamples {
    static func files() {
        let watcher = FileWatcher(WatchedFiles(folders: [.init("scenarios", ending: ".scenario")]))
        while let changed = watcher.changes() {
            print("run again:", changed.sorted())
        }
    }

    static func command(load: (ScriptBundle) -> Void) {
        let watcher = BundleWatcher(path: "scripts")
        while true {
            do throws(BundleError) {
                guard let bundle = try watcher.next() else { break }
                load(bundle)
            } catch {
                print("rejected:", error)
            }
        }
    }

    static func development(embedded: ScriptBundle, host: HeadlessHost) throws {
        let scripts = try ScriptBundle.development(path: "Scripts", embedded: embedded)
        let router = try Router(scripts: scripts, host: host)
        let watching = Task { await router.reloadWhenChanged() }
        watching.cancel()
    }

    static func app(bundle: ScriptBundle, load: (ScriptBundle) -> Void) async {
        for await change in bundle.changes() {
            switch change {
            case .success(let newer): load(newer)
            case .failure(let error): print("rejected:", error)
            }
        }
    }
}
