// SPDX-License-Identifier: MIT

internal import RouteCore

/// A tree of pattern forms by their segments, to find the first one that matches a sample.
///
/// The work is bounded in proportion to the number of forms: otherwise a sample that many forms
/// nearly match would be compared with all of them, each time.
struct URLFormTree {
    private struct Node {
        /// The first form at or below the node.
        var first: Int
        var literals: [ByteString: Int] = [:]
        /// Parameters with literal text around them, by these texts; the values are nodes for their
        /// kinds.
        var affixes: [URLPattern.Affixes: Int] = [:]
        /// The lengths of these texts.
        var affixLengths: Set<[Int]> = []
        var parameters: [URLPattern.Kind: Int] = [:]
        /// The parameters with alternatives, by alternative.
        var alternatives: [ByteString: [Int]] = [:]
        /// The forms that end at the node, and the forms whose tail begins there.
        var ends: [Int] = []
        var tails: [Int] = []
    }

    private let forms: [URLForm]
    private let rule: LiteralCase
    private var nodes: [Node] = []
    /// The remaining number of nodes and forms that may be visited.
    private var left: Int
    /// The number of visited nodes and forms.
    private(set) var steps = 0

    /// Creates a tree from forms in matching order.
    init(_ forms: [URLForm], _ rule: LiteralCase) {
        (self.forms, self.rule) = (forms, rule)
        left = 10_000 + 100 * forms.count
        nodes = [Node(first: 0)]
        for index in forms.indices { insert(index) }
    }

    private mutating func insert(_ form: Int) {
        var node = 0
        for segment in forms[form].path {
            switch segment.folded(rule) {
            case .literal(let literal):
                node = child(nodes[node].literals[literal], form: form) {
                    $0[node].literals[literal] = $1
                }
            case .parameter(let parameter): node = child(of: node, parameter.kind, form)
            case .affixed(let affixes, let parameter):
                node = child(nodes[node].affixes[affixes], form: form) {
                    $0[node].affixes[affixes] = $1
                    $0[node].affixLengths.insert([affixes.prefix.count, affixes.suffix.count])
                }
                node = child(of: node, parameter.kind, form)
            // No sample certainly has the text between both.
            case .pair: return
            case .tail:
                nodes[node].tails.append(form)
                return
            }
        }
        nodes[node].ends.append(form)
    }

    private mutating func child(of node: Int, _ kind: URLPattern.Kind, _ form: Int) -> Int {
        let kind = kind.normalized
        return child(nodes[node].parameters[kind], form: form) { nodes, child in
            nodes[node].parameters[kind] = child
            guard case .enumeration(let alternatives) = kind else { return }
            for alternative in alternatives {
                nodes[node].alternatives[alternative, default: []].append(child)
            }
        }
    }

    private mutating func child(
        _ known: Int?,
        form: Int,
        add: (inout [Node], Int) -> Void
    ) -> Int {
        if let known { return known }
        nodes.append(Node(first: form))
        add(&nodes, nodes.count - 1)
        return nodes.count - 1
    }

    /// Returns the first form, before a given one, that matches all URLs of a sample.
    ///
    /// - Returns: The form, nil if there is none, or if the limit is reached.
    mutating func first(matching sample: URLForm.Sample, before limit: Int) -> Int? {
        guard take(sample.path.count) else { return nil }
        var best = limit
        var open = [(node: 0, depth: 0)]
        while let (index, depth) = open.popLast() {
            guard nodes[index].first < best else { continue }
            guard take() else { return nil }
            guard
                look(
                    at: nodes[index].tails,
                    fits: depth < sample.path.count,
                    sample: sample,
                    best: &best
                )
            else {
                return nil
            }
            guard depth < sample.path.count else {
                guard look(at: nodes[index].ends, fits: true, sample: sample, best: &best) else {
                    return nil
                }
                continue
            }
            // The stack is last in, first out: push the nodes with precedence last.
            let node = nodes[index]
            let text = sample.path[depth]
            guard let children = takers(of: text, in: node, best) else { return nil }
            open += children.map { ($0, depth + 1) }
            for lengths in node.affixLengths {
                guard take() else { return nil }
                guard
                    let (affixes, middle) = text.split(
                        lengths[0],
                        suffixCount: lengths[1],
                        rule: rule
                    ),
                    let inner = node.affixes[affixes]
                else { continue }
                guard let children = takers(of: middle, in: nodes[inner], best) else { return nil }
                open += children.map { ($0, depth + 1) }
            }
            if case .literal(let literal) = text, let child = node.literals[rule.fold(literal)] {
                open.append((child, depth + 1))
            }
        }
        return best < limit ? best : nil
    }

    /// Returns the nodes that follow the parameters of a node that match all texts of a sample, in
    /// reverse order; nil if the limit is reached.
    private mutating func takers(of text: URLForm.Text, in node: Node, _ best: Int) -> [Int]? {
        switch text {
        case .literal(let literal):
            var children = Self.kinds.compactMap { kind in
                kind.takes(text) ? node.parameters[kind] : nil
            }
            for child in (node.alternatives[literal] ?? []).reversed() {
                guard take() else { return nil }
                if nodes[child].first < best { children.append(child) }
            }
            return children
        case .any(let kind): return kind.takers.compactMap { node.parameters[$0] }
        case .affixed: return [node.parameters[.text]].compactMap(\.self)
        }
    }

    /// Visits forms in order, up to the first that matches.
    ///
    /// - Returns: Whether the limit is not reached yet.
    private mutating func look(
        at indices: [Int],
        fits: Bool,
        sample: URLForm.Sample,
        best: inout Int
    ) -> Bool {
        guard fits else { return true }
        for index in indices {
            guard index < best else { break }
            guard take() else { return false }
            if forms[index].takesRest(of: sample) {
                best = index
                break
            }
        }
        return true
    }

    private mutating func take(_ count: Int = 1) -> Bool {
        guard left > 0 else { return false }
        left -= count
        steps += count
        return true
    }

    /// The built-in kinds, in reverse order of precedence.
    private static let kinds: [URLPattern.Kind] = [
        .text, .slug, .number, .int, .uint, .uuid, .date, .bool,
    ]
}
