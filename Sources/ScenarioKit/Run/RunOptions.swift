// SPDX-License-Identifier: MIT

public import LuaRouting

/// The options for running scenarios.
public struct RunOptions: Sendable {
    /// The scripts to run instead of those that the files name.
    public var script: String?
    /// The scripts for files that name none.
    public var defaultScript: String?
    /// The folder in which the paths in scenario files must stay, after links are resolved.
    ///
    /// Nil for the nearest folder above each file with a `luaroute.json` or `.git`, otherwise the
    /// working directory.
    public var fileRoot: String?
    /// The seed of every scenario; nil for the seed in its file, which is 0 by default.
    public var seed: UInt64?
    /// The start time of every scenario's clock, in seconds since 1970; nil for the start time in
    /// its file, which is the start of the year 2026 by default.
    public var start: Double?
    /// Where scripts and scenario files are read from.
    package var files = Files.disk
    /// The settings that override those of the files.
    package var settings: [SettingOption] = []
    /// The limits for loading scripts and for each call into them.
    package var budget: BudgetLimits?
    /// The file from which ``manifest`` is read; nil if there is none.
    public var manifestPath: String?
    /// The file from which ``capabilities`` are read; nil if there is none.
    public var capabilitiesPath: String?
    /// The manifest of every scenario's host: scripts that need more do not load, and the host
    /// shows no screens of other classes; nil for a host that has all that scripts require.
    public var manifest: HostManifest?
    /// The Swift file from which ``contract`` is read; nil if there is none.
    public var contractPath: String?
    /// The declarations against which an app was compiled: scripts that break them do not load; nil
    /// to accept all scripts.
    public var contract: RouterContract?
    /// The capabilities of the scripts; the manifest may reduce them.
    public var capabilities = Capabilities()
    /// Whether scripts are trusted like those that an app contains.
    public var isTrusted = false
    /// Whether the run is in CI, where a forgotten `only` is a failure.
    public var isUnattended = false

    /// The detail of a report, besides the results of scenarios.
    package enum Detail: Sendable {
        /// For a failed scenario, the messages that its scripts logged.
        case failures
        /// The messages that the scripts of each scenario logged.
        case logs
        /// Each step of each scenario, with its events, messages and changes of the tree.
        case trace
    }

    /// The detail of a report, besides the results of scenarios.
    package var detail = Detail.failures

    /// Whether the lines and routes that run are recorded, which takes several times as long.
    package var measuresCoverage = false

    /// Whether each scenario's steps and screens are recorded for an HTML report.
    package var writesPages = false

    /// Whether reports contain the events of each scenario, for a report of the format `events`.
    package var keepsEvents = false

    /// Returns the command line that runs the scenario at a location again, if it is not
    /// `luaroute run` with these options.
    package var rerun: (@Sendable (_ location: String) -> String)?

    /// The names that the scripts of the files and their host have; nil to determine them.
    var known: KnownNames?

    /// Whether expectations that are not true are collected with the values that are.
    var updates = false

    /// Changes the configuration of each scenario's router, for settings that have no option.
    ///
    /// The canary and the timeout for the host's answers are ignored: a scenario decides when the
    /// host answers.
    public var configure: (@Sendable (inout Router.Configuration) -> Void)?

    /// Whether the run was interrupted; called on any thread, before each scenario and timer, and
    /// at times between steps.
    var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the default options.
    public init() {}

    /// Returns the configuration of each scenario's router.
    func configuration(_ settings: ScenarioSettings) -> Router.Configuration {
        var configuration = Router.Configuration(
            seed: seed ?? settings.seed ?? 0,
            now: start ?? settings.start ?? 1_767_225_600
        )
        // Instructions limit a script; the load of the machine must not.
        configuration.budget.duration = .seconds(10)
        configuration.loadBudget.duration = .seconds(10)
        budget?.apply(to: &configuration.budget)
        budget?.apply(to: &configuration.loadBudget)
        if isTrusted || settings.profile == .trusted { configuration.profile = .trusted }
        configuration.manifest = manifest
        configuration.capabilities = capabilities
        configuration.contract = contract
        configure?(&configuration)
        // The steps `host holds` and `host applies` decide when the host answers, whatever the
        // clock shows.
        configuration.applyTimeout = nil
        configuration.canary = nil
        return configuration
    }

    /// Reads the manifest, capabilities and contract files.
    mutating func readHostFiles() throws(LoadedScripts.Failure) {
        if let manifestPath { manifest = try HostManifest(path: manifestPath, files) }
        if let capabilitiesPath { capabilities = try Capabilities(path: capabilitiesPath, files) }
        if let contractPath { contract = try RouterContract(path: contractPath, files) }
    }
}
