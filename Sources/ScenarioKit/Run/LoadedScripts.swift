// SPDX-License-Identifier: MIT

package import LuaRouting

/// Scripts that are loaded for inspection: only their top-level code runs.
package struct LoadedScripts {
    /// The reason why scripts did not load.
    package struct Failure: Error {
        package let diagnostics: [Diagnostic]
        package let code: ExitCode
        /// The messages that the scripts logged before the failure.
        var log: PrintedText = ""

        package init(diagnostics: [Diagnostic], code: ExitCode) {
            (self.diagnostics, self.code) = (diagnostics, code)
        }
    }

    /// The messages that scripts log while they load.
    final class Log {
        private(set) var events: [Event] = []

        func note(_ event: Event) {
            if event.kind == .log { events.append(event) }
        }

        /// Returns a line for each message, and removes the messages.
        func takeText() -> PrintedText {
            defer { events = [] }
            return TraceWriter.lines(of: events, NotationPrinter()).map { "\($0)\n" }.joined()
        }
    }

    package let bundle: ScriptBundle
    package let router: Router
    /// The messages that the scripts logged while they loaded.
    private(set) var log: PrintedText = ""

    /// Creates a value for the scripts of a running router.
    init(_ router: Router) { (bundle, self.router) = (router.bundle, router) }

    /// Reads and loads the scripts at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the scripts.
    ///   - options: The options for loading the scripts.
    ///   - use: The `use` line of a scenario file; `nil` if the command line names the scripts.
    /// - Throws: ``Failure`` if the scripts do not load, with the location of `use`.
    package init(
        _ path: String,
        _ options: RunOptions,
        usedAt use: Span? = nil
    ) throws(Failure) {
        guard !path.hasByteSuffix(Selection.fileExtension) else {
            let diagnostic = Diagnostic(
                .scriptUnreadable,
                "'\(path)' is a scenario file (script expected)",
                at: use,
                help: "give the script that the file names in its 'use' line"
            )
            throw Failure(diagnostics: [diagnostic], code: .scriptFailed)
        }
        let bundle: ScriptBundle
        do throws(BundleError) {
            bundle = try ScriptBundle(path: path, files: options.files)
        } catch {
            throw Failure(error, at: use)
        }
        try self.init(bundle, options, usedAt: use)
    }

    /// Loads the scripts of a bundle.
    package init(
        _ bundle: ScriptBundle,
        _ options: RunOptions,
        usedAt use: Span? = nil
    ) throws(Failure) {
        self.bundle = bundle
        let log = Log()
        do throws(RouteError) {
            router = try Router(
                scripts: bundle,
                host: HeadlessHost(options.manifest),
                configuration: options.configuration(ScenarioSettings()),
                onEvent: log.note
            )
        } catch {
            var failure = Failure(loading: error, of: bundle, usedAt: use)
            failure.log = log.takeText()
            throw failure
        }
        router.onEvent = nil
        self.log = log.takeText()
    }
}

extension LoadedScripts.Failure {
    /// The diagnostics as text.
    package func text(isColored: Bool) -> PrintedText {
        let console = ConsoleReport(style: TerminalStyle(isColored: isColored))
        return diagnostics.map(console.text).joined()
    }

    /// Creates the failure of scripts that cannot be read.
    ///
    /// - Parameters:
    ///   - error: The reason for the failure.
    ///   - location: The line that names the scripts; `nil` if no file names them.
    package init(_ error: BundleError, at location: Span?) {
        let diagnostic =
            error.path.hasByteSuffix(".lrb") && error.reason == .notUTF8
            ? Diagnostic(.scriptUnreadable, bundle: error.path, at: location)
            : Diagnostic(.scriptUnreadable, Paths.message(of: error), at: location)
        let isThere = [.tooLarge, .notUTF8, .unstable].contains(error.reason)
        self.init(diagnostics: [diagnostic], code: isThere ? .scriptFailed : .inputMissing)
    }

    /// Creates the failure of an input that cannot be read.
    package init(input error: BundleError) {
        let diagnostic = Diagnostic(.inputUnreadable, Paths.message(of: error))
        self.init(diagnostics: [diagnostic], code: .inputMissing)
    }

    /// Creates the failure of scripts that do not load, with all their errors.
    ///
    /// - Parameters:
    ///   - error: The reason for the failure.
    ///   - bundle: The scripts.
    ///   - location: The line that names the scripts; `nil` if no file names them.
    init(loading error: RouteError, of bundle: ScriptBundle, usedAt location: Span?) {
        let places = ScriptPlaces(bundle)
        var diagnostics = error.findings.map { Diagnostic($0, places) }
        // Only the first diagnostic names the line.
        if let location { diagnostics[0].related = [.init(label: "used here", span: location)] }
        self.init(diagnostics: diagnostics, code: .scriptFailed)
    }
}

extension Diagnostic {
    /// Creates the diagnostic for a finding in scripts.
    init(_ finding: Finding, _ places: ScriptPlaces) {
        let span = places.span(of: finding)
        self.init(
            DiagnosticCode(finding.code),
            span == nil ? finding.description : finding.message,
            severity: finding.severity == .error ? .error : .warning,
            at: span,
            help: finding.help
        )
    }
}
