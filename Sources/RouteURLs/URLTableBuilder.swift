// SPDX-License-Identifier: MIT

internal import RouteCore

/// A builder that compiles patterns into a new table, or adds patterns to an existing table.
struct URLTableBuilder {
    typealias Core = URLTableCore

    /// A pattern that ends at a node, or a tail that begins after the node.
    struct Ending {
        var node: Int
        var isTail: Bool
        var origin: UInt32
        var route: UInt32
    }

    var core: URLTableCore
    var names: [ByteString] = []
    var kinds: [URLPattern.Kind]
    /// The number of kinds in the table that is being extended.
    var knownKinds = 0
    var nameNumbers: [String: UInt32] = [:]
    var lastName: (text: String, number: UInt32) = ("", 0)
    /// The numbers of the built-in kinds except enumerations, by code.
    var plainKindNumbers = [UInt32?](
        repeating: nil,
        count: URLPattern.Kind.Code.allCases.count
    )
    var kindNumbers: [URLPattern.Kind: UInt32] = [:]
    /// The numbers of the pairs that this builder has added, by pair.
    ///
    /// The parameters of the pairs have no names.
    var pairNumbers: [URLPattern.Pair: UInt32] = [:]
    /// The number of pairs in the table that is being extended.
    var knownPairs = 0
    /// The stored texts by hash.
    ///
    /// If several texts have the same hash, only the last of these texts is included.
    var texts: [UInt64: URLTableCore.Text] = [:]
    var endings: [Ending] = []
    /// The nodes on the paths to new endings, each with the pattern of its ending.
    var visits: [(node: Int, route: UInt32)] = []
    /// The nodes with several parameter edges that must still be sorted.
    var unsortedEdges: Set<Int> = []
    /// The nodes with several endings that must still be sorted.
    var unsortedEndings: Set<Int> = []
    private var spelling: [UInt8] = []
    /// The forms of the added patterns.
    private var forms: [URLPattern] = []
    /// The patterns that have several forms, by index.
    private(set) var wholes: [Int: URLPattern] = [:]

    private let answered: [URLOrigin]
    private let fixed: [Int: InfoTable]
    private let groups: URLGroups
    var origins: [URLOrigin] = []
    var originNumbers: [URLOrigin: UInt32] = [:]

    /// A conflict between two patterns that match the same URLs with equal rank.
    ///
    /// The patterns are given by their indices.
    struct Conflict: Error {
        let first: Int
        let second: Int
    }

    private init(
        origins: [URLOrigin],
        ignoresCase: Bool,
        capacity: Int,
        fixed: [Int: InfoTable] = [:],
        groups: URLGroups = URLGroups()
    ) {
        answered = origins
        (self.fixed, self.groups) = (fixed, groups)
        kinds = []
        var slotCount = 16
        while slotCount < capacity * 4 { slotCount *= 2 }
        core = Core(isOpen: origins.isEmpty, ignoresCase: ignoresCase, slotCount: slotCount)
        // Plain text must be the first kind, because its number is `textKind`.
        _ = number(of: .text)
        for origin in origins + groups.list.map(\.origin) { _ = number(of: origin) }
        guard !groups.list.isEmpty else { return }
        for number in [0] + groups.list.map({ Self.number(ofGroup: $0.outer) }) {
            core.outerGroups.append(number)
        }
    }

    /// Creates a builder that adds patterns to a table.
    init(extending core: URLTableCore, kinds: [URLPattern.Kind], groups: URLGroups) {
        (self.core, self.kinds, knownKinds) = (core, kinds, kinds.count)
        knownPairs = core.pairs.count
        (answered, fixed, self.groups) = ([], [:], groups)
    }

    /// Returns the number that identifies an exclusive group in the table, or 0 if `index` is nil.
    private static func number(ofGroup index: Int?) -> UInt32 { index.map { UInt32($0) + 1 } ?? 0 }

    /// Compiles patterns.
    ///
    /// - Throws: The conflict of the first pattern that conflicts with an earlier pattern.
    static func build(
        _ given: [URLPattern],
        fixed: [Int: InfoTable],
        origins: [URLOrigin],
        ignoresCase: Bool,
        groups: URLGroups
    ) throws(Conflict) -> URLTableStorage {
        var builder = URLTableBuilder(
            origins: origins,
            ignoresCase: ignoresCase,
            capacity: given.count,
            fixed: fixed,
            groups: groups
        )
        if let conflict = builder.conflicts(among: given).first {
            builder.core.deallocate()
            throw conflict
        }
        return builder.storage()
    }

