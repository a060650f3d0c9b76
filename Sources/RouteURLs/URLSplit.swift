// SPDX-License-Identifier: MIT

internal import RouteCore

/// A URL that is split into its parts and its segments.
///
/// The parts are stored as offsets, and each segment with its hash.
///
/// A split URL is valid only inside the closure that receives it.
struct URLSplit {
    let url: UnsafeRawPointer
    let count: Int

    private(set) var scheme = URLSpan.none
    private(set) var host = URLSpan.none
    /// The port, or 0 if the URL has no port or has the default port of the scheme.
    private(set) var port: UInt16 = 0
    private(set) var query: URLSpan?
    private(set) var fragment: URLSpan?
    /// Whether the URL has a custom scheme.
    ///
    /// If so, its host is the first segment.
    private(set) var isCustom = false
    private(set) var segmentCount = 0

    /// The decoded segments.
    let segments: UnsafeMutablePointer<URLHashedSegment>
    /// The segments to compare with literals: ``segments``, or copies in folded case.
    private(set) var literals: UnsafePointer<URLHashedSegment>
    private let ignoresCase: Bool
    /// The memory for the folded copies.
    private let copies: UnsafeMutablePointer<URLHashedSegment>
    /// The ranges of the segments in the URL before decoding.
    ///
    /// The ranges are set only if the path had to be decoded.
    private let raw: UnsafeMutablePointer<URLSpan>
    private var isDecoded = false
    private var scratch: UnsafeMutableRawPointer
    private var heap: UnsafeMutableRawPointer?
    private var scratchCount = 0

    private static let scratchCapacity = 1024

    /// Splits a URL and calls the given closure with the result.
    ///
    /// All memory is on the stack, unless the URL is longer than 512 bytes and needs decoding. If
    /// `isPath` is true, the text has no origin.
    @inline(__always)
    static func with<Result, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer,
        ignoresCase: Bool,
        isPath: Bool = false,
        _ body: (UnsafePointer<URLSplit>, URLProblem?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Temporary allocations of up to 1024 bytes are on the stack.
        let limit = URLPattern.maximumSegments
        return try withUnsafeTemporaryAllocation(of: URLHashedSegment.self, capacity: limit) {
            segments throws(Failure) in
            try withUnsafeTemporaryAllocation(of: URLHashedSegment.self, capacity: limit) {
                copies throws(Failure) in
                try withUnsafeTemporaryAllocation(of: URLSpan.self, capacity: limit) {
                    raw throws(Failure) in
                    try withUnsafeTemporaryAllocation(byteCount: scratchCapacity, alignment: 8) {
                        scratch throws(Failure) in
                        guard let segments = segments.baseAddress, let raw = raw.baseAddress,
                            let copies = copies.baseAddress, let scratch = scratch.baseAddress
                        else { preconditionFailure("a temporary allocation has an address") }
                        var split = URLSplit(
                            bytes,
                            ignoresCase: ignoresCase,
                            segments: segments,
                            copies: copies,
                            raw: raw,
                            scratch: scratch
                        )
                        let problem = split.split(isPath: isPath)
                        defer { split.heap?.deallocate() }
                        return try withUnsafePointer(to: &split) { split throws(Failure) in
                            try body(split, problem)
                        }
                    }
                }
            }
        }
    }

    private init(
        _ bytes: UnsafeRawBufferPointer,
        ignoresCase: Bool,
        segments: UnsafeMutablePointer<URLHashedSegment>,
        copies: UnsafeMutablePointer<URLHashedSegment>,
        raw: UnsafeMutablePointer<URLSpan>,
        scratch: UnsafeMutableRawPointer
    ) {
        // An empty buffer may have no address. Its replacement is never read.
        url = bytes.baseAddress ?? UnsafeRawPointer(scratch)
        count = bytes.count
        (self.segments, self.copies, self.raw, self.scratch) = (segments, copies, raw, scratch)
        (self.ignoresCase, literals) = (ignoresCase, UnsafePointer(segments))
    }

    // MARK: Parts

    /// The memory that contains the bytes of `segments`.
    var text: UnsafeRawPointer { isDecoded ? UnsafeRawPointer(scratch) : url }

    /// The memory that contains the bytes of `literals`.
    var literalText: UnsafeRawPointer {
        literals == UnsafePointer(segments) ? text : UnsafeRawPointer(scratch)
    }

    /// Returns the range of a segment in the URL before decoding.
    func rawSpan(_ index: Int) -> URLSpan { isDecoded ? raw[index] : segments[index].span }

