// SPDX-License-Identifier: MIT

internal import RouteCore

/// Compiles patterns into a table, or adds them to one.
struct URLTableBuilder {
    private typealias Core = URLTableCore

    /// A place where a pattern ends, or where its tail begins.
    struct Ending {
        var node: Int
        var isTail: Bool
        var origin: UInt32
        var route: UInt32
    }

    var core: URLTableCore
    var names: [ByteString] = []
    private(set) var kinds: [URLPattern.Kind]
    /// The number of kinds of the table that is extended.
    private var knownKinds = 0
    private var nameNumbers: [String: UInt32] = [:]
    private var lastName: (text: String, number: UInt32) = ("", 0)
    /// The numbers of the kinds that have nothing but a code, by that.
    private var plainKindNumbers = [UInt32?](
        repeating: nil,
        count: URLPattern.Kind.Code.allCases.count
    )
    private var kindNumbers: [URLPattern.Kind: UInt32] = [:]
    /// By the hash the texts of the table; of two texts with one hash the later.
    private var texts: [UInt64: URLTableCore.Text] = [:]
    private var endings: [Ending] = []
    /// The nodes that lead to the new endings, with their patterns.
    private var visits: [(node: Int, route: UInt32)] = []
    /// The nodes with more than one edge for parameters that are not sorted yet.
    private var unsortedEdges: Set<Int> = []
    /// The nodes with more than one ending that are not sorted yet.
    private var unsortedEndings: Set<Int> = []
    private var spelling: [UInt8] = []

    private let answered: [URLOrigin]
    private let fixed: [Int: InfoTable]
    private var origins: [URLOrigin] = []
    private var originNumbers: [URLOrigin: UInt32] = [:]

    /// Two patterns that match the same URLs, with equal rank, by their indices.
    struct Conflict: Error {
        let first: Int
        let second: Int
    }

    private init(
        origins: [URLOrigin],
        ignoresCase: Bool,
        capacity: Int,
        fixed: [Int: InfoTable] = [:]
    ) {
        answered = origins
        self.fixed = fixed
        kinds = []
        var slotCount = 16
        while slotCount < capacity * 4 { slotCount *= 2 }
        core = Core(isOpen: origins.isEmpty, ignoresCase: ignoresCase, slotCount: slotCount)
        // The first number.
        _ = number(of: .text)
        for origin in origins { _ = number(of: origin) }
    }

    /// Creates a builder that adds to a table.
    init(extending core: URLTableCore, kinds: [URLPattern.Kind]) {
        (self.core, self.kinds, knownKinds) = (core, kinds, kinds.count)
        (answered, fixed) = ([], [:])
    }

    /// Compiles patterns.
    ///
    /// - Throws: The conflict of the pattern that is first in conflict with an earlier one.
    static func build(
        _ given: [URLPattern],
        fixed: [Int: InfoTable],
        origins: [URLOrigin],
        ignoresCase: Bool
    ) throws(Conflict) -> URLTableStorage {
        var builder = URLTableBuilder(
            origins: origins,
            ignoresCase: ignoresCase,
            capacity: given.count,
            fixed: fixed
        )
        if let conflict = builder.conflicts(among: given).first {
            builder.core.deallocate()
            throw conflict
        }
        return builder.storage()
    }

    /// Returns the conflicts of patterns, by the later pattern of each.
    static func conflicts(
        among given: [URLPattern],
        origins: [URLOrigin],
        ignoresCase: Bool
    ) -> [Conflict] {
        var builder = URLTableBuilder(
            origins: origins,
            ignoresCase: ignoresCase,
            capacity: given.count
        )
        defer { builder.core.deallocate() }
        return builder.conflicts(among: given)
    }

    private mutating func conflicts(among given: [URLPattern]) -> [Conflict] {
        for pattern in given {
            add(pattern)
            linkEndings()
        }
        return sort { given[Int($0)] }.sorted { $0.key < $1.key }.map {
            Conflict(first: $0.value, second: $0.key)
        }
    }

