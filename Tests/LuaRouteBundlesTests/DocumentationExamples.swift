// SPDX-License-Identifier: MIT

#if Bundles
import Foundation
import LuaRouteBundles
import LuaRouting

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here.
@MainActor enum DocumentationExamples {
    static func text() {
        let text = "ed25519-public 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"
        let key = BundlePublicKey(text)
        _ = key
    }

    static func privateKey(_ archive: BundleArchive) throws {
        let key = BundlePrivateKey()
        let signed = try archive.signed(by: key)
        print(key.publicKey)  // ed25519-public 8a88e3dd…
        _ = signed
    }

    static func refusal(_ bytes: [UInt8], _ key: BundlePublicKey) {
        do {
            let bundle = try VerifiedBundle(bytes, keys: [key])
            print(bundle.manifest.version)
        } catch {
            print(error.reason, error.offset ?? 0)  // truncated 20
            print(error)  // the bundle is truncated (1204 bytes expected, got 20)
        }
    }

    static func manifest(_ bundle: VerifiedBundle, _ granted: Capabilities) {
        print(bundle.manifest.name, bundle.manifest.version)  // podcast 42
        let allowed = granted.intersection(bundle.manifest.capabilities.rights)
        _ = allowed
    }

    static func capabilities() {
        let asked = BundleCapabilities(["push", "screens:Main"])
        print(asked.missing(in: ["screens"]))  // ["push"]
    }

    static func archive(_ key: BundlePrivateKey) throws {
        let archive = try BundleArchive(
            BundleManifest(name: "podcast", version: 42),
            files: ["main.lua": Array("router.start(…)".utf8)]
        )
        let signed = try archive.signed(by: key)
        _ = signed
    }

    static func store(
        _ folder: String,
        _ key: BundlePublicKey,
        _ embedded: ScriptBundle,
        _ host: some RouterHost,
        _ bundle: VerifiedBundle
    ) throws {
        let store = try BundleStore(
            folder: folder,
            name: "podcast",
            keys: [key],
            embedded: embedded,
            embeddedVersion: 40
        )
        let router = try store.start { chosen in
            var configuration = Router.Configuration()
            configuration.capabilities = chosen.capabilities
            return try Router(scripts: chosen.scripts, host: host, configuration: configuration)
        }
        let supervision = Task { await store.supervise(router) }
        supervision.cancel()
        if let bundle = store.current {
            print(bundle.name, bundle.version, bundle.isConfirmed)
        }
        for change in store.changes {
            print(change.time, change.kind, change.version ?? 0, change.reason ?? "")
        }
    }

    static func app(
        _ key: BundlePublicKey,
        _ embedded: ScriptBundle,
        _ host: some RouterHost
    ) throws {
        let parent = try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        )
        let folder = parent.appending(path: "bundles")
        var configuration = BundleStore.Configuration()
        configuration.grants.signed.tree.remove(.replaceRoot)
        configuration.sizeLimit = 4 << 20
        let store = try BundleStore(
            folder: folder.path,
            name: "podcast",
            keys: [key],
            embedded: embedded,
            embeddedVersion: 40,
            configuration: configuration
        )
        let router = try store.start { chosen in
            var configuration = Router.Configuration()
            configuration.capabilities = chosen.capabilities
            return try Router(scripts: chosen.scripts, host: host, configuration: configuration)
        }
        router.start()
        let supervision = Task { await store.supervise(router) }
        supervision.cancel()
    }

    static func updates(
        _ store: BundleStore,
        _ url: URL,
        _ device: String,
        _ folder: URL,
        _ router: Router
    ) async {
        let updates = BundleUpdates(
            of: store,
            from: url,
            device: device,
            app: "3.2 (142)",
            file: folder.appending(path: "updates.json")
        )
        while !Task.isCancelled {
            do {
                if case .staged = try await updates.poll() { try await store.activate(in: router) }
            } catch {
                print("the poll for a bundle failed: \(error)")
            }
            let pause = await Double(updates.pause) * .random(in: 0.8...1.2)
            try? await Task.sleep(for: .seconds(pause))
        }
    }

    static func rollout() {
        let share = BundleRollout.share(of: "device 7", name: "podcast", version: 42)
        let takes = BundleRollout.isSelected("device 7", name: "podcast", version: 42, percent: 5)
        _ = (share, takes)
        var probation = Probation()
        probation.navigations = 500
    }

    static func grants(_ bundle: VerifiedBundle) {
        var grants = BundleGrants()
        grants.signed.tree.remove(.replaceRoot)
        let rights = grants.capabilities(of: .signed, asking: bundle.manifest.capabilities)
        _ = rights
    }

    static func load(
        _ bytes: [UInt8],
        _ key: BundlePublicKey,
        _ granted: Capabilities,
        _ host: some RouterHost
    ) throws {
        let bundle = try VerifiedBundle(bytes, keys: [key])
        var configuration = Router.Configuration()
        configuration.capabilities = granted.intersection(bundle.manifest.capabilities.rights)
        let router = try Router(scripts: bundle.scripts, host: host, configuration: configuration)
        _ = router
    }
}
#endif
