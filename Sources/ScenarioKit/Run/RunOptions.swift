// SPDX-License-Identifier: MIT

public import LuaRouting

/// How scenarios are run.
public struct RunOptions: Sendable {
    /// The scripts to run in place of those that the files name.
    public var script: String?
    /// The folder that the paths in scenario files must stay in, links followed.
    ///
    /// Nil for the nearest folder above each file with a `luaroute.json` or `.git`, else the working
    /// directory.
    public var fileRoot: String?
    /// The seed of every scenario; nil for that of its file, or else 0.
    public var seed: UInt64?
    /// The time at which the clock of every scenario starts, in seconds since 1970; nil for
    /// that of its file, or else the start of the year 2026.
    public var start: Double?
    /// What entries into scripts, and loading them, may spend.
    public var budget: BudgetLimits?
    /// The file that ``manifest`` is read from; nil for none.
    public var manifestPath: String?
    /// The file that ``capabilities`` are read from; nil for none.
    public var capabilitiesPath: String?
    /// What the host of every scenario brings: scripts that need more do not load, and it shows
    /// no screens of other classes; nil for a host that brings all that is asked for.
    public var manifest: HostManifest?
    /// The Swift file that ``contract`` is read from; nil for none.
    public var contractPath: String?
    /// The declarations that an app was compiled against: scripts that break its calls do not load;
    /// nil to accept all.
    public var contract: RouterContract?
    /// The rights of the scripts; the manifest may reduce them.
    public var capabilities = Capabilities()
    /// Whether scripts may use what those of an app of its own may.
    public var isTrusted = false
    /// Whether a machine runs them that nobody watches: there, a forgotten `only` fails.
    public var isUnattended = false

    /// Changes the configuration of each scenario's router, for what the other options do not say.
    ///
    /// The canary and the time for the host's answers are not taken from it: a scenario says when the
    /// host answers.
    public var configure: (@Sendable (inout Router.Configuration) -> Void)?

    /// Whether the run was interrupted; called on any thread, before each scenario and timer, and now
    /// and then between steps.
    var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the options that hold where nobody says otherwise.
    public init() {}

    /// What each scenario's router is told.
    func configuration(_ settings: ScenarioSettings) -> Router.Configuration {
        var configuration = Router.Configuration(
            seed: seed ?? settings.seed ?? 0,
            now: start ?? settings.start ?? 1_767_225_600
        )
        // Instructions bound a script; a machine under load must not.
        configuration.budget.duration = .seconds(10)
        configuration.loadBudget.duration = .seconds(10)
        budget?.apply(to: &configuration.budget)
        budget?.apply(to: &configuration.loadBudget)
        if isTrusted || settings.profile == .trusted { configuration.profile = .trusted }
        configuration.manifest = manifest
        configuration.capabilities = capabilities
        configuration.contract = contract
        configure?(&configuration)
        // A scenario says when the host answers, by `host applies`, however far it moves the clock.
        configuration.applyTimeout = nil
        configuration.canary = nil
        return configuration
    }

    /// Reads the files that say what the host brings and allows.
    mutating func readHostFiles() throws(LoadedScripts.Failure) {
        if let manifestPath { manifest = try HostManifest(path: manifestPath) }
        if let capabilitiesPath { capabilities = try Capabilities(path: capabilitiesPath) }
        if let contractPath { contract = try RouterContract(path: contractPath) }
    }
}
