// SPDX-License-Identifier: MIT

#if Bundles
import Testing

@testable import LuaRouteBundles

@Suite struct StoreInternalsTests {
    @Test(
        "the counts of a bundle and of the last good bundle decide whether the bundle passes, is held back or is rolled back",
        arguments: [
            // Navigations, failures that cause a rollback, other failures, and seconds.
            ([10, 2, 0, 0], [0, 0, 0], "pending"), ([10, 3, 0, 0], [0, 0, 0], "failed"),
            ([99, 2, 0, 599], [1_000, 0, 0], "pending"),
            ([100, 2, 0, 0], [1_000, 0, 0], "passed"),
            ([1, 0, 0, 600], [1_000, 0, 0], "passed"), ([100, 3, 0, 0], [1_000, 0, 0], "failed"),
            // As often as twice the last good bundle.
            ([100, 22, 0, 0], [1_000, 100, 0], "passed"),
            ([100, 23, 0, 0], [1_000, 100, 0], "failed"),
            // The only navigation of the last good one failed.
            ([50, 3, 0, 0], [1, 1, 0], "pending"), ([50, 4, 0, 0], [1, 1, 0], "failed"),
            // Other failures decide only when the probation ends.
            ([99, 0, 99, 0], [1_000, 0, 0], "pending"), ([100, 0, 2, 0], [1_000, 0, 0], "passed"),
            ([100, 0, 3, 0], [1_000, 0, 0], "held"), ([3, 0, 3, 600], [1_000, 0, 0], "held"),
            ([100, 0, 22, 0], [1_000, 0, 100], "passed"),
            ([100, 0, 23, 0], [1_000, 0, 100], "held"), ([100, 3, 3, 0], [1_000, 0, 0], "failed"),
        ]
    )
    func verdicts(_ counts: [Int], _ lastGood: [Int], _ expected: String) {
        let verdict = Probation().verdict(
            on: .init(
                navigations: counts[0],
                failures: counts[1],
                otherFailures: counts[2],
                seconds: counts[3]
            ),
            comparedWith: .init(
                navigations: lastGood[0],
                failures: lastGood[1],
                otherFailures: lastGood[2]
            )
        )
        #expect("\(verdict)".hasPrefix(expected))
    }

    @Test(
        "the code of a failure determines whether the failure counts",
        arguments: [
            ("script", 1, 0), ("timeout", 1, 0), ("notFound", 0, 1), ("host", 0, 1),
            ("forbidden", 0, 1), ("stopped", 0, 0), ("superseded", 0, 0), (nil, 0, 0),
        ] as [(String?, Int, Int)]
    )
    func codes(_ code: String?, _ failures: Int, _ others: Int) {
        var counts = Probation.Counts()
        counts.add(code: code)
        #expect(
            counts == .init(navigations: 1, failures: failures, otherFailures: others, seconds: 0)
        )
    }

    @Test(
        "a bundle loads only if the store's record agrees with the version and name in its manifest",
        arguments: [
            ("\"version\":1,", "\"version\":999,"), ("\"name\":\"podcast\"", "\"name\":\"other\""),
            ("\"unconfirmedStarts\":0", "\"unconfirmedStarts\":-9"), ("", ""),
        ]
    )
    func forged(_ old: String, _ new: String) throws {
        var sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(1))
        // The app is newer, unless nothing is changed.
        sample.embeddedVersion = old.hasPrefix("\"version") ? 1 : 0
        sample.folder.damage(StoreState.fileName) { bytes in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            var text = String(decoding: line, as: UTF8.self)
            if !old.isEmpty { text = text.replacing(old, with: new) }
            bytes = Array("\(text)\n\(BundleDigest.text(of: text.utf8))\n".utf8)
        }
        #expect(try sample.start().version == (old.isEmpty || old.hasPrefix("\"name") ? 1 : 0))
    }

    @Test(
        "a record whose counts would overflow is treated as damaged",
        arguments: ["navigations", "failures", "otherFailures", "seconds"]
    )
    func counts(_ name: String) throws {
        func record(_ count: Int) -> StoreState? {
            let line = StoreState().document.prefix { $0 != UInt8(ascii: "\n") }
            let text = String(decoding: line, as: UTF8.self)
                .replacing("\"\(name)\":0", with: "\"\(name)\":\(count)")
            let digest = BundleDigest.text(of: text.utf8)
            return StoreState(Array("\(text)\n\(digest)\n".utf8))
        }
        #expect(record(1_000_000) != nil)
        #expect(record(Int.max) == nil)
        #expect(record(-1) == nil)
    }
}
#endif
