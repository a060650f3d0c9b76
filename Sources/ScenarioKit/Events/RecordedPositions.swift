// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The positions of events that would otherwise be searched for repeatedly.
///
/// A recording may have a million events: a search from each of them would take too long.
struct RecordedPositions {
    /// The events that end a navigation, by its number, in order.
    private var ends: [Int?: [Int]] = [:]
    /// The events that end the restoration of a snapshot, by the number of its navigation, in order.
    private var restorations: [Int?: [Int]] = [:]
    /// The first restored snapshot.
    private var firstRestoration = Int.max
    /// The events of committed changes, in order.
    private var commits: [Int] = []

    init(_ events: [Event]) {
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .done, .stayed: ends[event.navigation, default: []].append(index)
            case .failed, .cancelled:
                ends[event.navigation, default: []].append(index)
                restorations[event.navigation, default: []].append(index)
            case .restore:
                restorations[event.navigation, default: []].append(index)
                firstRestoration = min(firstRestoration, index)
            case .commit: commits.append(index)
            default: break
            }
        }
    }

    /// Returns the first event from an index on that ends a navigation; nil if there is none.
    func end(of navigation: Int?, from index: Int) -> Int? {
        first(of: ends[navigation] ?? [], from: index)
    }

    /// Returns the first event from an index on that ends the restoration of a snapshot; nil if there
    /// is none.
    func restoration(of navigation: Int?, from index: Int) -> Int? {
        first(of: restorations[navigation] ?? [], from: index)
    }

    /// Returns whether a snapshot was restored before an event.
    func hasRestoration(before index: Int) -> Bool { firstRestoration < index }

    /// Returns whether a range of events has a committed change.
    func hasCommit(in range: Range<Int>) -> Bool {
        first(of: commits, from: range.lowerBound).map { $0 < range.upperBound } ?? false
    }

    private func first(of indices: [Int], from index: Int) -> Int? {
        let position = indices.sortedFirstIndex(where: { $0 >= index })
        return position < indices.count ? indices[position] : nil
    }
}

extension Array {
    /// Returns the index of the first element for which a condition is true, if it is also true for
    /// all later elements; the number of elements if there is none.
    ///
    /// - Complexity: O(log *n*).
    func sortedFirstIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
