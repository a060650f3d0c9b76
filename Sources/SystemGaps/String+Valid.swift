// SPDX-License-Identifier: MIT

extension String {
    /// Creates a string of bytes, nil if they are not UTF-8.
    @inlinable
    package init?(valid bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(repaired: bytes)
        }
    }

    /// Fallback for systems whose Swift library is too old: invalid UTF-8 is decoded to a text with
    /// other bytes.
    @usableFromInline
    package init?(repaired bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
