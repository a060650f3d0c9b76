// SPDX-License-Identifier: MIT

internal import RouteCore

/// A lookup table for a closed set of names, by their bytes.
///
/// It finds the keys of definitions and the words of scenario files in constant time, without
/// creating strings.
package struct NameIndex: Sendable {
    private let bytes: [UInt8]
    /// The offsets of the bytes of each name, and the end of the last one.
    private let starts: [Int]
    /// The positions of names, from 1, by hash; 0 for an empty slot.
    ///
    /// If a slot is taken, the name is in the next free slot.
    private let places: [UInt8]

    /// Creates an index of fewer than 256 distinct names.
    package init(_ names: [String]) {
        var size = 4
        while size < names.count * 4 { size *= 2 }
        var places = [UInt8](repeating: 0, count: size)
        var (bytes, starts): ([UInt8], [Int]) = ([], [0])
        for (index, name) in names.enumerated() {
            let name = Array(name.utf8)
            var place = name.withUnsafeBytes(Self.hash) & (size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt8(index + 1)
            bytes += name
            starts.append(bytes.count)
        }
        (self.bytes, self.starts, self.places) = (bytes, starts, places)
    }

    /// Returns the position of a name in the array of the initializer; nil for any other text.
    package func index(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the position of the name in a string argument; nil for any other argument.
    func index(of argument: Argument) -> Int? {
        argument.kind == .string ? index(of: argument.bytes) : nil
    }

    /// Returns the position of the name in a range of bytes.
    package func index(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { index(of: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Returns the position of a name, by its bytes.
    package func index(of name: UnsafeRawBufferPointer) -> Int? {
        var place = Self.hash(name) & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if isName(index, name) { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private func isName(_ index: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        let start = starts[index]
        guard starts[index + 1] - start == name.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            for offset in 0..<name.count where bytes[start &+ offset] != name[offset] {
                return false
            }
            return true
        }
    }

    /// Returns a hash of the length and a few bytes, which differ for most names of a set.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = UInt32(name[name.count / 2])
        let hash =
            UInt32(first) &* 37 &+ UInt32(last) &* 101 &+ middle &* 11
            &+ UInt32(truncatingIfNeeded: name.count)
        return Int(hash ^ hash >> 7)
    }
}