    /// Adds patterns to a table.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - customKinds: The kinds that the patterns of the table name.
    /// - Returns: Whether they are added; false if one conflicts with another one, or has an origin
    ///   that no earlier one has.
    mutating func extend(
        with patterns: [URLPattern],
        customKinds: Set<String>
    ) -> Bool {
        let count = core.routes.count
        for pattern in patterns {
            if let origin = pattern.origin {
                guard let number = core.number(of: origin.unnamed) else {
                    core.routes.truncate(to: count)
                    return false
                }
                originNumbers[origin.unnamed] = number
            }
            add(pattern)
        }
        let core = core
        func pattern(_ route: UInt32) -> URLPattern {
            let index = Int(route)
            return index < count
                ? core.pattern(index, kinds: customKinds) : patterns[index - count]
        }
        guard !endings.indices.contains(where: { conflicts(at: $0, pattern) }) else {
            self.core.routes.truncate(to: count)
            return false
        }
        linkEndings()
        _ = sort(pattern)
        return true
    }

    /// Whether a new ending conflicts with one of the table, or with an earlier new one.
    private func conflicts(at index: Int, _ pattern: (UInt32) -> URLPattern) -> Bool {
        let ending = endings[index]
        let rank = URLRank(ending.origin, pattern(ending.route))
        func isEqual(_ origin: UInt32, _ route: UInt32) -> Bool {
            route != ending.route
                && rank.comparison(to: URLRank(origin, pattern(route))) == 0
        }
        let node = core.nodes[ending.node]
        var next = ending.isTail ? node.tail : node.terminal
        while next != 0 {
            let terminal = core.terminals[Int(next)]
            if isEqual(terminal.origin, terminal.route) { return true }
            next = terminal.next
        }
        return endings[..<index].contains {
            $0.node == ending.node && $0.isTail == ending.isTail && isEqual($0.origin, $0.route)
        }
    }

    // MARK: Adding a pattern

