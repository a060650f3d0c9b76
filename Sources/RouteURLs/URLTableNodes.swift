// SPDX-License-Identifier: MIT

internal import RouteCore

/// Adds the nodes of a table along the path of each pattern.
extension URLTableBuilder {
    /// Adds the path of a pattern.
    ///
    /// The path has an additional ending before each optional segment at the end of the pattern.
    ///
    /// The texts of the nodes are ranges of the pattern's own text.
    mutating func insert(
        _ segments: [URLPattern.Segment],
        route: UInt32,
        origin: UInt32,
        text: Core.Text
    ) {
        var node = 0
        var rest = text
        for segment in segments {
            let part = Self.takeSegment(of: &rest, in: core.bytes.base)
            visits.append((node, route))
            if segment.isOptional { end(at: node, route, origin) }
            switch segment {
            case .literal(let literal): node = child(of: node, literal, part)
            case .parameter(let parameter): node = child(of: node, kind: number(of: parameter.kind))
            case .affixed(let affixes, let parameter):
                node = child(of: node, affixes)
                node = child(of: node, kind: number(of: parameter.kind))
            case .pair(let pair): node = child(of: node, kind: number(of: pair))
            case .tail:
                endings.append(Ending(node: node, isTail: true, origin: origin, route: route))
                return
            }
        }
        end(at: node, route, origin)
    }

    /// Removes the first slash of a path and the segment after it.
    ///
    /// - Returns: The removed segment.
    private static func takeSegment(
        of path: inout Core.Text,
        in bytes: UnsafePointer<UInt8>
    ) -> Core.Text {
        let bytes = bytes + Int(path.start)
        var count = min(1, path.count)
        while count < path.count, !URLSplit.isEndOfAuthority(bytes[Int(count)]) { count += 1 }
        let segment = Core.Text(
            start: path.start + min(1, count),
            count: count - min(1, count)
        )
        path = Core.Text(start: path.start + count, count: path.count - count)
        return segment
    }

    private mutating func end(at node: Int, _ route: UInt32, _ origin: UInt32) {
        visits.append((node, route))
        endings.append(Ending(node: node, isTail: false, origin: origin, route: route))
    }

    // MARK: Children

    /// Returns the child node for a literal, adding a node if there is none.
    ///
    /// A new node refers to `text` if that text equals the literal, otherwise to an interned copy
    /// of the literal.
    private mutating func child(
        of node: Int,
        _ literal: ByteString,
        _ text: Core.Text
    ) -> Int {
        let hash = literal.withBytes { URLHash.hash($0) }
        var index = Core.slot(UInt32(node), hash, shift: core.slotShift)
        while case let slot = core.slots[index], slot.child != 0 {
            if slot.hash == hash, slot.node == node, isLiteral(Int(slot.child), literal) {
                return Int(slot.child)
            }
            index = (index + 1) & (core.slots.count - 1)
        }
        let text = isText(text, literal) ? text : intern(literal, hash)
        let child = addNode(text, depth: core.nodes[node].depth + 1)
        core.nodes.base[child].sibling = core.nodes[node].child
        core.nodes.base[node].child = UInt32(child)
        fill(index, Core.Slot(hash: hash, node: UInt32(node), child: UInt32(child)))
        return child
    }

    /// Returns the child node for the given affixes, adding a node if there is none.
    ///
    /// The edges of this node represent the kinds of the parameter between the affixes.
    private mutating func child(of node: Int, _ texts: URLPattern.Affixes) -> Int {
        let hash = texts.prefix.withBytes { prefix in
            texts.suffix.withBytes { Core.hash(prefix, suffix: $0) }
        }
        // The flag distinguishes this slot from the slots of literals.
        let owner = UInt32(node) | Core.affixesMark
        var index = Core.slot(owner, hash, shift: core.slotShift)
        while case let slot = core.slots[index], slot.child != 0 {
            if slot.hash == hash, slot.node == owner,
                case let known = core.affixes[Int(core.nodes[Int(slot.child)].literal)],
                isText(known.prefix, texts.prefix), isText(known.suffix, texts.suffix)
            {
                return Int(slot.child)
            }
            index = (index + 1) & (core.slots.count - 1)
        }
        let text = Core.Text(start: UInt32(core.affixes.count), count: 0)
        let child = addNode(text, depth: core.nodes[node].depth)
        core.nodes.base[child].isAffixed = true
        let record = Core.Affixes(prefix: intern(texts.prefix), suffix: intern(texts.suffix))
        core.affixes.append(record)
        fill(index, Core.Slot(hash: hash, node: owner, child: UInt32(child)))
        // There is only one edge for each pair of lengths. The slots contain the nodes for the
        // texts.
        if edge(of: node, record.lengths) == nil { addEdge(of: node, record.lengths, child: 0) }
        return child
    }

    /// Returns the child node for a parameter of a kind, adding a node if there is none.
    private mutating func child(of node: Int, kind: UInt32) -> Int {
        if let edge = edge(of: node, kind) { return Int(edge.child) }
        let none = Core.Text(start: 0, count: 0)
        let child = addNode(none, depth: core.nodes[node].depth + 1)
        addEdge(of: node, kind, child: child)
        return child
    }

    private func edge(of node: Int, _ kind: UInt32) -> Core.Edge? {
        var next = core.nodes[node].edge
        while next != 0 {
            let edge = core.edges[Int(next)]
            if edge.kind == kind { return edge }
            next = edge.next
        }
        return nil
    }

    private mutating func addEdge(of node: Int, _ kind: UInt32, child: Int) {
        let old = core.nodes[node].edge
        core.nodes.base[node].edge = UInt32(core.edges.count)
        core.edges.append(Core.Edge(kind: kind, child: UInt32(child), next: old))
        if old != 0 { unsortedEdges.insert(node) }
    }

    private mutating func addNode(_ literal: Core.Text, depth: UInt8) -> Int {
        core.nodes.append(
            Core.Node(
                literal: literal.start,
                literalCount: UInt16(literal.count),
                depth: depth
            )
        )
        return core.nodes.count - 1
    }

    private func isLiteral(_ node: Int, _ literal: ByteString) -> Bool {
        let node = core.nodes[node]
        let text = Core.Text(start: node.literal, count: UInt32(node.literalCount))
        return isText(text, literal)
    }

    private mutating func fill(_ index: Int, _ slot: Core.Slot) {
        core.slots[index] = slot
        core.usedSlots += 1
        guard core.usedSlots * 2 > core.slots.count else { return }
        let old = core.slots
        core.slots = URLBuffer(
            repeating: Core.Slot(hash: 0, node: 0, child: 0),
            count: old.count * 2
        )
        core.slotShift -= 1
        for number in 0..<old.count where old[number].child != 0 {
            let slot = old[number]
            var index = Core.slot(slot.node, slot.hash, shift: core.slotShift)
            while core.slots[index].child != 0 { index = (index + 1) & (core.slots.count - 1) }
            core.slots[index] = slot
        }
        old.deallocate()
    }
}
