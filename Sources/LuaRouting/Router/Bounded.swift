// SPDX-License-Identifier: MIT

/// A queue with a maximum number of elements and of bytes.
///
/// Every queue that scripts can fill is of this type. An element that does not fit is dropped and
/// counted. The bytes of the queued elements count as memory of the scripts.
package struct Bounded<Element> {
    /// The maximum number of elements.
    package let limit: Int
    /// The maximum number of bytes of all elements together.
    package let byteLimit: Int
    // Removed elements are nil; they are always at the front.
    private var slots: [(element: Element, bytes: Int)?] = []
    private var head = 0
    /// The number of bytes of the elements, as given when they were appended.
    package private(set) var bytes = 0
    /// The number of elements that were dropped since the last call to ``takeDropped()``.
    package private(set) var dropped = 0

    /// Creates an empty queue.
    package init(limit: Int = .max, bytes: Int = .max) {
        self.limit = limit
        byteLimit = bytes
    }

    /// The number of elements.
    package var count: Int { slots.count - head }
    package var isEmpty: Bool { count == 0 }

    /// The oldest element; nil if there is none.
    package var first: Element? { isEmpty ? nil : slots[head]?.element }

    /// The elements, the oldest first.
    package var elements: [Element] { slots[head...].compactMap { $0?.element } }

    /// Adds an element at the end, unless the queue is full.
    ///
    /// - Returns: Whether the element was added. If not, the element is counted in ``dropped``.
    /// - Complexity: O(1) on average.
    @discardableResult
    package mutating func append(_ element: Element, bytes: Int = 0) -> Bool {
        guard count < limit, bytes <= byteLimit - self.bytes else {
            dropped += 1
            return false
        }
        slots.append((element, bytes))
        self.bytes += bytes
        return true
    }

    /// Adds an element at the front.
    ///
    /// The limits do not apply, and the element counts as 0 bytes.
    package mutating func prepend(_ element: Element) {
        if head == 0 {
            slots.insert((element, 0), at: 0)
        } else {
            head -= 1
            slots[head] = (element, 0)
        }
    }

    /// Removes the oldest element.
    ///
    /// The queue must not be empty.
    ///
    /// - Complexity: O(1) on average.
    @discardableResult
    package mutating func removeFirst() -> Element {
        guard let first = slots[head] else { preconditionFailure("the queue has an empty slot") }
        slots[head] = nil
        head += 1
        bytes -= first.bytes
        if head == slots.count {
            slots.removeAll(keepingCapacity: slots.count <= 64)
            head = 0
        } else if head > 64, head > slots.count / 2 {
            slots.removeFirst(head)
            head = 0
        }
        return first.element
    }

    /// Changes the oldest element.
    ///
    /// The queue must not be empty.
    package mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard var first = slots[head] else { preconditionFailure("the queue has an empty slot") }
        change(&first.element)
        slots[head] = first
    }

    /// Removes all elements, but does not reset ``dropped``.
    package mutating func removeAll() {
        (slots, head, bytes) = ([], 0, 0)
    }

    /// Returns ``dropped``, and resets it to 0.
    package mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }
}
