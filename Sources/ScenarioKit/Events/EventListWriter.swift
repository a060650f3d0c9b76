// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes recorded events as text: one line for each, or grouped by cause.
struct EventListWriter {
    /// Whether events are grouped by the navigation that caused them, and indented.
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

    /// Returns the events with their numbers and the seconds since the first one.
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

    /// Returns the events of each outermost navigation together, in the order of their first
    /// events.
    private func trace(of events: [Event]) -> PrintedText {
        var roots: [Int: Int] = [:]
        var groups: [(root: Int?, events: [Event])] = []
        var places: [Int: Int] = [:]
        var sequence = 0
        for event in events {
            // The numbers of an app that was started again begin anew.
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
