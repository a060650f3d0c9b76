// SPDX-License-Identifier: MIT

internal import RouteCore

/// The tree of the paths of patterns, while a table is built: nodes, the edges between them, and
/// the texts that the table refers to.
struct URLPatternTree {
    typealias Core = URLTableCore

    /// An edge for a parameter.
    struct KindEdge {
        var node: UInt32
        var kind: UInt32
        var child: UInt32
    }

    /// Literal texts around a parameter, after a node.
    private struct AffixedPlace: Hashable {
        var node: UInt32
        var affixes: URLPattern.Affixes
    }

    /// The texts of the tree and of the rest of the table.
    var texts = URLTexts()
    /// The edges for literals, in a hash table with a power of two of slots.
    private(set) var slots = [Core.Slot](
        repeating: Core.Slot(hash: 0, node: 0, child: 0),
        count: 16
    )
    /// The edges for parameters, and one without a child for each pair of lengths of literal texts
    /// around a parameter.
    private(set) var edges: [KindEdge] = []
    /// The literal texts around parameters.
    private(set) var affixes: [Core.Affixes] = []

    private var nodes = [Self.node(Core.Text(start: 0, count: 0), depth: 0)]
    private var slotCount = 0
    private var edgeChildren: [UInt64: UInt32] = [:]
    /// The lengths of literal texts around a parameter, by the node before them.
    private var affixLengths: Set<UInt64> = []
    /// The nodes of literal texts around a parameter.
    private var affixedNodes: [AffixedPlace: UInt32] = [:]

    /// Makes room for the paths of so many patterns.
    mutating func reserveCapacity(_ count: Int) {
        nodes.reserveCapacity(count * 2)
        edgeChildren.reserveCapacity(count)
        texts.reserveCapacity(count)
    }

    // MARK: Children

