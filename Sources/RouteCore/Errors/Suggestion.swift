// SPDX-License-Identifier: MIT

/// Suggestions for misspelled names.
package enum Suggestion {
    /// Returns the known name that is nearest to an unknown one; nil if no name is near.
    ///
    /// A name is near if its edit distance is at most 1 for names of up to four letters, or at most
    /// 2 for longer names. An edit inserts, removes or replaces a letter, or swaps two adjacent
    /// letters; a difference in case counts as half an edit. Among equally near names, the first in
    /// byte order wins.
    ///
    /// Returns nil for a name longer than ``maximumLength`` bytes.
    ///
    /// - Complexity: O(*n* · *m*) for *n* names of *m* letters. Names of a very different length
    ///   are skipped after one comparison of the lengths.
    package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let limit = name.utf8.count <= 4 ? 2 : 4
        guard name.utf8.count <= maximumLength else { return nil }
        var best: (distance: Int, name: String)?
        let bytes = Array(name.utf8)
        for candidate in known where abs(candidate.utf8.count - bytes.count) * 2 <= limit {
            guard candidate != name else { continue }
            let distance = distance(bytes, Array(candidate.utf8), upTo: limit)
            guard distance <= limit else { continue }
            if let best, (best.distance, best.name) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.name
    }

    /// Returns the known word that is nearest to an unknown word; nil if there is none.
    ///
    /// If ``nearest(to:among:)`` finds no word, the result is the first known word that extends or
    /// abbreviates the unknown word, such as `integer` for `int`.
    package static func nearestWord(to name: String, among known: [String]) -> String? {
        let small = name.lowercased()
        return nearest(to: name, among: known)
            ?? known.first {
                min(small.utf8.count, $0.utf8.count) >= 3
                    && ($0.hasPrefix(small) || small.hasPrefix($0))
            }
    }

    /// The maximum length of a name, in bytes, for which a suggestion is searched.
    package static let maximumLength = 256

    /// Returns the end of a message about an unknown name: a suggestion such as
    /// `, did you mean 'x'?`, a remark that a known name differs only in its Unicode form, or an
    /// empty string.
    package static func hint(for name: String, among known: some Sequence<String>) -> String {
        if known.contains(where: { UnicodeForm.differs($0, name) }) {
            return " (\(UnicodeForm.remark))"
        }
        return nearest(to: name, among: known).map { ", did you mean '\($0)'?" } ?? ""
    }

    /// Returns the edit distance in half edits, or any number above the limit if the distance
    /// exceeds the limit.
    ///
    /// The common prefix and suffix of the names are skipped. In the rest, two positions are
    /// compared only if they are no further apart than the number of insertions or removals that
    /// the limit allows.
    private static func distance(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int {
        var (start, leftEnd, rightEnd) = (0, left.count, right.count)
        while start < leftEnd, start < rightEnd, left[start] == right[start] { start += 1 }
        while leftEnd > start, rightEnd > start, left[leftEnd - 1] == right[rightEnd - 1] {
            leftEnd -= 1
            rightEnd -= 1
        }
        let (rows, columns, reach) = (leftEnd - start, rightEnd - start, limit / 2)
        guard abs(rows - columns) <= reach else { return limit + 1 }
        var beforeLast = [Int](repeating: limit + 1, count: columns + 1)
        var last = (0...columns).map { $0 * 2 }
        var current = beforeLast
        for row in 0..<rows {
            let first = max(0, row - reach)
            let end = min(columns, row + reach + 1)
            // Positions that are not compared exceed the limit.
            current[first] = first == 0 ? (row + 1) * 2 : limit + 1
            if end < columns { current[end + 1] = limit + 1 }
            var least = current[first]
            for column in first..<max(first, end) {
                let (letter, other) = (left[start + row], right[start + column])
                var cost = min(last[column + 1] + 2, current[column] + 2)
                cost = min(cost, last[column] + replacement(letter, other))
                if row > 0, column > 0, letter == right[start + column - 1],
                    left[start + row - 1] == other
                {
                    cost = min(cost, beforeLast[column - 1] + 2)
                }
                current[column + 1] = cost
                least = min(least, cost)
            }
            // If two consecutive rows are above the limit, all later rows are too, because a row
            // depends only on the two rows before it.
            if least > limit, row > 0, last[first...end].allSatisfy({ $0 > limit }) {
                return limit + 1
            }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[columns]
    }

    private static func replacement(_ left: UInt8, _ right: UInt8) -> Int {
        if left == right { return 0 }
        return left.isLetter && left ^ right == 0x20 ? 1 : 2
    }
}
