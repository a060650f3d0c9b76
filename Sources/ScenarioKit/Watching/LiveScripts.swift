// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The scripts at a path, and the router that runs them during the watch.
///
/// If the files have errors, the last good generation stays active.
final class LiveScripts {
    /// An attempt to load the scripts from disk.
    struct Attempt {
        enum Outcome {
            /// The scripts became active, as the first generation.
            case began(digest: String, routes: [String])
            /// The scripts replaced the active generation.
            case accepted(Reload.Acceptance)
            /// The files are again the same as the active scripts, after other versions were
            /// rejected.
            case asBefore(digest: String)
            /// The scripts were rejected.
            case rejected(reason: String, [Diagnostic])
        }

        let path: String
        let outcome: Outcome
        /// The number of the generation that is active after the attempt; nil if there is none.
        let generation: Int?
        let milliseconds: Double
        /// The messages that the scripts logged while they loaded.
        let log: PrintedText

        var isRejected: Bool {
            if case .rejected = outcome { true } else { false }
        }
    }

    /// The input of the last attempt.
    ///
    /// The next attempt is made only if its input is different.
    private enum Last {
        case nothing
        case failure(BundleError)
        case bundle(ScriptBundle)
    }

    /// The maximum time by which an attempt advances the router's clock, in seconds.
    ///
    /// The limit prevents repeating timers from delaying a reload.
    private static let longestLeap = 600.0

    let path: String
    /// The `use` line of a scenario file that names the scripts; nil if the command line names the
    /// scripts.
    var location: Span?
    private let configuration: Router.Configuration
    private let canary: WatchedCanary?
    private let stopwatch: () -> Double
    private var router: Router?
    private let log = LoadedScripts.Log()
    private var generation: Int?
    private var last = Last.nothing
    private var wasRejected = false
    /// The ``WatchedCanary/version`` at the last attempt.
    private var canaryVersion: Int?
    /// The stopwatch time at which the router's clock was last advanced.
    private var advanced = 0.0

    init(_ script: WatchPlan.Script, command: WatchCommand, canary: WatchedCanary?) {
        path = script.path
        location = script.location
        var configuration = command.options.configuration(ScenarioSettings())
        if script.isTrusted { configuration.profile = .trusted }
        self.configuration = configuration
        self.canary = canary
        stopwatch = command.stopwatch
    }

    /// The active scripts; nil if none have loaded yet.
    var bundle: ScriptBundle? { router?.bundle }

    /// Adds the files that the next attempt depends on.
    func add(to inputs: inout WatchedInputs) {
        switch last {
        case .nothing, .failure: inputs.add(scriptsAt: path)
        case .bundle(let bundle): inputs.add(bundle)
        }
    }

    /// Whether the files have changed since the last attempt.
    var hasNews: Bool { isNews(read()) }

    /// Whether the canary was read again since the last attempt.
    private var hasOtherCanary: Bool { canary?.version != canaryVersion }

    private func isNews(_ outcome: Result<ScriptBundle, BundleError>?) -> Bool {
        switch (outcome, last) {
        case (nil, _): false
        case (.failure(let error), .failure(let older)): error != older
        case (_?, _): true
        }
    }

