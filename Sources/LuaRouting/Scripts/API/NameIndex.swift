// SPDX-License-Identifier: MIT

/// Some fixed names, each found by its text at once: what scripts write is looked up in these more
/// often than in anything else.
struct NameIndex: Sendable {
    private let names: [String]
    /// By the hash of a name its position, from 1 on; 0 where there is none. What is taken already
    /// goes to the next free place.
    private let places: [UInt8]

    /// Creates an index of names, of which there must be fewer than 128 and no two equal ones.
    init(_ names: [String]) {
        var size = 4
        while size < names.count * 4 { size *= 2 }
        var places = [UInt8](repeating: 0, count: size)
        for (index, name) in names.enumerated() {
            var place = Self.hash(name) & (size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt8(index + 1)
        }
        (self.names, self.places) = (names, places)
    }

    /// The position of a name among those that the index was made of; nil for any other text.
    func index(of name: String) -> Int? {
        var place = Self.hash(name) & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            // Of one length, as another spelling of a character of ASCII is not.
            if names[index].utf8.count == name.utf8.count, names[index] == name { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private static func hash(_ name: String) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            var hash: UInt32 = 0
            for byte in bytes { hash = hash &* 31 &+ UInt32(byte) }
            return Int(hash ^ hash >> 7)
        }
    }
}
