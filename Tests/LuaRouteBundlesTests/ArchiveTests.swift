// SPDX-License-Identifier: MIT

#if Bundles
import Dispatch
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import SystemGaps
import Testing

@Suite(.timeLimit(.minutes(10))) struct ArchiveTests {
    private let sample = Sample()

    @Test("a verified bundle returns the manifest, files and scripts from which it was made")
    @MainActor func verified() throws {
        let bundle = try sample.verify(sample.signed)
        #expect(bundle.manifest.name == "podcast")
        #expect(bundle.manifest.version == 42)
        #expect(bundle.manifest.needs.tasks == ["Player/play"])
        #expect(bundle.manifest.canary == ["smoke.scenario"])
        #expect(bundle.files.mapValues { Array($0.utf8) } == sample.files)
        #expect(bundle.signer == sample.key.publicKey)
        #expect(bundle.scripts.files.keys.sorted() == ["main.lua", "pages.lua"])
        let router = try Router(scripts: bundle.scripts, host: HeadlessHost())
        #expect(router.bundle.digest == bundle.scripts.digest)
    }

    @Test("the same manifest and files give the same bytes, and the same signature")
    func reproducible() throws {
        #expect(try sample.archive.bytes == sample.archive.bytes)
        let key = try #require(BundlePrivateKey(sample.key.secretText))
        let first = try VerifiedBundle(sample.archive.signed(by: key), keys: [key.publicKey])
        #expect(first.digest == (try sample.archive).digest)
    }

    @Test(
        "every truncated bundle is rejected as truncated, with the expected and the actual length"
    )
    func truncations() throws {
        let bytes = try sample.signed
        for count in bytes.indices {
            let refusal = try #require(sample.refusal(of: Array(bytes[..<count])))
            #expect(refusal.reason == .truncated)
            #expect(refusal.offset == count)
            #expect(refusal.expected == "\(count < 24 ? 24 : bytes.count) bytes")
            #expect(refusal.got == "\(count)")
        }
    }

    @Test("a bundle with any flipped bit is rejected, with the reason for the changed part")
    func flippedBits() throws {
        let bytes = try sample.signed
        let sample = sample
        let manifestEnd = 24 + Int(bytes[12]) + Int(bytes[13]) << 8
        let fileStart = manifestEnd + 96
        let failures = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: bytes.count) { offset in
            let expected: Set<BundleRefusal.Reason> =
                switch offset {
                case ..<8: [.notABundle]
                case ..<12: [.format]
                case ..<16: [.tooLarge, .truncated, .excess]
                case ..<20: [.signature]
                case ..<24: [.truncated, .excess]
                case ..<manifestEnd: [.signature]
                case ..<(manifestEnd + 32): [.unknownKey]
                case ..<fileStart: [.signature]
                default: [.digest]
                }
            for bit in 0..<8 {
                var flipped = bytes
                flipped[offset] ^= 1 << bit
                let refusal = sample.refusal(of: flipped)
                guard refusal.map({ !expected.contains($0.reason) }) ?? true else { continue }
                failures.withLock {
                    $0.append(
                        "byte \(offset), bit \(bit): \(refusal.map(String.init) ?? "accepted")"
                    )
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test("random bytes are rejected")
    func randomBytes() throws {
        var random = RandomNumbers(seed: 1)
        let start = try sample.signed.prefix(24)
        var accepted: [[UInt8]] = []
        for round in 0..<100_000 {
            var bytes = (0..<random.below(25)).flatMap { _ in
                withUnsafeBytes(of: random.next()) { Array($0) }
            }
            // Every second one has the header of a bundle, in whole or in part.
            if round.isMultiple(of: 2) { bytes = start.prefix(random.below(25)) + bytes }
            // A macro for each would take most of the time.
            if sample.refusal(of: bytes) == nil { accepted.append(bytes) }
        }
        #expect(accepted == [])
    }

    @Test("a mutated manifest is either read unchanged or rejected, with or without a signature")
    func mutations() throws {
        var random = RandomNumbers(seed: 2)
        let bytes = try sample.archive.bytes
        var reasons: [BundleRefusal.Reason: Int] = [:]
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0...random.below(3) {
                let position = 12 + random.below(changed.count - 12)
                switch random.below(3) {
                case 0: changed[position] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: position)
                default: changed.insert(random.pick(changed), at: position)
                }
            }
            // The length of the manifest is corrected, so that more than the lengths is read.
            let length = Int(changed[12]) | Int(changed[13]) << 8
            let fitting = length + changed.count - bytes.count
            if fitting >= 0 {
                changed[12] = UInt8(fitting & 255)
                changed[13] = UInt8(fitting >> 8 & 255)
            }
            do throws(BundleRefusal) {
                let archive = try BundleArchive(changed)
                let (manifest, contents) = try archive.unverified()
                let files = Dictionary(
                    uniqueKeysWithValues: zip(manifest.files.map(\.path), contents)
                )
                // A manifest that is accepted has the bytes that would be written.
                #expect(try BundleArchive(manifest, files: files).digest == archive.digest)
            } catch {
                reasons[error.reason, default: 0] += 1
            }
        }
        for reason: BundleRefusal.Reason in [.manifest, .path, .digest, .truncated, .tooLarge] {
            #expect(reasons[reason] != nil, "no mutation led to '\(reason)'")
        }
    }

    @Test(
        "an unsigned bundle, a wrong key and a missing key are rejected, each with its own reason"
    )
    func keys() throws {
        let (other, bytes) = (BundlePrivateKey(), try sample.signed)
        #expect(sample.refusal(of: try sample.archive.bytes)?.reason == .unsigned)
        #expect(throws: BundleRefusal.self) { try VerifiedBundle(bytes, keys: []) }
        let refusal = #expect(throws: BundleRefusal.self) {
            try VerifiedBundle(bytes, keys: [other.publicKey])
        }
        #expect(refusal?.reason == .unknownKey)
        #expect(refusal?.expected == other.publicKey.fingerprint)
        #expect(refusal?.got == sample.key.publicKey.fingerprint)
    }

    @Test("during a rotation, bundles signed by the old or the new key are accepted")
    func rotation() throws {
        let newer = BundlePrivateKey()
        let keys = [sample.key.publicKey, newer.publicKey]
        #expect(try VerifiedBundle(sample.signed, keys: keys).signer == sample.key.publicKey)
        let archive = try BundleArchive(sample.signed).signed(by: newer)
        #expect(try VerifiedBundle(archive, keys: keys).signer == newer.publicKey)
        #expect(sample.refusal(of: archive.bytes)?.reason == .unknownKey)
    }

    @Test("a signature of another bundle is rejected")
    func otherSignature() throws {
        var other = try sample.manifest
        other.notAfter = 2_000_000_001
        let signed = try BundleArchive(other, files: sample.files).signed(by: sample.key).bytes
        let (bytes, size) = (try sample.signed, Int(signed[12]) | Int(signed[13]) << 8)
        let mixed = bytes[..<(24 + size)] + signed[(24 + size)...]
        #expect(sample.refusal(of: Array(mixed))?.reason == .signature)
    }

    @Test("a bundle above the size limit is rejected before it is read")
    func limit() throws {
        let bytes = try sample.signed
        let refusal = #expect(throws: BundleRefusal.self) {
            try VerifiedBundle(bytes, keys: [sample.key.publicKey], limit: bytes.count - 1)
        }
        #expect(refusal?.reason == .tooLarge)
        #expect(refusal?.got == "\(bytes.count)")
    }
}
#endif