    /// Reads the scripts from disk.
    ///
    /// Returns nil if the scripts have not changed since the last attempt.
    private func read() -> Result<ScriptBundle, BundleError>? {
        let bundle: ScriptBundle? = if case .bundle(let bundle) = last { bundle } else { nil }
        do throws(BundleError) {
            return try ScriptBundle.newer(than: bundle, at: path).map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    /// Loads the scripts from disk.
    ///
    /// - Parameter isForced: Whether to try rejected scripts again.
    /// - Returns: The attempt; nil if nothing has changed.
    func attempt(isForced: Bool) -> Attempt? {
        let start = stopwatch()
        let read = read()
        let hasOtherCanary = hasOtherCanary
        guard isForced || hasOtherCanary || isNews(read) else { return nil }
        canaryVersion = canary?.version
        let outcome: Attempt.Outcome?
        switch (read, last) {
        case (.success(let bundle)?, _), (nil, .bundle(let bundle)):
            last = .bundle(bundle)
            outcome = load(bundle, hasOtherCanary: hasOtherCanary)
        case (.failure(let error)?, _):
            // If the files keep changing while they are read, the next attempt is still compared
            // with the last complete bundle.
            if case .bundle = last {} else { last = .failure(error) }
            let failure = LoadedScripts.Failure(error, at: location)
            outcome = .rejected(reason: error.reason.rawValue, failure.diagnostics)
        case (nil, .nothing), (nil, .failure): outcome = nil
        }
        guard let outcome else { return nil }
        let attempt = Attempt(
            path: path,
            outcome: outcome,
            generation: generation,
            milliseconds: (stopwatch() - start) * 1_000,
            log: log.takeText()
        )
        wasRejected = attempt.isRejected
        return attempt
    }

    private func load(_ bundle: ScriptBundle, hasOtherCanary: Bool) -> Attempt.Outcome? {
        if case .failure(let error)? = bundle.files[bundle.entry] {
            let failure = LoadedScripts.Failure(error, at: location)
            return .rejected(reason: error.reason.rawValue, failure.diagnostics)
        }
        guard let router else { return begin(bundle) }
        let elapsed = stopwatch() - advanced
        advanced += elapsed
        // Due timers of the active scripts run first.
        router.advance(to: router.now + min(elapsed, Self.longestLeap))
        _ = log.takeText()
        let reload = reload(router, bundle)
        switch reload.status {
        case .accepted(let acceptance):
            generation = acceptance.generation
            return .accepted(acceptance)
        case .unchanged:
            guard wasRejected || hasOtherCanary else { return nil }
            // The router runs the canary only for changed scripts.
            return canaryRejection(of: bundle) ?? .asBefore(digest: bundle.digest)
        case .rejected(let rejection): return rejected(rejection, bundle)
        // A headless host applies changes immediately, so a reload never has to wait here.
        case .pending, .superseded, .cancelled: return nil
        }
    }

    private func reload(_ router: Router, _ bundle: ScriptBundle) -> Reload {
        router.reload(
            testedBy: { [canary] (bundle) throws(RouteError) in try canary?.check(bundle) },
            bundle
        )
    }

    private func begin(_ bundle: ScriptBundle) -> Attempt.Outcome {
        do throws(RouteError) {
            let router = try Router(
                scripts: bundle,
                host: HeadlessHost(configuration.manifest),
                configuration: configuration,
                onEvent: log.note
            )
            if let rejection = canaryRejection(of: bundle) { return rejection }
            // The result is not needed, because the scenarios check whether the first tree is
            // committed.
            router.start()
            self.router = router
            generation = 1
            advanced = stopwatch()
            let routes = router.registrations.map(\.target.description).sorted()
            return .began(digest: bundle.digest, routes: routes)
        } catch {
            // Reloads the scripts in a router that runs other scripts, because only a rejected
            // reload reports the phase in which loading failed.
            let other = try? Router(
                scripts: Self.other,
                host: HeadlessHost(),
                configuration: configuration
            )
            if let rejection = other.flatMap({ reload($0, bundle).rejection }) {
                return rejected(rejection, bundle)
            }
            let failure = LoadedScripts.Failure(loading: error, of: bundle, usedAt: nil)
            return .rejected(
                reason: Reload.Rejection.Reason.script.rawValue,
                failure.diagnostics
            )
        }
    }

    /// Runs the canary with a bundle.
    ///
    /// Returns the rejection, or nil if the canary passes.
    private func canaryRejection(of bundle: ScriptBundle) -> Attempt.Outcome? {
        let diagnostics = canary?.diagnostics(of: bundle) ?? []
        guard !diagnostics.isEmpty else { return nil }
        return .rejected(reason: Reload.Rejection.Reason.canary.rawValue, diagnostics)
    }

    private static let other = ScriptBundle(files: [
        "main.lua": "router.start(function() return router.screen 'Nothing' end)"
    ])

    private func rejected(_ rejection: Reload.Rejection, _ bundle: ScriptBundle) -> Attempt.Outcome
    {
        let places = ScriptPlaces(bundle)
        let diagnostics =
            rejection.reason == .canary
            ? canary?.lastDiagnostics ?? []
            : rejection.findings.map { Diagnostic($0, places) }
        return .rejected(reason: rejection.reason.rawValue, diagnostics)
    }
}
