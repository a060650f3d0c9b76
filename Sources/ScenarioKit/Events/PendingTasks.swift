// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The pending tasks of the host, by number.
struct PendingTasks {
    private var tasks: [Int: (target: Target, event: Int)] = [:]
    /// The numbers of each target's tasks as a binary heap, the lowest first; ended tasks are removed
    /// when they are the lowest.
    private var numbers: [Target: [Int]] = [:]

    /// The target of a task, and the index of the event with which it began; nil if it has ended.
    subscript(number: Int) -> (target: Target, event: Int)? { tasks[number] }

    /// Adds a task.
    ///
    /// - Complexity: O(log *n*).
    mutating func begin(_ number: Int, _ target: Target, event: Int) {
        tasks[number] = (target, event)
        numbers[target, default: []].insertIntoHeap(number)
    }

    /// Removes a task.
    mutating func end(_ number: Int) { tasks[number] = nil }

    /// Returns whether a pending task has the lowest number of its target.
    ///
    /// - Complexity: O(log *n*), amortized.
    mutating func isLowest(_ number: Int) -> Bool {
        guard let target = tasks[number]?.target else { return false }
        while let lowest = numbers[target]?.first {
            if tasks[lowest]?.target == target { return lowest == number }
            numbers[target]?.removeFirstOfHeap()
        }
        return true
    }
}

extension [Int] {
    fileprivate mutating func insertIntoHeap(_ number: Int) {
        append(number)
        var child = count - 1
        while child > 0, self[child] < self[(child - 1) / 2] {
            swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    fileprivate mutating func removeFirstOfHeap() {
        swapAt(0, count - 1)
        removeLast()
        var parent = 0
        while true {
            let children = (2 * parent + 1..<2 * parent + 3).clamped(to: indices)
            guard let least = children.min(by: { self[$0] < self[$1] }), self[least] < self[parent]
            else { return }
            swapAt(parent, least)
            parent = least
        }
    }
}
