// SPDX-License-Identifier: MIT

internal import RouteCore

/// A tree of pattern forms, keyed by their segments.
///
/// The tree finds the first form that matches a sample.
///
/// The total work is limited in proportion to the number of forms. Otherwise, if many forms nearly
/// match many samples, every sample would be compared with all of these forms.
struct URLFormTree {
    private struct Node {
        /// The index of the first form at or below this node.
        var first: Int
        var literals: [ByteString: Int] = [:]
        /// The nodes for parameters with literal text around them, keyed by the literal texts.
        ///
        /// The children of each node represent the kinds of the parameter.
        var affixes: [URLPattern.Affixes: Int] = [:]
        /// The lengths of the texts in `affixes`.
        var affixLengths: Set<[Int]> = []
        var parameters: [URLPattern.Kind: Int] = [:]
        /// The nodes after enumeration parameters, keyed by alternative.
        var alternatives: [ByteString: [Int]] = [:]
        /// The forms that end at this node.
        ///
        /// `tails` contains the forms with a tail that begins here.
        var ends: [Int] = []
        var tails: [Int] = []
    }

    private let forms: [URLForm]
    private let rule: LiteralCase
    private var nodes: [Node] = []
    /// The number of nodes and forms that may still be visited.
    private var left: Int
    /// The number of nodes and forms visited so far.
    private(set) var steps = 0

    /// Creates a tree from forms, which must be in matching order.
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
            // No sample is certain to contain the text between the two parameters.
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

    /// Returns the first form before the given index that matches all URLs of a sample.
    ///
    /// - Returns: The index of the form, or nil if no form matches or the limit on the work is
    ///   reached.
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
            // The stack is last in, first out: push the nodes that take precedence last.
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

    /// Returns the nodes after the parameters of a node that match every possible text at this
    /// position of a sample.
    ///
    /// The nodes are in reverse order of precedence. Returns nil if the limit on the work is
    /// reached.
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

    /// Visits forms in order until one matches.
    ///
    /// - Returns: `false` if the limit on the work is reached.
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

    /// The built-in kinds in reverse order of precedence.
    private static let kinds: [URLPattern.Kind] = [
        .text, .slug, .number, .int, .uint, .uuid, .date, .bool,
    ]
}
