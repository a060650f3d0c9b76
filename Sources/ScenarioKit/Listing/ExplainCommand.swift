// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute explain`: explains which routes match URLs, and why others do not match.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct ExplainCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// Human-readable blocks of text.
        case text
        /// A single JSON document.
        case json
    }

    /// The argument that makes the command read targets from standard input, one per line.
    package static let inputMark = "-"

    /// Returns whether a text contains `://`, which follows the scheme of a URL.
    package static func hasScheme(_ text: String) -> Bool { text.contains(part: "://") }

    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The URLs and targets to explain.
    ///
    /// An element that equals ``inputMark`` is replaced by the targets that are read from standard
    /// input.
    package var targets: [String]
    /// The tree in which the targets are explained, in tree notation; `nil` for the tree with which
    /// the scripts start.
    package var given: String?
    /// The assignments to make to `router.state` before explaining, such as `user=ann`.
    ///
    /// The values are written in the same notation as in scenario files.
    package var state: [String] = []
    /// The options for loading the scripts.
    package var options: RunOptions
    /// The older scripts to compare the destinations with; `nil` to explain the targets instead.
    package var other: String?
    /// Whether to report all near misses, and not only the nearest.
    package var showsAll = false
    /// The output format.
    package var format = Format.text

    /// Creates a command.
    package init(script: String = ".", targets: [String], options: RunOptions = RunOptions()) {
        self.script = script
        self.targets = targets
        self.options = options
    }

    /// Explains the targets in order, or compares their destinations with the destinations in
    /// ``other``.
    ///
    /// Each result is written as soon as it is available.
    ///
    /// - Parameters:
    ///   - input: Returns the next line of the input; `nil` at its end, or if the results are no
    ///     longer read.
    ///   - console: The output.
    /// - Returns: The exit code.
    package func run(
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) -> ExitCode {
        if let other { return compare(with: other, input: input, console) }
        var code = ExitCode.success
        var diagnostics: [Diagnostic] = []
        if format == .json {
            console.output(
                Self.document.beginning(
                    of: CommandResult(script, diagnostics: [], code: code),
                    upTo: "targets"
                )
            )
        }
        do throws(LoadedScripts.Failure) {
            var options = options
            try options.readHostFiles()
            let scripts = try LoadedScripts(script, options)
            if let diagnostic = try scripts.begin(given: given, state: state) {
                code = .failed
                diagnostics.append(diagnostic)
                console.write(diagnostic)
            }
            let explainer = scripts.explainer(showsAll: showsAll)
            var isFirst = true
            try forEachTarget(input) { target in
                let explanation = explainer.explanation(of: target)
                if explanation.hasFailed { code = max(code, .failed) }
                write(explanation, scripts: scripts, isFirst: isFirst, to: console)
                isFirst = false
            }
        } catch {
            diagnostics += error.diagnostics
            code = max(code, error.code)
            error.diagnostics.forEach(console.write)
        }
        end(diagnostics, code: code, to: console)
        return code
    }

    /// Calls a closure with each target, including the targets from the input.
    ///
    /// - Throws: A failure if the input cannot be read.
    func forEachTarget(
        _ input: () throws(InputError) -> [UInt8]?,
        _ body: (ByteString) -> Void
    ) throws(LoadedScripts.Failure) {
        do throws(InputError) {
            for target in targets {
                guard target == Self.inputMark else {
                    body(ByteString(target))
                    continue
                }
                while var line = try input() {
                    if line.last == UInt8(ascii: "\r") { line.removeLast() }
                    if !line.isEmpty { body(ByteString(bytes: line)) }
                }
            }
        } catch {
            let diagnostic = Diagnostic.unreadableInput(error)
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
        }
    }

    // MARK: Writing

    // The document is written incrementally, as targets are explained.

    static let document = DocumentFields<CommandResult<String>>.result("explain") {
        DocumentField("script", \.self, help: "The path of the scripts.")
        DocumentField(
            "targets",
            { _ in [TargetExplanation]() },
            help: "The targets, in the order in which they were given."
        )
    }

    private func write(
        _ explanation: TargetExplanation,
        scripts: LoadedScripts,
        isFirst: Bool,
        to console: Console
    ) {
        switch format {
        case .text:
            var writer = ExplanationWriter(width: console.width)
            writer.style = console.style
            writer.path = scripts.path
            console.output(writer.text(of: explanation))
        case .json:
            var json = JSONWriter()
            explanation.write(to: &json)
            console.output(PrintedText(json: (isFirst ? "" : ",") + json.text))
        }
    }

    private func end(
        _ diagnostics: [Diagnostic],
        code: ExitCode,
        to console: Console
    ) {
        guard format == .json else { return }
        console.output(
            Self.document.ending(
                of: CommandResult(script, diagnostics: diagnostics, code: code),
                after: "targets"
            )
        )
    }
}

extension Diagnostic {
    static func unreadableInput(_ error: InputError) -> Diagnostic {
        Diagnostic(.inputUnreadable, "cannot read the input (\(error.reason.lowercased()))")
    }
}
