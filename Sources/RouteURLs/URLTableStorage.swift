// SPDX-License-Identifier: MIT

internal import RouteCore

/// The arrays of a table.
///
/// Their elements are plain data, without references.
struct URLTableCore {
    /// A slot of the open-addressing hash table that maps a node and the hash of a literal to a
    /// child node.
    struct Slot {
        var hash: UInt64
        var node: UInt32
        /// The child node, or 0 (the number of the root) if the slot is empty.
        var child: UInt32
    }

    /// A node of the table.
    ///
    /// A node represents a sequence of segments at the start of a path.
    ///
    /// The lists of a node are linked lists, so that adding a pattern does not move other patterns.
    /// Index 0 ends a list.
    struct Node {
        /// The first edge for a parameter.
        var edge: UInt32 = 0
        /// The first pattern that ends at the node.
        var terminal: UInt32 = 0
        /// The first tail that begins after the node.
        var tail: UInt32 = 0
        /// The first child node for a literal.
        var child: UInt32 = 0
        /// The next child node for a literal of the same parent.
        var sibling: UInt32 = 0
        /// The pattern whose text comes first in byte order, among the patterns at or below the
        /// node.
        var first = Node.noRoute
        /// The start of the literal on the edge to this node.
        ///
        /// For an affixed node, this is the index of its affixes.
        var literal: UInt32
        var literalCount: UInt16
        /// Whether the node represents a parameter between literal texts in a segment.
        ///
        /// The edges of such a node represent the kinds of the parameter.
        var isAffixed = false
        /// The number of segments between the root and this node.
        var depth: UInt8

        static let noRoute = UInt32.max
    }

    /// The literal texts around a parameter in its segment.
    struct Affixes {
        var prefix: Text
        var suffix: Text

        /// The lengths of both texts, encoded in one number that an edge stores instead of a kind.
        var lengths: UInt32 { URLTableCore.affixesMark | prefix.count << 14 | suffix.count }

        /// Decodes the lengths that an edge stores instead of a kind.
        static func counts(_ lengths: UInt32) -> (prefix: Int, suffix: Int) {
            (Int((lengths & ~URLTableCore.affixesMark) >> 14), Int(lengths & 0x3FFF))
        }
    }

    /// An edge to the child node for a parameter.
    ///
    /// If there is literal text around the parameter, the edge stores the lengths of the prefix and
    /// the suffix instead of a kind. The child nodes are then found in the slots.
    struct Edge {
        var kind: UInt32
        var child: UInt32
        /// The next edge of the same node.
        var next: UInt32
    }

    /// An ending: a point at which a pattern ends, possibly without some of its optional segments.
    ///
    /// An ending is checked after its path has matched. The checks include the query and the kind
    /// of a list.
    struct Terminal {
        var route: UInt32
        /// The number of the origin, or one of the constants of this type.
        var origin: UInt32 {
            get { checks >> 1 }
            set { checks = newValue << 1 | checks & 1 }
        }
        /// The checks to perform when the path matches.
        ///
        /// 0 means no checks.
        private(set) var checks: UInt32
        /// The next ending of the same node.
        var next: UInt32

        /// Whether there are parameters to check, that is, query parameters or a list with a kind.
        var hasParameters: Bool { checks & 1 != 0 }

        init(route: UInt32, origin: UInt32, hasParameters: Bool, next: UInt32) {
            (self.route, self.next) = (route, next)
            checks = origin << 1 | (hasParameters ? 1 : 0)
        }

        static let anyOrigin: UInt32 = 0
        static let anyCustomScheme: UInt32 = 1
    }

    /// The flag of an edge that stores the lengths of literal texts.
    ///
    /// In a slot for such texts, the same flag marks the number of the node.
    static let affixesMark: UInt32 = 0x8000_0000

    /// The flag of an edge for a pair of parameters.
    ///
    /// The other bits of the edge's kind are the index of the pair.
    static let pairMark: UInt32 = 0x4000_0000

    /// Two parameters in one segment.
    struct Pair {
        var prefix: Text
        var between: Text
        var suffix: Text
        /// The kind of the first parameter.
        var first: UInt32
        /// The kind of the second parameter.
        var second: UInt32
    }

