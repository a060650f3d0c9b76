// SPDX-License-Identifier: MIT

internal import RouteCore

/// A search for the patterns that a URL matches, best first.
///
/// Because the table is a tree, a URL reaches each node in at most one way. The search follows no
/// edge twice, so the number of steps for any URL is limited by the size of the table. The stack of
/// branches has at most two entries for each segment. Backtracking has nothing to undo, because
/// parameters are read only after a pattern has matched.
struct URLWalk {
    /// A node that still has branches to try.
    struct Choice {
        var node: UInt32
        /// The next edge of the node to try.
        var edge: UInt32
    }

    private let core: UnsafePointer<URLTableCore>
    private let split: UnsafePointer<URLSplit>
    /// The fragment, split as a path with a query.
    ///
    /// The value is nil if the URL has no fragment, if no pattern reads the fragment, or if the
    /// fragment cannot be split.
    let fragment: UnsafePointer<URLSplit>?
    private let choices: UnsafeMutablePointer<Choice>
    private let origin: UInt32
    /// The number of the wildcard origin that includes the URL's origin, or 0 if there is none.
    private let wildOrigin: UInt32
    /// The number of the exclusive group for the URL's origin, or 0 if there is none.
    private let group: UInt32
    /// If an ending's `checks` has this value, the ending matches this URL without further checks.
    private let noChecks: UInt32
    /// The index of the name of the parameter that reads the first label of the URL's host, or
    /// `noLabel` if there is none.
    let label: UInt32
    private var choiceCount = 0
    /// The next ending of a pattern in the list of the current node, or 0 if there is none.
    private var terminal: UInt32 = 0

    /// The first malformed value of a query key that a pattern reads.
    private(set) var malformed: URLSpan?

    /// The number of nodes, parameter edges and endings visited so far.
    private(set) var steps = 0

    /// The value of ``Choice/edge`` that represents the literal children of a node.
    ///
    /// The literal children are tried before the edges of the node.
    private static let literals = UInt32.max

    /// Starts a search and calls the given closure with it.
    ///
    /// - Returns: The result of `body`, or of `otherwise` if a problem prevents the URL from
    ///   matching.
    @inline(__always)
    static func with<Result, Failure: Error>(
        _ core: UnsafePointer<URLTableCore>,
        bytes: UnsafeRawBufferPointer,
        body: (inout URLWalk, UnsafePointer<URLSplit>) throws(Failure) -> Result,
        otherwise: (URLProblem) -> Result
    ) throws(Failure) -> Result {
        try URLSplit.with(bytes, ignoresCase: core.pointee.ignoresCase) {
            split,
            problem throws(Failure) in
            if let problem { return otherwise(problem) }
            var exact: URLTableCore.OriginSlot?
            var wild: URLTableCore.OriginSlot?
            if split.pointee.scheme.count > 0 {
                exact = core.pointee.origin(of: split)
                if core.pointee.hasWildOrigins {
                    wild = core.pointee.origin(of: split, isWild: true)
                }
                guard
                    core.pointee.isOpen || exact?.isAnswered == true || wild?.isAnswered == true
                else { return otherwise(.foreignOrigin) }
            }
            if !core.pointee.isOpen, let slashes = split.pointee.doubledSlash {
                return otherwise(.ambiguous(.doubledSlash, slashes))
            }
            guard core.pointee.hasFragments, let fragment = split.pointee.fragment else {
                return try with(
                    core,
                    split: split,
                    fragment: nil,
                    exact: exact,
                    wild: wild,
                    body: body
                )
            }
            return try URLSplit.with(
                split.pointee.bytes(fragment),
                ignoresCase: core.pointee.ignoresCase,
                isPath: true
            ) { fragment, problem throws(Failure) in
                try with(
                    core,
                    split: split,
                    fragment: problem == nil ? fragment : nil,
                    exact: exact,
                    wild: wild,
                    body: body
                )
            }
        }
    }

