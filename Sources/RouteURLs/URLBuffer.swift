// SPDX-License-Identifier: MIT

/// A growable array of trivial elements.
///
/// Elements are accessed through a pointer, without reference counting.
///
/// Copies of the buffer share the memory. Exactly one of the copies must deallocate the memory.
struct URLBuffer<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    /// Creates an empty buffer.
    init(capacity: Int = 1) {
        self.capacity = max(capacity, 1)
        base = .allocate(capacity: self.capacity)
    }

    /// Creates a buffer with `count` copies of the element.
    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        base.initialize(repeating: element, count: count)
        self.count = count
    }

    /// Creates a buffer with the same elements as another buffer, in separate memory.
    init(copying other: URLBuffer) {
        self.init(capacity: other.count)
        append(contentsOf: UnsafeBufferPointer(start: other.base, count: other.count))
    }

    subscript(index: Int) -> Element {
        @inline(__always) get { base[index] }
        @inline(__always) nonmutating set { base[index] = newValue }
    }

    mutating func append(_ element: Element) {
        if count == capacity { resize(to: capacity * 2) }
        base[count] = element
        count += 1
    }

    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if count + elements.count > capacity {
            resize(to: max(capacity * 2, count + elements.count))
        }
        (base + count).update(from: start, count: elements.count)
        count += elements.count
    }

    /// Removes all elements after the first `count` elements.
    mutating func truncate(to count: Int) { self.count = min(self.count, count) }

    /// Frees unused capacity.
    mutating func trim() {
        if capacity > max(count, 1) { resize(to: max(count, 1)) }
    }

    func deallocate() { base.deallocate() }

    private mutating func resize(to capacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        (base, self.capacity) = (larger, capacity)
    }
}
