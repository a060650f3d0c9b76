// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension Diagnostic {
    /// The identity of an error that occurs in several files: its texts and its location.
    struct Identity: Hashable {
        let code: DiagnosticCode
        let texts: [String?]
        let file: String?
        let start: Int?
    }

    /// The maximum number of names and places that a note lists.
    fileprivate static let listLimit = 10

    var identity: Identity {
        // A script that cannot be read is named by each file in a place of its own.
        let span = code == .scriptUnreadable ? nil : span
        return Identity(
            code: code,
            texts: [message, label],
            file: span?.source.name,
            start: span?.range.lowerBound
        )
    }

    fileprivate var place: String? { span.map { "\($0.source.name):\($0.line)" } }

    /// The texts of the diagnostic, by which diagnostics about different locations are grouped.
    fileprivate var sentence: Identity {
        let texts: [String?] =
            [message, label, severity.rawValue] + (details + notes).map { "\($0.topic) \($0.text)" }
        return Identity(code: code, texts: texts, file: nil, start: nil)
    }
}

/// The routes of scripts, by the lines that declare them.
struct DeclaredRoutes {
    private struct Line {
        let names: Set<String>
        let note: Diagnostic.Note?
    }

    private let targets: [RouteError.Location?: [Target]]
    /// The lines that were asked for.
    private var lines: [RouteError.Location?: Line] = [:]

    init(_ routes: [RouteDescription]) {
        targets = Dictionary(grouping: routes, by: \.location).mapValues { $0.map(\.target) }
    }

    /// Returns a finding with the routes that a loop or a helper function declares at its line,
    /// unless the finding names one of them.
    mutating func naming(_ finding: Diagnostic, at location: RouteError.Location?) -> Diagnostic {
        guard let span = finding.span, location?.line == span.line, let targets = targets[location]
        else { return finding }
        let line = lines[location] ?? Self.line(targets, span)
        lines[location] = line
        guard let note = line.note,
            !finding.message.split(separator: "'").contains(where: {
                line.names.contains(String($0))
            })
        else { return finding }
        var finding = finding
        finding.notes.append(note)
        return finding
    }

    private static func line(_ targets: [Target], _ span: Span) -> Line {
        let text = span.source.text(span.source.line(span.line))
        let hidden = targets.filter { text.firstRange(ofPart: $0.service) == nil }
            .map(\.description)
        let topic = hidden.count == 1 ? "route" : "routes"
        return Line(
            names: Set(targets.map(\.description)),
            note: hidden.isEmpty
                ? nil : Diagnostic.Note(topic, hidden.listed(limit: Diagnostic.listLimit))
        )
    }
}

extension [String] {
    /// The texts, separated by commas, with the number of texts beyond a limit.
    fileprivate func listed(limit: Int) -> String {
        let rest = count - limit
        return (prefix(limit) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
    }
}

extension Diagnostic {
    /// The message, the label, the details and the notes, a line each.
    var paragraphs: [String] {
        [message, label].compactMap(\.self) + (details + notes).map { "\($0.topic): \($0.text)" }
    }
}

extension [Diagnostic] {
    /// The diagnostics without repetitions of an earlier one.
    var unrepeated: [Diagnostic] {
        var known: Set<Diagnostic.Identity> = []
        return filter { known.insert($0.identity).inserted }
    }

    /// The diagnostics, with equal ones at several locations merged into the first.
    var grouped: [Diagnostic] {
        var indices: [Diagnostic.Identity: Int] = [:]
        var first: [Diagnostic] = []
        var places: [[String]] = []
        for diagnostic in self {
            let place = diagnostic.place
            if let place, diagnostic.related.isEmpty, let index = indices[diagnostic.sentence] {
                if place != first[index].place, !places[index].contains(place) {
                    places[index].append(place)
                }
                continue
            }
            if place != nil { indices[diagnostic.sentence] = first.count }
            first.append(diagnostic)
            places.append([])
        }
        return zip(first, places).map { diagnostic, places in
            guard !places.isEmpty else { return diagnostic }
            var diagnostic = diagnostic
            let list = "at " + places.listed(limit: Diagnostic.listLimit)
            diagnostic.notes.append(Diagnostic.Note("also", list))
            return diagnostic
        }
    }
}
