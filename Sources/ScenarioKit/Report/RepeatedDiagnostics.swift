// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension Diagnostic {
    /// The identity of a diagnostic: its texts and its location.
    ///
    /// An error that several files report is printed once.
    struct Identity: Hashable {
        let code: DiagnosticCode
        let texts: [String?]
        let file: String?
        let start: Int?

        fileprivate init(code: DiagnosticCode, texts: [String?], file: String?, start: Int?) {
            (self.code, self.texts, self.file, self.start) = (code, texts, file, start)
        }

        /// Creates the identity of all failures with an error at the same location in a script.
        init(ofErrorsAt span: Span) {
            let (file, start) = (span.source.name, span.range.lowerBound)
            self.init(code: .stepFailed, texts: [], file: file, start: start)
        }
    }

    /// The maximum number of names or locations in a note.
    fileprivate static let listLimit = 10

    var identity: Identity {
        // Several scenario files may name the same unreadable script, each at a different location.
        let span = code == .scriptUnreadable ? nil : span
        return Identity(
            code: code,
            texts: [message, label],
            file: span?.source.name,
            start: span?.range.lowerBound
        )
    }

    fileprivate var place: String? { span.map { "\($0.source.name):\($0.line)" } }

    /// The texts of the diagnostic, without its location.
    ///
    /// Diagnostics with the same texts are grouped.
    fileprivate var sentence: Identity {
        let texts: [String?] =
            [message, label, severity.rawValue] + (details + notes).map { "\($0.topic) \($0.text)" }
        return Identity(code: code, texts: texts, file: nil, start: nil)
    }
}

/// The errors about files and scripts that a command has printed.
struct PrintedErrors {
    private var known: Set<Diagnostic.Identity> = []

    /// Returns the errors of scripts that do not load, without those that were printed before.
    ///
    /// If several files use the scripts, a note has the number of files.
    mutating func new(among errors: [Diagnostic], usedBy count: Int) -> [Diagnostic] {
        errors.filter { known.insert($0.identity).inserted }.map { error in
            guard count > 1 else { return error }
            var error = error
            error.notes.append(Diagnostic.Note("used", "by \(count) files"))
            return error
        }
    }
}

/// The routes of scripts, by the lines that declare them.
struct DeclaredRoutes {
    private struct Line {
        let names: Set<String>
        let note: Diagnostic.Note?
    }

    private let targets: [RouteError.Location?: [Target]]
    /// The lines whose routes have been collected.
    private var lines: [RouteError.Location?: Line] = [:]

    init(_ routes: [RouteDescription]) {
        targets = Dictionary(grouping: routes, by: \.location).mapValues { $0.map(\.target) }
    }

    /// Returns a finding with an added note that lists the routes declared on the finding's line by
    /// a loop or a helper function.
    ///
    /// A finding that already names one of these routes is returned unchanged.
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
    /// Returns the texts separated by commas.
    ///
    /// Texts beyond the limit are only counted.
    func listed(limit: Int) -> String {
        let rest = count - limit
        return (prefix(limit) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
    }
}

extension Diagnostic {
    /// The message, the label, the details and the notes, one per line.
    var paragraphs: [String] {
        [message, label].compactMap(\.self) + (details + notes).map { "\($0.topic): \($0.text)" }
    }
}

extension [Diagnostic] {
    /// The diagnostics, without those that repeat an earlier diagnostic.
    var unrepeated: [Diagnostic] {
        var known: Set<Diagnostic.Identity> = []
        return filter { known.insert($0.identity).inserted }
    }

    /// The diagnostics, with those that differ only in location merged into one.
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
