// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting

/// A bundle whose signature and files have been verified.
///
/// Neither the manifest nor any file is parsed before the signature of the manifest is verified.
///
/// ```swift
/// let bundle = try VerifiedBundle(bytes, keys: [key])
/// var configuration = Router.Configuration()
/// configuration.capabilities = granted.intersection(bundle.manifest.capabilities.rights)
/// let router = try Router(scripts: bundle.scripts, host: host, configuration: configuration)
/// ```
public struct VerifiedBundle: Sendable {
    /// The manifest.
    public let manifest: BundleManifest
    /// The key that signed the bundle.
    public let signer: BundlePublicKey
    /// The SHA-256 digest of the manifest.
    ///
    /// It identifies the bundle, no matter which key signed the bundle.
    public let digest: String
    /// The text of each file by its path, including scenarios.
    public let files: [String: String]

    /// Verifies the bytes of a bundle.
    ///
    /// The time is not checked, because an accepted bundle stays valid. See
    /// ``checkStaging(at:over:isPinned:)``.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes.
    ///   - keys: The public keys, one of which must have signed the bundle. Pass two keys while one
    ///     key replaces another.
    ///   - limit: The maximum number of bytes to accept.
    /// - Throws: The reason why the bundle is refused.
    public init(
        _ bytes: [UInt8],
        keys: [BundlePublicKey],
        limit: Int = BundleArchive.sizeLimit
    ) throws(BundleRefusal) {
        try self.init(BundleArchive(bytes, limit: limit), keys: keys)
    }

    /// Verifies a bundle.
    ///
    /// - Parameters:
    ///   - archive: The bundle.
    ///   - keys: The public keys, one of which must have signed the bundle.
    /// - Throws: The reason why the bundle is refused.
    public init(_ archive: BundleArchive, keys: [BundlePublicKey]) throws(BundleRefusal) {
        signer = try archive.signer(among: keys)
        let (manifest, contents) = try archive.unverified()
        self.manifest = manifest
        digest = archive.digest
        let texts = contents.map { String(decoding: $0, as: UTF8.self) }
        files = Dictionary(uniqueKeysWithValues: zip(manifest.files.map(\.path), texts))
    }

    /// The scripts of the bundle, which a router can load.
    public var scripts: ScriptBundle { manifest.scripts(in: files) }

    /// Throws a refusal with the reason `name` if the bundle does not have the name that an app
    /// expects.
    package func check(name: String) throws(BundleRefusal) {
        guard manifest.name != name else { return }
        throw BundleRefusal(
            .name,
            "the bundle has another name",
            expected: "'\(name)'",
            got: "'\(manifest.name)'"
        )
    }

    /// Throws a refusal with the reason `api` if the bundle needs a higher level than the given
    /// one.
    package func check(apiLevel: Int) throws(BundleRefusal) {
        guard manifest.api > apiLevel else { return }
        throw BundleRefusal(
            .api,
            "the bundle needs a newer API level",
            expected: "at most \(apiLevel)",
            got: "\(manifest.api)"
        )
    }

    /// Throws a refusal with the reason `versionStep` if the version of the bundle exceeds the
    /// given one by more than the given step.
    package func check(versionStep: Int, over version: Int) throws(BundleRefusal) {
        guard manifest.version - max(0, version) > versionStep else { return }
        throw BundleRefusal(
            .versionStep,
            "the version of the bundle is too far above the version in use",
            expected: "at most \(version) + \(versionStep)",
            got: "\(manifest.version)"
        )
    }

    /// Checks whether the bundle may replace another bundle now.
    ///
    /// Call this function when a bundle arrives, and not when an app starts with a bundle that was
    /// already staged.
    ///
    /// - Parameters:
    ///   - time: The current time in seconds since 1970.
    ///   - version: The version of the bundle in use; nil if there is none.
    ///   - isPinned: Whether an older bundle is allowed on purpose.
    /// - Throws: ``BundleRefusal`` with the reason `api`, `stale` or `expired`.
    public func checkStaging(
        at time: Int,
        over version: Int? = nil,
        isPinned: Bool = false
    ) throws(BundleRefusal) {
        try check(apiLevel: Router.apiLevels.upperBound)
        if let version, !isPinned, manifest.version <= version {
            throw BundleRefusal(
                .stale,
                "the bundle is not newer than the bundle in use",
                expected: "a version above \(version)",
                got: "\(manifest.version)"
            )
        }
        if let last = manifest.notAfter, time > last {
            throw BundleRefusal(
                .expired,
                "the bundle has expired",
                expected: "a time no later than \(BundleTime.text(last))",
                got: BundleTime.text(time)
            )
        }
    }
}

extension BundleManifest {
    /// Returns the scripts of a bundle, without its scenarios.
    package func scripts(in files: [String: String]) -> ScriptBundle {
        ScriptBundle(
            entry: entry,
            files: files.filter { $0.key.hasByteSuffix(".lua") || $0.key == entry }
        )
    }
}
#endif