    /// The number of the kind that accepts every text.
    static let textKind: UInt32 = 0

    /// The data that matching needs about a kind.
    struct KindRecord {
        var code: URLPattern.Kind.Code
        /// The index of the first alternative of an enumeration.
        ///
        /// The alternatives are sorted by bytes.
        var alternatives: UInt32
        var alternativeCount: UInt32
    }

    /// A range of the interned bytes.
    struct Text {
        var start: UInt32
        var count: UInt32
    }

    /// A parameter of a pattern.
    struct Parameter {
        var name: UInt32
        var kind: UInt32
        /// The query key or, in a fragment, the literal text of the segment.
        var key = Text(start: 0, count: 0)
        /// The index of the parameter's segment.
        var position: UInt8 = 0
        var isOptional: Bool
        var isList: Bool
        var source = Source.segment
        /// The length of the literal text before the parameter in its segment.
        ///
        /// `suffixCount` is the length of the text after the parameter.
        var prefixCount: UInt16 = 0
        var suffixCount: UInt16 = 0

        /// The number of the pair to which the parameter belongs, or 0 if there is none.
        var pair: UInt32 = 0
        /// The number of the same pair with lower-case literal texts.
        ///
        /// This pair is used if the segment is the host of a custom scheme.
        var hostPair: UInt32 = 0
        /// Whether the parameter is the second parameter of a pair.
        var isSecond = false
        /// Whether the segment of the parameter also contains literal text or another parameter.
        var isPart: Bool { prefixCount | suffixCount != 0 || pair != 0 }
        /// Whether the parameter is read from the fragment.
        var isInFragment = false

        /// The source of a parameter's text.
        enum Source: UInt8 {
            case segment, tail, query, host
            /// A literal segment of a fragment, without a parameter.
            case literal
        }
    }

    /// A form of a pattern.
    struct Route {
        var text: Text
        /// The index of the pattern to which this form belongs.
        var owner: UInt32
        /// The index of the first parameter.
        ///
        /// The parameters are in this order: path, query, host, segments of the fragment, query of
        /// the fragment.
        var parameters: UInt32
        var pathCount: UInt8
        var queryCount: UInt16
        var hasHost: Bool
        /// Whether the last parameter of the path is a list with a kind.
        var hasKindOfList: Bool
        var hasCustomKinds: Bool
        var hasFragment: Bool
        var fragmentCount: UInt8
        var fragmentQueryCount: UInt16
        /// The number of the innermost exclusive group that contains the pattern, or 0 if there is
        /// none.
        var group: UInt32
    }

    /// A slot of the open-addressing hash table of origins.
    struct OriginSlot {
        var hash: UInt64
        /// The number of the origin, or 0 if the slot is empty.
        var origin: UInt32
        var isAnswered: Bool
        var scheme: Text
        /// The host or, for a wildcard host, the part that begins with the first dot.
        var host: Text
        var port: UInt16
        var isWild: Bool
        /// The number of the exclusive group for URLs of the origin, or 0 if there is none.
        var group: UInt32
        /// The index of the name of the parameter that reads the first label, or `noLabel` if there
        /// is none.
        var label: UInt32

        static let noLabel = UInt32.max
    }

    var slots: URLBuffer<Slot>
    /// The number of used slots, which is at most half of all slots.
    var usedSlots = 0
    var nodes: URLBuffer<Node>
    var edges: URLBuffer<Edge>
    var terminals: URLBuffer<Terminal>
    var affixes = URLBuffer<Affixes>()
    var pairs = URLBuffer<Pair>()
    var kinds = URLBuffer<KindRecord>()
    var alternatives = URLBuffer<Text>()
    var parameters = URLBuffer<Parameter>()
    var routes = URLBuffer<Route>()
    /// The index of the first form of each pattern.
    var heads = URLBuffer<UInt32>()
    var originSlots = URLBuffer<OriginSlot>()
    /// The number of the group that directly contains each exclusive group.
    ///
    /// The elements are indexed by the number of the contained group. An element is 0 if no group
    /// contains that group.
    var outerGroups = URLBuffer<UInt32>()
    var bytes = URLBuffer<UInt8>()
    var slotShift: UInt64
    var hasOrigins = false
    var hasWildOrigins = false
    /// Whether some patterns read the fragment.
    var hasFragments = false
    var isOpen: Bool
    var ignoresCase: Bool

