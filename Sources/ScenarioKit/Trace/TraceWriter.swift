// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes traces as text.
///
/// For each step, the text contains the events, indented by cause, and the trees that changed.
///
/// ```
///   14  navigate Product/show(id=2)
///       #2 navigate Product/show  shop.lua:8
///         build Product  shop.lua:9
///         commit push
///         done
///       before nav[Home]
///       after  nav[Home, +Product(id=2)]
/// ```
struct TraceWriter {
    /// The indentation of lines below a step.
    private static let margin = "      "
    private static let space = PrintedText(escaped: margin)
    /// The maximum depth to which lines are indented.
    ///
    /// Without a limit, a long chain of navigations that start each other would indent lines ever
    /// further.
    private static let depthLimit = 16

    var style = TerminalStyle()
    private let printer: NotationPrinter
    /// The nesting depth of each navigation, by the number of the navigation.
    ///
    /// A navigation is one level deeper than the navigation that started it.
    private var depths: [Int: Int] = [:]

    init(_ printer: NotationPrinter, style: TerminalStyle = TerminalStyle()) {
        self.printer = printer
        self.style = style
    }

    /// Returns the text of a whole trace.
    static func text(of trace: Trace, style: TerminalStyle = TerminalStyle()) -> PrintedText {
        var writer = TraceWriter(trace.printer, style: style)
        return trace.parts.map { writer.text(of: $0, $0.changes) }.joined()
    }

    /// Returns the text of a part with its changes.
    ///
    /// Call this method for all parts in order.
    mutating func text(of part: Trace.Part, _ changes: TreeChanges? = nil) -> PrintedText {
        var text: PrintedText = ""
        if let line = part.line {
            let mark = part.isFailed ? style.red("✘") : " "
            let step = style.bold("\(part.text)")
            let space = String(repeating: " ", count: max(0, 4 - line.count))
            text += "\(mark)\(space)\(path: line)  \(step)\n"
        }
        for line in lines(of: part.events) {
            // String interpolation would copy each line.
            text += Self.space
            text += line
            text += "\n"
        }
        for note in part.output { text += Self.text(of: note, margin: Self.margin) }
        if let changes, !changes.isEmpty { text += self.text(of: changes) }
        return text
    }

    /// Returns the text of a note that a step printed; the first line begins with the note's topic.
    static func text(of note: Diagnostic.Note, margin: String) -> PrintedText {
        let lines = note.text.split(separator: "\n", omittingEmptySubsequences: false)
        let space = String(repeating: " ", count: note.topic.count + 1)
        return lines.enumerated().map { number, line in
            "\(margin)\(number == 0 ? note.topic + " " : space)\(line)\n"
        }.joined()
    }

    // MARK: Events

    /// Returns a line for each event.
    static func lines(of events: some Sequence<Event>, _ printer: NotationPrinter) -> [PrintedText]
    {
        var writer = TraceWriter(printer)
        return writer.lines(of: Array(events))
    }

    /// Returns a line for each event.
    ///
    /// The first line about a navigation begins with the navigation's number.
    private mutating func lines(of events: [Event]) -> [PrintedText] {
        var named: Set<Int> = []
        return events.map { event in
            let line = EventLine(event: event, printer: printer).text
            guard let navigation = event.navigation else { return line }
            if event.kind == .navigate {
                depths[navigation] = event.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
            }
            let isFirst = named.insert(navigation).inserted
            let depth = (depths[navigation] ?? 0) + (isFirst ? 0 : 1)
            let indentation = String(repeating: "  ", count: min(depth, Self.depthLimit))
            return PrintedText(escaped: isFirst ? "\(indentation)#\(navigation) " : indentation)
                + line
        }
    }

    // MARK: Trees

    /// Returns the changed windows before and after the step, with the marks that ``TreeChanges``
    /// adds.
    private func text(of changes: TreeChanges) -> PrintedText {
        var text: PrintedText = ""
        for (name, before, after) in changes.texts(printer) where before != after {
            let title: PrintedText = name == "main" ? "" : "\(name): "
            let states: [(PrintedText, String)] = [("before ", before), ("after  ", after)]
            for (word, tree) in states where !tree.isEmpty {
                text += "\(Self.space)\(style.bold("\(word)\(title)\(tree)"))\n"
            }
        }
        return text
    }
}
