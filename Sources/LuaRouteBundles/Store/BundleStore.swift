// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting
internal import SystemGaps

/// A folder with the bundles of an app.
///
/// A staged bundle becomes current at the next start, or immediately with ``activate(in:)``. A
/// start tries the current bundle, the last good bundle and the scripts embedded in the app, in
/// this order, and runs the first of them that loads. A bundle on ``Probation`` is quarantined, and
/// never loaded again, if
///
/// - two consecutive starts that loaded it were not confirmed, or
/// - too many navigations fail.
///
/// After the end of its probation, two such starts only cause later starts to skip the bundle. The
/// bundle is tried again at the 4th, 8th, 16th … consecutive start that is not confirmed.
///
/// Every change is written completely or not at all. If the process or the system stops at any
/// time, the next start uses the state before or after the change.
///
/// ```swift
/// let store = try BundleStore(
///     folder: folder,
///     name: "podcast",
///     keys: [key],
///     embedded: embedded,
///     embeddedVersion: 40
/// )
/// ```
///
/// All methods may be called on any thread. Only one store at a time can open a folder: the store
/// locks the file `lock` in the folder until the store is released or the process ends.
public final class BundleStore: Sendable {
    /// The settings of a store.
    public struct Configuration: Sendable {
        /// The capabilities that the app grants.
        public var grants = BundleGrants()
        /// The rule for a new bundle.
        ///
        /// If nil, a bundle passes with its first confirmed start.
        public var probation: Probation? = Probation()
        /// The maximum size of a bundle, in bytes.
        public var sizeLimit = BundleArchive.sizeLimit
        /// The maximum difference between the version of a new bundle and the highest version in
        /// the store and the app; no limit by default.
        ///
        /// A bundle with a very high version, by mistake or signed with a stolen key, blocks all
        /// lower versions. Choose a value that is larger than the number of versions that a device
        /// can miss while it is not used.
        public var versionStep = Int.max
        /// Returns the current time, in seconds since 1970.
        public var time: @Sendable () -> Int = { Int(TimeOfDay.now) }

        /// Creates the default settings.
        public init() {}
    }

    /// The result of staging a bundle.
    public enum Staging: Sendable {
        /// The bundle becomes current at the next start, or when it is activated.
        case staged(VerifiedBundle)
        /// The device is not selected in the rollout of the bundle.
        case notSelected
        /// The store already has the bundle.
        case unchanged
    }

    /// The mutable content of a store, protected by a lock.
    struct Content {
        var state: StoreState
        /// The scripts that this process runs; nil before the start.
        var running: ChosenBundle?
        /// The counts of navigations with the running scripts that are not in the record yet.
        var counts = Probation.Counts()
        /// The navigations of the router that ``start(_:)`` has created, from the first one on;
        /// nil once the router is supervised.
        var navigations: (router: ObjectIdentifier, counter: NavigationCounter)?
        /// Whether `router.start` of the running scripts has failed.
        var hasFailedToStart = false
        /// The bundle that the router is loading; nil if there is none.
        var activating: StoredBundle?
        /// The error that prevented reading the record.
        ///
        /// While there is an error, this process must not replace the record.
        var fault: StoreFault?

        /// Adds the navigation counts of the running scripts to the record, and resets the counts.
        mutating func keepCounts() {
            state.add(counts, to: running?.bundle?.digest)
            counts = Probation.Counts()
        }

        /// Sets the scripts that this process runs.
        mutating func run(_ next: ChosenBundle) {
            keepCounts()
            running = next
        }
    }

    let configuration: Configuration
    /// The name that bundles must have.
    let name: String
    let keys: [BundlePublicKey]
    let embedded: ScriptBundle
    let embeddedVersion: Int
    private let folder: any StoreFolder
    private let content: Lock<Content>

