// SPDX-License-Identifier: MIT

internal import RouteCore

/// The arrays of a table; all of it is plain data that never changes.
struct URLTableCore {
    /// An edge to the child for a literal: an open-addressing table, by node and hash.
    struct Slot {
        var hash: UInt64
        var node: UInt32
        /// The child; 0, the root, where the slot is empty.
        var child: UInt32
    }

    /// What follows a prefix of segments.
    ///
    /// Its lists are linked, so that a pattern is added without moving another one; 0 is the end of
    /// a list.
    struct Node {
        /// The first of its parameters.
        var edge: UInt32 = 0
        /// The first of the patterns that end here.
        var terminal: UInt32 = 0
        /// The first of the tails from here on.
        var tail: UInt32 = 0
        /// The first of the nodes after a literal.
        var child: UInt32 = 0
        /// The next of the nodes after a literal of the same parent.
        var sibling: UInt32 = 0
        /// The pattern at or below the node whose text is first by its bytes.
        var first = Node.noRoute
        /// The start of the literal of the edge to this node; of an affixed node the index of its texts.
        var literal: UInt32
        var literalCount: UInt16
        /// Whether the node is between literal texts of one segment: its edges are the kinds of the
        /// parameter between them.
        var isAffixed = false
        /// The number of segments that lead to the node.
        var depth: UInt8

        static let noRoute = UInt32.max
    }

    /// The literal texts around a parameter.
    struct Affixes {
        var prefix: Text
        var suffix: Text

        /// Their lengths, in place of the kind of an edge.
        var lengths: UInt32 { URLTableCore.affixesMark | prefix.count << 14 | suffix.count }

        /// The lengths that an edge has in place of a kind.
        static func counts(_ lengths: UInt32) -> (prefix: Int, suffix: Int) {
            (Int((lengths & ~URLTableCore.affixesMark) >> 14), Int(lengths & 0x3FFF))
        }
    }

    /// An edge to the child for a parameter.
    ///
    /// An edge for literal texts around a parameter has their lengths in place of a kind; its child
    /// is in the slots.
    struct Edge {
        var kind: UInt32
        var child: UInt32
        /// The next edge of the node.
        var next: UInt32
    }

    /// A pattern that ends, perhaps without some of its optional parts.
    struct Terminal {
        var route: UInt32
        /// The origin's number, or one of those below.
        var origin: UInt32 {
            get { checks >> 1 }
            set { checks = newValue << 1 | checks & 1 }
        }
        /// What is left to be checked where the path fits; 0: nothing.
        private(set) var checks: UInt32
        /// The next ending of the node.
        var next: UInt32

        var hasQuery: Bool { checks & 1 != 0 }

        init(route: UInt32, origin: UInt32, hasQuery: Bool, next: UInt32) {
            (self.route, self.next) = (route, next)
            checks = origin << 1 | (hasQuery ? 1 : 0)
        }

        static let anyOrigin: UInt32 = 0
        static let anyCustomScheme: UInt32 = 1
    }

    /// Marks lengths of literal texts around a parameter, and the owner of the slot for them.
    static let affixesMark: UInt32 = 0x8000_0000

    /// The kind that takes every text, as a number.
    static let textKind: UInt32 = 0

    /// A kind, as far as it is needed while matching.
    struct KindRecord {
        var code: URLPattern.Kind.Code
        /// The alternatives of an enumeration, by bytes.
        var alternatives: UInt32
        var alternativeCount: UInt32
    }

    /// A part of the interned bytes.
    struct Text {
        var start: UInt32
        var count: UInt32
    }

    /// A parameter of a pattern.
    struct Parameter {
        var name: UInt32
        var kind: UInt32
        var key = Text(start: 0, count: 0)
        /// The number of its segment.
        var position: UInt8 = 0
        var isOptional: Bool
        var source = Source.segment
        /// The lengths of the literal texts around it in its segment.
        var prefixCount: UInt16 = 0
        var suffixCount: UInt16 = 0

        /// Where a parameter is read from.
        enum Source: UInt8 {
            case segment, tail, query, host
        }
    }

    /// A pattern.
    struct Route {
        var text: Text
        /// Its parameters: those of the path, then those of the query, then that of the host.
        var parameters: UInt32
        var pathCount: UInt8
        var queryCount: UInt16
        var hasHost: Bool
        var hasCustomKinds: Bool
    }

