// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Shows the lines of scripts that errors speak of.
struct ScriptPlaces {
    private let scripts: Bundle

    init(_ scripts: Bundle) { self.scripts = scripts }

    /// The place of an error in its script, nil where it has none that can be read.
    ///
    /// Lua tells the line alone. The column is that of a name which the message has in
    /// quotes, where it stands in the line; else the whole line is meant.
    func span(of error: RouteError) -> Span? {
        error.location.flatMap { span(of: $0, error.message) }
    }

    /// The place of a line in its script, of which a message speaks; nil where it cannot be read.
    func span(of location: RouteError.Location, _ message: String) -> Span? {
        guard let bytes = try? scripts.source(of: location.file) else { return nil }
        let source = SourceText(name: scripts.displayPath(of: location.file), content: bytes)
        guard location.line >= 1, location.line <= source.lineCount else { return nil }
        let line = source.line(location.line)
        let text = source.bytes[line]
        for name in Self.quotedNames(in: message) {
            if let start = text.firstRange(of: Array(name.utf8))?.lowerBound {
                return Span(source, start..<start + name.utf8.count)
            }
        }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = text.firstIndex { !isSpace($0) } ?? line.lowerBound
        let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? line.upperBound
        return Span(source, start..<end)
    }

    private static func quotedNames(in message: String) -> [Substring] {
        message.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map(\.element)
    }
}
