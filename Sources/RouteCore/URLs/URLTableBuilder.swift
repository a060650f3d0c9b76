// SPDX-License-Identifier: MIT

/// Compiles patterns into a table.
struct URLTableBuilder {
    private typealias Core = URLTableCore

    /// A pattern that ends at a node, or whose tail begins there.
    private struct Ending {
        var node: UInt32
        var isTail: Bool
        var origin: UInt32
        var route: UInt32
    }

    /// An edge for a parameter.
    private struct KindEdge {
        var node: UInt32
        var kind: UInt32
        var child: UInt32
    }

    private var nodes = [
        Core.Node(
            parameters: 0,
            terminals: 0,
            tails: 0,
            literal: 0,
            literalCount: 0,
            hasLiterals: false,
            hasOthers: false
        )
    ]
    private var slots = [Core.Slot](
        repeating: Core.Slot(hash: 0, node: 0, child: 0),
        count: 16
    )
    private var slotCount = 0
    private var edges: [KindEdge] = []
    private var edgeChildren: [UInt64: UInt32] = [:]
    private var endings: [Ending] = []

    private var bytes: [UInt8] = []
    /// By the hash; of two texts with one hash the later.
    private var interned: [UInt64: Core.Text] = [:]
    private var names: [ByteString] = []
    private var nameNumbers: [String: UInt32] = [:]
    private var kinds: [URLPattern.Kind] = []
    /// The numbers of the kinds that have nothing but a code, by that.
    private var plainKindNumbers = [UInt32?](
        repeating: nil,
        count: URLPattern.Kind.Code.allCases.count
    )
    private var kindNumbers: [URLPattern.Kind: UInt32] = [:]
    private var parameters: [Core.Parameter] = []
    private var routes: [Core.Route] = []

    private let answered: [URLOrigin]
    private var origins: [URLOrigin] = []
    private var originNumbers: [URLOrigin: UInt32] = [:]

    init(origins: [URLOrigin]) {
        answered = origins
        // The first number.
        _ = number(of: .text)
        for origin in origins { _ = number(of: origin) }
    }

    /// Compiles patterns.
    ///
    /// - Throws: The conflict of the pattern that is first in conflict with an earlier one.
    mutating func build(_ given: [URLTable.Route]) throws(URLConflict) -> URLTableStorage {
        if let conflict = conflicts(among: given).first { throw conflict }
        return storage()
    }

    /// Takes patterns in.
    ///
    /// - Returns: The conflicts, by the later pattern of each; with one there is no table.
    mutating func conflicts(among given: [URLTable.Route]) -> [URLConflict] {
        routes.reserveCapacity(given.count)
        nodes.reserveCapacity(given.count * 2)
        endings.reserveCapacity(given.count)
        parameters.reserveCapacity(given.count)
        interned.reserveCapacity(given.count)
        edgeChildren.reserveCapacity(given.count)
        for route in given { add(route.pattern) }
        return order(given)
    }

    // MARK: Adding a pattern

    private mutating func add(_ pattern: URLPattern) {
        let route = UInt32(routes.count)
        let firstParameter = UInt32(parameters.count)
        var origin = pattern.origin.map { number(of: $0) } ?? Core.Terminal.anyOrigin
        insert(pattern, pattern.segments, route, origin)
        // The host of a custom scheme has no case: under such a scheme the first segment is
        // looked up in lower case.
        if pattern.origin == nil, case .literal(let head)? = pattern.segments.first,
            head.hasCapitals
        {
            origin = Core.Terminal.anyCustomScheme
            let segments = [.literal(head.lowercasedASCII)] + pattern.segments.dropFirst()
            insert(pattern, segments, route, origin)
        }
        var hasCustomKinds = false
        for (position, segment) in pattern.segments.enumerated() {
            guard let parameter = segment.parameter else { continue }
            add(parameter, position: position, isTail: segment.isTail, key: nil)
            if parameter.kind.code == .custom { hasCustomKinds = true }
        }
        let pathCount = parameters.count - Int(firstParameter)
        for item in pattern.query {
            add(item.parameter, position: 0, isTail: false, key: item.key)
            if item.parameter.kind.code == .custom { hasCustomKinds = true }
        }
        let start = bytes.count
        pattern.append(to: &bytes)
        routes.append(
            Core.Route(
                text: Core.Text(start: UInt32(start), count: UInt32(bytes.count - start)),
                parameters: firstParameter,
                pathCount: UInt8(pathCount),
                queryCount: UInt16(pattern.query.count),
                hasCustomKinds: hasCustomKinds
            )
        )
    }

