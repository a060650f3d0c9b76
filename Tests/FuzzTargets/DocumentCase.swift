// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A JSON document that is read both as a snapshot to restore and as the manifest of a host.
struct DocumentCase {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let script = """
        router.class("A", { fields = { "x" }, restore = function(fields) return router.screen("A", fields) end })
        router.class("G", { kind = "container", shows = "selected" })
        router.start(function() return router.nav { router.screen "A" } end)
        router.register("B", "show", function(info) return router.screen("B", { x = info.x }) end)
        router.routing("/r/:id(int)")
        """

    func faults() -> [String] {
        var faults: [String] = []
        do throws(RouteError) {
            _ = try HostManifest(json: bytes)
        } catch {
            if error.code != .parse && error.code != .badInfo {
                faults.append("a manifest fails otherwise: \(error)")
            }
        }
        let snapshot: Snapshot
        do throws(RouteError) {
            snapshot = try Snapshot(json: String(decoding: bytes, as: UTF8.self))
            let again = try Snapshot(json: snapshot.json)
            if again.json != snapshot.json { faults.append("a snapshot reads back as another one") }
        } catch {
            if error.message.isEmpty { faults.append("a snapshot fails for no reason") }
            return faults
        }
        return faults + restore(snapshot)
    }

    private func restore(_ snapshot: Snapshot) -> [String] {
        do throws(RouteError) {
            let router = try Router(
                scripts: ScriptBundle(files: ["main.lua": Self.script]),
                host: HeadlessHost()
            )
            router.start()
            router.restore(snapshot)
            let rules = router.tree.checkInvariants()
            return rules.isEmpty ? [] : ["the tree: \(rules)"]
        } catch {
            return ["a script that is known to load does not: \(error)"]
        }
    }
}