    /// Opens a store.
    ///
    /// A damaged record is replaced with an empty one, so that the embedded scripts are active. If
    /// the record cannot be read, for example on a locked device, the embedded scripts are active
    /// too, and the store writes nothing.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder. The folder is created if it does not exist, but its
    ///     parent must exist. The store removes files that have its extensions `.lrb` and `.new`.
    ///     Exclude the folder from backups, because a backup may belong to a different version of
    ///     the app. Do not share the folder between apps or with an extension: iOS ends an app that
    ///     is suspended while it holds a lock in a shared container.
    ///   - name: The name of the app's bundles. Bundles with other names are refused, even if they
    ///     are signed.
    ///   - keys: The public keys, one of which must have signed a bundle.
    ///   - embedded: The scripts that ship with the app.
    ///   - embeddedVersion: The version of the embedded scripts. A start removes stored bundles
    ///     that are not newer. Raise the version in each release with changed scripts; otherwise a
    ///     stored bundle is preferred to the new embedded scripts.
    ///   - configuration: The settings.
    /// - Throws: ``BundleRefusal`` with the reason `storage` if the folder cannot be created, or
    ///   another store has opened it.
    public convenience init(
        folder: String,
        name: String,
        keys: [BundlePublicKey],
        embedded: ScriptBundle,
        embeddedVersion: Int = 0,
        configuration: Configuration = Configuration()
    ) throws(BundleRefusal) {
        let system: SystemFolder
        do throws(StoreFault) {
            system = try SystemFolder(folder)
        } catch {
            throw BundleRefusal(error)
        }
        self.init(
            system,
            name: name,
            keys: keys,
            embedded: embedded,
            embeddedVersion: embeddedVersion,
            configuration: configuration
        )
    }

    /// Opens a store with the given file operations.
    package init(
        _ folder: any StoreFolder,
        name: String,
        keys: [BundlePublicKey],
        embedded: ScriptBundle,
        embeddedVersion: Int = 0,
        configuration: Configuration = Configuration()
    ) {
        self.configuration = configuration
        self.folder = folder
        self.name = name
        self.keys = keys
        self.embedded = embedded
        self.embeddedVersion = embeddedVersion
        var content = Content(state: StoreState())
        do throws(StoreFault) {
            if let bytes = try folder.read(StoreState.fileName, limit: StoreState.sizeLimit) {
                if let state = StoreState(bytes) {
                    content.state = state
                } else {
                    content.state.note(
                        .reset,
                        because: "the record of the store is damaged",
                        at: configuration.time()
                    )
                }
            }
        } catch {
            content.fault = error
            content.state.note(.skipped, because: error.reason, at: configuration.time())
        }
        self.content = Lock(content)
    }

    /// The staged bundle, which becomes current at the next start or when it is activated; nil if
    /// no bundle is staged.
    public var candidate: StoredBundle? { content.withLock { $0.state.candidate } }
    /// The bundle that a start tries first; nil if there is none.
    public var current: StoredBundle? { content.withLock { $0.state.current } }
    /// The scripts that this process runs; nil before ``start(_:)``.
    public var running: ChosenBundle? { content.withLock(\.running) }
    /// The last bundle that has passed its probation; nil if none has.
    public var lastGood: StoredBundle? { content.withLock { $0.state.lastGood } }
    /// The digests of the bundles that are never loaded again, the oldest first: at most 1,000.
    public var quarantined: [String] { content.withLock { $0.state.quarantined } }
    /// The last 100 changes, the oldest first.
    public var changes: [StoreChange] { content.withLock { $0.state.changes } }

    // MARK: Staging

    /// Verifies and stages a bundle.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes.
    ///   - isPinned: Whether to accept, on purpose, a bundle that is older than the bundles of the
    ///     store. It must still be newer than the embedded scripts.
    /// - Returns: Whether the bundle was staged.
    /// - Throws: The reason why the bundle is refused. The store is then unchanged.
    public func stage(
        _ bytes: [UInt8],
        isPinned: Bool = false
    ) throws(BundleRefusal) -> Staging {
        try stage(bytes, percent: 100, key: "", isPinned: isPinned)
    }

