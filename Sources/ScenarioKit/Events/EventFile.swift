// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A file of recorded events, in the format `luaroute.events/1`.
///
/// Each header begins a recording. Events of unknown kinds are omitted with a warning, because no
/// reader can use them. Unknown keys are kept as fields. If the app that wrote the file crashed,
/// the last line may be incomplete and have no line break.
struct EventFile {
    /// The maximum size of a file, in bytes.
    static let sizeLimit = 256 << 20

    /// The recordings, in the order of the file.
    private(set) var recordings: [EventRecording] = []
    /// The warnings about the file.
    private(set) var warnings: [Diagnostic] = []

    private let source: SourceText
    /// The first event of an unknown kind, and the number of such events.
    private var unknown: (line: Range<Int>, kind: String, count: Int)?

    /// Reads the text of a file.
    ///
    /// - Throws: The first error, with its line and column.
    init(_ source: SourceText) throws(Diagnostic) {
        self.source = source
        guard var line = line(from: 0) else {
            throw Diagnostic(.inputUnreadable, "'\(source.name)' is empty", help: Self.help)
        }
        // An incomplete last line may end within a character.
        if let offset = source.invalidOffset, source.bytes[offset...].contains(Self.newline) {
            throw error("not UTF-8", at: offset..<offset + 1)
        }
        while true {
            let next = self.line(from: line.upperBound)
            do throws(JSONDocument.Problem) {
                try read(try JSONDocument.line(Array(source.bytes[line])), line)
            } catch {
                let offset = line.lowerBound + error.offset
                let hasBreak = line.upperBound < source.bytes.count
                // An incomplete line before the first header is an error.
                if !hasBreak, !recordings.isEmpty, header(within: line) == nil {
                    warn("the last line is truncated, and was ignored", at: offset..<offset)
                } else if !recordings.isEmpty, let header = header(within: line) {
                    warn(
                        "the line before a header is truncated, and was ignored",
                        at: offset..<offset
                    )
                    recordings.append(EventRecording(header: header))
                } else if !recordings.isEmpty, let next, header(within: next) != nil {
                    warn(
                        "the line before a header is truncated, and was ignored",
                        at: offset..<offset
                    )
                } else {
                    throw self.error(error.message, at: offset..<offset)
                }
            }
            guard let next else { break }
            line = next
        }
        guard let unknown else { return }
        let count = unknown.count == 1 ? "one event" : "\(unknown.count) events"
        warn(
            "ignored \(count) whose kind this version does not know, such as '\(unknown.kind)'",
            at: unknown.line
        )
    }

    private static let help = "an event stream begins with the line \(Event.jsonHeader)"

    private static let newline = UInt8(ascii: "\n")

    /// Returns the next line that is not empty, without its line break; `nil` if there is none.
    ///
    /// Empty lines only affect the line numbers of errors. A file may consist entirely of empty
    /// lines.
    private func line(from start: Int) -> Range<Int>? {
        source.bytes.withUnsafeBytes { bytes in
            var start = start
            while start < bytes.count {
                guard let newline = bytes.offset(of: Self.newline, in: start..<bytes.count) else {
                    return start..<bytes.count
                }
                var end = newline
                if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
                if end > start { return start..<end }
                start = newline + 1
            }
            return nil
        }
    }

    /// Returns the header at the end of a line; `nil` if there is none.
    ///
    /// If an app crashes while it writes a line, the next start of the app appends its header to
    /// the incomplete line.
    private func header(within line: Range<Int>) -> InfoTable? {
        let bytes = source.bytes[line]
        let start = Array(#"{"schema":"#.utf8)
        guard let index = bytes.indices.last(where: { bytes[$0...].starts(with: start) }),
            let table = try? JSONDocument.line(Array(bytes[index...])),
            table["schema"].text == Event.schema
        else { return nil }
        return table
    }

    private mutating func read(_ table: InfoTable, _ line: Range<Int>) throws(JSONDocument.Problem)
    {
        if let schema = table["schema"].text {
            guard schema == Event.schema else {
                throw JSONDocument.Problem(
                    message: "the schema '\(schema)' is not '\(Event.schema)'",
                    offset: 0
                )
            }
            recordings.append(EventRecording(header: table))
            return
        }
        guard !recordings.isEmpty else {
            throw JSONDocument.Problem(
                message: "a header with the key 'schema' expected",
                offset: 0
            )
        }
        guard let word = table["kind"].text else { throw .notAnEvent }
        guard let kind = Event.Kind(rawValue: word) else {
            unknown = (unknown?.line ?? line, unknown?.kind ?? word, (unknown?.count ?? 0) + 1)
            return
        }
        guard let event = Event(table, kind: kind) else { throw .notAnEvent }
        recordings[recordings.count - 1].events.append(event)
    }

    private func error(_ message: String, at range: Range<Int>) -> Diagnostic {
        Diagnostic(
            .inputUnreadable,
            "'\(source.name)' is not an event stream",
            at: Span(source, range),
            label: message,
            help: recordings.isEmpty ? Self.help : nil
        )
    }

    private mutating func warn(_ message: String, at range: Range<Int>) {
        let span = Span(source, range)
        warnings.append(Diagnostic(.inputUnreadable, message, severity: .warning, at: span))
    }
}

extension JSONDocument.Problem {
    fileprivate static let notAnEvent = JSONDocument.Problem(
        message: "an event with the keys 'seq', 'time', 'generation' and 'kind' expected",
        offset: 0
    )
}
