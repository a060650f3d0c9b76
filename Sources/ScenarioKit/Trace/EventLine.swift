// SPDX-License-Identifier: MIT

internal import LuaRouting

/// An event as one line of text: `find ShowPage(showId=1) by=reuse  podcast.lua:4`.
struct EventLine {
    /// The maximum number of characters of a line, without the source location.
    private static let limit = 120
    /// The fields whose values are written without the field name, in the order in which they
    /// appear in the line.
    private static let bare = [
        "act", "level", "code", "message", "phase", "verb", "name", "status", "reason", "url",
        "route",
        "pattern", "screen", "operations", "capability",
    ]
    /// The fields that are omitted, because they repeat another field or are not useful in a trace.
    private static let left: Set<String> = [
        "class", "service", "task", "revision", "digest", "defined", "origin", "id", "nested",
    ]

    /// The position of each field in ``bare``; -1 for fields in ``left``.
    private static let positions = Dictionary(
        bare.enumerated().map { ($1, $0) } + left.map { ($0, -1) }
    ) { first, _ in first }

    let event: Event
    let printer: NotationPrinter

    /// The line, without indentation.
    var text: PrintedText {
        var text = event.kind == .log ? "" : event.kind.rawValue
        func add(_ word: String) {
            if !text.isEmpty { text += " " }
            text += word
        }
        if let service = event["service"].text {
            add(event["task"].text.map { "\(service)/\($0)" } ?? service)
        }
        var named = [String?](repeating: nil, count: Self.bare.count)
        var others: [String] = []
        for (name, value) in event.fields where !value.isNil {
            switch Self.positions[name] {
            case .some(-1): break
            case let position?: named[position] = bare(value)
            case nil:
                let text = value.text.flatMap { Name.isValid($0) ? $0 : nil }
                others.append("\(name)=\(text ?? printer.value(value))")
            }
        }
        for case let word? in named { add(word) }
        others.forEach(add)
        let whole = PrintedText(escaped: Terminal.escaped(text))
        let line = whole.mapped {
            $0.utf8.count > Self.limit && $0.count > Self.limit
                ? $0.prefix(Self.limit - 1) + "…" : $0
        }
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