    @inline(__always)
    private static func with<Result, Failure: Error>(
        _ core: UnsafePointer<URLTableCore>,
        split: UnsafePointer<URLSplit>,
        fragment: UnsafePointer<URLSplit>?,
        exact: URLTableCore.OriginSlot?,
        wild: URLTableCore.OriginSlot?,
        body: (inout URLWalk, UnsafePointer<URLSplit>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(
            of: Choice.self,
            // One node for each segment, and one for a parameter between literal texts in the
            // segment.
            capacity: URLPattern.maximumSegments * 2
        ) { choices throws(Failure) in
            guard let choices = choices.baseAddress else {
                preconditionFailure("a temporary allocation has an address")
            }
            var walk = URLWalk(
                core,
                split: split,
                fragment: fragment,
                choices: choices,
                exact: exact,
                wild: wild
            )
            return try body(&walk, split)
        }
    }

    private init(
        _ core: UnsafePointer<URLTableCore>,
        split: UnsafePointer<URLSplit>,
        fragment: UnsafePointer<URLSplit>?,
        choices: UnsafeMutablePointer<Choice>,
        exact: URLTableCore.OriginSlot?,
        wild: URLTableCore.OriginSlot?
    ) {
        (self.core, self.split, self.choices) = (core, split, choices)
        self.fragment = fragment
        (origin, wildOrigin) = (exact?.origin ?? 0, wild?.origin ?? 0)
        // A declared host takes precedence over a declared wildcard host.
        let hasDeclaredHost = exact?.isAnswered == true && !core.pointee.isOpen
        let exactGroup = exact?.group ?? 0
        group = exactGroup != 0 || hasDeclaredHost ? exactGroup : wild?.group ?? 0
        noChecks = group == 0 ? 0 : .max
        label = hasDeclaredHost ? URLTableCore.OriginSlot.noLabel : wild?.label ?? .max
    }

    /// Returns the ending of the best pattern that matches; nil if there is none.
    ///
    /// Parameters of declared kinds accept every text here.
    @inline(__always)
    mutating func first() -> UInt32? {
        search(node: 0, edge: Self.literals)
    }

    /// Returns the ending of the next best pattern that matches; nil if there is none.
    mutating func next() -> UInt32? {
        if let terminal = nextHere() { return terminal }
        guard choiceCount > 0 else { return nil }
        choiceCount &-= 1
        let choice = choices[choiceCount]
        return search(node: choice.node, edge: choice.edge)
    }

    /// Returns the next matching ending in the list of the current node.
    @inline(__always)
    private mutating func nextHere() -> UInt32? {
        while self.terminal != 0 {
            let index = self.terminal
            let terminal = core.pointee.terminals[Int(index)]
            self.terminal = terminal.next
            steps &+= 1
            if terminal.checks == noChecks || fits(terminal) { return index }
        }
        return nil
    }

    /// Descends from a node, backtracking if necessary, to the next ending that matches.
    @inline(__always)
    private mutating func search(
        node startNode: UInt32,
        edge startEdge: UInt32
    ) -> UInt32? {
        let count = split.pointee.segmentCount
        let literals = split.pointee.literals
        let text = split.pointee.literalText
        let nodes = core.pointee.nodes.base
        let edges = core.pointee.edges.base
        var (node, edge) = (startNode, startEdge)
        var depth = Int(nodes[Int(startNode)].depth)
        while true {
            steps &+= 1
            let here = nodes + Int(node)
            if edge == Self.literals {
                if depth == count {
                    terminal = here.pointee.terminal
                } else {
                    if here.pointee.child != 0 {
                        let child = core.pointee.child(of: node, literals[depth], in: text)
                        if child != 0 {
                            if here.pointee.edge | here.pointee.tail != 0 {
                                push(node, here.pointee.edge)
                            }
                            node = child
                            depth &+= 1
                            continue
                        }
                    }
                    edge = here.pointee.edge
                }
            }
            if edge != Self.literals {
                var child: UInt32 = 0
                var isAffixed = false
                while edge != 0 {
                    let next = edges[Int(edge)]
                    edge = next.next
                    steps &+= 1
                    if next.kind == URLTableCore.textKind {
                        child = next.child
                        break
                    }
                    if next.kind >= URLTableCore.affixesMark {
                        child = core.pointee.child(
                            of: node,
                            affixes: next.kind,
                            literals[depth].span,
                            in: text
                        )
                        isAffixed = child != 0
                        if isAffixed { break }
                    } else if accepts(next.kind, node: node, depth: depth) {
                        child = next.child
                        break
                    }
                }
                if child != 0 {
                    if edge | here.pointee.tail != 0 {
                        push(node, edge)
                    }
                    node = child
                    if isAffixed {
                        // Continue with the kinds of the parameter in the same segment.
                        edge = nodes[Int(child)].edge
                    } else {
                        depth &+= 1
                        edge = Self.literals
                    }
                    continue
                }
                terminal = here.pointee.tail
            }
            if let terminal = nextHere() { return terminal }
            guard choiceCount > 0 else { return nil }
            choiceCount &-= 1
            let choice = choices[choiceCount]
            (node, edge) = (choice.node, choice.edge)
            depth = Int(nodes[Int(node)].depth)
        }
    }

    /// Whether a segment is of a kind.
    ///
    /// If the node has literal texts, only the part between these texts is checked.
    @inline(never)
    private func accepts(_ kind: UInt32, node: UInt32, depth: Int) -> Bool {
        if kind >= URLTableCore.pairMark {
            return core.pointee.accepts(kind, split: split, index: depth)
        }
        let bytes = core.pointee.parameterBytes(node, split.pointee.bytes(depth))
        return core.pointee.accepts(kind, bytes)
    }

    @inline(__always)
    private mutating func push(_ node: UInt32, _ edge: UInt32) {
        choices[choiceCount] = Choice(node: node, edge: edge)
        choiceCount &+= 1
    }

    /// Whether a pattern accepts the origin, the query and the fragment of the URL.
    @inline(never)
    private mutating func fits(_ terminal: URLTableCore.Terminal) -> Bool {
        if terminal.origin != URLTableCore.Terminal.anyOrigin, terminal.origin != origin,
            terminal.origin != wildOrigin
        {
            guard terminal.origin == URLTableCore.Terminal.anyCustomScheme,
                split.pointee.isCustom
            else { return false }
        }
        if group != 0, !core.pointee.isMember(core.pointee.routes[Int(terminal.route)], of: group) {
            return false
        }
        return !terminal.hasParameters || fits(core.pointee.routes[Int(terminal.route)])
    }

    private mutating func fits(_ route: URLTableCore.Route) -> Bool {
        let query = Int(route.parameters) + Int(route.pathCount)
        if route.hasKindOfList, !fits(list: core.pointee.parameters[query - 1], split) {
            return false
        }
        guard fitsQuery(query..<(query + Int(route.queryCount)), split) else { return false }
        guard route.hasFragment else { return true }
        guard let fragment else { return false }
        let path = query + Int(route.queryCount) + (route.hasHost ? 1 : 0)
        let end = path + Int(route.fragmentCount)
        return fitsPath(path..<end, fragment)
            && fitsQuery(end..<(end + Int(route.fragmentQueryCount)), fragment)
    }

    /// Whether all elements of a list are of the list's kind.
    private func fits(
        list: URLTableCore.Parameter,
        _ split: UnsafePointer<URLSplit>
    ) -> Bool {
        split.pointee.forEachElement(from: Int(list.position)) {
            core.pointee.accepts(list.kind, $0)
        }
    }

    /// Whether the query contains valid values for the given parameters.
    private mutating func fitsQuery(
        _ indices: Range<Int>,
        _ split: UnsafePointer<URLSplit>
    ) -> Bool {
        for index in indices {
            let parameter = core.pointee.parameters[index]
            var fits = true
            let found = split.pointee.value(of: core.pointee.bytes(parameter.key)) { value in
                if parameter.isList { fits = fits && core.pointee.accepts(parameter.kind, value) }
            }
            if let span = found.malformed {
                let start = Int(
                    parameter.isInFragment ? self.split.pointee.fragment?.start ?? 0 : 0
                )
                let range = span.range.lowerBound + start..<span.range.upperBound + start
                malformed = malformed ?? URLSpan(range)
                return false
            }
            guard let value = found.last else {
                guard parameter.isOptional else { return false }
                continue
            }
            if !parameter.isList {
                fits = PercentEncoding.withDecoded(split.pointee.bytes(value)) {
                    core.pointee.accepts(parameter.kind, $0)
                }
            }
            guard fits else { return false }
        }
        return true
    }

    /// Whether the path of a fragment matches the given segments of a pattern.
    private func fitsPath(_ indices: Range<Int>, _ fragment: UnsafePointer<URLSplit>) -> Bool {
        let count = fragment.pointee.segmentCount
        for index in indices {
            let part = core.pointee.parameters[index]
            let position = Int(part.position)
            guard position < count else { return false }
            if part.source == .tail { return fits(list: part, fragment) }
            let texts = core.pointee.bytes(part.key)
            let literal = fragment.pointee.literal(position)
            let (prefix, suffix) = (Int(part.prefixCount), Int(part.suffixCount))
            if part.pair != 0 {
                let bytes = fragment.pointee.bytes(position)
                guard
                    part.isSecond
                        || core.pointee.split(part.pair, literal: literal, value: bytes) != nil
                else {
                    return false
                }
                continue
            }
            if part.source == .literal {
                guard literal.elementsEqual(texts) else { return false }
                continue
            }
            guard literal.count > prefix + suffix,
                literal.prefix(prefix).elementsEqual(texts.prefix(prefix)),
                literal.suffix(suffix).elementsEqual(texts.suffix(suffix))
            else { return false }
            let bytes = fragment.pointee.bytes(position).dropFirst(prefix).dropLast(suffix)
            guard core.pointee.accepts(part.kind, UnsafeRawBufferPointer(rebasing: bytes)) else {
                return false
            }
        }
        let last = indices.last.map { Int(core.pointee.parameters[$0].position) }
        return (last ?? -1) + 1 == count
    }
}

extension URLSplit {
    /// Finds the values of a key in the query, and calls the closure with each decoded value.
    ///
    /// - Returns: The last value before decoding, and the first malformed value.
    func value(
        of key: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> (last: URLSpan?, malformed: URLSpan?) {
        guard let query else { return (nil, nil) }
        var pairs = URLPairs(bytes(query), offset: Int(query.start))
        var value: URLSpan?
        while let pair = pairs.next() {
            let text = bytes(URLSpan(pair.key))
            let isKey = PercentEncoding.withDecoded(text) {
                $0.count == key.count && $0.elementsEqual(key)
            }
            // A malformed text cannot be the key.
            guard isKey, PercentEncoding.isWellFormed(text) else { continue }
            let span = URLSpan(pair.value)
            guard PercentEncoding.isWellFormed(bytes(span)) else { return (nil, span) }
            value = span
            PercentEncoding.withDecoded(bytes(span), body)
        }
        return (value, nil)
    }

    /// The first label of the host in lower case.
    var label: ByteString {
        let host = bytes(host)
        let end = host.firstIndex(of: UInt8(ascii: ".")) ?? host.count
        return ByteString(bytes: UnsafeRawBufferPointer(rebasing: host[..<end])).lowercasedASCII
    }
}
