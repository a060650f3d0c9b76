// SPDX-License-Identifier: MIT

/// The lines of an input that is read in chunks.
///
/// The lines are bytes, so that invalid UTF-8 is preserved.
package final class InputLines {
    /// The maximum length of a line, in bytes.
    ///
    /// A URL has at most 8 KiB, but route strings and lines of Lua may be longer.
    package static let lengthLimit = 64 << 10

    // This closure returns a `Result`, because older Apple systems have no metadata for functions
    // that throw typed errors.
    private let read: () -> Result<[UInt8]?, InputError>
    private var piece: [UInt8] = []
    private var position = 0

    /// Creates the lines of an input.
    ///
    /// - Parameter read: Returns the next bytes of the input; `nil` at the end.
    package init(read: @escaping () throws(InputError) -> [UInt8]?) {
        self.read = { Result { () throws(InputError) in try read() } }
    }

    /// Returns the next line without its line break; `nil` at the end of the input.
    ///
    /// - Throws: ``InputError`` if the input cannot be read, or if the line is too long.
    package func next() throws(InputError) -> [UInt8]? {
        var line: [UInt8]?
        while true {
            if position == piece.count {
                position = 0
                piece = []
                guard let next = try read().get() else { return line }
                piece = next
            }
            let rest = piece[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? piece.count)]
            guard (line?.count ?? 0) + part.count <= Self.lengthLimit else {
                throw InputError("a line is longer than \(Self.lengthLimit) bytes")
            }
            line = (line ?? []) + part
            position = end.map { $0 + 1 } ?? piece.count
            if end != nil { return line }
        }
    }
}

extension SourceText {
    /// Creates a source text from an input, such as standard input.
    ///
    /// If the input is longer than the limit, only its beginning is read. The beginning is still
    /// longer than the limit, so that the caller can detect this case.
    ///
    /// - Parameters:
    ///   - name: The name of the input in messages.
    ///   - limit: The maximum size, in bytes.
    ///   - read: Returns the next bytes of the input; `nil` at the end.
    /// - Throws: ``InputError`` if the input cannot be read.
    convenience init(
        input name: String,
        limit: Int,
        _ read: () throws(InputError) -> [UInt8]?
    ) throws(InputError) {
        var bytes: [UInt8] = []
        while bytes.count <= limit, let piece = try read() { bytes += piece }
        self.init(name: name, content: bytes)
    }
}