    /// Creates a core without patterns.
    init(isOpen: Bool, ignoresCase: Bool, slotCount: Int) {
        (self.isOpen, self.ignoresCase) = (isOpen, ignoresCase)
        slots = URLBuffer(repeating: Slot(hash: 0, node: 0, child: 0), count: slotCount)
        slotShift = UInt64(64 - slotCount.trailingZeroBitCount)
        nodes = URLBuffer(repeating: Node(literal: 0, literalCount: 0, depth: 0), count: 1)
        // Index 0 ends a list.
        edges = URLBuffer(repeating: Edge(kind: 0, child: 0, next: 0), count: 1)
        terminals = URLBuffer(
            repeating: Terminal(route: 0, origin: 0, hasParameters: false, next: 0),
            count: 1
        )
    }

    /// Creates a core with the same patterns as another core, in separate memory.
    init(copying core: URLTableCore) {
        self = core
        slots = URLBuffer(copying: core.slots)
        nodes = URLBuffer(copying: core.nodes)
        edges = URLBuffer(copying: core.edges)
        terminals = URLBuffer(copying: core.terminals)
        affixes = URLBuffer(copying: core.affixes)
        pairs = URLBuffer(copying: core.pairs)
        kinds = URLBuffer(copying: core.kinds)
        alternatives = URLBuffer(copying: core.alternatives)
        parameters = URLBuffer(copying: core.parameters)
        routes = URLBuffer(copying: core.routes)
        heads = URLBuffer(copying: core.heads)
        originSlots = URLBuffer(copying: core.originSlots)
        outerGroups = URLBuffer(copying: core.outerGroups)
        bytes = URLBuffer(copying: core.bytes)
    }

    /// Frees unused capacity.
    mutating func trim() {
        nodes.trim()
        edges.trim()
        terminals.trim()
        parameters.trim()
        routes.trim()
        heads.trim()
        bytes.trim()
    }

    func deallocate() {
        slots.deallocate()
        nodes.deallocate()
        edges.deallocate()
        terminals.deallocate()
        affixes.deallocate()
        pairs.deallocate()
        kinds.deallocate()
        alternatives.deallocate()
        parameters.deallocate()
        routes.deallocate()
        heads.deallocate()
        originSlots.deallocate()
        outerGroups.deallocate()
        bytes.deallocate()
    }

