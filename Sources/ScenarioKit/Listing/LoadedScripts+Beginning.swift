// SPDX-License-Identifier: MIT

internal import LuaRouting

extension LoadedScripts {
    /// Sets the state of the scripts, and then the tree.
    ///
    /// - Parameters:
    ///   - given: The tree in notation; `nil` for the tree with which the scripts start.
    ///   - state: The assignments to the state.
    /// - Returns: The error if `router.start` failed; `nil` otherwise.
    /// - Throws: A failure with the exit code `usage` if the notation or an assignment is not
    ///   valid.
    func begin(given: String?, state: [String]) throws(Failure) -> Diagnostic? {
        for text in state {
            let assignment = try StateAssignment(text, option: "--state")
            do throws(RouteError) {
                try router.setState(at: assignment.path, to: assignment.value)
            } catch {
                let source = SourceText(name: "--state", content: Array(text.utf8))
                let diagnostic = Diagnostic(
                    .notation,
                    error.message,
                    at: Span(source, source.bytes.indices)
                )
                throw Failure(diagnostics: [diagnostic], code: .usage)
            }
        }
        if let given {
            do throws(NotationError) {
                try router.setTree(try TreeNotation(given))
            } catch {
                let source = SourceText(name: "--given", content: Array(given.utf8))
                let diagnostic = Diagnostic(
                    .notation,
                    error.message,
                    at: Span(source, error.range),
                    help: error.help
                )
                throw Failure(diagnostics: [diagnostic], code: .usage)
            }
            return nil
        }
        guard router.hasStart else { return nil }
        guard case .failed(let error) = router.start().status else { return nil }
        let span = ScriptPlaces(bundle).span(of: error)
        return Diagnostic(
            .stepFailed,
            "'router.start' failed with \(error.code.rawValue)",
            at: span,
            label: span == nil ? nil : error.message,
            help: span == nil ? error.description : nil
        )
    }
}
