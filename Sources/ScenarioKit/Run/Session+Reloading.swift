// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A step's attempt to reload the scripts, or to load other scripts.
struct ReloadAttempt {
    let reload: Reload
    /// Whether the step expects the scripts to be rejected.
    let fails: Bool
    /// The step that made the attempt.
    let step: ScenarioStep

    init(_ reload: Reload, fails: Bool, _ step: ScenarioStep) {
        (self.reload, self.fails, self.step) = (reload, fails, step)
    }

    /// Whether the attempt waits until the router has finished its current work.
    var isPending: Bool {
        if case .pending = reload.status { true } else { false }
    }
}

/// The steps that reload scripts.
extension Session {
    /// Loads the scripts at a path to replace the active scripts, or reloads the active scripts.
    ///
    /// An attempt that cannot be made immediately is checked after it has ended.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder of the scenario file; `nil` for the active
    ///     scripts.
    ///   - fails: Whether the scripts are expected to be rejected.
    ///   - step: The step.
    /// - Throws: The failure if the outcome is not the expected one.
    func reload(_ path: String?, fails: Bool, _ step: ScenarioStep) throws(Diagnostic) {
        noteGates()
        let bundle: ScriptBundle
        do throws(BundleError) {
            bundle =
                try path.map { path throws(BundleError) in
                    try ScriptBundle(
                        path: Paths.path(path, from: Paths.folder(of: source.name)),
                        files: options.files
                    )
                } ?? scripts
            if path != nil { note(otherScripts: .success(bundle)) }
        } catch {
            note(otherScripts: .failure(error))
            let rejection = app.router.reject(unreadable: error)
            guard fails else {
                throw failure(of: step, label: "rejected: \(rejection.reason.rawValue)") {
                    $0.details = [Diagnostic.Note("because", Paths.message(of: error))]
                }
            }
            return
        }
        let attempt = ReloadAttempt(app.router.reload(evenIfSame: bundle), fails: fails, step)
        if attempt.isPending { wait(for: attempt) } else { try check(attempt) }
    }

    /// Compares the outcome of an attempt with the outcome that the step expects.
    ///
    /// - Throws: The failure, with the location of the step that made the attempt.
    func check(_ attempt: ReloadAttempt) throws(Diagnostic) {
        let step = attempt.step
        switch attempt.reload.status {
        case .accepted where attempt.fails:
            throw failure(of: step, label: "the scripts were accepted")
        case .superseded where attempt.fails:
            throw failure(of: step, label: "a newer reload replaced this one")
        case .accepted, .unchanged, .superseded, .cancelled, .pending: return
        case .rejected(let rejection):
            guard !attempt.fails, let first = rejection.findings.first else { return }
            throw failure(of: step, label: "rejected: \(rejection.reason.rawValue)") {
                $0.details = rejection.findings.map { Diagnostic.Note("because", $0.description) }
                if let span = ScriptPlaces(attempt.reload.bundle).span(of: first) {
                    $0.related.append(Diagnostic.Related(label: nil, span: span))
                }
            }
        }
    }

    private func failure(
        of step: ScenarioStep,
        label: String,
        _ change: (inout Diagnostic) -> Void
    ) -> Diagnostic {
        var failure = failure(of: step, label: label)
        change(&failure)
        return failure
    }

    /// Restores the snapshot with the given name.
    ///
    /// The log has a warning for each part that cannot be restored.
    ///
    /// - Throws: The failure if nothing can be restored.
    func restore(_ name: String, _ step: ScenarioStep) throws(Diagnostic) {
        guard let json = cursor.snapshots[name] else {
            throw failure(of: step, label: "no snapshot before this step is named '\(name)'")
        }
        do throws(RouteError) {
            let restoration = app.router.restore(try Snapshot(json: json))
            if case .failed(let error) = restoration.navigation.status { throw error }
        } catch {
            throw failure(of: step, error)
        }
    }
}
