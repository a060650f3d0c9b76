// SPDX-License-Identifier: MIT

/// Describes the lines in which two texts differ.
///
/// Missing lines begin with `-`, new lines with `+`. Up to two equal lines are included around each
/// change.
///
/// - Parameters:
///   - old: The expected text.
///   - new: The actual text.
///   - limit: The maximum number of lines in the description.
/// - Returns: The description; empty if the texts are equal.
/// - Complexity: O(*n* · *d*) in the number of lines and of differences.
public func lineDifference(from old: String, to new: String, limit: Int = 80) -> String {
    let (old, new) = (lines(of: old), lines(of: new))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var all: [(sign: Character, line: Substring)] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
        if removed.contains(left) {
            all.append(("-", old[left]))
            left += 1
        } else if inserted.contains(right) {
            all.append(("+", new[right]))
            right += 1
        } else {
            all.append((" ", new[right]))
            (left, right) = (left + 1, right + 1)
        }
    }
    let context = 2
    let changed = all.indices.filter { all[$0].sign != " " }
    let shown = Set(changed.flatMap { max(0, $0 - context)...min(all.count - 1, $0 + context) })
    var text: [String] = []
    var last = -1
    for index in shown.sorted() {
        if index > last + 1 { text.append("…") }
        text.append("\(all[index].sign) \(all[index].line)")
        last = index
    }
    if text.count > limit {
        let rest = text.count - limit
        text = text.prefix(limit) + ["… and \(rest) lines more"]
    }
    return text.joined(separator: "\n")
}

private func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
}