    private mutating func add(
        _ parameter: URLPattern.Parameter,
        position: Int,
        isTail: Bool,
        key: ByteString?
    ) {
        let name: UInt32
        if let known = nameNumbers[parameter.name] {
            name = known
        } else {
            name = UInt32(names.count)
            names.append(ByteString(parameter.name))
            nameNumbers[parameter.name] = name
        }
        parameters.append(
            Core.Parameter(
                name: name,
                kind: number(of: parameter.kind),
                key: key.map { intern($0) } ?? Core.Text(start: 0, count: 0),
                position: UInt8(position),
                isOptional: parameter.isOptional,
                isTail: isTail,
                isQuery: key != nil
            )
        )
    }

    /// Adds the path of a pattern; it ends before each of its optional segments, too.
    private mutating func insert(
        _ pattern: URLPattern,
        _ segments: some Sequence<URLPattern.Segment>,
        _ route: UInt32,
        _ origin: UInt32
    ) {
        var node: UInt32 = 0
        for segment in segments {
            if segment.isOptional { end(at: node, route, origin) }
            switch segment {
            case .literal(let literal): node = child(of: node, literal)
            case .parameter(let parameter): node = child(of: node, parameter.kind)
            case .tail:
                endings.append(Ending(node: node, isTail: true, origin: origin, route: route))
                return
            }
        }
        end(at: node, route, origin)
    }

    private mutating func end(at node: UInt32, _ route: UInt32, _ origin: UInt32) {
        endings.append(Ending(node: node, isTail: false, origin: origin, route: route))
    }

