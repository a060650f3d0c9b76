// SPDX-License-Identifier: MIT

internal import RouteCore

/// A rule for comparing literals.
enum LiteralCase {
    /// Literals are compared byte by byte.
    case exact
    /// The case of ASCII letters is ignored, as for hosts.
    case ascii
    /// The case of all letters is ignored.
    case ignored

    /// Copies the bytes, and converts letters whose case is ignored to lower case.
    ///
    /// The number of bytes does not change.
    func fold(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        target.copyMemory(from: bytes)
        var isPlain = true
        for index in bytes.indices {
            let byte = bytes[index]
            if byte.isCapital, self != .exact { target[index] = byte | 0x20 }
            if byte >= 0x80 { isPlain = false }
        }
        guard !isPlain, self == .ignored else { return }
        var index = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            let count = UTF8.width(scalar)
            if count > 1, let folded = UTF8.encode(Self.fold(scalar)) {
                for (offset, byte) in folded.enumerated() { target[index + offset] = byte }
            }
            index += count
        }
    }

    /// Whether folding may change the given bytes.
    func changes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .exact: false
        case .ascii: bytes.contains(where: \.isCapital)
        case .ignored: bytes.contains { $0.isCapital || $0 >= 0x80 }
        }
    }

    func fold(_ text: ByteString) -> ByteString {
        text.withBytes { bytes in
            guard changes(bytes) else { return text }
            return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { target in
                fold(bytes, into: target)
                return ByteString(bytes: UnsafeRawBufferPointer(target))
            }
        }
    }

    /// Converts the letter to upper case, and the result to lower case.
    ///
    /// Mappings to several letters are ignored. If the result has a different number of bytes, the
    /// letter itself is returned.
    private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        func single(_ text: String, else scalar: Unicode.Scalar) -> Unicode.Scalar {
            let scalars = text.unicodeScalars
            guard let first = scalars.first, scalars.count == 1 else { return scalar }
            return first
        }
        let upper = single(scalar.properties.uppercaseMapping, else: scalar)
        let lower = single(upper.properties.lowercaseMapping, else: upper)
        return UTF8.width(lower) == UTF8.width(scalar) ? lower : scalar
    }
}

extension URLPattern.Segment {
    /// Whether folding the case changes a literal text of the segment.
    func isChanged(by rule: LiteralCase) -> Bool {
        switch self {
        case .literal(let literal): literal.withBytes { rule.changes($0) }
        case .affixed, .pair: folded(rule) != self
        case .parameter, .tail: false
        }
    }

    /// Returns the segment with the case of its literal texts folded.
    func folded(_ rule: LiteralCase) -> URLPattern.Segment {
        switch self {
        case .literal(let literal): .literal(rule.fold(literal))
        case .affixed(let affixes, let parameter): .affixed(affixes.folded(rule), parameter)
        case .pair(let pair): .pair(pair.folded(rule))
        case .parameter, .tail: self
        }
    }
}

extension URLPattern.Affixes {
    /// Returns the affixes with the case of both texts folded.
    func folded(_ rule: LiteralCase) -> URLPattern.Affixes {
        URLPattern.Affixes(prefix: rule.fold(prefix), suffix: rule.fold(suffix))
    }
}

extension ByteString {
    /// Whether the text contains upper-case ASCII letters.
    var hasCapitals: Bool { withBytes { LiteralCase.ascii.changes($0) } }

    /// The text with its ASCII letters in lower case, the form in which schemes and hosts are
    /// compared.
    var lowercasedASCII: ByteString { LiteralCase.ascii.fold(self) }

    /// Whether the text contains a NUL character, which is not allowed in any part of a URL.
    var hasNull: Bool { withBytes { $0.contains(0) } }

    /// Whether the text is `.` or `..`, neither of which can be a segment of a URL.
    var isDotSegment: Bool {
        withBytes { (1...2).contains($0.count) && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }
}