    /// Returns the index of the first slot to search for an edge.
    @inline(__always)
    static func slot(_ node: UInt32, _ hash: UInt64, shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &+ UInt64(node) &* 0xD6E8_FEB8_6659_FD93) &>> shift)
    }

    @inline(__always)
    func bytes(_ text: Text) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes.base + Int(text.start), count: Int(text.count))
    }

    /// Returns a form of a pattern, which is parsed from the text of the form.
    func form(_ route: Int, kinds: Set<String>) -> URLPattern {
        let text = String(decoding: bytes(routes[route].text), as: UTF8.self)
        do throws(NotationError) {
            return try URLPattern(text, kinds: kinds)
        } catch {
            preconditionFailure("a printed pattern cannot be parsed: \(error.message)")
        }
    }

    /// Splits a segment into the texts of both parameters of a pair.
    ///
    /// - Returns: The length of the first parameter in bytes, or nil if the segment does not match.
    func split(
        _ pair: UInt32,
        literal: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        after shorter: Int = 0
    ) -> Int? {
        let pair = pairs[Int(pair & ~Self.pairMark)]
        let texts = (bytes(pair.prefix), bytes(pair.between), bytes(pair.suffix))
        return URLPattern.Pair.split(literal, value, by: texts, after: shorter) {
            accepts($0 ? pair.second : pair.first, $1)
        }
    }

    /// Whether a segment of a URL is of a kind, or matches a pair if `kind` is the number of a
    /// pair.
    func accepts(_ kind: UInt32, split: UnsafePointer<URLSplit>, index: Int) -> Bool {
        kind >= Self.pairMark
            ? self.split(
                kind,
                literal: split.pointee.literal(index),
                value: split.pointee.bytes(index)
            ) != nil
            : accepts(kind, split.pointee.bytes(index))
    }

    /// Splits the segment of a parameter that belongs to a pair.
    ///
    /// - Returns: The length of the first parameter in bytes, or nil if the segment does not match.
    func split(
        _ parameter: Parameter,
        _ split: UnsafePointer<URLSplit>,
        after shorter: Int = 0
    ) -> Int? {
        let index = Int(parameter.position)
        let (literal, bytes) = (split.pointee.literal(index), split.pointee.bytes(index))
        return self.split(parameter.pair, literal: literal, value: bytes, after: shorter)
            ?? self.split(parameter.hostPair, literal: literal, value: bytes, after: shorter)
    }

    /// Returns the range of a parameter's decoded text in its segment.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - split: The URL, or its fragment.
    ///   - count: The length of the first parameter of a pair in bytes, or nil to use the shortest
    ///     length that matches.
    /// - Returns: The byte range in the decoded segment.
    func range(
        of parameter: Parameter,
        _ split: UnsafePointer<URLSplit>,
        first count: Int? = nil
    ) -> Range<Int> {
        let (start, end) = (
            Int(parameter.prefixCount),
            split.pointee.bytes(Int(parameter.position)).count - Int(parameter.suffixCount)
        )
        guard parameter.pair != 0, let count = count ?? self.split(parameter, split) else {
            return start..<end
        }
        let between = Int(pairs[Int(parameter.pair & ~Self.pairMark)].between.count)
        return parameter.isSecond ? start + count + between..<end : start..<start + count
    }

    /// Returns the kind of the elements of a pattern's tail.
    ///
    /// For a tail that is not a list, this is plain text.
    func listKind(of route: Route) -> UInt32 {
        route.hasKindOfList
            ? parameters[Int(route.parameters) + Int(route.pathCount) - 1].kind : Self.textKind
    }

    /// Whether the text of a pattern precedes the text of another pattern in byte order.
    func precedes(_ route: UInt32, _ other: UInt32) -> Bool {
        bytes(routes[Int(route)].text).lexicographicallyPrecedes(bytes(routes[Int(other)].text))
    }

    /// Returns the child node for a literal segment, or 0 if there is none.
    @inline(__always)
    func child(of node: UInt32, _ segment: URLHashedSegment, in text: UnsafeRawPointer) -> UInt32 {
        var index = Self.slot(node, segment.hash, shift: slotShift)
        while true {
            let slot = slots[index]
            if slot.child == 0 { return 0 }
            if slot.hash == segment.hash, slot.node == node,
                isLiteral(slot.child, segment.span, in: text)
            {
                return slot.child
            }
            index = (index &+ 1) & (slots.count &- 1)
        }
    }

    /// Whether the literal of a node equals a segment that has the same hash.
    @inline(__always)
    private func isLiteral(_ node: UInt32, _ span: URLSpan, in text: UnsafeRawPointer) -> Bool {
        guard nodes[Int(node)].literalCount == span.count else { return false }
        // For up to eight bytes, equal hashes mean equal texts.
        if span.count <= 8 { return true }
        let literal = UnsafeRawPointer(bytes.base) + Int(nodes[Int(node)].literal)
        let segment = text + Int(span.start)
        let last = Int(span.count) &- 8
        var offset = 0
        while offset < last {
            if literal.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        return literal.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == segment.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }

    /// Returns the child node for the affixes of the given lengths in a segment, or 0 if there is
    /// none.
    @inline(never)
    func child(
        of node: UInt32,
        affixes lengths: UInt32,
        _ span: URLSpan,
        in text: UnsafeRawPointer
    ) -> UInt32 {
        let (prefixCount, suffixCount) = Affixes.counts(lengths)
        let bytes = span.bytes(in: text)
        guard bytes.count > prefixCount + suffixCount else { return 0 }
        let prefix = UnsafeRawBufferPointer(rebasing: bytes[..<prefixCount])
        let suffix = UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - suffixCount)...])
        let hash = Self.hash(prefix, suffix: suffix)
        let owner = node | Self.affixesMark
        var index = Self.slot(owner, hash, shift: slotShift)
        while slots[index].child != 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.node == owner {
                let known = affixes[Int(nodes[Int(slot.child)].literal)]
                if known.lengths == lengths, self.bytes(known.prefix).elementsEqual(prefix),
                    self.bytes(known.suffix).elementsEqual(suffix)
                {
                    return slot.child
                }
            }
            index = (index &+ 1) & (slots.count &- 1)
        }
        return 0
    }

    /// Returns the hash of the literal texts around a parameter.
    static func hash(
        _ prefix: UnsafeRawBufferPointer,
        suffix: UnsafeRawBufferPointer
    ) -> UInt64 {
        URLHash.mix(URLHash.hash(prefix), URLHash.hash(suffix))
    }

    /// Returns the part of a segment that the kinds of a node must accept, which is the segment
    /// without the literal texts.
    func parameterBytes(_ node: UInt32, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let node = nodes[Int(node)]
        guard node.isAffixed else { return bytes }
        let texts = affixes[Int(node.literal)]
        return UnsafeRawBufferPointer(
            rebasing: bytes[Int(texts.prefix.count)..<(bytes.count - Int(texts.suffix.count))]
        )
    }

    /// Whether a decoded text can be of a kind.
    ///
    /// Returns `true` for declared kinds.
    func accepts(_ kind: UInt32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let record = kinds[Int(kind)]
        guard record.code == .enumeration else { return record.code.accepts(bytes) }
        for index in 0..<Int(record.alternativeCount) {
            let alternative = self.bytes(alternatives[Int(record.alternatives) + index])
            if alternative.count == bytes.count, alternative.elementsEqual(bytes) { return true }
        }
        return false
    }

    /// Returns the slot of the URL's origin or, if `isWild` is true, of the wildcard origin that
    /// includes the URL's origin.
    ///
    /// Returns nil if neither a pattern nor a declaration has this origin.
    func origin(of split: UnsafePointer<URLSplit>, isWild: Bool = false) -> OriginSlot? {
        guard hasOrigins else { return nil }
        let scheme = split.pointee.bytes(split.pointee.scheme)
        var host = UnsafeRawBufferPointer(start: nil, count: 0)
        if !split.pointee.isCustom { host = split.pointee.bytes(split.pointee.host) }
        if isWild {
            guard let dot = host.firstIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
            host = UnsafeRawBufferPointer(rebasing: host[dot...])
        }
        return origin(scheme, host, port: split.pointee.port, isWild: isWild)
    }

    /// Whether a pattern is in the given exclusive group, or in a group nested in that group.
    func isMember(_ route: Route, of group: UInt32) -> Bool {
        var own = route.group
        while own != 0, own != group { own = outerGroups[Int(own)] }
        return own != 0
    }

    /// Returns the number that identifies an origin, or nil if neither a pattern nor a declaration
    /// has this origin.
    func number(of origin: URLOrigin) -> UInt32? {
        origin.withBytes { self.origin($0, $1, port: origin.port ?? 0, isWild: origin.isWild) }?
            .origin
    }

    private func origin(
        _ scheme: UnsafeRawBufferPointer,
        _ host: UnsafeRawBufferPointer,
        port: UInt16,
        isWild: Bool
    ) -> OriginSlot? {
        guard hasOrigins else { return nil }
        let hash = URLTableCore.hash(scheme, host, port: port, isWild: isWild)
        var index = Int(truncatingIfNeeded: hash) & (originSlots.count - 1)
        while true {
            let slot = originSlots[index]
            if slot.origin == 0 { return nil }
            if slot.hash == hash, slot.port == port, slot.isWild == isWild,
                Self.isEqual(bytes(slot.scheme), scheme), Self.isEqual(bytes(slot.host), host)
            {
                return slot
            }
            index = (index + 1) & (originSlots.count - 1)
        }
    }

    /// Returns the hash of an origin, ignoring case.
    static func hash(
        _ scheme: UnsafeRawBufferPointer,
        _ host: UnsafeRawBufferPointer,
        port: UInt16,
        isWild: Bool
    ) -> UInt64 {
        var hash = URLHash.mix(URLHash.seed, UInt64(port) << 1 | (isWild ? 1 : 0))
        for byte in scheme { hash = URLHash.mix(hash, UInt64(byte.lowercased)) }
        hash = URLHash.mix(hash, 0x100)
        for byte in host { hash = URLHash.mix(hash, UInt64(byte.lowercased)) }
        return hash >> 20
    }

    private static func isEqual(_ known: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer)
        -> Bool
    {
        guard known.count == other.count else { return false }
        return zip(known, other).allSatisfy { $0 == $1.lowercased }
    }
}