    private mutating func child(of node: UInt32, _ literal: ByteString) -> UInt32 {
        let hash = literal.withBytes { URLHash.hash($0) }
        var index = slotIndex(node, hash)
        while slots[index].child != 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.node == node, isLiteral(slot.child, literal) {
                return slot.child
            }
            index = (index + 1) & (slots.count - 1)
        }
        let text = intern(literal, hash)
        let child = newNode(text)
        slots[index] = Core.Slot(hash: hash, node: node, child: child)
        nodes[Int(node)].hasLiterals = true
        slotCount += 1
        if slotCount * 2 > slots.count { grow() }
        return child
    }

    private mutating func newNode(_ literal: Core.Text) -> UInt32 {
        nodes.append(
            Core.Node(
                parameters: 0,
                terminals: 0,
                tails: 0,
                literal: literal.start,
                literalCount: UInt16(literal.count),
                hasLiterals: false,
                hasOthers: false
            )
        )
        return UInt32(nodes.count - 1)
    }

    private func isLiteral(_ node: UInt32, _ literal: ByteString) -> Bool {
        let node = nodes[Int(node)]
        return isText(
            Core.Text(start: node.literal, count: UInt32(node.literalCount)),
            literal
        )
    }

    private var slotShift: UInt64 { UInt64(64 - slots.count.trailingZeroBitCount) }

    private func slotIndex(_ node: UInt32, _ hash: UInt64) -> Int {
        Core.slot(node, hash, shift: slotShift)
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

    private mutating func child(of node: UInt32, _ kind: URLPattern.Kind) -> UInt32 {
        let kind = number(of: kind)
        let key = UInt64(node) << 32 | UInt64(kind)
        if let child = edgeChildren[key] { return child }
        let child = newNode(Core.Text(start: 0, count: 0))
        edgeChildren[key] = child
        edges.append(KindEdge(node: node, kind: kind, child: child))
        return child
    }

    // MARK: Numbers

    private mutating func number(of kind: URLPattern.Kind) -> UInt32 {
        switch kind {
        case .enumeration, .custom: break
        default:
            let code = Int(kind.code.rawValue)
            if let number = plainKindNumbers[code] { return number }
            let number = UInt32(kinds.count)
            kinds.append(kind)
            plainKindNumbers[code] = number
            return number
        }
        let kind = kind.normalized
        if let number = kindNumbers[kind] { return number }
        let number = UInt32(kinds.count)
        kinds.append(kind)
        kindNumbers[kind] = number
        return number
    }

    private mutating func number(of origin: URLOrigin) -> UInt32 {
        if let number = originNumbers[origin] { return number }
        origins.append(origin)
        let number = UInt32(origins.count) + Core.Terminal.anyCustomScheme
        originNumbers[origin] = number
        return number
    }

    private mutating func intern(_ string: ByteString) -> Core.Text {
        intern(string, string.withBytes { URLHash.hash($0) })
    }

    private mutating func intern(_ string: ByteString, _ hash: UInt64) -> Core.Text {
        if let text = interned[hash], isText(text, string) { return text }
        let text = append(string)
        interned[hash] = text
        return text
    }

    private func isText(_ text: Core.Text, _ string: ByteString) -> Bool {
        let range = Int(text.start)..<(Int(text.start) + Int(text.count))
        return string.withBytes { $0.elementsEqual(bytes[range]) }
    }

    private mutating func append(_ string: ByteString) -> Core.Text {
        let start = UInt32(bytes.count)
        string.withBytes { bytes.append(contentsOf: $0) }
        return Core.Text(start: start, count: UInt32(string.count))
    }

    // MARK: Order

    /// Sorts what follows a node by rank, and finds patterns of one rank.
    private mutating func order(_ given: [URLTable.Route]) -> [URLConflict] {
        let ranks = kinds.indices.sorted { kinds[$0].isTried(before: kinds[$1]) }
        var rank = [UInt32](repeating: 0, count: kinds.count)
        for (order, kind) in ranks.enumerated() { rank[kind] = UInt32(order) }
        edges.sort { ($0.node, rank[Int($0.kind)]) < ($1.node, rank[Int($1.kind)]) }

        func comparison(_ left: Ending, _ right: Ending) -> Int {
            if left.node != right.node { return left.node < right.node ? -1 : 1 }
            if left.isTail != right.isTail { return right.isTail ? -1 : 1 }
            return URLRank(left.origin, given[Int(left.route)].pattern).comparison(
                to: URLRank(right.origin, given[Int(right.route)].pattern)
            )
        }
        // Of equal ones the one that was given first comes first, so that the message is always
        // the same.
        endings.sort {
            let comparison = comparison($0, $1)
            return comparison == 0 ? $0.route < $1.route : comparison < 0
        }
        var conflicts: [Int: Int] = [:]
        for (left, right) in zip(endings, endings.dropFirst()) where comparison(left, right) == 0 {
            let (first, second) = (Int(left.route), Int(right.route))
            conflicts[second] = min(conflicts[second] ?? first, first)
        }
        return conflicts.sorted { $0.key < $1.key }.map { URLConflict(given, $0.value, $0.key) }
    }

    // MARK: The finished table

    private func storage() -> URLTableStorage {
        var nodes = nodes
        // The lists of a node end where the next one's begin, so there is one node more.
        nodes.append(
            Core.Node(
                parameters: 0,
                terminals: 0,
                tails: 0,
                literal: 0,
                literalCount: 0,
                hasLiterals: false,
                hasOthers: false
            )
        )
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
            nodes[index].hasOthers =
                edge > nodes[index].parameters || ending > nodes[index].tails
        }
        var bytes = bytes
        var alternatives: [Core.Text] = []
        let records = kinds.map { kind in
            let first = UInt32(alternatives.count)
            if case .enumeration(let texts) = kind {
                for text in texts {
                    let start = UInt32(bytes.count)
                    text.withBytes { bytes.append(contentsOf: $0) }
                    alternatives.append(Core.Text(start: start, count: UInt32(text.count)))
                }
            }
            return Core.KindRecord(
                code: kind.code,
                alternatives: first,
                alternativeCount: UInt32(alternatives.count) - first
            )
        }
        let originSlots = makeOriginSlots(&bytes)
        let core = Core(
            slots: Self.pointer(slots),
            slotMask: slots.count - 1,
            slotShift: slotShift,
            nodes: Self.pointer(nodes),
            edges: Self.pointer(edges.map { Core.Edge(kind: $0.kind, child: $0.child) }),
            terminals: Self.pointer(
                endings.map {
                    Core.Terminal(
                        route: $0.route,
                        origin: $0.origin,
                        hasQuery: routes[Int($0.route)].queryCount > 0
                    )
                }
            ),
            kinds: Self.pointer(records),
            alternatives: Self.pointer(alternatives),
            parameters: Self.pointer(parameters),
            routes: Self.pointer(routes),
            routeCount: routes.count,
            originSlots: Self.pointer(originSlots),
            originMask: originSlots.count - 1,
            hasOrigins: !origins.isEmpty,
            isOpen: answered.isEmpty,
            bytes: UnsafeMutableRawPointer(Self.pointer(bytes))
        )
        return URLTableStorage(core: core, names: names, kinds: kinds, origins: answered)
    }

    private func makeOriginSlots(_ bytes: inout [UInt8]) -> [Core.OriginSlot] {
        func append(_ string: String) -> Core.Text {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: string.utf8)
            return Core.Text(start: start, count: UInt32(string.utf8.count))
        }
        let answered = Set(answered)
        var size = 1
        while size < origins.count * 2 { size *= 2 }
        let none = Core.Text(start: 0, count: 0)
        var slots = [Core.OriginSlot](
            repeating: Core.OriginSlot(
                hash: 0,
                origin: 0,
                isAnswered: false,
                scheme: none,
                host: none
            ),
            count: size
        )
        for origin in origins {
            let hash = ByteString(origin.scheme).withBytes { scheme in
                guard let host = origin.host else { return Core.hash(scheme, nil) }
                return ByteString(host).withBytes { Core.hash(scheme, $0) }
            }
            var index = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[index].origin != 0 { index = (index + 1) & (size - 1) }
            slots[index] = Core.OriginSlot(
                hash: hash,
                origin: originNumbers[origin] ?? 0,
                isAnswered: answered.isEmpty || answered.contains(origin),
                scheme: append(origin.scheme),
                host: origin.host.map(append) ?? none
            )
        }
        return slots
    }

    private static func pointer<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
        let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
        pointer.initialize(from: array, count: array.count)
        return pointer
    }
}

