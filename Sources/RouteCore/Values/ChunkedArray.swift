// SPDX-License-Identifier: MIT

/// An array that is stored in chunks, which copies of the array share.
///
/// A change at the end copies only the affected chunks. An array of up to 32 elements is stored as
/// one plain array.
///
/// Comparing a chunk that two copies share takes O(1).
///
///     let stack: ChunkedArray<Int> = [1, 2, 3]
///     let below = stack.dropLast()
struct ChunkedArray<Element> {
    /// The full chunks, in groups of 32; only the last group may have fewer chunks.
    var groups: ContiguousArray<ContiguousArray<[Element]>> = []
    /// The elements after the full chunks.
    ///
    /// The tail is empty only if the array is empty.
    var tail: [Element] = []

    /// The binary logarithm of the number of elements in a chunk, and of chunks in a group.
    static var bits: Int { 5 }
    static var size: Int { 1 << bits }

    /// Creates an empty array.
    init() {}

    /// Creates an array with the elements of a sequence.
    init(_ elements: some Sequence<Element>) {
        append(contentsOf: elements)
    }

    /// The elements as a plain array.
    ///
    /// - Complexity: O(1) for up to 32 elements, otherwise O(*n*).
    var array: [Element] { groups.isEmpty ? tail : Array(self) }

    /// The number of elements in the full chunks.
    var fullCount: Int {
        guard let last = groups.last else { return 0 }
        return ((groups.count - 1) << Self.bits + last.count) << Self.bits
    }

    /// Adds an element at the end.
    ///
    /// - Complexity: O(1) for an array without copies, otherwise amortized O(*n* / 1024).
    mutating func append(_ element: Element) {
        if tail.count == Self.size {
            if groups.last?.count ?? Self.size == Self.size { groups.append([]) }
            groups[groups.count - 1].append(tail)
            tail = []
        }
        tail.append(element)
    }

    mutating func append(contentsOf elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// Removes all elements after the first `newCount`.
    ///
    /// - Complexity: O(*k* + *n* / 1024), where *n* is the number of elements, and *k* the number
    ///   of removed elements.
    mutating func truncate(to newCount: Int) {
        let fullCount = fullCount
        if newCount > fullCount || groups.isEmpty {
            tail.removeSubrange((newCount - fullCount)...)
            return
        }
        // The chunk that contains the new last element.
        let chunk = Swift.max(newCount - 1, 0) >> Self.bits
        let (group, index) = (chunk >> Self.bits, chunk & (Self.size - 1))
        tail = groups[group][index]
        tail.removeSubrange((newCount - chunk << Self.bits)...)
        groups.removeSubrange((group + 1)...)
        groups[group].removeSubrange(index...)
        if index == 0 { groups.removeLast() }
    }

    /// Returns the last element that satisfies a condition.
    func last(where accepts: (Element) -> Bool) -> Element? {
        if let last = tail.last(where: accepts) { return last }
        for group in groups.reversed() {
            for chunk in group.reversed() {
                if let last = chunk.last(where: accepts) { return last }
            }
        }
        return nil
    }

    /// Replaces the elements of a range with other elements.
    ///
    /// - Complexity: The cost of a change at the end, plus O(*m*), where *m* is the number of new
    ///   elements and elements after the range.
    mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
        if groups.isEmpty, tail.count - range.count + elements.count <= Self.size {
            tail.replaceSubrange(range, with: elements)
            return
        }
        let rest = Array(self[range.upperBound...])
        truncate(to: range.lowerBound)
        append(contentsOf: elements)
        append(contentsOf: rest)
    }
}

extension ChunkedArray: RandomAccessCollection {
    /// The start index: 0.
    var startIndex: Int { 0 }
    /// The end index: the number of elements.
    var endIndex: Int { fullCount + tail.count }

    /// The element at a position.
    ///
    /// - Complexity: O(1).
    subscript(position: Int) -> Element {
        let chunk = position >> Self.bits
        let group = chunk >> Self.bits
        if group >= groups.count || chunk & (Self.size - 1) >= groups[group].count {
            return tail[position - fullCount]
        }
        return groups[group][chunk & (Self.size - 1)][position & (Self.size - 1)]
    }
}

extension ChunkedArray: Equatable where Element: Equatable {
    /// Returns the length of the common prefix of two arrays.
    ///
    /// - Complexity: O(*k* + *n* / 1024), where *n* is the number of elements, and *k* the number
    ///   of elements in chunks that are not shared.
    func commonPrefixCount(with other: Self) -> Int {
        if groups.isEmpty, other.groups.isEmpty {
            let end = Swift.min(tail.count, other.tail.count)
            var count = 0
            while count < end, tail[count] == other.tail[count] { count += 1 }
            return count
        }
        // Arrays that share their storage are compared in O(1).
        let group = zip(groups, other.groups).count(while: { $0 == $1 })
        var chunks = group > 0 ? (group - 1) << Self.bits + groups[group - 1].count : 0
        if group < groups.count, group < other.groups.count {
            chunks += zip(groups[group], other.groups[group]).count(while: { $0 == $1 })
        }
        let count = chunks << Self.bits
        return count + zip(self[count...], other[count...]).count(while: { $0 == $1 })
    }
}

extension Sequence {
    /// Returns the number of elements before the first that does not satisfy a condition.
    fileprivate func count(while accepts: (Element) -> Bool) -> Int {
        var count = 0
        for element in self {
            guard accepts(element) else { break }
            count += 1
        }
        return count
    }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray: ExpressibleByArrayLiteral {
    /// Creates an array with the elements of a literal.
    init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}
