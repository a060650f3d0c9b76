// SPDX-License-Identifier: MIT

import Foundation
import FuzzTargets
import Testing

/// Replays the inputs in `Tests/Corpus`: inputs that once revealed a bug, and inputs that reach
/// code that is hard to reach.
///
/// `scripts/dev/fuzz.sh` searches for more such inputs.
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
