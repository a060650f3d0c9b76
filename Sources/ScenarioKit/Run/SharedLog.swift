// SPDX-License-Identifier: MIT

/// An append-only list whose copies share their elements.
///
/// A session keeps a copy for each state that can be restored, and appends to the list after each
/// copy. Copies of an array would each contain all elements.
///
/// Copying and appending take O(1). If another copy has already appended an element at the same
/// index, the list continues in a new storage. Access to an element takes one step for each storage
/// between the end of the list and the element.
struct SharedLog<Element>: RandomAccessCollection {
    private final class Storage {
        /// The list of the preceding elements; `nil` if there are none.
        let before: SharedLog?
        var elements: [Element]

        init(after before: SharedLog?, _ elements: [Element] = []) {
            (self.before, self.elements) = (before, elements)
        }

        /// The index of the first element.
        var start: Int { before?.endIndex ?? 0 }
    }

    private var storage: Storage
    private(set) var endIndex: Int

    init(_ elements: [Element] = []) {
        storage = Storage(after: nil, elements)
        endIndex = elements.count
    }

    var startIndex: Int { 0 }

    subscript(index: Int) -> Element {
        precondition(index < endIndex, "index out of range")
        var storage = storage
        while let before = storage.before, index < before.endIndex { storage = before.storage }
        return storage.elements[index - storage.start]
    }

    func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Element>) throws -> Result
    ) rethrows -> Result? {
        guard storage.before == nil else { return nil }
        return try storage.elements.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[..<endIndex]))
        }
    }

    mutating func append(_ element: Element) {
        if storage.start + storage.elements.count > endIndex {
            // Storages of which this copy uses no elements are skipped.
            var before = self
            while let earlier = before.storage.before, earlier.endIndex == endIndex {
                before = earlier
            }
            storage = Storage(after: before)
        }
        storage.elements.append(element)
        endIndex += 1
    }
}