    /// An origin, in an open-addressing table of its own.
    struct OriginSlot {
        var hash: UInt64
        /// Its number; 0 where the slot is empty.
        var origin: UInt32
        var isAnswered: Bool
        var scheme: Text
        /// The host; from the first dot on, if the label before it may be any.
        var host: Text
        var port: UInt16
        var isWild: Bool
        /// The name of the parameter that reads the first label, if the origin is declared so.
        var label: UInt32

        static let noLabel = UInt32.max
    }

    var slots: URLBuffer<Slot>
    /// The number of slots that are not empty; at most half of all.
    var usedSlots = 0
    var nodes: URLBuffer<Node>
    var edges: URLBuffer<Edge>
    var terminals: URLBuffer<Terminal>
    var affixes = URLBuffer<Affixes>()
    var kinds = URLBuffer<KindRecord>()
    var alternatives = URLBuffer<Text>()
    var parameters = URLBuffer<Parameter>()
    var routes = URLBuffer<Route>()
    var originSlots = URLBuffer<OriginSlot>()
    var bytes = URLBuffer<UInt8>()
    var slotShift: UInt64
    var hasOrigins = false
    var hasWildOrigins = false
    var isOpen: Bool
    var ignoresCase: Bool

    /// A core of no patterns.
    init(isOpen: Bool, ignoresCase: Bool, slotCount: Int) {
        (self.isOpen, self.ignoresCase) = (isOpen, ignoresCase)
        slots = URLBuffer(repeating: Slot(hash: 0, node: 0, child: 0), count: slotCount)
        slotShift = UInt64(64 - slotCount.trailingZeroBitCount)
        nodes = URLBuffer(repeating: Node(literal: 0, literalCount: 0, depth: 0), count: 1)
        // The ends of lists.
        edges = URLBuffer(repeating: Edge(kind: 0, child: 0, next: 0), count: 1)
        terminals = URLBuffer(
            repeating: Terminal(route: 0, origin: 0, hasQuery: false, next: 0),
            count: 1
        )
    }

    /// A core with the same patterns and memory of its own.
    init(copying core: URLTableCore) {
        self = core
        slots = URLBuffer(copying: core.slots)
        nodes = URLBuffer(copying: core.nodes)
        edges = URLBuffer(copying: core.edges)
        terminals = URLBuffer(copying: core.terminals)
        affixes = URLBuffer(copying: core.affixes)
        kinds = URLBuffer(copying: core.kinds)
        alternatives = URLBuffer(copying: core.alternatives)
        parameters = URLBuffer(copying: core.parameters)
        routes = URLBuffer(copying: core.routes)
        originSlots = URLBuffer(copying: core.originSlots)
        bytes = URLBuffer(copying: core.bytes)
    }

    /// Frees the room for more patterns.
    mutating func trim() {
        nodes.trim()
        edges.trim()
        terminals.trim()
        parameters.trim()
        routes.trim()
        bytes.trim()
    }

    func deallocate() {
        slots.deallocate()
        nodes.deallocate()
        edges.deallocate()
        terminals.deallocate()
        affixes.deallocate()
        kinds.deallocate()
        alternatives.deallocate()
        parameters.deallocate()
        routes.deallocate()
        originSlots.deallocate()
        bytes.deallocate()
    }

