// SPDX-License-Identifier: MIT

package import RouteCore

/// The entries of the table of a definition or a link, by key.
///
/// The table is read once, not searched for each of the keys.
package struct Definition {
    /// The keys of a definition; their texts are the names of the cases.
    package enum Key: UInt8, CaseIterable {
        case info, find, reuse, prepare, build, update, via, from, intercept, after, closed, adapt
        case needs, enabled, fallback, origin, url, vanished, ready, examples, override
    }

    private static let keys = NameIndex(Key.allCases.map { "\($0)" })

    private let table: Table
    /// By key the position of its entry, from 1 on; 0 where there is none.
    private var places = SIMD32<UInt8>()

    /// Reads a table, whose keys are checked already.
    package init(_ table: Table) {
        self.table = table
        let keys = Self.keys
        for index in table.entries.indices {
            if let key = keys.index(of: table.entries[index].key) { places[key] = UInt8(index + 1) }
        }
    }

    /// Whether one of some keys is given.
    package func has(anyOf keys: [Key]) -> Bool { keys.contains { places[Int($0.rawValue)] != 0 } }

    /// The value of a key; nil where it is not given.
    package subscript(key: Key) -> Value {
        let place = places[Int(key.rawValue)]
        return place == 0 ? .nil : table.entries[Int(place) - 1].value
    }
}
