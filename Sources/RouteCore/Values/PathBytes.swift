// SPDX-License-Identifier: MIT

/// Access to parts of a path, byte by byte as in the operating system.
///
/// Swift treats a slash and a following combining mark as one character, and considers canonically
/// equivalent strings equal even if their bytes differ. For the operating system, the slash still
/// separates names, and the two strings name different files.
extension StringProtocol {
    /// The names in a path, without empty names.
    package var pathNames: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The index of the last slash of the path; nil if there is none.
    package var lastSlash: Index? { unicodeScalars.lastIndex(of: "/") }

    /// Whether the path is absolute.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether the bytes begin with the bytes of another text.
    package func hasBytePrefix(_ text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the bytes end with the bytes of another text.
    package func hasByteSuffix(_ text: String) -> Bool {
        utf8.suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
