// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// The canary of a watch.
///
/// The files of the canary are read again when they change.
final class WatchedCanary: Sendable {
    private struct State {
        var canary: Result<Canary, Diagnostics>
        /// The files that were read, by their paths.
        var inputs: [String: FileOutcome]
        var version = 1
        var lastDiagnostics: [Diagnostic] = []
    }

    /// The folders given on the command line.
    let folders: Set<String>
    /// The files given on the command line.
    private let files: Set<String>
    private let paths: [String]
    private let options: RunOptions
    private let state: Lock<State>

    /// Reads the scenario files.
    ///
    /// - Throws: The same ``Diagnostics`` as ``Canary/init(paths:options:)``.
    init(_ paths: [String], _ options: RunOptions) throws(Diagnostics) {
        (self.paths, self.options) = (paths, options)
        folders = Set(paths.filter { SourceFiles.kind(of: $0) == .folder })
        files = Set(paths.map(Selection.file)).subtracting(folders)
        let plan = Canary.plan(paths, options)
        let canary = try Canary(plan, options)
        state = Lock(State(canary: .success(canary), inputs: plan.inputs))
    }

    /// The files on which the canary depends, including missing files.
    var inputs: Set<String> { files.union(state.withLock { $0.inputs.keys }) }

    /// A number that increases each time the files are read again after a change.
    var version: Int { state.withLock { $0.version } }

    /// Whether the files have changed since they were last read.
    var hasNews: Bool {
        let inputs = Canary.plan(paths, options).inputs
        return state.withLock { $0.inputs != inputs }
    }

    /// Reads the files again if they have changed.
    func update() {
        let plan = Canary.plan(paths, options)
        state.withLock { state in
            guard state.inputs != plan.inputs else { return }
            state.canary = Result { () throws(Diagnostics) in try Canary(plan, options) }
            state.inputs = plan.inputs
            state.version += 1
        }
    }

    /// The complete diagnostics of the last run.
    var lastDiagnostics: [Diagnostic] { state.withLock { $0.lastDiagnostics } }

    /// Runs the scenarios with a bundle.
    ///
    /// - Returns: The failures, or the errors that prevent all scenarios from running.
    func diagnostics(of bundle: ScriptBundle) -> [Diagnostic] {
        let found =
            switch state.withLock({ $0.canary }) {
            case .success(let canary): canary.run(with: bundle).map(\.diagnostic)
            case .failure(let failure): failure.list
            }
        state.withLock { $0.lastDiagnostics = found }
        return found
    }

    /// Runs the scenarios with a bundle, on the current thread.
    ///
    /// - Throws: An error whose findings are the failures, or the reason why no scenario can run.
    func check(_ bundle: ScriptBundle) throws(RouteError) {
        let found = diagnostics(of: bundle)
        try RouteError.reject(findings: found.flatMap { RouteError(canary: $0, in: nil).findings })
    }
}

extension RunPlan {
    /// The files from which the canary was created, by their paths.
    fileprivate var inputs: [String: FileOutcome] {
        files.reduce(into: [:]) { $0.merge($1.inputs) { own, _ in own } }
    }
}
