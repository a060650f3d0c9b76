// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A type that writes recorded events as text, one per line.
///
/// The events can be grouped by cause.
struct EventListWriter {
    /// Whether to group and indent events by the navigation that caused them.
    var isTrace = false
    var style = TerminalStyle()

    private let printer = NotationPrinter(stringLimit: 256)

    /// Returns the text of a recording.
    func text(of recording: EventRecording) -> PrintedText {
        let titles: [PrintedText?] = [
            recording.location.map { "\(path: $0)" }, recording.scenario.map { "\($0)" },
        ]
        let title = titles.compactMap(\.self).joined(separator: "  ")
        return (title.isEmpty ? "" : "\(style.bold(title))\n")
            + (isTrace ? trace(of: recording.events) : list(of: recording.events))
    }

    /// Returns the events, each with its number and the seconds since the first event.
    private func list(of events: [Event]) -> PrintedText {
        let start = events.first?.time ?? 0
        var text: PrintedText = ""
        for event in events {
            text += "\(Self.padded("\(event.sequence)", 6))"
            text += "\(Self.padded(seconds(event.time - start), 10))"
            text += "  \(event.navigation.map { "#\($0) " } ?? "")"
            text += "\(EventLine(event: event, printer: printer).text)\n"
        }
        return text
    }

    private func seconds(_ seconds: Double) -> String {
        let milliseconds = Int(exactly: (seconds * 1000).rounded()) ?? 0
        let digits = String(abs(milliseconds) % 1000 + 1000).dropFirst()
        return "\(milliseconds < 0 ? "-" : "")\(abs(milliseconds) / 1000).\(digits)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }

    /// Returns the events, grouped by outermost navigation.
    ///
    /// Groups are in the order of their first events.
    private func trace(of events: [Event]) -> PrintedText {
        var roots: [Int: Int] = [:]
        var groups: [(root: Int?, events: [Event])] = []
        var places: [Int: Int] = [:]
        var sequence = 0
        for event in events {
            // When an app is started again, the numbers of its navigations restart.
            if event.sequence <= sequence { (roots, places) = ([:], [:]) }
            sequence = event.sequence
            guard let navigation = event.navigation else {
                groups.append((nil, [event]))
                continue
            }
            let root = roots[navigation] ?? event.parent.map { roots[$0] ?? $0 } ?? navigation
            roots[navigation] = root
            if let place = places[root] {
                groups[place].events.append(event)
            } else {
                places[root] = groups.count
                groups.append((root, [event]))
            }
        }
        var writer = TraceWriter(printer, style: style)
        return groups.map { writer.text(of: Trace.Part(events: $0.events)) }.joined()
    }
}
