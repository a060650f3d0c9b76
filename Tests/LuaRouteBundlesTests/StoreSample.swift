// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import SystemGaps

/// A store in memory with the bundles of one key.
struct StoreSample {
    let key: BundlePrivateKey
    var folder = MemoryFolder()
    let time = StoreTime()
    var configuration = BundleStore.Configuration()
    var embeddedVersion = 0

    init(key: BundlePrivateKey = BundlePrivateKey()) {
        self.key = key
        configuration.time = { [time] in time.now }
    }

    static func scripts(_ name: String) -> String {
        """
        router.start(function() return router.nav { router.screen '\(name)' } end)
        router.register('Page', 'open', function(info)
          if info.fails then error('it fails') end
          return router.screen('Page')
        end)
        """
    }

    static let embedded = ScriptBundle(files: ["main.lua": scripts("Embedded")])

    /// Returns a signed bundle whose first screen shows the bundle's version.
    func bundle(
        _ version: Int,
        name: String = "podcast",
        capabilities: [String] = ["push", "screens:Page"],
        scripts: String? = nil,
        notAfter: Int? = nil
    ) throws -> [UInt8] {
        var manifest = try BundleManifest(name: name, version: version)
        manifest.capabilities = BundleCapabilities(capabilities + ["screens:V\(version)"])
        manifest.notAfter = notAfter
        let text = scripts ?? Self.scripts("V\(version)")
        return try BundleArchive(manifest, files: ["main.lua": Array(text.utf8)])
            .signed(by: key).bytes
    }

    /// Opens the store as a new process does.
    func open(_ keys: [BundlePublicKey]? = nil) -> BundleStore {
        BundleStore(
            folder,
            name: "podcast",
            keys: keys ?? [key.publicKey],
            embedded: Self.embedded,
            embeddedVersion: embeddedVersion,
            configuration: configuration
        )
    }

    /// Starts a new process, without running scripts.
    ///
    /// - Parameter failing: The versions whose scripts do not load.
    /// - Returns: The store, and the version that was started; 0 for the embedded scripts.
    /// - Throws: An error if the embedded scripts, as version 0, are among the failing versions.
    func start(failing: Set<Int> = []) throws -> (store: BundleStore, version: Int) {
        let store = open()
        let version = try store.start { chosen in
            let version = chosen.bundle?.manifest.version ?? 0
            if failing.contains(version) { throw LoadFailure(version: version) }
            return version
        }
        return (store, version)
    }

    struct LoadFailure: Error { let version: Int }
}

/// A current time that a test sets.
final class StoreTime: Sendable {
    private let seconds = Lock(1_700_000_000)

    var now: Int {
        get { seconds.withLock(\.self) }
        set { seconds.withLock { $0 = newValue } }
    }
}
#endif
