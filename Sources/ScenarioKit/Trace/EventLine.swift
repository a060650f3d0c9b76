// SPDX-License-Identifier: MIT

internal import LuaRouting

/// An event as one line of text: `find ShowPage(showId=1) by=reuse  podcast.lua:4`.
struct EventLine {
    /// The maximum number of characters of a line, without the source location.
    private static let limit = 120
    /// The fields whose values are written without their names, in the order of the line.
    private static let bare = [
        "act", "level", "code", "message", "phase", "verb", "name", "status", "reason", "url",
        "route",
        "pattern", "screen", "operations", "capability",
    ]
    /// The fields that repeat another one, or that no reader of a trace needs.
    private static let left: Set<String> = [
        "class", "service", "task", "revision", "digest", "defined", "origin", "id", "nested",
    ]

    let event: Event
    let printer: NotationPrinter

    /// The line, without indentation.
    var text: PrintedText {
        var words = [event.kind.rawValue]
        if let service = event["service"].text {
            words.append(event["task"].text.map { "\(service)/\($0)" } ?? service)
        }
        for name in Self.bare {
            let value = event[name]
            if !value.isNil { words.append(bare(value)) }
        }
        for (name, value) in event.fields
        where !Self.bare.contains(name) && !Self.left.contains(name) && !value.isNil {
            let text = value.text.flatMap { Name.isValid($0) ? $0 : nil }
            words.append("\(name)=\(text ?? printer.value(value))")
        }
        if event.kind == .log { words.removeFirst() }
        let whole: PrintedText = "\(words.joined(separator: " "))"
        let line = whole.mapped { $0.count > Self.limit ? $0.prefix(Self.limit - 1) + "…" : $0 }
        let location = event.location?.description ?? event["defined"].text
        guard let location else { return line }
        return "\(line)  \(path: location)"
    }

    /// Returns a value in readable form: texts without quotes, lists with commas.
    private func bare(_ value: Value) -> String {
        switch value {
        case .string(let text): text.displayText
        case .table(let table) where table.entries.isEmpty:
            table.list.isEmpty ? "none" : table.list.map(bare).joined(separator: ", ")
        default: printer.value(value)
        }
    }
}