    private mutating func add(_ pattern: URLPattern) {
        let route = UInt32(core.routes.count)
        let firstParameter = UInt32(core.parameters.count)
        spelling.removeAll(keepingCapacity: true)
        pattern.append(to: &spelling)
        let text = append(spelling)
        let origin = pattern.origin.map { number(of: $0) } ?? Core.Terminal.anyOrigin
        let segments =
            core.ignoresCase ? pattern.segments.map { $0.folded(.ignored) } : pattern.segments
        insert(segments, route, origin, text)
        // The host of a custom scheme has no case: under such a scheme the first segment is
        // looked up in lower case.
        if pattern.origin == nil, let head = segments.first, head.isChanged(by: .ascii) {
            insert(
                [head.folded(.ascii)] + segments.dropFirst(),
                route,
                Core.Terminal.anyCustomScheme,
                text
            )
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
        let pathCount = core.parameters.count - Int(firstParameter)
        for item in pattern.query {
            add(item.parameter, .query(item.key))
            if item.parameter.kind.code == .custom { hasCustomKinds = true }
        }
        if let parameter = pattern.hostParameter { add(parameter, .host) }
        core.routes.append(
            Core.Route(
                text: text,
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
        core.parameters.append(record)
    }

    /// Adds the path of a pattern; it ends before each of its optional segments, too.
    ///
    /// The texts of its nodes are parts of its own text.
    private mutating func insert(
        _ segments: [URLPattern.Segment],
        _ route: UInt32,
        _ origin: UInt32,
        _ text: Core.Text
    ) {
        var node = 0
        var rest = text
        for segment in segments {
            let part = takeSegment(of: &rest)
            visits.append((node, route))
            if segment.isOptional { end(at: node, route, origin) }
            switch segment {
            case .literal(let literal): node = child(of: node, literal, part)
            case .parameter(let parameter): node = child(of: node, kind: number(of: parameter.kind))
            case .affixed(let affixes, let parameter):
                node = child(of: node, affixes)
                node = child(of: node, kind: number(of: parameter.kind))
            case .tail:
                endings.append(Ending(node: node, isTail: true, origin: origin, route: route))
                return
            }
        }
        end(at: node, route, origin)
    }

    /// Removes the slash at the start of a path, and the segment after it.
    ///
    /// - Returns: The segment.
    private func takeSegment(of path: inout Core.Text) -> Core.Text {
        let bytes = core.bytes(path)
        var end = 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
            end += 1
        }
        let count = UInt32(min(end, bytes.count))
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

    // MARK: Numbers

    private mutating func number(ofName name: String) -> UInt32 {
        // Most patterns have the parameter of the one before.
        if name == lastName.text { return lastName.number }
        let number = nameNumbers[name] ?? UInt32(names.count)
        if number == names.count {
            names.append(ByteString(name))
            nameNumbers[name] = number
        }
        lastName = (name, number)
        return number
    }

    private mutating func number(of kind: URLPattern.Kind) -> UInt32 {
        switch kind {
        case .enumeration, .custom: break
        default:
            let code = Int(kind.code.rawValue)
            if let number = plainKindNumbers[code] ?? known(kind) { return number }
            let number = add(kind)
            plainKindNumbers[code] = number
            return number
        }
        let kind = kind.normalized
        if let number = kindNumbers[kind] ?? known(kind) { return number }
        let number = add(kind)
        kindNumbers[kind] = number
        return number
    }

    /// The number of a kind of the table that is extended.
    private func known(_ kind: URLPattern.Kind) -> UInt32? {
        kinds[..<knownKinds].firstIndex(of: kind).map(UInt32.init)
    }

    private mutating func add(_ kind: URLPattern.Kind) -> UInt32 {
        let first = UInt32(core.alternatives.count)
        if case .enumeration(let values) = kind {
            for value in values { core.alternatives.append(value.withBytes { append($0) }) }
        }
        core.kinds.append(
            Core.KindRecord(
                code: kind.code,
                alternatives: first,
                alternativeCount: UInt32(core.alternatives.count) - first
            )
        )
        kinds.append(kind)
        return UInt32(kinds.count - 1)
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

    /// Puts the new endings into the lists of their nodes, and gives all nodes above them a pattern
    /// that comes first.
    private mutating func linkEndings() {
        for ending in endings {
            let next = UInt32(core.terminals.count)
            let node = core.nodes.base + ending.node
            let old = ending.isTail ? node.pointee.tail : node.pointee.terminal
            core.terminals.append(
                Core.Terminal(
                    route: ending.route,
                    origin: ending.origin,
                    hasQuery: core.routes[Int(ending.route)].queryCount > 0,
                    next: old
                )
            )
            if ending.isTail { node.pointee.tail = next } else { node.pointee.terminal = next }
            if old != 0 { unsortedEndings.insert(ending.node) }
        }
        endings.removeAll(keepingCapacity: true)
        for (node, route) in visits {
            let first = core.nodes[node].first
            if first == Core.Node.noRoute || core.precedes(route, first) {
                core.nodes.base[node].first = route
            }
        }
        visits.removeAll(keepingCapacity: true)
    }

    /// Sorts what follows a node by rank, and finds patterns of one rank.
    ///
    /// - Parameter pattern: Returns a pattern by its number.
    /// - Returns: By the patterns the first one that each conflicts with.
    private mutating func sort(_ pattern: (UInt32) -> URLPattern) -> [Int: Int] {
        for node in unsortedEdges { sortEdges(of: node) }
        unsortedEdges = []
        var conflicts: [Int: Int] = [:]
        for node in unsortedEndings {
            let record = core.nodes.base + node
            record.pointee.terminal = sort(record.pointee.terminal, pattern, &conflicts)
            record.pointee.tail = sort(record.pointee.tail, pattern, &conflicts)
        }
        unsortedEndings = []
        return conflicts
    }

    /// Sorts a list of endings.
    ///
    /// - Returns: The first of them.
    private func sort(
        _ first: UInt32,
        _ pattern: (UInt32) -> URLPattern,
        _ conflicts: inout [Int: Int]
    ) -> UInt32 {
        var list: [(index: UInt32, route: UInt32, rank: URLRank)] = []
        var next = first
        while next != 0 {
            let terminal = core.terminals[Int(next)]
            let rank = URLRank(terminal.origin, pattern(terminal.route))
            list.append((next, terminal.route, rank))
            next = terminal.next
        }
        guard list.count > 1 else { return first }
        // Of equal ones the one that was given first comes first, so that the message is always
        // the same.
        list.sort {
            let comparison = $0.rank.comparison(to: $1.rank)
            return comparison == 0 ? $0.route < $1.route : comparison < 0
        }
        for (left, right) in zip(list, list.dropFirst()) {
            core.terminals.base[Int(left.index)].next = right.index
            guard left.rank.comparison(to: right.rank) == 0 else { continue }
            let (first, second) = (Int(left.route), Int(right.route))
            conflicts[second] = min(conflicts[second] ?? first, first)
        }
        core.terminals.base[Int(list[list.count - 1].index)].next = 0
        return list[0].index
    }

    /// Sorts the edges of a node: literal texts around a parameter go first, the longest of them
    /// before the others, then the kinds in their order.
    private func sortEdges(of node: Int) {
        var list: [UInt32] = []
        var next = core.nodes[node].edge
        while next != 0 {
            list.append(next)
            next = core.edges[Int(next)].next
        }
        func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
            let (left, right) = (core.edges[Int(left)].kind, core.edges[Int(right)].kind)
            guard left >= Core.affixesMark, right >= Core.affixesMark else {
                if left >= Core.affixesMark || right >= Core.affixesMark { return left > right }
                return kinds[Int(left)].isTried(before: kinds[Int(right)])
            }
            let (counts, others) = (Core.Affixes.counts(left), Core.Affixes.counts(right))
            let (sum, otherSum) = (counts.prefix + counts.suffix, others.prefix + others.suffix)
            return sum == otherSum ? counts.prefix > others.prefix : sum > otherSum
        }
        list.sort(by: isBefore)
        for (left, right) in zip(list, list.dropFirst()) {
            core.edges.base[Int(left)].next = right
        }
        core.edges.base[Int(list[list.count - 1])].next = 0
        core.nodes.base[node].edge = list[0]
    }

    // MARK: Children

    /// Returns the node after a literal, and adds it if there is none.
    ///
    /// A new node has the text where it is the literal.
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

    /// Returns the node for a parameter between literal texts, and adds it if there is none; its
    /// edges are the kinds of the parameter.
    private mutating func child(of node: Int, _ texts: URLPattern.Affixes) -> Int {
        let hash = texts.prefix.withBytes { prefix in
            texts.suffix.withBytes { Core.hash(prefix, suffix: $0) }
        }
        // No literal is in the slot of such a node.
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
        // One edge for each pair of lengths; the nodes after it are in the slots.
        if edge(of: node, record.lengths) == nil { addEdge(of: node, record.lengths, child: 0) }
        return child
    }

    /// Returns the node after a parameter of a kind, by its number, and adds it if there is none.
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

    // MARK: Texts

    /// Returns the text with these bytes, and adds it if there is none.
    private mutating func intern(_ string: ByteString) -> Core.Text {
        intern(string, string.withBytes { URLHash.hash($0) })
    }

    /// Does the same for a string whose hash is known.
    private mutating func intern(_ string: ByteString, _ hash: UInt64) -> Core.Text {
        if let text = texts[hash], isText(text, string) { return text }
        let text = string.withBytes { append($0) }
        texts[hash] = text
        return text
    }

    private mutating func append(_ bytes: [UInt8]) -> Core.Text {
        bytes.withUnsafeBytes { append($0) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) -> Core.Text {
        let text = Core.Text(start: UInt32(core.bytes.count), count: UInt32(bytes.count))
        core.bytes.append(contentsOf: bytes.assumingMemoryBound(to: UInt8.self))
        return text
    }

    private func isText(_ text: Core.Text, _ string: ByteString) -> Bool {
        let known = core.bytes(text)
        return string.withBytes { bytes in
            guard bytes.count == known.count else { return false }
            for index in known.indices where bytes[index] != known[index] { return false }
            return true
        }
    }

    // MARK: The finished table

    private mutating func storage() -> URLTableStorage {
        makeOriginSlots()
        core.hasOrigins = !origins.isEmpty
        core.hasWildOrigins = origins.contains(where: \.isWild)
        core.trim()
        return URLTableStorage(
            core: core,
            names: names,
            kinds: kinds,
            origins: answered,
            fixed: fixed
        )
    }

    private mutating func makeOriginSlots() {
        let labels = Dictionary(answered.map { ($0.unnamed, $0.parameter) }) { $0 ?? $1 }
        var size = 1
        while size < origins.count * 2 { size *= 2 }
        let none = Core.Text(start: 0, count: 0)
        let slots = URLBuffer(
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
            let port = origin.port ?? 0
            let (hash, scheme, host) = origin.withBytes { scheme, host in
                (
                    Core.hash(scheme, host, port: port, isWild: origin.isWild), append(scheme),
                    append(host)
                )
            }
            var index = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[index].origin != 0 { index = (index + 1) & (size - 1) }
            slots[index] = Core.OriginSlot(
                hash: hash,
                origin: originNumbers[origin] ?? 0,
                isAnswered: answered.isEmpty || labels[origin] != nil,
                scheme: scheme,
                host: host,
                port: port,
                isWild: origin.isWild,
                label: labels[origin]?.map { number(ofName: $0) } ?? Core.OriginSlot.noLabel
            )
        }
        core.originSlots.deallocate()
        core.originSlots = slots
    }
}
