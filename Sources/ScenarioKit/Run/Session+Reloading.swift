// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Having other scripts serve.
extension Session {
    /// Has the scripts at a path serve, or the same ones anew.
    ///
    /// - Parameters:
    ///   - path: The path from the folder of the scenario file; nil for the scripts that serve.
    ///   - fails: Whether they are to be rejected.
    ///   - step: The step that says so.
    /// - Throws: Where the scripts are rejected, or those that should be are not.
    func reload(_ path: String?, fails: Bool, _ step: Step) throws(Diagnostic) {
        let bundle: Bundle
        do throws(BundleError) {
            bundle =
                try path.map { path throws(BundleError) in
                    try Bundle(path: Paths.path(path, from: Paths.folder(of: source.name)))
                } ?? scripts
            if path != nil { note(otherScripts: .success(bundle)) }
        } catch {
            note(otherScripts: .failure(error))
            guard fails else { throw failure(of: step, label: error.message) }
            return
        }
        let reload = router.reload(evenIfSame: bundle)
        switch reload.status {
        case .pending:
            throw failure(of: step, label: "a turn is under way: the host holds a change")
        case .accepted where fails:
            throw failure(of: step, label: "the scripts were accepted")
        case .accepted, .unchanged, .superseded: return
        case .rejected(let rejection):
            guard !fails, let first = rejection.findings.first else { return }
            var failure = failure(of: step, label: "rejected: \(rejection.reason.rawValue)")
            failure.details = rejection.findings.map { Diagnostic.Note("because", $0.description) }
            if let span = ScriptPlaces(bundle).span(of: first) {
                failure.related.append(Diagnostic.Related(label: nil, span: span))
            }
            throw failure
        }
    }

    /// Brings back what was kept under a name.
    ///
    /// - Throws: Where nothing comes back; what of it does not is a warning in the log.
    func restore(_ name: String, _ step: Step) throws(Diagnostic) {
        guard let json = snapshots[name] else {
            throw failure(of: step, label: "no snapshot '\(name)' was taken")
        }
        do throws(RouteError) {
            let restoration = router.restore(try Snapshot(json: json))
            if case .failed(let error) = restoration.navigation.status { throw error }
        } catch {
            throw failure(of: step, error)
        }
    }
}
