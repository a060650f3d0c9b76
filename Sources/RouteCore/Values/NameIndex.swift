// SPDX-License-Identifier: MIT

/// A lookup table for a fixed set of names, which are compared by their bytes.
///
/// The index is used for the keys of definitions and the words of scenario files. A lookup takes
/// constant time and creates no strings.
package struct NameIndex: Sendable {
    private let bytes: [UInt8]
    /// The offset of the first byte of each name, and the end of the last name.
    private let starts: [Int]
    /// A hash table of the positions of names, counted from 1; 0 marks a free slot.
    ///
    /// The position of a name is in the slot given by the hash of the name, or in the next free
    /// slot.
    private let places: [UInt8]

    /// Creates an index of up to 255 distinct names.
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

    /// Returns the index of a name in the array that was passed to the initializer; nil for any
    /// other text.
    package func index(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the index of the name that a range of bytes contains; nil if the range contains any
    /// other text.
    package func index(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { index(of: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Returns the index of the name with the given bytes; nil for any other text.
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

    /// Returns a hash of the length and of a few bytes of a name.
    ///
    /// Most names of a set differ in their length or in one of these bytes.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = UInt32(name[name.count / 2])
        let hash =
            UInt32(first) &* 37 &+ UInt32(last) &* 101 &+ middle &* 11
            &+ UInt32(truncatingIfNeeded: name.count)
        return Int(hash ^ hash >> 7)
    }
}
