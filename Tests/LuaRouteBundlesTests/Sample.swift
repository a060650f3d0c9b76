// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting

/// A small bundle, and the keys that sign it.
struct Sample {
    let key = BundlePrivateKey()
    let files: [String: [UInt8]] = [
        "main.lua": Array("require 'pages'\n".utf8),
        "pages.lua": Array(
            "router.start(function() return router.nav { router.screen 'Main' } end)\n".utf8
        ),
        "smoke.scenario": Array("scenario \"it starts\"\n  expect top Main\n".utf8),
    ]

    var manifest: BundleManifest {
        get throws {
            var manifest = try BundleManifest(name: "podcast", version: 42)
            manifest.notAfter = 2_000_000_000
            manifest.canary = ["smoke.scenario"]
            manifest.needs.tasks = ["Player/play"]
            manifest.capabilities = BundleCapabilities(["push", "screens:Main"])
            return manifest
        }
    }

    var archive: BundleArchive {
        get throws { try BundleArchive(manifest, files: files) }
    }

    var signed: [UInt8] {
        get throws { try archive.signed(by: key).bytes }
    }

    func verify(_ bytes: [UInt8]) throws(BundleRefusal) -> VerifiedBundle {
        try VerifiedBundle(bytes, keys: [key.publicKey])
    }

    /// The refusal of bytes; nil if they are accepted.
    func refusal(of bytes: [UInt8]) -> BundleRefusal? {
        do throws(BundleRefusal) {
            _ = try verify(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Returns a signed bundle whose manifest has a changed text.
    func signed(manifest change: (String) -> String) throws -> [UInt8] {
        let bytes = try archive.bytes
        let size = Int(bytes[12]) | Int(bytes[13]) << 8
        let text = change(String(decoding: bytes[24..<(24 + size)], as: UTF8.self))
        var changed = Array(bytes[..<24])
        changed[12] = UInt8(text.utf8.count & 255)
        changed[13] = UInt8(text.utf8.count >> 8)
        changed += Array(text.utf8) + bytes[(24 + size)...]
        return changed
    }
}

/// The reason for a refusal, and the offset of the refused bytes.
struct Refused: Hashable {
    let reason: BundleRefusal.Reason
    let offset: Int?

    init(_ refusal: BundleRefusal) { (reason, offset) = (refusal.reason, refusal.offset) }
}
#endif
