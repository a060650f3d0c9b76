// SPDX-License-Identifier: MIT

/// Finds what a person probably meant.
public enum Suggestion {
    /// The known name nearest to an unknown one, or nil where none is near.
    ///
    /// Near is an edit distance (insert, remove, replace, swap neighbours) of 1 for names
    /// of up to four letters, of 2 for longer ones; upper and lower case count as half.
    /// Of equally near names the first in the order of bytes is taken.
    ///
    /// - Complexity: O(*n* · *m*²) for *n* names of *m* letters.
    public static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let limit = name.utf8.count <= 4 ? 2 : 4
        var best: (distance: Int, name: String)?
        let bytes = Array(name.utf8)
        for candidate in known where candidate != name {
            guard abs(candidate.utf8.count - bytes.count) * 2 <= limit else { continue }
            let distance = distance(bytes, Array(candidate.utf8), upTo: limit)
            guard distance <= limit else { continue }
            if let best, (best.distance, best.name) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.name
    }

    /// The end of a message about an unknown name: `, did you mean 'x'?` or nothing.
    public static func hint(for name: String, among known: some Sequence<String>) -> String {
        nearest(to: name, among: known).map { ", did you mean '\($0)'?" } ?? ""
    }

    /// The distance in half edits; some number above the limit where it is larger.
    private static func distance(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = (0...right.count).map { $0 * 2 }
        var current = beforeLast
        for row in left.indices {
            current[0] = (row + 1) * 2
            var least = current[0]
            for column in right.indices {
                var cost = min(last[column + 1] + 2, current[column] + 2)
                cost = min(cost, last[column] + replacement(left[row], right[column]))
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 2)
                }
                current[column + 1] = cost
                least = min(least, cost)
            }
            // What two rows in a row exceed is not made good: a swap looks back over one.
            if least > limit, last.allSatisfy({ $0 > limit }) { return limit + 1 }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[right.count]
    }

    private static func replacement(_ left: UInt8, _ right: UInt8) -> Int {
        if left == right { return 0 }
        return Name.isLetter(left) && left ^ right == 0x20 ? 1 : 2
    }
}