    /// Verifies a bundle, and stages it if this device is among the given percentage of devices.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes.
    ///   - percent: The percentage of devices that receive the bundle. A number outside of 0 to 100
    ///     is refused. The percentage may be raised while the same bundle is offered.
    ///   - key: A text that identifies the device; see ``BundleRollout``. Devices with the same key
    ///     receive a bundle together.
    ///   - isPinned: Whether to accept, on purpose, a bundle that is older than the bundles of the
    ///     store. It must still be newer than the embedded scripts.
    /// - Returns: Whether the bundle was staged.
    /// - Throws: The reason why the bundle is refused. The store is then unchanged.
    public func stage(
        _ bytes: [UInt8],
        percent: Double,
        key: String,
        isPinned: Bool = false
    ) throws(BundleRefusal) -> Staging {
        try BundleRollout.check(percent: percent)
        let archive = try BundleArchive(bytes, limit: configuration.sizeLimit)
        let bundle = try VerifiedBundle(archive, keys: keys)
        try bundle.check(name: name)
        return try content.withLock { (content) throws(BundleRefusal) in
            try stage(
                bundle,
                bytes: bytes,
                content: &content,
                percent: percent,
                key: key,
                isPinned: isPinned
            )
        }
    }

    private func stage(
        _ bundle: VerifiedBundle,
        bytes: [UInt8],
        content: inout Content,
        percent: Double,
        key: String,
        isPinned: Bool
    ) throws(BundleRefusal) -> Staging {
        let (manifest, state, time) = (bundle.manifest, content.state, configuration.time())
        if [state.candidate, state.current].contains(where: { $0?.digest == bundle.digest }) {
            return .unchanged
        }
        guard !state.quarantined.contains(bundle.digest) else {
            throw BundleRefusal(
                .quarantined,
                "the bundle has failed on this device",
                expected: "another bundle",
                got: "version \(manifest.version)"
            )
        }
        // The next start would remove a bundle that is not newer than the embedded scripts.
        let newest = state.bundles.map(\.version).reduce(embeddedVersion, max)
        try bundle.checkStaging(at: time, over: isPinned ? embeddedVersion : newest)
        try bundle.check(versionStep: configuration.versionStep, over: newest)
        guard
            BundleRollout.isSelected(
                key,
                name: name,
                version: manifest.version,
                percent: percent
            )
        else { return .notSelected }
        let stored =
            state[bundle.digest]
            ?? StoredBundle(
                name: manifest.name,
                version: manifest.version,
                digest: bundle.digest,
                signer: bundle.signer.fingerprint
            )
        do throws(StoreFault) {
            if let fault = content.fault { throw fault }
            try folder.replace(stored.fileName, by: bytes)
            content.state.stage(stored, at: time)
            do throws(StoreFault) {
                try write(content)
            } catch {
                content.state = state
                throw error
            }
        } catch {
            removeOtherFiles(content)
            throw BundleRefusal(error)
        }
        removeOtherFiles(content)
        return .staged(bundle)
    }

    // MARK: Starting

