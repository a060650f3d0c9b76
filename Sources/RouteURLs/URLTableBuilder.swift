// SPDX-License-Identifier: MIT

internal import RouteCore

/// Compiles patterns into a table.
struct URLTableBuilder {
    private typealias Core = URLTableCore

    /// A pattern that ends at a node, or whose tail begins there.
    struct Ending {
        var node: UInt32
        var isTail: Bool
        var origin: UInt32
        var route: UInt32
    }

    private var tree = URLPatternTree()
    private var endings: [Ending] = []
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
        tree.reserveCapacity(given.count)
        endings.reserveCapacity(given.count)
        parameters.reserveCapacity(given.count)
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
        let start = tree.texts.bytes.count
        pattern.append(to: &tree.texts.bytes)
        routes.append(
            Core.Route(
                text: Core.Text(
                    start: UInt32(start),
                    count: UInt32(tree.texts.bytes.count - start)
                ),
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
            record.key = tree.texts.intern(key)
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
            case .literal(let literal): node = tree.child(of: node, literal)
            case .parameter(let parameter):
                node = tree.child(of: node, kind: number(of: parameter.kind))
            case .affixed(let affixes, let parameter):
                node = tree.child(of: node, affixes)
                node = tree.child(of: node, kind: number(of: parameter.kind))
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

    // MARK: Order

    /// Sorts what follows a node by rank, and finds patterns of one rank.
    private mutating func order(_ given: [URLTable.Route]) -> [URLConflict] {
        let ranks = kinds.indices.sorted { kinds[$0].isTried(before: kinds[$1]) }
        var rank = [UInt32](repeating: 0, count: kinds.count)
        for (order, kind) in ranks.enumerated() { rank[kind] = UInt32(order) }
        tree.sortEdges(byRank: rank)

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
        var texts = tree.texts
        var alternatives: [Core.Text] = []
        let records = kinds.map { kind in
            let first = UInt32(alternatives.count)
            if case .enumeration(let values) = kind {
                for value in values { alternatives.append(texts.append(value)) }
            }
            return Core.KindRecord(
                code: kind.code,
                alternatives: first,
                alternativeCount: UInt32(alternatives.count) - first
            )
        }
        let originSlots = makeOriginSlots(&texts)
        let core = Core(
            slots: Self.pointer(tree.slots),
            slotMask: tree.slots.count - 1,
            slotShift: tree.slotShift,
            nodes: Self.pointer(tree.nodes(with: endings)),
            edges: Self.pointer(tree.edges.map { Core.Edge(kind: $0.kind, child: $0.child) }),
            terminals: Self.pointer(
                endings.map {
                    Core.Terminal(
                        route: $0.route,
                        origin: $0.origin,
                        hasQuery: routes[Int($0.route)].queryCount > 0
                    )
                }
            ),
            affixes: Self.pointer(tree.affixes),
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
            bytes: UnsafeMutableRawPointer(Self.pointer(texts.bytes))
        )
        return URLTableStorage(
            core: core,
            names: names,
            kinds: kinds,
            origins: answered,
            fixed: fixed
        )
    }

    private mutating func makeOriginSlots(_ texts: inout URLTexts) -> [Core.OriginSlot] {
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
            let text = origin.host.map { origin.isWild ? String($0.dropFirst()) : $0 } ?? ""
            let (scheme, host) = (ByteString(origin.scheme), ByteString(text))
            let port = origin.port ?? 0
            let hash = scheme.withBytes { scheme in
                host.withBytes {
                    Core.hash(scheme, $0, port: port, isWild: origin.isWild)
                }
            }
            var index = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[index].origin != 0 { index = (index + 1) & (size - 1) }
            slots[index] = Core.OriginSlot(
                hash: hash,
                origin: originNumbers[origin] ?? 0,
                isAnswered: answered.isEmpty || labels[origin] != nil,
                scheme: texts.append(scheme),
                host: texts.append(host),
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
