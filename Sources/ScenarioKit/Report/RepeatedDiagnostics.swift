// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension Diagnostic {
    /// The identity of an error that several files meet: its texts and its location.
    struct Identity: Hashable {
        let code: DiagnosticCode
        let texts: [String?]
        let file: String?
        let start: Int?
    }

    /// Returns the diagnostic with the names of the routes that a loop or a helper function declares
    /// at its line, unless the line or the message has them.
    func naming(_ routes: [RouteDescription]) -> Diagnostic {
        guard let span, let line = routes.first?.location?.line, line == span.line else {
            return self
        }
        let text = span.source.text(span.source.line(line))
        let names = routes.map(\.target).filter {
            text.firstRange(ofPart: $0.service) == nil
                && message.firstRange(ofPart: $0.description) == nil
        }.map(\.description)
        guard !names.isEmpty else { return self }
        var diagnostic = self
        let note = Note(names.count == 1 ? "route" : "routes", names.listed(limit: Self.listLimit))
        diagnostic.notes.append(note)
        return diagnostic
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

    /// The texts of the diagnostic, by which those about different locations are grouped.
    fileprivate var sentence: Identity {
        let texts: [String?] =
            [message, label, severity.rawValue] + (details + notes).map { "\($0.topic) \($0.text)" }
        return Identity(code: code, texts: texts, file: nil, start: nil)
    }
}

extension [String] {
    /// The texts with commas, and the number of those beyond a limit.
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
    /// The diagnostics without those that repeat an earlier one.
    var unrepeated: [Diagnostic] {
        var known: Set<Diagnostic.Identity> = []
        return filter { known.insert($0.identity).inserted }
    }

    /// The diagnostics without those that say the same of another place, which the first lists.
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
