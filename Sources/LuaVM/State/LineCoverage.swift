// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A record of the lines that ran in each chunk, for tests.
///
/// The type is sendable because only one thread uses an instance at a time: first the thread of the
/// recorded states, later the thread of the reader.
package final class LineCoverage: @unchecked Sendable {
    let record = luaroute_coverage_create()

    /// Creates an empty record.
    package init() {}

    deinit { luaroute_coverage_free(record) }

    /// The lines that ran in each chunk, by the name of the chunk.
    ///
    /// Chunks of the host are not included.
    ///
    /// - Complexity: O(*n*) in the number of lines.
    package var lines: [String: LineSet] {
        var result: [String: LineSet] = [:]
        for index in 0..<luaroute_covered_chunks(record) {
            guard let name = luaroute_covered_name(record, index) else { continue }
            var count = 0
            let bits = luaroute_covered_lines(record, index, &count)
            let bytes = UnsafeBufferPointer(start: bits, count: count)
            result[String(cString: name), default: LineSet()].formUnion(LineSet(bits: bytes))
        }
        return result
    }
}

/// A set of line numbers, starting at 0.
package struct LineSet: Sendable, Equatable {
    /// One bit for each line.
    private var bits: [UInt8] = []

    /// Creates an empty set.
    package init() {}

    fileprivate init(bits: UnsafeBufferPointer<UInt8>) { self.bits = Array(bits) }

    /// The number of lines.
    package var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The lines, in order.
    package var lines: [Int] { (0..<bits.count * 8).filter(contains) }

    /// Returns whether a line is in the set.
    package func contains(_ line: Int) -> Bool {
        line >= 0 && line / 8 < bits.count && bits[line / 8] & 1 << (line % 8) != 0
    }

    /// Adds a line.
    package mutating func insert(_ line: Int) {
        if line / 8 >= bits.count {
            bits += Array(repeating: 0, count: line / 8 + 1 - bits.count)
        }
        bits[line / 8] |= 1 << (line % 8)
    }

    /// Adds the lines of another set.
    package mutating func formUnion(_ other: LineSet) {
        if bits.count < other.bits.count {
            bits += Array(repeating: 0, count: other.bits.count - bits.count)
        }
        for (index, byte) in other.bits.enumerated() { bits[index] |= byte }
    }
}
