// SPDX-License-Identifier: MIT

internal import RouteCore

/// Sorts the endings and parameter edges of each node by rank.
extension URLTableBuilder {
    /// Links new endings into the lists of their nodes, and updates `first` of all nodes on the
    /// paths to the new endings.
    mutating func linkEndings() {
        for ending in endings {
            let next = UInt32(core.terminals.count)
            let node = core.nodes.base + ending.node
            let old = ending.isTail ? node.pointee.tail : node.pointee.terminal
            let route = core.routes[Int(ending.route)]
            core.terminals.append(
                Core.Terminal(
                    route: ending.route,
                    origin: ending.origin,
                    hasParameters: route.queryCount > 0 || route.hasFragment
                        || ending.isTail && route.hasKindOfList,
                    next: old
                )
            )
            if ending.isTail { node.pointee.tail = next } else { node.pointee.terminal = next }
            if old != 0 { unsortedEndings.insert(ending.node) }
        }
        endings.removeAll(keepingCapacity: true)
        for (node, route) in visits {
            let first = core.nodes[node].first
            if first == Core.Node.noRoute || core.precedes(route, first) {
                core.nodes.base[node].first = route
            }
        }
        visits.removeAll(keepingCapacity: true)
    }

    /// Sorts the endings and edges of the nodes by rank, and finds patterns with equal rank.
    ///
    /// - Parameter pattern: A closure that returns the pattern with the given number.
    /// - Returns: For each conflicting pattern, the first pattern with which it conflicts.
    mutating func sort(_ pattern: (UInt32) -> URLPattern) -> [Int: Int] {
        for node in unsortedEdges { sortEdges(of: node) }
        unsortedEdges = []
        var conflicts: [Int: Int] = [:]
        for node in unsortedEndings {
            let record = core.nodes.base + node
            record.pointee.terminal = sort(
                record.pointee.terminal,
                pattern: pattern,
                conflicts: &conflicts
            )
            record.pointee.tail = sort(
                record.pointee.tail,
                isTail: true,
                pattern: pattern,
                conflicts: &conflicts
            )
        }
        unsortedEndings = []
        return conflicts
    }

    /// Sorts a linked list of endings.
    ///
    /// - Returns: The index of the first ending in the sorted list.
    private func sort(
        _ first: UInt32,
        isTail: Bool = false,
        pattern: (UInt32) -> URLPattern,
        conflicts: inout [Int: Int]
    ) -> UInt32 {
        var list: [(index: UInt32, route: UInt32, rank: URLRank)] = []
        var next = first
        while next != 0 {
            let terminal = core.terminals[Int(next)]
            let rank = URLRank(
                terminal.origin,
                pattern: pattern(terminal.route),
                isTail: isTail,
                rule: literalCase
            )
            list.append((next, terminal.route, rank))
            next = terminal.next
        }
        guard list.count > 1 else { return first }
        // The earlier of two equal endings comes first, so that the message is deterministic.
        list.sort {
            let comparison = $0.rank.comparison(to: $1.rank)
            return comparison == 0 ? $0.route < $1.route : comparison < 0
        }
        for (left, right) in zip(list, list.dropFirst()) {
            core.terminals.base[Int(left.index)].next = right.index
            guard left.rank.comparison(to: right.rank) == 0 else { continue }
            let (first, second) = (Int(left.route), Int(right.route))
            conflicts[second] = min(conflicts[second] ?? first, first)
        }
        core.terminals.base[Int(list[list.count - 1].index)].next = 0
        return list[0].index
    }

    /// Sorts the parameter edges of a node.
    ///
    /// Pairs, and parameters with literal text around them, come first, in descending order of the
    /// length of the literal text. All other parameters follow in the order of their kinds.
    private func sortEdges(of node: Int) {
        var list: [UInt32] = []
        var next = core.nodes[node].edge
        while next != 0 {
            list.append(next)
            next = core.edges[Int(next)].next
        }
        func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
            let (left, right) = (core.edges[Int(left)].kind, core.edges[Int(right)].kind)
            guard left >= Core.affixesMark, right >= Core.affixesMark else {
                guard left >= Core.pairMark, right >= Core.pairMark else {
                    if left >= Core.pairMark || right >= Core.pairMark { return left > right }
                    return kinds[Int(left)].isTried(before: kinds[Int(right)])
                }
                if max(left, right) < Core.affixesMark {
                    return pair(left).comparison(to: pair(right)) < 0
                }
                let pair = pair(min(left, right))
                let isFirst = Core.isTried(
                    Core.Affixes.counts(max(left, right)),
                    before: (pair.affixes.prefix.count, pair.literalCount)
                )
                return isFirst == (left > right)
            }
            let (counts, others) = (Core.Affixes.counts(left), Core.Affixes.counts(right))
            let (sum, otherSum) = (counts.prefix + counts.suffix, others.prefix + others.suffix)
            return sum == otherSum ? counts.prefix > others.prefix : sum > otherSum
        }
        list.sort(by: isBefore)
        for (left, right) in zip(list, list.dropFirst()) {
            core.edges.base[Int(left)].next = right
        }
        core.edges.base[Int(list[list.count - 1])].next = 0
        core.nodes.base[node].edge = list[0]
    }
}