    /// Starts the app with the first bundle whose scripts load: the current bundle, the last good
    /// bundle, or the scripts embedded in the app.
    ///
    /// A staged bundle becomes current. The start is recorded before the scripts are loaded, so
    /// that a crash counts as an unconfirmed start. If the record cannot be written, only a bundle
    /// that has been confirmed before is loaded. Call this function once in a process.
    ///
    /// - Parameter load: Loads the scripts, for example by creating a router, and throws an error
    ///   if they do not load. The closure may be called several times.
    /// - Returns: The result of `load`.
    /// - Throws: The error of `load` for the embedded scripts.
    public func start<Started, Failure: Error>(
        _ load: (ChosenBundle) throws(Failure) -> Started
    ) throws(Failure) -> Started {
        // Decide now which bundles this start tries. A bundle that is staged in the meantime is
        // used by the next start.
        let bundles = content.withLock { content in
            // Remove stored bundles that are not newer than the embedded scripts, and bundles that
            // crash the app.
            let time = configuration.time()
            for bundle in content.state.bundles {
                if bundle.version <= embeddedVersion {
                    let reason = "the scripts embedded in the app have version \(embeddedVersion)"
                    content.state.remove(bundle, .removed, because: reason, at: time)
                } else if content.state.crashes(bundle) {
                    let reason = "\(bundle.unconfirmedStarts) starts were not confirmed"
                    content.state.remove(bundle, .quarantined, because: reason, at: time)
                }
            }
            if let candidate = content.state.candidate {
                content.state.activate(candidate, at: time)
            }
            return content.state.bundles
        }
        for stored in bundles {
            guard let bundle = content.withLock({ begin(stored, &$0) }) else { continue }
            let chosen = chosen(bundle)
            do throws(Failure) {
                let started = try load(chosen)
                let navigations = navigations(of: started, chosen)
                access { content in
                    content.state.resume(stored, at: configuration.time())
                    content.run(chosen)
                    content.navigations = navigations
                    removeOtherFiles(content)
                }
                return started
            } catch {
                content.withLock { content in
                    content.state.update(stored.digest) {
                        $0.unconfirmedStarts = stored.unconfirmedStarts
                    }
                    let reason = (error as? RouteError)?.message ?? "\(error)"
                    let time = configuration.time()
                    content.state.note(.skipped, stored, because: reason, at: time)
                }
            }
        }
        let chosen = chosen(nil)
        content.withLock { content in
            content.run(chosen)
            // If the record cannot be written, the next start removes and activates these bundles
            // again.
            try? write(content)
            removeOtherFiles(content)
        }
        let started = try load(chosen)
        let navigations = navigations(of: started, chosen)
        content.withLock { $0.navigations = navigations }
        return started
    }

    /// Logs which scripts a router runs, and counts its navigations from now on, so that none is
    /// lost before ``supervise(_:clock:)`` is called.
    private func navigations<Started>(
        of started: Started,
        _ chosen: ChosenBundle
    ) -> (router: ObjectIdentifier, counter: NavigationCounter)? {
        guard let router = started as? Router else { return nil }
        let scripts = chosen.bundle.map {
            "version \($0.manifest.version) of the bundle '\(name)', \($0.digest.prefix(16)), "
                + "signed by \($0.signer.fingerprint)"
        }
        router.log("info", "the app runs \(scripts ?? "its embedded scripts")")
        return (ObjectIdentifier(router), NavigationCounter(of: router))
    }

    /// Records the start of a bundle, and reads the bundle.
    ///
    /// - Returns: The bundle; nil if it cannot be loaded.
    private func begin(_ stored: StoredBundle, _ content: inout Content) -> VerifiedBundle? {
        guard let stored = content.state[stored.digest] else { return nil }
        guard !content.state.skips(stored, at: configuration.time()) else { return nil }
        guard let bundle = verified(stored, &content) else { return nil }
        let before = content.state
        content.state.update(stored.digest) { $0.unconfirmedStarts += 1 }
        do throws(StoreFault) {
            try write(content)
        } catch {
            content.state = before
            guard stored.isConfirmed else {
                let reason = "the start cannot be recorded: \(error.reason)"
                content.state.note(.skipped, stored, because: reason, at: configuration.time())
                return nil
            }
        }
        return bundle
    }

    /// Reads and verifies a bundle.
    ///
    /// A damaged bundle is removed from the store.
    private func verified(_ stored: StoredBundle, _ content: inout Content) -> VerifiedBundle? {
        var reason = "the file of the bundle is missing"
        do throws(StoreFault) {
            let limit = configuration.sizeLimit
            let bytes = try folder.read(stored.fileName, limit: limit)
            if bytes == [] {
                reason =
                    "the file of the bundle is empty, larger than \(limit) bytes, or no regular file"
            } else if let bytes {
                do throws(BundleRefusal) {
                    let bundle = try VerifiedBundle(bytes, keys: keys)
                    let manifest = bundle.manifest
                    // The bundle is compared with the record, because the record is not signed.
                    if bundle.digest == stored.digest, manifest.name == name,
                        manifest.version == stored.version
                    {
                        return bundle
                    }
                    reason = "the file contains another bundle"
                } catch {
                    reason = error.description
                }
            }
        } catch {
            // If the file cannot be read now, the next start may be able to read it.
            let time = configuration.time()
            content.state.note(.skipped, stored, because: error.reason, at: time)
            return nil
        }
        content.state.remove(stored, .removed, because: reason, at: configuration.time())
        return nil
    }