    /// Where the search for an edge starts.
    @inline(__always)
    static func slot(_ node: UInt32, _ hash: UInt64, shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &+ UInt64(node) &* 0xD6E8_FEB8_6659_FD93) &>> shift)
    }

    @inline(__always)
    func bytes(_ text: Text) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes.base + Int(text.start), count: Int(text.count))
    }

    /// A pattern, read from its text.
    func pattern(_ route: Int, kinds: Set<String>) -> URLPattern {
        precondition(0 <= route && route < routes.count, "the index of a pattern expected")
        let text = String(decoding: bytes(routes[route].text), as: UTF8.self)
        do throws(NotationError) {
            return try URLPattern(text, kinds: kinds)
        } catch {
            preconditionFailure("a pattern prints what it reads: \(error.message)")
        }
    }

    /// Whether the text of a pattern comes before that of another one by its bytes.
    func precedes(_ route: UInt32, _ other: UInt32) -> Bool {
        bytes(routes[Int(route)].text).lexicographicallyPrecedes(bytes(routes[Int(other)].text))
    }

    /// The child of a node for a literal segment, 0 where there is none.
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

    /// Whether the literal of a node is a segment, where their hashes are equal.
    @inline(__always)
    private func isLiteral(_ node: UInt32, _ span: URLSpan, in text: UnsafeRawPointer) -> Bool {
        guard nodes[Int(node)].literalCount == span.count else { return false }
        // The hash has told.
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

    /// The child of a node for a segment with literal texts of some lengths around a parameter;
    /// if there is none, 0.
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

    /// The hash of the literal texts around a parameter.
    static func hash(
        _ prefix: UnsafeRawBufferPointer,
        suffix: UnsafeRawBufferPointer
    ) -> UInt64 {
        URLHash.mix(URLHash.hash(prefix), URLHash.hash(suffix))
    }

    /// The part of a segment that is of a kind at a node: without the literal texts around it.
    func parameterBytes(_ node: UInt32, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let node = nodes[Int(node)]
        guard node.isAffixed else { return bytes }
        let texts = affixes[Int(node.literal)]
        return UnsafeRawBufferPointer(
            rebasing: bytes[Int(texts.prefix.count)..<(bytes.count - Int(texts.suffix.count))]
        )
    }

    /// Whether a decoded text is of a kind, as far as bytes say it.
    func accepts(_ kind: UInt32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let record = kinds[Int(kind)]
        guard record.code == .enumeration else { return record.code.accepts(bytes) }
        for index in 0..<Int(record.alternativeCount) {
            let alternative = self.bytes(alternatives[Int(record.alternatives) + index])
            if alternative.count == bytes.count, alternative.elementsEqual(bytes) { return true }
        }
        return false
    }

    /// The entry of a URL's origin, or of that with any first label in its host; nil if no pattern
    /// and no declaration has it.
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

    /// The number of an origin; nil if no pattern and no declaration has it.
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

    /// The hash of an origin, in which upper and lower case are one.
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
    /// Calls a closure with the bytes of the scheme and of the host.
    ///
    /// Of a first label that stands for any label the dot is kept.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let host = ByteString(host.map { isWild ? String($0.dropFirst()) : $0 } ?? "")
        return ByteString(scheme).withBytes { scheme in host.withBytes { body(scheme, $0) } }
    }
}

/// Owns the arrays of a table.
final class URLTableStorage: @unchecked Sendable {
    // Unchecked: what the pointers lead to is written while nobody else refers to the storage.
    let core: UnsafeMutablePointer<URLTableCore>
    /// The names of parameters.
    fileprivate(set) var names: [ByteString]
    fileprivate(set) var kinds: [URLPattern.Kind]
    let origins: [URLOrigin]
    /// The parameters that matches of routes have beside what is read, by the route.
    let fixed: [Int: InfoTable]
    private var customKinds: Set<String>

    init(
        core: URLTableCore,
        names: [ByteString],
        kinds: [URLPattern.Kind],
        origins: [URLOrigin],
        fixed: [Int: InfoTable]
    ) {
        self.core = UnsafeMutablePointer<URLTableCore>.allocate(capacity: 1)
        self.core.initialize(to: core)
        (self.names, self.kinds, self.origins, self.fixed) = (names, kinds, origins, fixed)
        customKinds = Self.custom(kinds)
    }

    /// A storage with the same patterns and memory of its own.
    convenience init(copying other: URLTableStorage) {
        self.init(
            core: URLTableCore(copying: other.core.pointee),
            names: other.names,
            kinds: other.kinds,
            origins: other.origins,
            fixed: other.fixed
        )
    }

    deinit {
        core.pointee.deallocate()
        core.deallocate()
    }

    /// Adds patterns to a storage that nobody else refers to.
    ///
    /// - Returns: Whether they are added; false if one conflicts with another one, or has an origin
    ///   that no earlier one has.
    func extend(with patterns: [URLPattern]) -> Bool {
        var builder = URLTableBuilder(extending: core.pointee, kinds: kinds)
        // The builder has the only reference, so it adds names in place.
        swap(&builder.names, &names)
        let isAdded = builder.extend(with: patterns, customKinds: customKinds)
        swap(&builder.names, &names)
        core.pointee = builder.core
        if builder.kinds.count != kinds.count {
            kinds = builder.kinds
            customKinds = Self.custom(kinds)
        }
        return isAdded
    }

    private static func custom(_ kinds: [URLPattern.Kind]) -> Set<String> {
        Set(kinds.compactMap { if case .custom(let name) = $0 { name } else { nil } })
    }

    func pattern(_ route: Int) -> URLPattern { core.pointee.pattern(route, kinds: customKinds) }
}
