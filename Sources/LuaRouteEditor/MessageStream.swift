// SPDX-License-Identifier: MIT

package import RouteCore

/// A type that splits a stream of bytes into messages of the language server protocol.
///
/// A message consists of a header with `Content-Length`, an empty line, and a JSON object.
package struct MessageStream {
    /// The maximum size of a message, in bytes.
    package static let sizeLimit = 64 << 20
    /// The maximum size of a header, in bytes.
    private static let headerLimit = 4096
    private static let lineBreaks = Array("\r\n\r\n".utf8)
    private static let lengthName = Array("content-length:".utf8)

    /// A message, or a problem with a malformed part of the stream.
    package typealias Part = Result<InfoTable, Problem>

    /// The reason why a part of a stream is malformed.
    package struct Problem: Error {
        package let message: String
    }

    private var bytes: [UInt8] = []
    /// The number of bytes still to be ignored, because they belong to a message that is too large.
    private var ignored = 0

    package init() {}

    /// Adds bytes of the stream, and returns the parts that these bytes complete.
    ///
    /// After a malformed part, reading resumes at the next header.
    package mutating func add(_ piece: some Sequence<UInt8>) -> [Part] {
        bytes += piece
        var parts: [Part] = []
        while let part = next() { parts.append(part) }
        return parts
    }

    /// The problem of a stream that ends now, after text that does not begin a message; nil if
    /// there is no such text.
    ///
    /// A client that ends in the middle of a message is not a problem.
    package var problemAtEnd: Problem? {
        let rest = bytes.drop { $0 <= 0x20 }
        // 'Content-Type' is a header, too.
        let name = "content-".utf8
        guard !rest.isEmpty, !name.starts(with: rest.prefix(name.count).map(\.lowercased)) else {
            return nil
        }
        let line = String(decoding: rest.prefix { $0 >= 0x20 }, as: UTF8.self)
        let text = line.count > 40 ? "\(line.prefix(40))…" : line
        return Problem(
            message: "a header 'Content-Length: N' was expected before a message, got '\(text)'"
        )
    }

    private mutating func next() -> Part? {
        if ignored > 0 {
            let count = min(ignored, bytes.count)
            bytes.removeFirst(count)
            ignored -= count
            guard ignored == 0 else { return nil }
        }
        guard let end = bytes.prefix(Self.headerLimit).firstRange(of: Self.lineBreaks) else {
            guard bytes.count >= Self.headerLimit else { return nil }
            skipToHeader()
            return .failure(Problem(message: "the header 'Content-Length' is missing or invalid"))
        }
        guard let length = Self.length(in: bytes[..<end.lowerBound]) else {
            bytes.removeFirst(end.upperBound)
            return .failure(Problem(message: "the header 'Content-Length' is missing or invalid"))
        }
        guard length <= Self.sizeLimit else {
            bytes.removeFirst(end.upperBound)
            ignored = length
            return .failure(
                Problem(
                    message:
                        "the message is too long (at most \(Self.sizeLimit) bytes expected, got \(length))"
                )
            )
        }
        guard bytes.count >= end.upperBound + length else { return nil }
        let content = Array(bytes[end.upperBound..<end.upperBound + length])
        bytes.removeFirst(end.upperBound + length)
        do throws(JSONDocument.Problem) {
            return .success(try JSONDocument.line(content))
        } catch {
            return .failure(Problem(message: "\(error.message) at byte \(error.offset + 1)"))
        }
    }

    /// Drops at least one byte, and all other bytes up to the next header.
    private mutating func skipToHeader() {
        let lower = bytes.dropFirst().map(\.lowercased)
        if let next = lower.firstRange(of: Self.lengthName) {
            bytes.removeFirst(next.lowerBound + 1)
        } else {
            bytes.removeFirst(bytes.count - Self.lengthName.count)
        }
    }

    private static func length(in header: ArraySlice<UInt8>) -> Int? {
        for line in header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard line.map(\.lowercased).starts(with: lengthName) else { continue }
            let digits = line.dropFirst(lengthName.count).drop(while: \.isBlank)
            let text = String(decoding: digits, as: UTF8.self)
            return Int(text.filter { $0 != " " }).flatMap { $0 >= 0 ? $0 : nil }
        }
        return nil
    }

    /// Returns the text of a message, preceded by its header.
    package static func framed(_ message: JSON) -> String {
        let text = message.text
        return "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }
}

extension Collection<UInt8> {
    /// Returns the first range whose bytes equal the given bytes; nil if there is none.
    fileprivate func firstRange(of part: [UInt8]) -> Range<Int>? where Index == Int {
        var index = startIndex
        while index + part.count <= endIndex {
            if self[index...].starts(with: part) { return index..<index + part.count }
            index += 1
        }
        return nil
    }
}
