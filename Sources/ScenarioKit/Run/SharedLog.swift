// SPDX-License-Identifier: MIT

/// A list that only grows at its end, and whose copies share their elements.
///
/// A session has a copy for each state that can be restored. Copies of an array would each have the
/// whole list, because the session appends to it after each of them.
///
/// A copy takes O(1), and so does appending, unless another copy has gone on from the same element:
/// then it copies the elements once.
struct SharedLog<Element>: RandomAccessCollection {
    private final class Storage {
        var elements: [Element]

        init(_ elements: [Element]) { self.elements = elements }
    }

    private var storage: Storage
    private(set) var endIndex: Int

    init(_ elements: [Element] = []) {
        storage = Storage(elements)
        endIndex = elements.count
    }

    var startIndex: Int { 0 }

    subscript(index: Int) -> Element {
        precondition(index < endIndex, "index out of range")
        return storage.elements[index]
    }

    subscript(range: Range<Int>) -> ArraySlice<Element> {
        precondition(range.upperBound <= endIndex, "range out of bounds")
        return storage.elements[range]
    }

    mutating func append(_ element: Element) {
        if storage.elements.count > endIndex {
            storage = Storage(Array(storage.elements[..<endIndex]))
        }
        storage.elements.append(element)
        endIndex += 1
    }
}