    /// Returns the decoded bytes of a segment.
    func bytes(_ index: Int) -> UnsafeRawBufferPointer { segments[index].span.bytes(in: text) }

    /// Calls the closure with each decoded element of a list, which begins at the segment with the
    /// given index.
    ///
    /// Empty segments are elements, but a slash at the end of the path does not add an element.
    ///
    /// - Returns: `false` if the closure returned false, which ends the iteration.
    func forEachElement(from index: Int, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard index < segmentCount else { return true }
        guard body(bytes(index)) else { return false }
        // A port may follow the host of a custom scheme.
        var end = end(from: rawSpan(index).range.upperBound, where: Self.isEndOfAuthority)
        while end + 1 < count, byte(end) == UInt8(ascii: "/") {
            let start = end + 1
            end = self.end(from: start, where: Self.isEndOfAuthority)
            if start == end, byte(end) != UInt8(ascii: "/") { break }
            let element = UnsafeRawBufferPointer(start: url + start, count: end - start)
            guard PercentEncoding.withDecoded(element, body) else { return false }
        }
        return true
    }

    /// Returns the bytes of a segment that are compared with literals.
    func literal(_ index: Int) -> UnsafeRawBufferPointer {
        literals[index].span.bytes(in: literalText)
    }

    /// Returns the problem of a malformed part of the URL.
    func malformed(in span: URLSpan) -> URLProblem {
        let range = PercentEncoding.firstMalformed(in: bytes(span))
        let start = Int(span.start)
        return .malformed((start + range.lowerBound)..<(start + range.upperBound))
    }

    /// Returns the bytes of a part of the URL.
    func bytes(_ span: URLSpan) -> UnsafeRawBufferPointer { span.bytes(in: url) }

    // MARK: Splitting

    private mutating func split(isPath: Bool) -> URLProblem? {
        guard count <= URLPattern.maximumLength else { return .tooLong(count) }
        var start = 0
        if count > 0, Self.mayEndSpace(byte(count - 1)), let end = trailingSpace {
            return .ambiguous(.trailingSpace, end..<count)
        }
        if count > 0, byte(0) != UInt8(ascii: "/"), !isPath {
            if hasLeadingSpace { return .ambiguous(.leadingSpace, 0..<1) }
            var problem: URLProblem?
            (start, problem) = splitOrigin()
            if let problem { return problem }
        }
        let problem = splitPath(from: start)
        if problem == nil, isCustom || ignoresCase { foldLiterals() }
        return problem
    }

    private var hasLeadingSpace: Bool {
        switch byte(0) {
        case 0x20, 0x09...0x0D: true
        case 0x80...:
            String(
                decoding: UnsafeRawBufferPointer(start: url, count: min(count, 4)),
                as: UTF8.self
            )
            .unicodeScalars.first?.properties.isWhitespace ?? false
        default: false
        }
    }