extension URLOrigin {
    /// Calls the closure with the bytes of the scheme and of the host.
    ///
    /// For a wildcard host, the bytes begin with the first dot.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let host = ByteString(host.map { isWild ? String($0.dropFirst()) : $0 } ?? "")
        return ByteString(scheme).withBytes { scheme in host.withBytes { body(scheme, $0) } }
    }
}

/// A storage that owns the arrays of a table.
final class URLTableStorage: @unchecked Sendable {
    // Unchecked, because the memory is modified only while there is one reference to the storage.
    let core: UnsafeMutablePointer<URLTableCore>
    /// The names of parameters.
    fileprivate(set) var names: [ByteString]
    fileprivate(set) var kinds: [URLPattern.Kind]
    let origins: [URLOrigin]
    /// The parameters that are added to matches, by the index of the pattern.
    let fixed: [Int: InfoTable]
    /// The patterns that have several forms, by the index of the pattern.
    private var wholes: [Int: URLPattern]
    /// The exclusive groups of the patterns.
    private(set) var groups: URLGroups
    private var customKinds: Set<String>

    init(
        core: URLTableCore,
        names: [ByteString],
        kinds: [URLPattern.Kind],
        origins: [URLOrigin],
        fixed: [Int: InfoTable],
        wholes: [Int: URLPattern],
        groups: URLGroups
    ) {
        self.core = UnsafeMutablePointer<URLTableCore>.allocate(capacity: 1)
        self.core.initialize(to: core)
        (self.names, self.kinds, self.origins, self.fixed) = (names, kinds, origins, fixed)
        (self.wholes, self.groups) = (wholes, groups)
        customKinds = Self.custom(kinds)
    }

