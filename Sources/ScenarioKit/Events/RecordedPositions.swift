// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The positions of events in a recording, for fast lookup.
///
/// A recording may have a million events, so a search from each event would take too long.
struct RecordedPositions {
    /// The positions of the events that end a navigation, in order, by the number of the
    /// navigation.
    private var ends: [Int?: [Int]] = [:]
    /// The positions of the events that end the restoration of a snapshot, in order, by the number
    /// of the navigation.
    private var restorations: [Int?: [Int]] = [:]
    /// The position of the first restoration of a snapshot.
    private var firstRestoration = Int.max
    /// The positions of committed changes, in order.
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

    /// Returns the position of the first event, at or after an index, that ends a navigation; `nil`
    /// if there is none.
    func end(of navigation: Int?, from index: Int) -> Int? {
        first(of: ends[navigation] ?? [], from: index)
    }

    /// Returns the position of the first event, at or after an index, that ends the restoration of
    /// a snapshot; `nil` if there is none.
    func restoration(of navigation: Int?, from index: Int) -> Int? {
        first(of: restorations[navigation] ?? [], from: index)
    }

    /// Returns whether a snapshot was restored before an event.
    func hasRestoration(before index: Int) -> Bool { firstRestoration < index }

    /// Returns whether a range of events contains a committed change.
    func hasCommit(in range: Range<Int>) -> Bool {
        first(of: commits, from: range.lowerBound).map { $0 < range.upperBound } ?? false
    }

    private func first(of indices: [Int], from index: Int) -> Int? {
        let position = indices.sortedFirstIndex(where: { $0 >= index })
        return position < indices.count ? indices[position] : nil
    }
}

extension Array {
    /// Returns the index of the first element for which a condition is true; `count` if there is
    /// none.
    ///
    /// The condition must also be true for all later elements.
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
