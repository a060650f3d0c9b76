// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StoreTests {
    /// Returns a store whose last good bundle has version 1.
    private func sample() throws -> StoreSample {
        var sample = StoreSample()
        sample.configuration.probation = nil
        _ = try sample.open().stage(sample.bundle(1))
        try sample.start().store.confirm()
        sample.configuration.probation = Probation()
        return sample
    }

    private func isStaged(_ staging: BundleStore.Staging) -> Bool {
        if case .staged = staging { true } else { false }
    }

    private func refusal(_ body: () throws -> Void) -> BundleRefusal.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BundleRefusal)?.reason
        }
    }

    // MARK: Starting

    @Test("a staged bundle becomes current at the next start, not earlier")
    func staging() throws {
        let sample = StoreSample()
        let (store, version) = try sample.start()
        #expect(version == 0)
        #expect(try isStaged(store.stage(sample.bundle(1))))
        #expect((store.candidate?.version, store.current?.version) == (1, nil))
        let next = try sample.start()
        #expect(next.version == 1)
        #expect((next.store.candidate?.version, next.store.current?.version) == (nil, 1))
        #expect(next.store.lastGood == nil)
    }

    @Test("a bundle with two unconfirmed starts is quarantined, and the last good bundle is loaded")
    func crash() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        #expect(try sample.start().version == 2)
        #expect(try sample.start().version == 2)
        let (store, version) = try sample.start()
        #expect(version == 1)
        #expect(store.quarantined.count == 1)
        #expect(store.changes.last?.reason == "2 starts were not confirmed")
        #expect(refusal { _ = try store.stage(sample.bundle(2)) } == .quarantined)
        #expect(try isStaged(store.stage(sample.bundle(3))))
    }

    @Test("a bundle that passed probation is tried ever less often if its starts are not confirmed")
    func shortVisits() throws {
        let sample = try sample()
        let versions = try (1...17).map { _ in try sample.start().version }
        // Each start is one more that was not confirmed.
        let tried = [1, 2, 4, 8, 16]
        #expect(versions == (1...17).map { tried.contains($0) ? 1 : 0 })
        let store = sample.open()
        #expect(store.quarantined == [])
        #expect(store.lastGood?.version == 1)
        #expect(store.changes.last?.reason == "the last starts of the bundle were not confirmed")
        for _ in 18..<32 { _ = try sample.start() }
        let next = try sample.start()
        #expect(next.version == 1)
        try next.store.confirm()
        #expect(next.store.lastGood?.unconfirmedStarts == 0)
        #expect(try sample.start().version == 1)
    }

    @Test("a confirmed start resets the count of unconfirmed starts")
    func confirm() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        for _ in 0..<5 {
            _ = try sample.start()
            let (store, version) = try sample.start()
            #expect(version == 2)
            try store.confirm()
        }
        #expect(sample.open().quarantined == [])
    }

    @Test("a bundle that does not load is skipped, and tried again at the next start")
    func loadFailure() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        for _ in 0..<4 {
            let (store, version) = try sample.start(failing: [2])
            #expect(version == 1)
            try store.confirm()
            #expect(store.current?.unconfirmedStarts == 0)
        }
        #expect(sample.open().changes.last?.kind == .skipped)
        #expect(try sample.start().version == 2)
    }

    @Test("a bundle that runs again after starts skipped it is recorded as resumed")
    func resumed() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        for failing: Set<Int> in [[2], [2], [], [], [2]] {
            try sample.start(failing: failing).store.confirm()
        }
        #expect(
            sample.open().changes.suffix(4).map(\.kind) == [
                .activated, .skipped, .resumed, .skipped,
            ]
        )
    }

    @Test("two bundles that do not load are recorded once each, however often the app starts")
    func twoLoadFailures() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        for _ in 1...5 { _ = try sample.start(failing: [1, 2]) }
        #expect(
            sample.open().changes.suffix(3).map(\.kind) == [.activated, .skipped, .skipped]
        )
    }

    @Test("the log of a router begins with the bundle that runs, its digest and its signer")
    func startInLog() throws {
        let sample = try sample()
        var lines: [String] = []
        func start() throws {
            let store = sample.open()
            let router = try store.start { chosen in
                try Router(
                    scripts: chosen.scripts,
                    host: HeadlessHost(),
                    onEvent: { event in
                        if event.kind == .log { lines.append(event["message"].text ?? "") }
                    }
                )
            }
            router.shutDown()
        }
        try start()
        let digest = try #require(sample.open().current?.digest.prefix(16))
        let signer = sample.key.publicKey.fingerprint
        #expect(
            lines == [
                "the app runs version 1 of the bundle 'podcast', \(digest), signed by \(signer)"
            ]
        )
        sample.folder.setLocked(true)
        try start()
        #expect(lines.last == "the app runs its embedded scripts")
    }

    @Test("if no scripts load, the error of the embedded scripts is thrown")
    func nothingLoads() throws {
        let sample = try sample()
        #expect(throws: StoreSample.LoadFailure.self) { try sample.start(failing: [0, 1]) }
    }

    @Test("a stored bundle that is not newer than the embedded scripts is removed")
    func newApp() throws {
        var sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        sample.embeddedVersion = 1
        #expect(try sample.start().version == 2)
        sample.embeddedVersion = 2
        let (store, version) = try sample.start()
        #expect(version == 0)
        #expect(store.current == nil)
        #expect(sample.folder.names() == ["state.json"])
    }

    @Test("a bundle signed with a withdrawn key is not used, but an expired bundle is")
    func keysAndDays() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2, notAfter: sample.time.now))
        sample.time.now += 1
        #expect(try sample.start().version == 2)
        let other = sample.open([BundlePrivateKey().publicKey])
        let version = other.start { $0.bundle?.manifest.version ?? 0 }
        #expect(version == 0)
        #expect(other.changes.last?.reason?.contains("signed with an unknown key") == true)
    }

    // MARK: Staging

    @Test("a bundle that must not be loaded is rejected, and nothing changes")
    func refusals() throws {
        let sample = try sample()
        let store = sample.open()
        let cases: [(BundleRefusal.Reason, [UInt8])] = [
            (.stale, try sample.bundle(0 + 1, capabilities: [])),
            (.name, try sample.bundle(9, name: "shop")),
            (.expired, try sample.bundle(9, notAfter: sample.time.now - 1)),
            (.truncated, try sample.bundle(9).dropLast()),
            (.unknownKey, try StoreSample().bundle(9)),
        ]
        for (reason, bytes) in cases {
            #expect(refusal { _ = try store.stage(bytes) } == reason)
        }
        #expect(store.candidate == nil)
        #expect(store.current?.version == 1)
    }

    @Test("a bundle that is already in the store is not staged again")
    func unchanged() throws {
        let sample = try sample()
        let store = sample.open()
        let bytes = try sample.bundle(2)
        #expect(try isStaged(store.stage(bytes)))
        for bytes in [bytes, try sample.bundle(1)] {
            guard case .unchanged = try store.stage(bytes) else {
                Issue.record("staged again")
                return
            }
        }
    }

    @Test(
        "a pinned bundle may be older than the current bundle, but not older than the embedded scripts"
    )
    func pinned() throws {
        var sample = StoreSample()
        sample.embeddedVersion = 3
        let store = sample.open()
        #expect(try isStaged(store.stage(sample.bundle(9))))
        #expect(refusal { _ = try store.stage(sample.bundle(5)) } == .stale)
        #expect(try isStaged(store.stage(sample.bundle(5), isPinned: true)))
        #expect(refusal { _ = try store.stage(sample.bundle(3), isPinned: true) } == .stale)
        #expect(try sample.start().version == 5)
    }

    @Test("a version too far above the versions of the store and the app is rejected")
    func versionStep() throws {
        var sample = try sample()
        sample.configuration.versionStep = 10
        #expect(refusal { _ = try sample.open().stage(sample.bundle(12)) } == .versionStep)
        #expect(
            refusal { _ = try sample.open().stage(sample.bundle(12), isPinned: true) }
                == .versionStep
        )
        #expect(try isStaged(sample.open().stage(sample.bundle(11))))
        #expect(
            refusal { _ = try sample.open().stage(sample.bundle((1 << 53) - 1)) } == .versionStep
        )
        sample.embeddedVersion = 20
        #expect(try isStaged(sample.open().stage(sample.bundle(30))))
        sample.embeddedVersion = .min
        #expect(try isStaged(sample.open().stage(sample.bundle(40))))
    }

    @Test(
        "a rollout share that is not a percentage is rejected, and not treated as 0 % or 100 %",
        arguments: [.nan, .infinity, -0.5, 100.5] as [Double]
    )
    func percent(_ percent: Double) throws {
        let sample = StoreSample()
        #expect(
            refusal { _ = try sample.open().stage(sample.bundle(1), percent: percent, key: "a") }
                == .percent
        )
        #expect(refusal { _ = try BundleRollout.percent("\(percent)") } == .percent)
    }

    @Test(
        "a rollout share is written as a number from 0 to 100",
        arguments: ["", "5 %", "0x", "1,5", "0x10", "1e1", "+5", " 5", "1.2.3", "inf", "nan"]
    )
    func percentText(_ text: String) throws {
        #expect(refusal { _ = try BundleRollout.percent(text) } == .percent)
        #expect(try ["0", "12.5", "100"].map(BundleRollout.percent) == [0, 12.5, 100])
    }

    @Test("on a full disk, a new bundle is rejected, and the store keeps the current bundle")
    func fullDisk() throws {
        let sample = try sample()
        sample.folder.setFull(true)
        let (store, version) = try sample.start()
        #expect(version == 1)
        #expect(refusal { _ = try store.stage(sample.bundle(2)) } == .storage)
        #expect(sample.folder.names().count == 2)
        sample.folder.setFull(false)
        #expect(try isStaged(store.stage(sample.bundle(2))))
    }

    @Test(
        "a confirmed bundle that is still on probation is kept until its successor's start is confirmed"
    )
    func previous() throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(2))
        try sample.start().store.confirm()
        _ = try sample.open().stage(sample.bundle(5))
        // The successor crashes twice.
        #expect(try sample.start().version == 5)
        #expect(try sample.start().version == 5)
        let (store, version) = try sample.start()
        #expect(version == 2)
        #expect(store.running?.bundle?.manifest.version == 2)
        #expect(store.quarantined.count == 1)
    }

    @Test("on a full disk, a confirmed bundle on probation is loaded, and a new bundle waits")
    func previousOnFullDisk() throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(2))
        try sample.start().store.confirm()
        _ = try sample.open().stage(sample.bundle(5))
        sample.folder.setFull(true)
        #expect(try sample.start().version == 2)
        sample.folder.setFull(false)
        #expect(try sample.start().version == 5)
    }

    @Test("a bundle that does not load is recorded as one change, even if many starts skip it")
    func skipped() throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(1))
        for _ in 0..<5 { _ = try sample.start(failing: [1]) }
        #expect(sample.open().changes.map(\.kind) == [.staged, .activated, .skipped])
    }

    @Test("a start that cannot be recorded does not load a bundle that has never been confirmed")
    func unrecordedStart() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        sample.folder.setFull(true)
        #expect(try sample.start().version == 1)
        sample.folder.setFull(false)
        #expect(try sample.start().version == 2)
    }

    @Test(
        "a record that is temporarily unreadable is left unchanged, and the embedded scripts are loaded"
    )
    func lockedDevice() throws {
        let sample = try sample()
        let names = sample.folder.names()
        sample.folder.setLocked(true)
        let (store, version) = try sample.start()
        #expect(version == 0)
        #expect(store.changes.last?.reason == "Operation not permitted")
        sample.folder.setLocked(false)
        #expect(refusal { _ = try store.stage(sample.bundle(2)) } == .storage)
        try store.confirm()
        #expect(sample.folder.names() == names)
        #expect(try sample.start().version == 1)
    }

    @Test("files in the folder that the store did not create are kept")
    func otherFiles() throws {
        let sample = try sample()
        for name in ["notes.txt", "old.lrb", "state.json.new"] {
            try sample.folder.write([1], to: name)
        }
        _ = try sample.start()
        #expect(sample.folder.names().filter { $0.utf8.count < 20 } == ["notes.txt", "state.json"])
    }

    @Test("the last good bundle stays confirmed after it is pinned")
    func pinnedLastGood() throws {
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        let (store, version) = try sample.start()
        #expect(version == 2)
        #expect(try isStaged(store.stage(sample.bundle(1), isPinned: true)))
        let next = sample.open()
        #expect(next.candidate?.version == 1)
        #expect(next.candidate == next.lastGood)
        #expect(next.lastGood?.isConfirmed == true)
    }

    @Test("a long error text does not make the record large")
    func longReason() throws {
        struct LongFailure: Error, CustomStringConvertible {
            let description = String(repeating: "x", count: 2 << 20)
        }
        let sample = try sample()
        _ = try sample.open().stage(sample.bundle(2))
        let version = try sample.open().start { chosen in
            let version = chosen.bundle?.manifest.version ?? 0
            if version == 2 { throw LongFailure() }
            return version
        }
        #expect(version == 1)
        let next = sample.open()
        #expect(next.lastGood?.version == 1)
        #expect(next.changes.last?.reason?.utf8.count == 500)
    }

    // MARK: Changes

    @Test("the last 100 changes show the signer of each bundle and the reason for its removal")
    func changes() throws {
        let sample = try sample()
        for version in 2..<80 {
            let store = sample.open()
            _ = try store.stage(sample.bundle(version))
            sample.time.now += 1
            _ = try sample.start()
        }
        let changes = sample.open().changes
        #expect(changes.count == 100)
        #expect(changes.allSatisfy { $0.signer == sample.key.publicKey.fingerprint })
        #expect(changes.suffix(2).map(\.kind) == [.staged, .activated])
        #expect(changes.last?.time == sample.time.now)
    }

    // MARK: Interruptions

    @Test(
        "the app starts even if any byte of the record or of a bundle is damaged",
        .tags(.sweep),
        .unlessQuick
    )
    func damage() throws {
        let sample = try sample()
        let next = try sample.bundle(2)
        for name in sample.folder.names() {
            let count = try #require(sample.folder.bytes(of: name)).count
            for offset in (0..<count).sweepShare {
                var (cut, flipped) = (sample, sample)
                cut.folder = MemoryFolder(copying: sample.folder)
                flipped.folder = MemoryFolder(copying: sample.folder)
                cut.folder.damage(name) { $0.removeSubrange(offset...) }
                flipped.folder.damage(name) { $0[offset] ^= 1 << UInt8(offset % 8) }
                for sample in [cut, flipped] {
                    let (store, version) = try sample.start()
                    #expect(version == 0)
                    #expect([.reset, .removed].contains(store.changes.last?.kind))
                    guard offset.isMultiple(of: 40) else { continue }
                    #expect(try isStaged(store.stage(next)))
                }
            }
        }
    }

    /// Uses a store as an app does that receives three bundles, of which the second one crashes.
    private func live(_ sample: StoreSample, _ bundles: [[UInt8]]) throws {
        for bytes in bundles {
            _ = try? sample.open().stage(bytes)
            let first = try sample.start()
            if first.version != 2 { try? first.store.confirm() }
            let second = try sample.start()
            if second.version != 2 { try? second.store.confirm() }
        }
    }

    @Test(
        "the next start loads a bundle, whichever file operation was the last of the ended process",
        .tags(.sweep),
        .unlessQuick,
        arguments: MemoryFolder.End.allCases
    )
    func interruptions(_ end: MemoryFolder.End) throws {
        var whole = StoreSample()
        whole.configuration.probation = nil
        let bundles = try (1...3).map { try whole.bundle($0) }
        try live(whole, bundles)
        #expect(whole.open().lastGood?.version == 3)
        #expect(whole.open().quarantined.count == 1)
        var random = RandomNumbers(seed: 21)
        for (count, size) in Array(whole.folder.operations.enumerated()).sweepShare {
            // The last byte that was written is the first one, the last one, or any other.
            for cut in Set([0, size, random.below(size + 1), random.below(size + 1)]) {
                var sample = StoreSample(key: whole.key)
                sample.configuration.probation = nil
                sample.folder.stop(after: count, cut: cut)
                try live(sample, bundles)
                sample.folder.restart(after: end, &random)
                let (store, version) = try sample.start()
                #expect(store.changes.allSatisfy { $0.kind != .reset })
                if let good = store.lastGood?.version { #expect(version >= good) }
                // It goes on as ever.
                try store.confirm()
                _ = try store.stage(sample.bundle(7))
                #expect(try sample.start().version == 7)
                #expect(sample.folder.names().count <= 4)
            }
        }
    }
}
#endif
