// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The pending tasks of the host, by number.
struct PendingTasks {
    private var tasks: [Int: (target: Target, event: Int)] = [:]
    /// The task numbers of each target, as a binary heap with the lowest number first.
    ///
    /// The number of an ended task is removed only when it is the lowest.
    private var numbers: [Target: [Int]] = [:]

    /// The target of a task, and the index of the event with which the task began; `nil` if the
    /// task has ended.
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

    /// Returns whether a task has the lowest number of all pending tasks with the same target.
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