    /// Returns a bundle with its capabilities, or the embedded scripts if `bundle` is nil.
    func chosen(_ bundle: VerifiedBundle?) -> ChosenBundle {
        let grants = configuration.grants
        guard let bundle else {
            return ChosenBundle(
                scripts: embedded,
                bundle: nil,
                capabilities: grants.capabilities(of: .embedded)
            )
        }
        return ChosenBundle(
            scripts: bundle.scripts,
            bundle: bundle,
            capabilities: grants.capabilities(of: .signed, asking: bundle.manifest.capabilities)
        )
    }

    /// Confirms that the start succeeded.
    ///
    /// Call this function when the first screen is shown, and before the app is suspended or the
    /// user ends it. ``supervise(_:clock:)`` calls it after 10 seconds. Each call also writes the
    /// counts of navigations, which would be lost if the system ended the app.
    ///
    /// - Throws: ``BundleRefusal`` with the reason `storage` if the confirmation cannot be written.
    ///   The start then counts as unconfirmed.
    public func confirm() throws(BundleRefusal) {
        try change { content in
            content.keepCounts()
            guard let digest = content.running?.bundle?.digest,
                let bundle = content.state[digest],
                bundle.unconfirmedStarts > 0 || configuration.probation == nil
            else { return }
            if bundle.unconfirmedStarts > 0 { content.state.confirm(digest) }
            if configuration.probation == nil, content.state.current?.digest == digest {
                content.state.pass(at: configuration.time())
            }
        }
    }

    // MARK: Files

    /// Makes a change and writes the record.
    ///
    /// If the record cannot be written, the change is discarded.
    ///
    /// - Throws: ``BundleRefusal`` with the reason `storage`.
    func change<Outcome: Sendable>(
        _ body: (inout Content) -> Outcome
    ) throws(BundleRefusal) -> Outcome {
        try content.withLock { (content) throws(BundleRefusal) in
            var next = content
            let outcome = body(&next)
            do throws(StoreFault) {
                if next.state != content.state { try write(next) }
            } catch {
                throw BundleRefusal(error)
            }
            content = next
            return outcome
        }
    }

    /// Calls a closure that reads or changes the content.
    ///
    /// The changes are kept in memory even if they cannot be written.
    func access<Outcome: Sendable>(_ body: (inout Content) -> Outcome) -> Outcome {
        content.withLock { content in
            let old = content.state
            defer { if content.state != old { try? write(content) } }
            return body(&content)
        }
    }

    private func write(_ content: Content) throws(StoreFault) {
        if let fault = content.fault { throw fault }
        try folder.replace(StoreState.fileName, by: content.state.document)
    }

    /// Removes the files that belong to no bundle of the record.
    ///
    /// Files that cannot be removed remain until the next attempt.
    private func removeOtherFiles(_ content: Content) {
        guard content.fault == nil else { return }
        let bundles = content.state.bundles + [content.activating].compactMap(\.self)
        let kept = Set(bundles.map(\.fileName))
        for name in folder.names() where !kept.contains(name) {
            guard
                name.hasByteSuffix(StoredBundle.suffix)
                    || name.hasByteSuffix(SystemFolder.draftSuffix)
            else { continue }
            try? folder.remove(name)
        }
    }

    /// Reads a bundle of the store; nil if it cannot be read.
    func read(_ stored: StoredBundle) -> VerifiedBundle? {
        content.withLock { verified(stored, &$0) }
    }
}

extension BundleRefusal {
    init(_ fault: StoreFault) {
        self.init(
            .storage,
            "the store cannot \(fault.operation)",
            expected: fault.expected,
            got: "'\(fault.reason)'"
        )
    }
}
#endif