    /// Returns the node after a literal, and adds it if there is none.
    mutating func child(of node: UInt32, _ literal: ByteString) -> UInt32 {
        let hash = literal.withBytes { URLHash.hash($0) }
        var index = slotIndex(node, hash)
        while slots[index].child != 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.node == node, isLiteral(slot.child, literal) {
                return slot.child
            }
            index = (index + 1) & (slots.count - 1)
        }
        let text = texts.intern(literal, hash)
        let child = addNode(text, depth: nodes[Int(node)].depth + 1)
        fill(index, Core.Slot(hash: hash, node: node, child: child))
        nodes[Int(node)].marks.insert(.hasLiterals)
        return child
    }

    /// Returns the node for a parameter between literal texts, and adds it if there is none; its
    /// edges are the kinds of the parameter.
    mutating func child(of node: UInt32, _ affix: URLPattern.Affixes) -> UInt32 {
        let place = AffixedPlace(node: node, affixes: affix)
        if let child = affixedNodes[place] { return child }
        let text = Core.Text(start: UInt32(affixes.count), count: 0)
        let child = addNode(text, depth: nodes[Int(node)].depth)
        nodes[Int(child)].marks.insert(.isAffixed)
        affixedNodes[place] = child
        let record = Core.Affixes(
            prefix: texts.intern(affix.prefix),
            suffix: texts.intern(affix.suffix)
        )
        affixes.append(record)
        let hash = affix.prefix.withBytes { prefix in
            affix.suffix.withBytes { Core.hash(prefix, suffix: $0) }
        }
        // No literal is in the slot of such a node.
        let owner = node | Core.affixesMark
        var index = slotIndex(owner, hash)
        while slots[index].child != 0 { index = (index + 1) & (slots.count - 1) }
        fill(index, Core.Slot(hash: hash, node: owner, child: child))
        let kind = record.lengths
        if affixLengths.insert(UInt64(node) << 32 | UInt64(kind)).inserted {
            edges.append(KindEdge(node: node, kind: kind, child: 0))
        }
        return child
    }

    /// Returns the node after a parameter of a kind, by its number, and adds it if there is none.
    mutating func child(of node: UInt32, kind: UInt32) -> UInt32 {
        let key = UInt64(node) << 32 | UInt64(kind)
        if let child = edgeChildren[key] { return child }
        let none = Core.Text(start: 0, count: 0)
        let child = addNode(none, depth: nodes[Int(node)].depth + 1)
        edgeChildren[key] = child
        edges.append(KindEdge(node: node, kind: kind, child: child))
        return child
    }

    private mutating func addNode(_ literal: Core.Text, depth: UInt8) -> UInt32 {
        nodes.append(Self.node(literal, depth: depth))
        return UInt32(nodes.count - 1)
    }

    private static func node(_ literal: Core.Text, depth: UInt8) -> Core.Node {
        Core.Node(
            parameters: 0,
            terminals: 0,
            tails: 0,
            literal: literal.start,
            literalCount: UInt16(literal.count),
            marks: [],
            depth: depth
        )
    }

    private func isLiteral(_ node: UInt32, _ literal: ByteString) -> Bool {
        let node = nodes[Int(node)]
        return texts.isText(
            Core.Text(start: node.literal, count: UInt32(node.literalCount)),
            literal
        )
    }

    // MARK: Slots

    /// How far a hash is shifted to give the number of a slot.
    var slotShift: UInt64 { UInt64(64 - slots.count.trailingZeroBitCount) }

    private func slotIndex(_ node: UInt32, _ hash: UInt64) -> Int {
        Core.slot(node, hash, shift: slotShift)
    }

    private mutating func fill(_ index: Int, _ slot: Core.Slot) {
        slots[index] = slot
        slotCount += 1
        if slotCount * 2 > slots.count { grow() }
    }

    private mutating func grow() {
        let old = slots
        slots = [Core.Slot](
            repeating: Core.Slot(hash: 0, node: 0, child: 0),
            count: old.count * 2
        )
        for slot in old where slot.child != 0 {
            var index = slotIndex(slot.node, slot.hash)
            while slots[index].child != 0 { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }

    // MARK: The finished tree

    /// Sorts the edges by their nodes, and those of a node by rank.
    ///
    /// - Parameter rank: The rank of each kind, by the number of the kind.
    mutating func sortEdges(byRank rank: [UInt32]) {
        // Literal texts around a parameter go first, the longest of them before the others.
        func order(_ edge: KindEdge) -> (UInt32, Int, Int) {
            guard edge.kind < Core.affixesMark else {
                let (prefix, suffix) = Core.Affixes.counts(edge.kind)
                return (edge.node, -prefix - suffix, -prefix)
            }
            return (edge.node, 1, Int(rank[Int(edge.kind)]))
        }
        edges.sort { order($0) < order($1) }
    }

    /// Returns the nodes with the places of their edges and endings, which are sorted by node.
    func nodes(with endings: [URLTableBuilder.Ending]) -> [Core.Node] {
        // The lists of a node end where the next one's begin, so there is one node more.
        var nodes = nodes + [Self.node(Core.Text(start: 0, count: 0), depth: 0)]
        var (edge, ending) = (0, 0)
        for index in nodes.indices {
            nodes[index].parameters = UInt32(edge)
            while edge < edges.count, edges[edge].node == index { edge += 1 }
            nodes[index].terminals = UInt32(ending)
            while ending < endings.count, endings[ending].node == index, !endings[ending].isTail {
                ending += 1
            }
            nodes[index].tails = UInt32(ending)
            while ending < endings.count, endings[ending].node == index { ending += 1 }
            if edge > nodes[index].parameters || ending > nodes[index].tails {
                nodes[index].marks.insert(.hasOthers)
            }
        }
        return nodes
    }
}

/// The texts of a table that is built, one after the other.
struct URLTexts {
    /// The bytes of all texts.
    var bytes: [UInt8] = []
    /// By the hash; of two texts with one hash the later.
    private var interned: [UInt64: URLTableCore.Text] = [:]

    mutating func reserveCapacity(_ count: Int) {
        interned.reserveCapacity(count)
    }

    /// Returns the text with these bytes, and adds it if there is none.
    mutating func intern(_ string: ByteString) -> URLTableCore.Text {
        intern(string, string.withBytes { URLHash.hash($0) })
    }

    /// Does the same for a string whose hash is known.
    mutating func intern(_ string: ByteString, _ hash: UInt64) -> URLTableCore.Text {
        if let text = interned[hash], isText(text, string) { return text }
        let text = append(string)
        interned[hash] = text
        return text
    }

    /// Adds a text.
    mutating func append(_ string: ByteString) -> URLTableCore.Text {
        let start = UInt32(bytes.count)
        string.withBytes { bytes.append(contentsOf: $0) }
        return URLTableCore.Text(start: start, count: UInt32(string.count))
    }

    /// Whether a text has these bytes.
    func isText(_ text: URLTableCore.Text, _ string: ByteString) -> Bool {
        let range = Int(text.start)..<(Int(text.start) + Int(text.count))
        return string.withBytes { $0.elementsEqual(bytes[range]) }
    }
}
