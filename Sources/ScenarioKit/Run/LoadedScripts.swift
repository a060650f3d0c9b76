// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Scripts that are loaded to be looked at: nothing is run but what they run to register.
struct LoadedScripts {
    /// Why there are none.
    struct Failure: Error {
        let diagnostics: [Diagnostic]
        let code: ExitCode
    }

    let bundle: ScriptBundle
    let router: Router

    /// Reads and loads the scripts at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - options: How to load them.
    ///   - use: Where a scenario file names them; nil if the command line does.
    /// - Throws: Why they do not load, with the place of `use`.
    init(_ path: String, _ options: RunOptions, usedAt use: Span? = nil) throws(Failure) {
        guard !path.hasSuffix(Selection.fileExtension) else {
            let diagnostic = Diagnostic(
                .scriptUnreadable,
                "'\(path)' is a scenario file, and a script is expected",
                at: use,
                help: "the line 'use' in it names the script"
            )
            throw Failure(diagnostics: [diagnostic], code: .scriptFailed)
        }
        let bundle: ScriptBundle
        do throws(BundleError) {
            bundle = try ScriptBundle(path: path)
        } catch {
            throw Failure(error, at: use)
        }
        self.bundle = bundle
        do throws(RouteError) {
            router = try Router(
                scripts: bundle,
                host: HeadlessHost(options.manifest),
                configuration: options.configuration(ScenarioSettings())
            )
        } catch {
            throw Failure(loading: error, of: bundle, usedAt: use)
        }
    }
}

extension LoadedScripts.Failure {
    /// Makes the failure of scripts that cannot be read.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - location: Where they are named, if that is in a file.
    init(_ error: BundleError, at location: Span?) {
        let diagnostic = Diagnostic(
            .scriptUnreadable,
            Paths.message(of: error),
            at: location
        )
        let isThere = [.tooLarge, .notUTF8, .unstable].contains(error.reason)
        self.init(diagnostics: [diagnostic], code: isThere ? .scriptFailed : .inputMissing)
    }

    /// Makes the failure of scripts that do not load: all that is wrong with them.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - bundle: The scripts.
    ///   - location: Where they are named, if that is in a file.
    init(loading error: RouteError, of bundle: ScriptBundle, usedAt location: Span?) {
        let places = ScriptPlaces(bundle)
        var diagnostics = error.findings.map { Diagnostic($0, places) }
        // Once is enough.
        if let location { diagnostics[0].related = [.init(label: "used here", span: location)] }
        self.init(diagnostics: diagnostics, code: .scriptFailed)
    }
}

extension Diagnostic {
    /// Tells what was found in scripts.
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
