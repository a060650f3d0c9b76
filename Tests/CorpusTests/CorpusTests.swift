// SPDX-License-Identifier: MIT

import Foundation
import FuzzTargets
import Testing

/// Replays the inputs in `Tests/Corpus`: those that broke something once, and those that reach far.
///
/// `scripts/dev/fuzz.sh` looks for more of them.
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

    @Test("inputs found by fuzzing do not crash the parsers", arguments: FuzzTarget.allCases)
    func replay(_ target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(names.count >= 10, "a corpus expected in \(folder.path)")
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            #expect(target.faults(of: bytes) == [], "\(target.rawValue)/\(name)")
        }
    }
}
