// SPDX-License-Identifier: MIT

package import RouteCore

extension URLTable {
    /// Returns the pattern nearest to a URL that no pattern matches.
    ///
    /// The result equals the first near miss of an explanation.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - problem: The reason why no pattern matches. The result is nil unless the reason is
    ///     `noPattern`.
    /// - Returns: The near miss, or nil if no pattern is near.
    /// - Complexity: O(*m*) in the number of literals that follow the matching part of the URL.
    package func nearest(to url: ByteString, _ problem: URLProblem) -> URLExplanation.Miss? {
        guard problem == .noPattern else { return nil }
        return url.withBytes { bytes in
            URLSplit.with(bytes, ignoresCase: ignoresCase) { split, _ in
                let subject = URLSubject(split.pointee, in: self)
                var search = URLNearestSearch(storage.core, split)
                search.visit(0)
                for routes in search.candidates {
                    if let miss = nearest(of: subject, among: routes) { return miss }
                }
                return nil
            }
        }
    }

    /// Returns the nearest of the given patterns, or nil if none is near.
    ///
    /// Of equally near patterns, the first is returned.
    private func nearest(of subject: URLSubject, among routes: [UInt32]) -> URLExplanation.Miss? {
        let misses = routes.map { route in
            let form = storage.form(Int(route))
            let owner = storage.owner(Int(route))
            let difference = subject.difference(to: form, owner)
            return (
                difference.fitting,
                subject.miss(difference, form: form, of: pattern(owner), route: owner)
            )
        }
        let best = misses.map(\.0).max()
        return misses.first { $0.0 == best }.flatMap { $0.1.isNear ? $0.1 : nil }
    }
}

/// A search for the patterns that match the most segments of a URL.
private struct URLNearestSearch {
    private let core: UnsafePointer<URLTableCore>
    private let split: UnsafePointer<URLSplit>
    /// The deepest nodes that the URL reaches.
    ///
    /// `depth` is the number of segments on the path to these nodes.
    private var nodes: [URLTableCore.Node] = []
    private var depth = 0
    /// The nodes behind the parameters of ``nodes`` whose kinds reject the next segment.
    private var rejecting: [UInt32] = []
    /// The patterns whose segments all match.
    private var fitting: [UInt32] = []

    init(_ core: UnsafePointer<URLTableCore>, _ split: UnsafePointer<URLSplit>) {
        (self.core, self.split) = (core, split)
    }

    /// Visits a node, and all descendants of the node that the rest of the URL reaches.
    mutating func visit(_ number: UInt32) {
        let node = core.pointee.nodes[Int(number)]
        // A rejected pattern can leave behind nodes without a pattern.
        guard node.first != URLTableCore.Node.noRoute else { return }
        let depth = Int(node.depth)
        if depth > self.depth { (nodes, rejecting, self.depth) = ([], [], depth) }
        if depth == self.depth { nodes.append(node) }
        guard depth < split.pointee.segmentCount else {
            fitting += routes(from: node.terminal)
            return
        }
        fitting += routes(from: node.tail).filter { route in
            let kind = core.pointee.listKind(of: core.pointee.routes[Int(route)])
            return (depth..<split.pointee.segmentCount).allSatisfy {
                core.pointee.accepts(kind, split.pointee.bytes($0))
            }
        }
        let child = core.pointee.child(
            of: number,
            split.pointee.literals[depth],
            in: split.pointee.literalText
        )
        if child != 0 { visit(child) }
        visitEdges(of: number)
    }

    private mutating func visitEdges(of number: UInt32) {
        let depth = Int(core.pointee.nodes[Int(number)].depth)
        let bytes = core.pointee.parameterBytes(number, split.pointee.bytes(depth))
        var next = core.pointee.nodes[Int(number)].edge
        while next != 0 {
            let edge = core.pointee.edges[Int(next)]
            next = edge.next
            if edge.kind >= URLTableCore.affixesMark {
                let inner = core.pointee.child(
                    of: number,
                    affixes: edge.kind,
                    split.pointee.literals[depth].span,
                    in: split.pointee.literalText
                )
                if inner != 0 { visitEdges(of: inner) }
            } else if edge.kind >= URLTableCore.pairMark
                ? core.pointee.accepts(edge.kind, split: split, index: depth)
                : core.pointee.accepts(edge.kind, bytes)
            {
                visit(edge.child)
            } else if edge.kind < URLTableCore.pairMark, depth == self.depth {
                rejecting.append(edge.child)
            }
        }
    }

    /// The patterns that differ from the URL only in the kind of one segment.
    private var onlyKind: [UInt32] {
        rejecting.flatMap { child in
            var search = Self(core, split)
            search.visit(child)
            return search.fitting
        }
    }

    /// Lists of patterns that may contain the nearest pattern.
    ///
    /// Lists of nearer patterns come first.
    var candidates: [[UInt32]] {
        if !fitting.isEmpty { return [sorted(fitting)] }
        // At depth 0, only a pattern with a misspelled literal is near.
        let others = depth == 0 ? [] : sorted(nodes.map(\.first))
        return (sorted(misspelled) + sorted(onlyKind) + others.prefix(1)).map { [$0] }
    }

    private func sorted(_ routes: [UInt32]) -> [UInt32] {
        routes.filter { $0 != URLTableCore.Node.noRoute }.sorted { core.pointee.precedes($0, $1) }
    }

    /// The first pattern below each literal that nearly equals the next segment of the URL.
    private var misspelled: [UInt32] {
        guard depth < split.pointee.segmentCount else { return [] }
        let text = split.pointee.literals[depth].span.bytes(in: split.pointee.literalText)
        let (name, letters) = (String(decoding: text, as: UTF8.self), Self.letters(text))
        return nodes.flatMap { node in
            children(of: node).filter { child in
                let text = UnsafeRawBufferPointer(
                    start: core.pointee.bytes.base + Int(child.literal),
                    count: Int(child.literalCount)
                )
                // Two edits change the length by at most two, and the set of letters by at most
                // four.
                guard abs(text.count - name.utf8.count) <= 2,
                    (Self.letters(text) ^ letters).nonzeroBitCount <= 4
                else { return false }
                let literal = String(decoding: text, as: UTF8.self)
                return Suggestion.nearest(to: name, among: [literal]) != nil
            }
            .map(\.first)
        }
    }

    /// Returns the set of letters in the text as a bit mask, ignoring case.
    private static func letters(_ text: UnsafeRawBufferPointer) -> UInt32 {
        text.reduce(0) { $0 | 1 << UInt32($1 & 31) }
    }

    private func children(of node: URLTableCore.Node) -> [URLTableCore.Node] {
        var children: [URLTableCore.Node] = []
        var next = node.child
        while next != 0 {
            children.append(core.pointee.nodes[Int(next)])
            next = children[children.count - 1].sibling
        }
        return children
    }

    private func routes(from first: UInt32) -> [UInt32] {
        var routes: [UInt32] = []
        var next = first
        while next != 0 {
            routes.append(core.pointee.terminals[Int(next)].route)
            next = core.pointee.terminals[Int(next)].next
        }
        return routes
    }
}
