// SPDX-License-Identifier: MIT

/// The search for the patterns that a URL matches, best first.
///
/// The table is a tree, so a URL comes to each node in one way at most: the search looks at no
/// node twice, and ends after as many steps as the table has nodes, whatever the URL is. What is
/// left to try is on a stack of one entry for each segment. Nothing has to be taken back when a
/// branch turns out dead: which segments are parameters is known of the pattern, at the end.
struct URLWalk {
    /// A node with more to try.
    struct Choice {
        var node: UInt32
        var depth: UInt32
        /// The edge that is next.
        var edge: UInt32
    }

    private let core: URLTableCore
    private let split: URLSplit
    private let choices: UnsafeMutablePointer<Choice>
    private let origin: UInt32
    private var choiceCount = 0
    private var terminal: UInt32 = 0
    private var terminalEnd: UInt32 = 0
    private var hasStarted = false

    /// How many nodes, edges of parameters and endings were looked at.
    private(set) var steps = 0

    /// Starts a search and calls a closure with it.
    ///
    /// - Returns: Why nothing can match, or what the closure answers.
    @inline(__always)
    static func with<Result, Failure: Error>(
        _ core: URLTableCore,
        _ bytes: UnsafeRawBufferPointer,
        _ body: (inout URLWalk, URLSplit) throws(Failure) -> Result,
        otherwise: (URLProblem) -> Result
    ) throws(Failure) -> Result {
        try URLSplit.with(bytes) { split, problem throws(Failure) in
            if let problem { return otherwise(problem) }
            var origin: UInt32 = 0
            if split.scheme.count > 0 {
                let entry = core.origin(of: split)
                guard core.isOpen || entry?.isAnswered == true else {
                    return otherwise(.foreignOrigin)
                }
                origin = entry?.origin ?? 0
            }
            return try withUnsafeTemporaryAllocation(
                of: Choice.self,
                capacity: URLPattern.maximumSegments
            ) { choices throws(Failure) in
                guard let choices = choices.baseAddress else {
                    preconditionFailure("a temporary allocation has an address")
                }
                var walk = URLWalk(core, split, choices, origin)
                return try body(&walk, split)
            }
        }
    }

    private init(
        _ core: URLTableCore,
        _ split: URLSplit,
        _ choices: UnsafeMutablePointer<Choice>,
        _ origin: UInt32
    ) {
        (self.core, self.split, self.choices, self.origin) = (core, split, choices, origin)
    }

    /// The next pattern that matches, as far as bytes say it: a parameter of a declared kind is
    /// taken for fitting. The answer is the number of the terminal.
    @inline(__always)
    mutating func next() -> UInt32? {
        if let terminal = nextHere() { return terminal }
        guard hasStarted else {
            hasStarted = true
            return search(node: 0, depth: 0)
        }
        return resume()
    }

    /// The next of the endings at hand.
    @inline(__always)
    private mutating func nextHere() -> UInt32? {
        while terminal < terminalEnd {
            let index = terminal
            terminal &+= 1
            steps &+= 1
            if fits(core.terminals[Int(index)]) { return index }
        }
        return nil
    }

    /// Goes on where something is left to try.
    private mutating func resume() -> UInt32? {
        while choiceCount > 0 {
            choiceCount &-= 1
            let choice = choices[choiceCount]
            let depth = Int(choice.depth)
            if let child = tryEdges(choice.node, depth, from: choice.edge) {
                if let terminal = search(node: child, depth: depth &+ 1) { return terminal }
            } else if let terminal = nextHere() {
                return terminal
            }
        }
        return nil
    }

    /// Goes down from a node as far as it gets.
    @inline(__always)
    private mutating func search(node start: UInt32, depth startDepth: Int) -> UInt32? {
        var node = start
        var depth = startDepth
        let count = split.segmentCount
        let text = split.text
        while true {
            steps &+= 1
            guard depth < count else {
                terminal = core.nodes[Int(node)].terminals
                terminalEnd = core.nodes[Int(node)].tails
                break
            }
            let child: UInt32
            if depth == 0, let head = split.lowercasedHead {
                child = core.child(of: node, head, in: split.headText)
            } else {
                child = core.child(of: node, split.segments[depth], in: text)
            }
            if child != 0 {
                let (here, after) = (core.nodes[Int(node)], core.nodes[Int(node) &+ 1])
                // Parameters or tails: what else begins here lies between the two.
                if here.parameters != after.parameters || here.tails != after.terminals {
                    push(node, depth, here.parameters)
                }
                node = child
            } else if let child = tryEdges(node, depth, from: core.nodes[Int(node)].parameters) {
                node = child
            } else {
                // Tails, or none.
                break
            }
            depth &+= 1
        }
        if let terminal = nextHere() { return terminal }
        return choiceCount > 0 ? resume() : nil
    }

    /// The child for the first parameter, from an edge on, that takes a segment; where there is
    /// none, the endings at hand are the tails.
    @inline(__always)
    private mutating func tryEdges(_ node: UInt32, _ depth: Int, from first: UInt32) -> UInt32? {
        let (tails, after) = (core.nodes[Int(node)].tails, core.nodes[Int(node) &+ 1])
        var index = first
        while index < after.parameters {
            let edge = core.edges[Int(index)]
            index &+= 1
            steps &+= 1
            if core.accepts(edge.kind, split.bytes(depth)) {
                if index < after.parameters || tails < after.terminals { push(node, depth, index) }
                return edge.child
            }
        }
        (terminal, terminalEnd) = (tails, after.terminals)
        return nil
    }

    @inline(__always)
    private mutating func push(_ node: UInt32, _ depth: Int, _ edge: UInt32) {
        choices[choiceCount] = Choice(
            node: node,
            depth: UInt32(truncatingIfNeeded: depth),
            edge: edge
        )
        choiceCount &+= 1
    }

    /// Whether a pattern is for the URL's origin and finds in the query what it requires.
    @inline(__always)
    private func fits(_ terminal: URLTableCore.Terminal) -> Bool {
        if terminal.origin != 0 {
            guard
                terminal.origin == origin
                    || terminal.origin == URLTableCore.Terminal.anyCustomScheme && split.isCustom
            else { return false }
        }
        let route = core.routes[Int(terminal.route)]
        return route.queryCount == 0 || fits(route)
    }

    private func fits(_ route: URLTableCore.Route) -> Bool {
        let first = Int(route.parameters) + Int(route.pathCount)
        for index in first..<(first + Int(route.queryCount)) {
            let parameter = core.parameters[index]
            guard let value = split.value(of: core.bytes(parameter.key)) else {
                guard parameter.isOptional else { return false }
                continue
            }
            let fits = PercentEncoding.withDecoded(split.bytes(value)) {
                core.accepts(parameter.kind, $0)
            }
            guard fits else { return false }
        }
        return true
    }
}

extension URLSplit {
    /// The last value of a key in the query, as it stands there.
    func value(of key: UnsafeRawBufferPointer) -> URLSpan? {
        guard let query else { return nil }
        var pairs = URLPairs(bytes(query), offset: Int(query.start))
        var value: URLSpan?
        while let pair = pairs.next() {
            let isKey = PercentEncoding.withDecoded(bytes(URLSpan(pair.key))) {
                $0.count == key.count && $0.elementsEqual(key)
            }
            if isKey { value = URLSpan(pair.value) }
        }
        return value
    }
}
