// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Scripts that are loaded to be looked at: nothing is run but what they run to register.
struct LoadedScripts {
    /// Why there are none.
    struct Failure: Error {
        let diagnostic: Diagnostic
        let code: ExitCode
    }

    let bundle: Bundle
    let router: Router

    /// Reads and loads the scripts at a path.
    init(_ path: String, _ options: RunOptions) throws(Failure) {
        let bundle: Bundle
        do throws(BundleError) {
            bundle = try Bundle(path: path)
        } catch {
            throw Failure(error, at: nil)
        }
        self.bundle = bundle
        do throws(RouteError) {
            router = try Router(
                bundle: bundle,
                host: HeadlessHost(),
                configuration: options.configuration(ScenarioSettings())
            )
        } catch {
            let diagnostic = Diagnostic(loading: error, of: bundle, usedAt: nil)
            throw Failure(diagnostic: diagnostic, code: .scriptFailed)
        }
    }
}

extension LoadedScripts.Failure {
    /// Makes the failure of scripts that cannot be read.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - place: Where they are named, if that is in a file.
    init(_ error: BundleError, at place: Span?) {
        diagnostic = Diagnostic(
            .scriptUnreadable,
            error.message + Paths.hint(forMissing: error),
            at: place
        )
        let isThere = [.tooLarge, .notUTF8, .unstable].contains(error.reason)
        code = isThere ? .scriptFailed : .inputMissing
    }
}

extension Diagnostic {
    /// Tells why scripts do not load.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - bundle: The scripts.
    ///   - place: Where they are named, if that is in a file.
    init(loading error: RouteError, of bundle: Bundle, usedAt place: Span?) {
        let span = ScriptPlaces(bundle).span(of: error)
        self.init(
            error.code == .budget ? .scriptOverBudget : .scriptFailed,
            span == nil ? error.description : error.message,
            at: span
        )
        if let place { related = [Related(label: "used here", span: place)] }
    }
}
