// SPDX-License-Identifier: MIT

internal import SystemGaps

/// A Lua string, which may contain any bytes and is compared byte by byte.
///
/// Swift's `String` contains only valid UTF-8, and its `==` treats canonically equivalent texts as
/// equal. Lua strings differ in both respects. A byte string stores a `String` if the bytes are
/// valid UTF-8, and the raw bytes otherwise.
///
/// ```swift
/// let bytes = ByteString(bytes: [0x41, 0xFF])
/// print(bytes.count, bytes.text ?? "not UTF-8")  // 2 not UTF-8
/// ```
public struct ByteString: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        case text(String)
        case bytes([UInt8])
    }

    @usableFromInline let storage: Storage

    /// Creates a byte string from text.
    public init(_ text: String) {
        storage = .text(text)
    }

    /// Creates a byte string from bytes, which need not be valid UTF-8.
    public init(bytes: UnsafeRawBufferPointer) {
        // Most strings are ASCII names, which need no validation.
        if Self.isASCII(bytes) {
            storage = .text(String(decoding: bytes, as: UTF8.self))
        } else if let text = String(valid: bytes) {
            storage = .text(text)
        } else {
            storage = .bytes([UInt8](bytes))
        }
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    /// Creates a byte string from bytes, which need not be valid UTF-8.
    public init(bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ByteString(bytes: $0) }
    }

    /// The text; nil if the bytes are not valid UTF-8.
    public var text: String? {
        switch storage {
        case .text(let text): text
        case .bytes: nil
        }
    }

    /// The text, in which invalid UTF-8 is replaced by U+FFFD.
    public var displayText: String {
        switch storage {
        case .text(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns at most `length` bytes from the start.
    ///
    /// The result may end within a character.
    package func prefix(_ length: Int) -> ByteString {
        count <= length
            ? self
            : withBytes { ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(length))) }
    }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// Calls the given closure with the bytes.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .text(var text):
            var result: Swift.Result<Result, Failure>?
            text.withUTF8 { buffer in
                do throws(Failure) {
                    result = .success(try body(UnsafeRawBufferPointer(buffer)))
                } catch {
                    result = .failure(error)
                }
            }
            guard let result else { preconditionFailure("withUTF8 calls its closure once") }
            return try result.get()
        case .bytes(let bytes):
            var result: Swift.Result<Result, Failure>?
            bytes.withUnsafeBytes { buffer in
                do throws(Failure) {
                    result = .success(try body(buffer))
                } catch {
                    result = .failure(error)
                }
            }
            guard let result else { preconditionFailure("withUnsafeBytes calls its closure once") }
            return try result.get()
        }
    }
}

extension ByteString: Hashable {
    /// Whether two strings have the same bytes.
    public static func == (left: ByteString, right: ByteString) -> Bool {
        switch (left.storage, right.storage) {
        case (.text(let left), .text(let right)):
            // The first test is fast, but it is also true for canonically equivalent texts.
            left == right && ByteString.order(left, right) == 0
        case (.bytes(let left), .bytes(let right)):
            left == right
        default:
            false
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ByteString: Comparable {
    /// Whether the left string sorts before the right one, byte by byte.
    public static func < (left: ByteString, right: ByteString) -> Bool {
        left.order(to: right) < 0
    }

    /// Compares the bytes with the bytes of another string.
    ///
    /// The result is negative if this string sorts before the other string, 0 if the strings are
    /// equal, and positive if this string sorts after the other string.
    @inline(__always)
    func order(to other: ByteString) -> Int {
        if case .text(let left) = storage, case .text(let right) = other.storage {
            return Self.order(left, right)
        }
        return withBytes { left in other.withBytes { right in Self.order(left, right) } }
    }

    private static func order(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
    }

    @inline(__always)
    private static func order(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        var index = 0
        let count = min(left.count, right.count)
        while index < count {
            let difference = Int(left[index]) - Int(right[index])
            if difference != 0 { return difference }
            index += 1
        }
        return left.count - right.count
    }
}

extension ByteString: ExpressibleByStringLiteral {
    /// Creates a byte string from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