    /// Creates a storage with the same patterns as another storage, in separate memory.
    convenience init(copying other: URLTableStorage) {
        self.init(
            core: URLTableCore(copying: other.core.pointee),
            names: other.names,
            kinds: other.kinds,
            origins: other.origins,
            fixed: other.fixed,
            wholes: other.wholes,
            groups: other.groups
        )
    }

    deinit {
        core.pointee.deallocate()
        core.deallocate()
    }

    /// Adds patterns.
    ///
    /// There must be only one reference to the storage.
    ///
    /// - Returns: Whether the patterns were added. Returns `false` if one of the patterns conflicts
    ///   with another pattern, or has an origin that the table does not have.
    func extend(with patterns: [URLPattern], members: [Int: Int]) -> Bool {
        var builder = URLTableBuilder(
            extending: core.pointee,
            kinds: kinds,
            groups: groups.with(members)
        )
        // After the swap, the builder has the only reference to the names and adds to them in
        // place.
        swap(&builder.names, &names)
        let isAdded = builder.extend(with: patterns, customKinds: customKinds)
        swap(&builder.names, &names)
        core.pointee = builder.core
        if isAdded {
            wholes.merge(builder.wholes) { $1 }
            self.groups.members.merge(members) { $1 }
        }
        if builder.kinds.count != kinds.count {
            kinds = builder.kinds
            customKinds = Self.custom(kinds)
        }
        return isAdded
    }

    private static func custom(_ kinds: [URLPattern.Kind]) -> Set<String> {
        Set(kinds.compactMap { if case .custom(let name) = $0 { name } else { nil } })
    }

    /// The number of patterns.
    var count: Int { core.pointee.heads.count }

    /// Returns the pattern with the given index.
    func pattern(_ index: Int) -> URLPattern {
        precondition(0 <= index && index < count, "the index of the pattern is out of range")
        return wholes[index] ?? form(Int(core.pointee.heads[index]))
    }

    /// Returns the form of a pattern with the given index.
    func form(_ route: Int) -> URLPattern { core.pointee.form(route, kinds: customKinds) }

    /// Returns the index of the pattern to which a form belongs.
    func owner(_ route: Int) -> Int { Int(core.pointee.routes[route].owner) }
}
