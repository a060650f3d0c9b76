// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The comparison of the destinations of targets in two versions of scripts.
extension ExplainCommand {
    /// Compares the destinations of the targets in order.
    ///
    /// Each change is written as soon as it is found.
    func compare(
        with other: String,
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) -> ExitCode {
        var code = ExitCode.success
        var diagnostics: [Diagnostic] = []
        var counts = DestinationCounts()
        func results() -> CommandResult<Compared> {
            CommandResult((script, other, counts), diagnostics: diagnostics, code: code)
        }
        if format == .json {
            console.output(Self.differences.beginning(of: results(), upTo: "changes"))
        }
        do throws(LoadedScripts.Failure) {
            let old = try explainer(of: other, &diagnostics)
            let new = try explainer(of: script, &diagnostics)
            if !diagnostics.isEmpty { code = .failed }
            var isFirst = true
            try forEachTarget(input) { target in
                let change = DestinationChange(
                    was: old.explanation(of: target),
                    now: new.explanation(of: target)
                )
                counts.add(change)
                guard let change else { return }
                code = max(code, .failed)
                console.output(text(of: change, isFirst: isFirst, console))
                isFirst = false
            }
            if format == .text { console.output("\(counts.summary)\n") }
        } catch {
            diagnostics += error.diagnostics
            code = max(code, error.code)
        }
        diagnostics.forEach(console.write)
        if format == .json {
            console.output(Self.differences.ending(of: results(), after: "changes"))
        }
        return code
    }

    /// Loads and starts scripts.
    ///
    /// A failure of `router.start` is reported as a diagnostic.
    private func explainer(
        of path: String,
        _ diagnostics: inout [Diagnostic]
    ) throws(LoadedScripts.Failure) -> Explainer {
        var options = options
        try options.readHostFiles()
        let scripts = try LoadedScripts(path, options)
        if let diagnostic = try scripts.begin(given: given, state: state) {
            diagnostics.append(diagnostic)
        }
        return scripts.explainer(showsAll: false)
    }

    // MARK: Writing

    private func text(
        of change: DestinationChange,
        isFirst: Bool,
        _ console: Console
    ) -> PrintedText {
        guard format == .text else {
            var json = JSONWriter()
            change.write(to: &json)
            return PrintedText(json: (isFirst ? "" : ",") + json.text)
        }
        var table = TextTable()
        table.indent = "  "
        switch change.kind {
        case .fails, .succeeds:
            table.addNote(change.kind.rawValue, "was \(change.was.title), now \(change.now.title)")
        case .failure, .route, .redirect, .screen, .presentation, .parameters:
            for part in change.parts {
                let (was, now) = (change.was[part] ?? "nothing", change.now[part] ?? "nothing")
                table.addNote(part.rawValue, "was \(was), now \(now)")
            }
        }
        let title = change.text.isEmpty ? "''" : change.text
        let lines = [console.style.yellow("~ \(title)")] + table.lines(width: console.width)
        return lines.map { "\($0)\n" }.joined()
    }

    // MARK: Fields

    typealias Compared = (script: String, other: String, counts: DestinationCounts)

    static let differences = DocumentFields<CommandResult<Compared>>.result("explain-diff") {
        DocumentField<Compared>("script", \.script, help: "The path of the scripts.")
        DocumentField("other", \.other, help: "The path of the older scripts.")
        DocumentField("changes", { _ in [DestinationChange]() }, help: "The targets that changed.")
        DocumentField("targets", \.counts.targets, help: "The total number of targets.")
        DocumentField(
            "counts",
            as: .map(.integer),
            \.counts,
            help: "The number of changes of each kind."
        ) { counts, json in
            json.begin("{")
            for kind in DestinationChange.Kind.allCases {
                json.member(kind.rawValue, counts[kind])
            }
            json.end("}")
        }
    }
}

extension DestinationChange: DocumentRecord {
    static let document = DocumentFields<Self>("changedTarget") {
        Field("target", \.text, help: "The target.")
        Field("kind", \.kind, help: "The kind of change.")
        Field(
            "parts",
            { $0.parts.map(\.rawValue) },
            help: "The parts of the destination that changed."
        )
        Field("was", \.was, help: "The destination in the older scripts.")
        Field("now", \.now, help: "The destination in the newer scripts.")
    }
}

extension DestinationChange.Kind: DocumentValue {}

extension Destination.Part {
    /// The description of the part in the schema of the JSON document.
    fileprivate var help: String {
        switch self {
        case .failure: "The reason why the navigation fails."
        case .route: "The route that matches, or the target itself."
        case .redirect: "The route at which the navigation ends, if it is another route."
        case .screen: "The class of the screen."
        case .presentation: "The actions that present screens, such as 'present'."
        case .parameters: "The parameters of the navigation."
        }
    }
}

extension Destination: DocumentRecord {
    static let document = DocumentFields<Self>("destination") {
        Part.allCases.map { part in
            Field(part.rawValue, { $0[part] }, help: part.help)
        }
    }
}
