// SPDX-License-Identifier: MIT

/// Parts of paths by bytes, as the system reads them.
///
/// To Swift a slash and a mark that combines with it are one character, and two texts are equal whose
/// bytes differ. To the system the slash still separates names, and the texts name two files.
extension StringProtocol {
    /// The names in a path, without empty ones.
    package var pathNames: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The index of the last slash of a path.
    package var lastSlash: Index? { unicodeScalars.lastIndex(of: "/") }

    /// Whether a path begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether the bytes begin with the bytes of another text.
    package func hasBytePrefix(_ text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the bytes end with the bytes of another text.
    package func hasByteSuffix(_ text: String) -> Bool {
        utf8.suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
