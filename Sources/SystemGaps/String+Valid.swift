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

    /// Fallback for systems whose Swift library is too old.
    ///
    /// Invalid UTF-8 is repaired, so the resulting bytes differ.
    @usableFromInline
    package init?(repaired bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
