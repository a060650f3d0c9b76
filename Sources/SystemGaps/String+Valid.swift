// SPDX-License-Identifier: MIT

extension String {
    /// Creates a string from bytes; nil if the bytes are not valid UTF-8.
    @inlinable
    package init?(valid bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(repaired: bytes)
        }
    }

    /// Creates a string from bytes on systems whose Swift library cannot validate UTF-8; nil if the
    /// bytes are not valid UTF-8.
    ///
    /// Swift repairs invalid bytes when it decodes them, so the bytes of the string then differ
    /// from the given bytes.
    @usableFromInline
    package init?(repaired bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
