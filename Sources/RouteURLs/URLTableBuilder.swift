// SPDX-License-Identifier: MIT

internal import RouteCore

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

    /// Literal texts around a parameter, after a node.
    private struct AffixedPlace: Hashable {
        var node: UInt32
        var affixes: URLPattern.Affixes
    }

    private var nodes = [
        Core.Node(
            parameters: 0,
            terminals: 0,
            tails: 0,
            literal: 0,
            literalCount: 0,
            marks: [],
            depth: 0
        )
    ]
    private var slots = [Core.Slot](
        repeating: Core.Slot(hash: 0, node: 0, child: 0),
        count: 16
    )
    private var slotCount = 0
    private var edges: [KindEdge] = []
    private var edgeChildren: [UInt64: UInt32] = [:]
    private var affixes: [Core.Affixes] = []
    /// The lengths of literal texts around a parameter, by the node before them.
    private var affixLengths: Set<UInt64> = []
    /// The nodes of literal texts around a parameter.
    private var affixedNodes: [AffixedPlace: UInt32] = [:]
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
    private let ignoresCase: Bool
    private var fixed: [Int: Table] = [:]
    private var origins: [URLOrigin] = []
    private var originNumbers: [URLOrigin: UInt32] = [:]

    init(origins: [URLOrigin], ignoresCase: Bool) {
        (answered, self.ignoresCase) = (origins, ignoresCase)
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
        for route in given {
            if !route.fixed.isEmpty { fixed[routes.count] = route.fixed }
            add(route.pattern)
        }
        return order(given)
    }

    // MARK: Adding a pattern

    private mutating func add(_ pattern: URLPattern) {
        let route = UInt32(routes.count)
        let firstParameter = UInt32(parameters.count)
        var origin = pattern.origin.map { number(of: $0) } ?? Core.Terminal.anyOrigin
        let segments = ignoresCase ? pattern.segments.map { $0.folded(.ignored) } : pattern.segments
        insert(segments, route, origin)
        // The host of a custom scheme has no case: under such a scheme the first segment is
        // looked up in lower case.
        if pattern.origin == nil, let head = segments.first, head.folded(.ascii) != head {
            origin = Core.Terminal.anyCustomScheme
            insert([head.folded(.ascii)] + segments.dropFirst(), route, origin)
        }
        var hasCustomKinds = false
        for (position, segment) in pattern.segments.enumerated() {
            guard let parameter = segment.parameter else { continue }
            var affixes = (prefix: 0, suffix: 0)
            if case .affixed(let texts, _) = segment {
                affixes = (texts.prefix.count, texts.suffix.count)
            }
            add(
                parameter,
                .path(position: position, isTail: segment.isTail, affixes.prefix, affixes.suffix)
            )
            if parameter.kind.code == .custom { hasCustomKinds = true }
        }
        let pathCount = parameters.count - Int(firstParameter)
        for item in pattern.query {
            add(item.parameter, .query(item.key))
            if item.parameter.kind.code == .custom { hasCustomKinds = true }
        }
        if let parameter = pattern.hostParameter { add(parameter, .host) }
        let start = bytes.count
        pattern.append(to: &bytes)
        routes.append(
            Core.Route(
                text: Core.Text(start: UInt32(start), count: UInt32(bytes.count - start)),
                parameters: firstParameter,
                pathCount: UInt8(pathCount),
                queryCount: UInt16(pattern.query.count),
                hasHost: pattern.hostParameter != nil,
                hasCustomKinds: hasCustomKinds
            )
        )
    }

    /// Where a parameter is read from.
    private enum ParameterPlace {
        /// A segment, without so many bytes at its ends.
        case path(position: Int, isTail: Bool, _ prefix: Int, _ suffix: Int)
        /// The value of a key.
        case query(ByteString)
        /// The first label of the host.
        case host
    }

    private mutating func add(_ parameter: URLPattern.Parameter, _ place: ParameterPlace) {
        var record = Core.Parameter(
            name: number(ofName: parameter.name),
            kind: number(of: parameter.kind),
            isOptional: parameter.isOptional
        )
        switch place {
        case .path(let position, let isTail, let prefix, let suffix):
            record.position = UInt8(position)
            record.source = isTail ? .tail : .segment
            (record.prefixCount, record.suffixCount) = (UInt16(prefix), UInt16(suffix))
        case .query(let key):
            record.key = intern(key)
            record.source = .query
        case .host: record.source = .host
        }
        parameters.append(record)
    }

    /// Adds the path of a pattern; it ends before each of its optional segments, too.
    private mutating func insert(
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
            case .affixed(let affixes, let parameter):
                node = child(of: child(of: node, affixes), parameter.kind)
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
        let child = newNode(text, depth: nodes[Int(node)].depth + 1)
        fill(index, Core.Slot(hash: hash, node: node, child: child))
        nodes[Int(node)].marks.insert(.hasLiterals)
        return child
    }

    private mutating func fill(_ index: Int, _ slot: Core.Slot) {
        slots[index] = slot
        slotCount += 1
        if slotCount * 2 > slots.count { grow() }
    }

    /// The node for a parameter between literal texts: its edges are the kinds of the parameter.
    private mutating func child(of node: UInt32, _ texts: URLPattern.Affixes) -> UInt32 {
        let place = AffixedPlace(node: node, affixes: texts)
        if let child = affixedNodes[place] { return child }
        let text = Core.Text(start: UInt32(affixes.count), count: 0)
        let child = newNode(text, depth: nodes[Int(node)].depth)
        nodes[Int(child)].marks.insert(.isAffixed)
        affixedNodes[place] = child
        let record = Core.Affixes(prefix: intern(texts.prefix), suffix: intern(texts.suffix))
        affixes.append(record)
        let hash = texts.prefix.withBytes { prefix in
            texts.suffix.withBytes { Core.hash(prefix, suffix: $0) }
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

    private mutating func newNode(_ literal: Core.Text, depth: UInt8) -> UInt32 {
        nodes.append(
            Core.Node(
                parameters: 0,
                terminals: 0,
                tails: 0,
                literal: literal.start,
                literalCount: UInt16(literal.count),
                marks: [],
                depth: depth
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
        let none = Core.Text(start: 0, count: 0)
        let child = newNode(none, depth: nodes[Int(node)].depth + 1)
        edgeChildren[key] = child
        edges.append(KindEdge(node: node, kind: kind, child: child))
        return child
    }

    // MARK: Numbers

    private mutating func number(ofName name: String) -> UInt32 {
        if let number = nameNumbers[name] { return number }
        let number = UInt32(names.count)
        names.append(ByteString(name))
        nameNumbers[name] = number
        return number
    }

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
        let origin = origin.unnamed
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
        // Literal texts around a parameter go first, the longest of them before the others.
        func order(_ edge: KindEdge) -> (UInt32, Int, Int) {
            guard edge.kind < Core.affixesMark else {
                let (prefix, suffix) = Core.Affixes.counts(edge.kind)
                return (edge.node, -prefix - suffix, -prefix)
            }
            return (edge.node, 1, Int(rank[Int(edge.kind)]))
        }
        edges.sort { order($0) < order($1) }

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

    private mutating func storage() -> URLTableStorage {
        var nodes = nodes
        // The lists of a node end where the next one's begin, so there is one node more.
        nodes.append(
            Core.Node(
                parameters: 0,
                terminals: 0,
                tails: 0,
                literal: 0,
                literalCount: 0,
                marks: [],
                depth: 0
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
            if edge > nodes[index].parameters || ending > nodes[index].tails {
                nodes[index].marks.insert(.hasOthers)
            }
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
            affixes: Self.pointer(affixes),
            kinds: Self.pointer(records),
            alternatives: Self.pointer(alternatives),
            parameters: Self.pointer(parameters),
            routes: Self.pointer(routes),
            routeCount: routes.count,
            originSlots: Self.pointer(originSlots),
            originMask: originSlots.count - 1,
            hasOrigins: !origins.isEmpty,
            hasWildOrigins: origins.contains(where: \.isWild),
            isOpen: answered.isEmpty,
            ignoresCase: ignoresCase,
            bytes: UnsafeMutableRawPointer(Self.pointer(bytes))
        )
        return URLTableStorage(
            core: core,
            names: names,
            kinds: kinds,
            origins: answered,
            fixed: fixed
        )
    }

    private mutating func makeOriginSlots(_ bytes: inout [UInt8]) -> [Core.OriginSlot] {
        func append(_ string: String) -> Core.Text {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: string.utf8)
            return Core.Text(start: start, count: UInt32(string.utf8.count))
        }
        let labels = Dictionary(answered.map { ($0.unnamed, $0.parameter) }) { $0 ?? $1 }
        var size = 1
        while size < origins.count * 2 { size *= 2 }
        let none = Core.Text(start: 0, count: 0)
        var slots = [Core.OriginSlot](
            repeating: Core.OriginSlot(
                hash: 0,
                origin: 0,
                isAnswered: false,
                scheme: none,
                host: none,
                port: 0,
                isWild: false,
                label: Core.OriginSlot.noLabel
            ),
            count: size
        )
        for origin in origins {
            // Of a first label that stands for any label the dot is kept.
            let host = origin.host.map { origin.isWild ? String($0.dropFirst()) : $0 } ?? ""
            let port = origin.port ?? 0
            let hash = ByteString(origin.scheme).withBytes { scheme in
                ByteString(host).withBytes {
                    Core.hash(scheme, $0, port: port, isWild: origin.isWild)
                }
            }
            var index = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[index].origin != 0 { index = (index + 1) & (size - 1) }
            slots[index] = Core.OriginSlot(
                hash: hash,
                origin: originNumbers[origin] ?? 0,
                isAnswered: answered.isEmpty || labels[origin] != nil,
                scheme: append(origin.scheme),
                host: append(host),
                port: port,
                isWild: origin.isWild,
                label: labels[origin]?.map { number(ofName: $0) } ?? Core.OriginSlot.noLabel
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