    /// Whether the byte is a space, or may be the last byte of another white-space character.
    private static func mayEndSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x80 }

    /// The start of trailing white space, or nil if there is none.
    private var trailingSpace: Int? {
        var start = count - 1
        while start > 0, byte(start) & 0xC0 == 0x80 { start -= 1 }
        let last = UnsafeRawBufferPointer(start: url + start, count: count - start)
        let scalar = String(decoding: last, as: UTF8.self).unicodeScalars.first
        return scalar?.properties.isWhitespace == true ? start : nil
    }

    @inline(__always)
    private func byte(_ index: Int) -> UInt8 {
        url.load(fromByteOffset: index, as: UInt8.self)
    }

    private func end(from start: Int, where isEnd: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count, !isEnd(byte(index)) { index += 1 }
        return index
    }

    static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Parses the scheme and the authority.
    ///
    /// Returns the start of the path, and a problem if there is one.
    private mutating func splitOrigin() -> (start: Int, problem: URLProblem?) {
        guard byte(0).isLetter else { return (0, nil) }
        let colon = end(from: 1) { !URLOrigin.isOfScheme($0) }
        guard colon < count, byte(colon) == UInt8(ascii: ":") else { return (0, nil) }
        scheme = URLSpan(0..<colon)
        isCustom = !isWeb
        guard colon + 2 < count, byte(colon + 1) == UInt8(ascii: "/"),
            byte(colon + 2) == UInt8(ascii: "/")
        else { return (colon + 1, isCustom ? nil : ambiguity ?? .noHost) }
        let start = colon + 3
        let end = end(from: start, where: Self.isEndOfAuthority)
        return (end, splitAuthority(start..<end))
    }

    private mutating func splitAuthority(_ range: Range<Int>) -> URLProblem? {
        let start = range.lowerBound
        var index = range.upperBound
        var value = 0
        var unit = 1
        while index > start, byte(index - 1).isDigit {
            index -= 1
            value = min(value + unit * Int(byte(index) - UInt8(ascii: "0")), 0x10000)
            unit = min(unit * 10, 0x10000)
        }
        let hasPort = index > start && byte(index - 1) == UInt8(ascii: ":")
        host = URLSpan(start..<(hasPort ? index - 1 : range.upperBound))
        if range.contains(where: { byte($0) == UInt8(ascii: "@") }) {
            return ambiguity ?? .userInformation(range)
        }
        if hasPort {
            guard value < 0x10000, value > 0 || index == range.upperBound else {
                return .badPort(index..<range.upperBound)
            }
            let standard = URLOrigin.defaultPort(isSecure: scheme.count == 5)
            port = isCustom || value != standard ? UInt16(value) : 0
        }
        guard !isCustom else { return nil }
        guard host.count > 0 else { return ambiguity ?? .noHost }
        let isAddress = byte(start) == UInt8(ascii: "[")
        for index in host.range where !URLOrigin.isOfHost(byte(index)) {
            if byte(index) == UInt8(ascii: ".") { continue }
            let isEdge = byte(index) == UInt8(ascii: "]") || index == start
            if isAddress, isEdge || URLOrigin.isOfAddress(byte(index)) { continue }
            return ambiguity ?? .badHost(index..<(index + 1))
        }
        return nil
    }

    /// The range of the two slashes at the start of the path, or nil if there are none.
    ///
    /// The result is always nil for a custom scheme with a host, because the host is the first
    /// segment of the path.
    var doubledSlash: Range<Int>? {
        var start = 0
        if scheme.count > 0 {
            guard !hasHostSegment else { return nil }
            start = host.range.upperBound
            // Skip the port, if there is one.
            while start < count, byte(start) != UInt8(ascii: "/") {
                guard byte(start) == UInt8(ascii: ":") || byte(start).isDigit else {
                    return nil
                }
                start += 1
            }
        }
        guard start + 1 < count, byte(start) == UInt8(ascii: "/"),
            byte(start + 1) == UInt8(ascii: "/")
        else { return nil }
        return start..<(start + 2)
    }

    /// The problem with the first part before the query that URL parsers read differently; nil if
    /// there is none.
    private var ambiguity: URLProblem? {
        for index in 0..<count {
            switch byte(index) {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: "\\"): return .ambiguous(.backslash, index..<(index + 1))
            case ..<0x20, 0x7F: return .ambiguous(.controlCharacter, index..<(index + 1))
            default: continue
            }
        }
        return nil
    }

    /// Whether the scheme is `http` or `https`.
    private var isWeb: Bool {
        let name = bytes(scheme)
        guard name.count == 4 || name.count == 5 else { return false }
        for (index, letter) in "https".utf8.enumerated() where index < name.count {
            guard name[index] | 0x20 == letter else { return false }
        }
        return true
    }

    private var hasHostSegment: Bool { isCustom && host.count > 0 }

    private mutating func splitPath(from start: Int) -> URLProblem? {
        if hasHostSegment {
            let bytes = bytes(host)
            guard bytes.allSatisfy(Self.isPlain), !Self.isDotSegment(bytes) else {
                return decodePath(from: start)
            }
            segments[0] = URLHashedSegment(span: host, hash: URLHash.hash(bytes))
            segmentCount = 1
        }
        return splitPlainPath(from: start)
    }

    /// Splits a path if no byte of the path needs decoding or a check; otherwise calls
    /// ``decodePath(from:)``.
    ///
    /// The segment boundaries in each block of 64 bytes are collected as the bits of one word.
    @inline(__always)
    private mutating func splitPlainPath(from start: Int) -> URLProblem? {
        var number = segmentCount
        var segmentStart = start
        var blockStart = start
        while blockStart < count {
            let (ends, isPlain) = scanBlock(blockStart)
            guard isPlain else { return decodePath(from: start) }
            var rest = ends
            while rest != 0 {
                let end = blockStart &+ rest.trailingZeroBitCount
                rest &= rest &- 1
                if end > segmentStart {
                    // Let `decodePath(from:)` find the problem to report.
                    guard number < URLPattern.maximumSegments, !isDotSegment(segmentStart, end)
                    else { return decodePath(from: start) }
                    setSegment(number, start: segmentStart, end: end)
                    number &+= 1
                }
                segmentStart = end &+ 1
                if byte(end) != UInt8(ascii: "/") {
                    segmentCount = number
                    return splitQuery(from: end)
                }
            }
            blockStart &+= 64
        }
        if segmentStart < count {
            guard number < URLPattern.maximumSegments else { return .tooManySegments }
            guard !isDotSegment(segmentStart, count) else { return decodePath(from: start) }
            setSegment(number, start: segmentStart, end: count)
            number &+= 1
        }
        segmentCount = number
        return nil
    }

    @inline(__always)
    private func isDotSegment(_ start: Int, _ end: Int) -> Bool {
        end &- start <= 2 && byte(start) == UInt8(ascii: ".") && byte(end &- 1) == UInt8(ascii: ".")
    }

    private static func isDotSegment(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (1...2).contains(bytes.count) && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Whether the byte needs neither decoding nor a check.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
    }

    /// Returns the positions of '/' and '?' in a block of 64 bytes, as the bits of a word, and
    /// whether none of the bytes needs decoding or a check.
    @inline(__always)
    private func scanBlock(_ start: Int) -> (ends: UInt64, isPlain: Bool) {
        let lows = SIMD2<UInt64>(repeating: 0x7F7F_7F7F_7F7F_7F7F)
        let highs: UInt64 = 0x8080_8080_8080_8080
        // The multiplication gathers the lowest bits of eight bytes.
        let magic: UInt64 = 0x0102_0408_1020_4080
        var ends: UInt64 = 0
        var special = SIMD2<UInt64>(repeating: 0)
        var index = start
        var shift: UInt64 = 0
        while index < count, shift < 64 {
            var words: SIMD2<UInt64>
            // Near the end, load from an earlier offset and shift out the surplus bytes.
            var surplus: UInt64 = 0
            if index &+ 16 <= count {
                words = url.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
            } else if count >= 16 {
                surplus = UInt64(truncatingIfNeeded: index &+ 16 &- count)
                words = url.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self)
            } else {
                // Fill the bytes past the end with spaces.
                let rest = UInt64(truncatingIfNeeded: count &- index)
                let spaces: UInt64 = 0x2020_2020_2020_2020
                let low = rest < 8 ? spaces &<< (rest &* 8) : 0
                let high = rest <= 8 ? spaces : spaces << ((rest &- 8) &* 8)
                words = SIMD2(
                    (URLHash.word(url, at: index, end: count) | low).littleEndian,
                    (URLHash.word(url, at: index &+ 8, end: count) | high).littleEndian
                )
            }
            // The operations turn each '/' and '?' into a zero byte. The addition below leaves the
            // highest bit of only these bytes unset.
            let slashes =
                (words | SIMD2(repeating: 0x1010_1010_1010_1010))
                ^ SIMD2(repeating: 0x3F3F_3F3F_3F3F_3F3F)
            let others = ((slashes & lows) &+ lows) | slashes
            // Find '#' and '%' in the same way. This also finds '!' and '"', which are rare and
            // only cause a call to `decodePath(from:)`.
            let signs =
                (words & SIMD2(repeating: 0xF9F9_F9F9_F9F9_F9F9))
                ^ SIMD2(repeating: 0x2121_2121_2121_2121)
            special |= ~(((signs & lows) &+ lows) | signs) | words
            // Find backslashes in the same way, and control characters by their values. Adding 1 to
            // DEL, the last control character, carries into the highest bit.
            let slants = words ^ SIMD2(repeating: 0x5C5C_5C5C_5C5C_5C5C)
            special |= ~(((slants & lows) &+ lows) | slants)
            special |= ~((words & lows) &+ SIMD2(repeating: 0x6060_6060_6060_6060))
            special |= (words & lows) &+ SIMD2(repeating: 0x0101_0101_0101_0101)
            let low = ((~UInt64(littleEndian: others[0]) & highs) &>> 7) &* magic
            let high = ((~UInt64(littleEndian: others[1]) & highs) &>> 7) &* magic
            let bits = (low &>> 56) | ((high &>> 56) &<< 8)
            ends |= (bits &>> surplus) &<< shift
            index &+= 16
            shift &+= 16
        }
        return (ends, (special[0] | special[1]) & highs == 0)
    }

    @inline(__always)
    private func setSegment(_ number: Int, start: Int, end: Int) {
        var hash = URLHash.seed
        var index = start
        while index &+ 8 < end {
            let word = url.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            hash = URLHash.mix(hash, UInt64(littleEndian: word))
            index &+= 8
        }
        let unused = UInt64(truncatingIfNeeded: 64 &- (end &- index) &* 8)
        let last = URLHash.word(url, at: index, end: count) & (UInt64.max &>> unused)
        segments[number] = URLHashedSegment(
            span: URLSpan(
                start: UInt16(truncatingIfNeeded: start),
                count: UInt16(truncatingIfNeeded: end &- start)
            ),
            hash: URLHash.mix(hash, last)
        )
    }

    /// Splits a path and decodes its segments.
    private mutating func decodePath(from start: Int) -> URLProblem? {
        isDecoded = true
        segmentCount = 0
        if let ambiguity { return ambiguity }
        makeRoom()
        if hasHostSegment, let problem = decodeSegment(host) { return problem }
        var index = start
        while index < count {
            if byte(index) == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let segmentEnd = end(from: index, where: Self.isEndOfAuthority)
            if segmentEnd == index { break }
            guard segmentCount < URLPattern.maximumSegments else { return .tooManySegments }
            if let problem = decodeSegment(URLSpan(index..<segmentEnd)) { return problem }
            index = segmentEnd
        }
        return index < count ? splitQuery(from: index) : nil
    }

    private mutating func decodeSegment(_ span: URLSpan) -> URLProblem? {
        guard let count = decode(span.range) else { return malformed(in: span) }
        let place = URLSpan(scratchCount..<(scratchCount + count))
        let bytes = place.bytes(in: UnsafeRawPointer(scratch))
        guard !Self.isDotSegment(bytes) else { return .ambiguous(.dotSegment, span.range) }
        if let null = bytes.firstIndex(of: 0) {
            let start = Int(span.start) + PercentEncoding.offset(of: null, in: self.bytes(span))
            return .ambiguous(.nullCharacter, start..<(start + 3))
        }
        raw[segmentCount] = span
        segments[segmentCount] = URLHashedSegment(span: place, hash: URLHash.hash(bytes))
        segmentCount += 1
        scratchCount += count
        return nil
    }

    /// Decodes a part of the URL into the free part of the scratch memory.
    ///
    /// Returns the number of decoded bytes, or nil if the part is malformed.
    private func decode(_ range: Range<Int>) -> Int? {
        let bytes = UnsafeRawBufferPointer(start: url + range.lowerBound, count: range.count)
        let target = scratch + scratchCount
        guard let count = PercentEncoding.decode(bytes, into: target),
            PercentEncoding.isUTF8(UnsafeRawBufferPointer(start: target, count: count))
        else { return nil }
        return count
    }

    /// Parses the query and the fragment.
    ///
    /// `start` is the offset of the `?` or `#`.
    private mutating func splitQuery(from start: Int) -> URLProblem? {
        var end = start
        if byte(start) == UInt8(ascii: "?") {
            end = self.end(from: start + 1) { $0 == UInt8(ascii: "#") || $0.isLineBreak }
            query = URLSpan((start + 1)..<end)
        }
        if end < count, !byte(end).isLineBreak {
            fragment = URLSpan((end + 1)..<count)
            end = self.end(from: end + 1, where: \.isLineBreak)
        }
        return end < count ? .ambiguous(.lineBreak, end..<(end + 1)) : nil
    }

    /// Creates folded copies of the segments if folding changes any segment.
    ///
    /// The case of a custom scheme's host is ignored, and a table may ignore the case of all
    /// segments.
    private mutating func foldLiterals() {
        let rule = ignoresCase ? LiteralCase.ignored : .ascii
        let foldedCount = ignoresCase ? segmentCount : min(segmentCount, 1)
        guard (0..<foldedCount).contains(where: { rule.changes(bytes($0)) }) else { return }
        makeRoom()
        for index in 0..<segmentCount {
            let bytes = bytes(index)
            let span = URLSpan(scratchCount..<(scratchCount + bytes.count))
            let copy = UnsafeMutableRawBufferPointer(
                start: scratch + scratchCount,
                count: bytes.count
            )
            (index < foldedCount ? rule : .exact).fold(bytes, into: copy)
            scratchCount += bytes.count
            copies[index] = URLHashedSegment(
                span: span,
                hash: URLHash.hash(UnsafeRawBufferPointer(copy))
            )
        }
        literals = UnsafePointer(copies)
    }

    /// Replaces the scratch memory if it may be too small for the decoded segments and the folded
    /// copies.
    private mutating func makeRoom() {
        guard heap == nil, count * 2 > Self.scratchCapacity else { return }
        let room = UnsafeMutableRawPointer.allocate(byteCount: count * 2, alignment: 8)
        room.copyMemory(from: scratch, byteCount: scratchCount)
        (scratch, heap) = (room, room)
    }
}

extension UInt8 {
    /// Whether the byte is a tab or part of a line break.
    fileprivate var isLineBreak: Bool { isSpace && self != 0x20 }
}