    /// Returns the conflicts among the given patterns, sorted by the index of the later pattern.
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
        forms.reserveCapacity(given.count)
        for pattern in given {
            add(pattern)
            linkEndings()
        }
        let forms = forms
        var conflicts: [Int: Int] = [:]
        for (second, first) in sort({ forms[Int($0)] }) {
            let (first, second) = (owner(first), owner(second))
            conflicts[second] = min(conflicts[second] ?? first, first)
        }
        return conflicts.sorted { $0.key < $1.key }.map {
            Conflict(first: $0.value, second: $0.key)
        }
    }

    private func owner(_ route: Int) -> Int { Int(core.routes[route].owner) }

    /// Adds patterns to the table.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - customKinds: The declared kinds that the table's patterns use.
    /// - Returns: Whether the patterns were added. Returns `false` if one of the patterns conflicts
    ///   with another pattern, or has an origin that the table does not have.
    mutating func extend(
        with patterns: [URLPattern],
        customKinds: Set<String>
    ) -> Bool {
        let (count, headCount) = (core.routes.count, core.heads.count)
        func giveUp(_ core: inout URLTableCore) -> Bool {
            core.routes.truncate(to: count)
            core.heads.truncate(to: headCount)
            return false
        }
        for pattern in patterns {
            if let origin = pattern.origin {
                guard let number = core.number(of: origin.unnamed) else { return giveUp(&core) }
                originNumbers[origin.unnamed] = number
            }
            add(pattern)
        }
        let (core, forms) = (core, forms)
        func pattern(_ route: UInt32) -> URLPattern {
            let index = Int(route)
            return index < count ? core.form(index, kinds: customKinds) : forms[index - count]
        }
        guard !endings.indices.contains(where: { conflicts(at: $0, pattern) }) else {
            return giveUp(&self.core)
        }
        linkEndings()
        _ = sort(pattern)
        return true
    }

    /// Whether a new ending conflicts with an ending in the table or with an earlier new ending.
    private func conflicts(at index: Int, _ pattern: (UInt32) -> URLPattern) -> Bool {
        let ending = endings[index]
        func rank(_ origin: UInt32, _ route: UInt32) -> URLRank {
            URLRank(origin, pattern: pattern(route), isTail: ending.isTail, rule: literalCase)
        }
        let own = rank(ending.origin, ending.route)
        func isEqual(_ origin: UInt32, _ route: UInt32) -> Bool {
            route != ending.route && own.comparison(to: rank(origin, route)) == 0
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

    /// The rule for comparing literals.
    var literalCase: LiteralCase { core.ignoresCase ? .ignored : .exact }

    // MARK: Adding a pattern

    private mutating func add(_ pattern: URLPattern) {
        let index = core.heads.count
        core.heads.append(UInt32(core.routes.count))
        guard pattern.hasForms else { return add(pattern, of: UInt32(index)) }
        wholes[index] = pattern
        for form in pattern.forms { add(form, of: UInt32(index)) }
    }

    private mutating func add(_ pattern: URLPattern, of owner: UInt32) {
        forms.append(pattern)
        let route = UInt32(core.routes.count)
        let firstParameter = UInt32(core.parameters.count)
        spelling.removeAll(keepingCapacity: true)
        pattern.append(to: &spelling)
        let text = append(spelling)
        let origin = pattern.origin.map { number(of: $0) } ?? Core.Terminal.anyOrigin
        let segments =
            core.ignoresCase ? pattern.segments.map { $0.folded(.ignored) } : pattern.segments
        insert(segments, route: route, origin: origin, text: text)
        // The case of a custom scheme's host is ignored, so a URL with such a scheme looks up the
        // first segment in lower case.
        if pattern.origin == nil, let head = segments.first, head.isChanged(by: .ascii) {
            insert(
                [head.folded(.ascii)] + segments.dropFirst(),
                route: route,
                origin: Core.Terminal.anyCustomScheme,
                text: text
            )
        }
        for (position, segment) in pattern.segments.enumerated() {
            if case .literal = segment { continue }
            add(segment, at: position)
        }
        let pathCount = core.parameters.count - Int(firstParameter)
        for item in pattern.query { add(item.parameter, .query(item.key)) }
        if let parameter = pattern.hostParameter { add(parameter, .host) }
        var fragmentCount = 0
        if let fragment = pattern.fragment {
            core.hasFragments = true
            let firstPart = core.parameters.count
            for (position, segment) in fragment.segments.enumerated() {
                add(segment.folded(literalCase), at: position, isInFragment: true)
            }
            fragmentCount = core.parameters.count - firstPart
            for item in fragment.query { add(item.parameter, .query(item.key)) }
            for index in firstPart..<core.parameters.count {
                core.parameters.base[index].isInFragment = true
            }
        }
        core.routes.append(
            Core.Route(
                text: text,
                owner: owner,
                parameters: firstParameter,
                pathCount: UInt8(pathCount),
                queryCount: UInt16(pattern.query.count),
                hasHost: pattern.hostParameter != nil,
                hasKindOfList: pattern.segments.last?.listKind != nil,
                hasCustomKinds: (firstParameter..<UInt32(core.parameters.count)).contains {
                    kinds[Int(core.parameters[Int($0)].kind)].code == .custom
                },
                hasFragment: pattern.fragment != nil,
                fragmentCount: UInt8(fragmentCount),
                fragmentQueryCount: UInt16(pattern.fragment?.query.count ?? 0),
                group: Self.number(ofGroup: groups.members[Int(owner)])
            )
        )
    }

    /// Adds the parameters of a segment.
    ///
    /// In a fragment, literal texts are added too.
    private mutating func add(
        _ segment: URLPattern.Segment,
        at position: Int,
        isInFragment: Bool = false
    ) {
        switch segment {
        case .literal(let literal):
            add(.unnamed, .literal(position: position, literal))
        case .parameter(let parameter): add(parameter, .path(position: position))
        case .tail(let parameter): add(parameter, .path(position: position, isTail: true))
        case .pair(let pair):
            let number = number(of: pair.folded(literalCase))
            // If the segment is the host of a custom scheme, it is compared in lower case.
            let lowerCase =
                position == 0 && !isInFragment ? self.number(of: pair.folded(.ascii)) : number
            for (index, parameter) in [pair.first, pair.second].enumerated() {
                add(parameter, .path(position: position, affixes: pair.affixes))
                let record = core.parameters.base + core.parameters.count - 1
                (record.pointee.pair, record.pointee.hostPair) = (number, lowerCase)
                record.pointee.isSecond = index == 1
            }
        case .affixed(let affixes, let parameter):
            add(parameter, .path(position: position, affixes: affixes))
            if isInFragment {
                core.parameters.base[core.parameters.count - 1].key = append(affixes.texts)
            }
        }
    }

    /// The source of a parameter's text.
    private enum ParameterPlace {
        /// A segment, without the given affixes if there are any.
        case path(position: Int, isTail: Bool = false, affixes: URLPattern.Affixes? = nil)
        /// A literal segment of a fragment, without a parameter.
        case literal(position: Int, ByteString)
        /// The value of a query key.
        case query(ByteString)
        /// The first label of the host.
        case host
    }

    private mutating func add(_ parameter: URLPattern.Parameter, _ place: ParameterPlace) {
        var record = Core.Parameter(
            name: number(ofName: parameter.name),
            kind: number(of: parameter.kind),
            isOptional: parameter.isOptional,
            isList: parameter.isList
        )
        switch place {
        case .path(let position, let isTail, let affixes):
            record.position = UInt8(position)
            record.source = isTail ? .tail : .segment
            record.prefixCount = UInt16(affixes?.prefix.count ?? 0)
            record.suffixCount = UInt16(affixes?.suffix.count ?? 0)
        case .literal(let position, let text):
            record.position = UInt8(position)
            record.key = intern(text)
            record.source = .literal
        case .query(let key):
            record.key = intern(key)
            record.source = .query
        case .host: record.source = .host
        }
        core.parameters.append(record)
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
            fixed: fixed,
            wholes: wholes,
            groups: groups
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
                group: 0,
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
                group: Self.number(ofGroup: groups[origin]),
                label: labels[origin]?.map { number(ofName: $0) } ?? Core.OriginSlot.noLabel
            )
        }
        core.originSlots.deallocate()
        core.originSlots = slots
    }
}