/// The rank of a pattern among those that end at one place of a path.
struct URLRank {
    private let origin: UInt32
    private let pattern: URLPattern

    init(_ origin: UInt32, _ pattern: URLPattern) {
        (self.origin, self.pattern) = (origin, pattern)
    }

    /// Below zero where this one goes first, zero where nothing tells them apart.
    ///
    /// First more required parameters of the query, then more of them with a kind; then a scheme
    /// before none; then the keys by bytes and the kinds in their order. What is left are two
    /// spellings of one first segment, which only a custom scheme takes for equal: they go by
    /// bytes, the one in lower case first.
    func comparison(to other: URLRank) -> Int {
        let (left, right) = (required, other.required)
        if left.count != right.count { return left.count > right.count ? -1 : 1 }
        if !left.isEmpty {
            let (kinds, otherKinds) = (
                left.count(where: Self.hasKind), right.count(where: Self.hasKind)
            )
            if kinds != otherKinds { return kinds > otherKinds ? -1 : 1 }
        }
        if pattern.origin != other.pattern.origin {
            guard let origin = pattern.origin else { return 1 }
            guard let otherOrigin = other.pattern.origin else { return -1 }
            // No URL is of both.
            return ByteString(origin.description) < ByteString(otherOrigin.description) ? -1 : 1
        }
        for (left, right) in zip(left, right) {
            if left.key != right.key { return left.key < right.key ? -1 : 1 }
            let (kind, otherKind) = (left.parameter.kind, right.parameter.kind)
            if kind.isTried(before: otherKind) { return -1 }
            if otherKind.isTried(before: kind) { return 1 }
        }
        guard origin == URLTableCore.Terminal.anyCustomScheme || origin != other.origin else {
            return 0
        }
        if origin != other.origin { return origin < other.origin ? -1 : 1 }
        guard case .literal(let head)? = pattern.segments.first,
            case .literal(let otherHead)? = other.pattern.segments.first
        else { return 0 }
        return head == otherHead ? 0 : head < otherHead ? -1 : 1
    }

    private static func hasKind(_ item: URLPattern.QueryParameter) -> Bool {
        item.parameter.kind != .text
    }

    private var required: [URLPattern.QueryParameter] {
        guard !pattern.query.isEmpty else { return [] }
        return pattern.query.filter { !$0.parameter.isOptional }.sorted { $0.key < $1.key }
    }
}

extension URLConflict {
    init(_ routes: [URLTable.Route], _ first: Int, _ second: Int) {
        let (earlier, later) = (routes[first], routes[second])
        let (pattern, other) = (later.pattern, earlier.pattern)
        let ending =
            pattern.segments.count == other.segments.count ? "" : " without its optional parts"
        self.init(
            first: first,
            second: second,
            message: pattern == other
                ? "url '\(pattern)' is given twice (\(earlier.place) and \(later.place))"
                : "url '\(pattern)' (\(later.place)) matches what '\(other)' (\(earlier.place)) matches\(ending)"
        )
    }
}
