// SPDX-License-Identifier: MIT

public import LuaRouting

/// The options for running scenarios.
public struct RunOptions: Sendable {
    /// The scripts to run instead of those that the files name.
    public var script: String?
    /// The scripts to run if a file does not name any.
    public var defaultScript: String?
    /// The folder that must contain all paths in scenario files, after symbolic links are resolved.
    ///
    /// If `nil`, this is the nearest folder above each file that contains a `luaroute.json` or
    /// `.git`, or the working directory if there is none.
    public var fileRoot: String?
    /// The seed of every scenario.
    ///
    /// If `nil`, each file sets the seed, which is 0 by default.
    public var seed: UInt64?
    /// The start time of every scenario's clock, in seconds since 1970.
    ///
    /// If `nil`, each file sets the start time, which is the beginning of the year 2026 by default.
    public var start: Double?
    /// The file system from which scripts and scenario files are read.
    package var files = Files.disk
    /// The settings that override the settings of the files.
    package var settings: [SettingOption] = []
    /// The limits for loading scripts and for each call into them.
    package var budget: BudgetLimits?
    /// The project file, whose values are the defaults of the command line.
    package var project = ProjectFile()
    /// The file from which ``manifest`` is read; `nil` if there is none.
    public var manifestPath: String?
    /// The file from which ``capabilities`` are read; `nil` if there is none.
    public var capabilitiesPath: String?
    /// The manifest of every scenario's host; `nil` for a host that supports everything that the
    /// scripts require.
    ///
    /// Scripts that require more than the manifest offers do not load, and the host cannot show
    /// screens of classes that the manifest does not list.
    public var manifest: HostManifest?
    /// The Swift file from which ``contract`` is read; `nil` if there is none.
    public var contractPath: String?
    /// The declarations against which an app was compiled; `nil` to accept all scripts.
    ///
    /// Scripts that break a declaration do not load.
    public var contract: RouterContract?
    /// The capabilities of the scripts.
    ///
    /// The manifest may restrict them further.
    public var capabilities = Capabilities()
    /// Whether scripts are trusted as if they were embedded in an app.
    public var isTrusted = false
    /// Whether the run is in CI, where a forgotten `only` is a failure.
    public var isUnattended = false

    /// The kinds of detail that a report can contain besides the results of the scenarios.
    package enum Detail: Sendable {
        /// The messages that the scripts of each failed scenario logged.
        case failures
        /// The messages that the scripts of each scenario logged.
        case logs
        /// Each step of each scenario, with its events, messages and tree changes.
        case trace
    }

    /// The detail of a report, besides the results of scenarios.
    package var detail = Detail.failures

    /// Whether to record the lines and routes that run.
    ///
    /// Recording makes a run several times slower.
    package var measuresCoverage = false

    /// Whether to record the steps and screens of each scenario for an HTML report.
    package var writesPages = false

    /// Whether reports contain the events of each scenario, which the format `events` needs.
    package var keepsEvents = false

    /// Returns the command line that runs the scenario at a location again; `nil` for `luaroute
    /// run` with these options.
    package var rerun: (@Sendable (_ location: String) -> String)?

    /// The names that the scripts and their host define; `nil` to determine these names from the
    /// files.
    var known: KnownNames?

    /// Whether to collect expectations that are not true, together with the actual values.
    var updates = false

    /// Changes the configuration of each scenario's router.
    ///
    /// Use this closure for settings that have no option.
    ///
    /// The canary and the timeout for the host are ignored, because a scenario decides when the
    /// host completes a change.
    public var configure: (@Sendable (inout Router.Configuration) -> Void)?

    /// Returns whether the run was interrupted.
    ///
    /// This closure is called on any thread: before each scenario, before each timer and
    /// occasionally between steps.
    var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the default options.
    public init() {}

    /// Returns the configuration of each scenario's router.
    func configuration(_ settings: ScenarioSettings) -> Router.Configuration {
        var configuration = Router.Configuration(
            seed: seed ?? settings.seed ?? 0,
            now: start ?? settings.start ?? 1_767_225_600
        )
        // Only the number of instructions may limit a script, not the load of the machine.
        configuration.budget.duration = .seconds(10)
        configuration.loadBudget.duration = .seconds(10)
        budget?.apply(to: &configuration.budget)
        budget?.apply(to: &configuration.loadBudget)
        if isTrusted || settings.profile == .trusted { configuration.profile = .trusted }
        configuration.manifest = manifest
        configuration.capabilities = capabilities
        configuration.contract = contract
        configure?(&configuration)
        // The steps `host holds` and `host applies` decide when the host completes a change,
        // regardless of the clock.
        configuration.applyTimeout = nil
        configuration.canary = nil
        return configuration
    }

    /// Reads the manifest, the capabilities and the contract from their files.
    mutating func readHostFiles() throws(LoadedScripts.Failure) {
        if let manifestPath { manifest = try HostManifest(path: manifestPath, files) }
        if let capabilitiesPath { capabilities = try Capabilities(path: capabilitiesPath, files) }
        if let contractPath { contract = try RouterContract(path: contractPath, files) }
    }
}
