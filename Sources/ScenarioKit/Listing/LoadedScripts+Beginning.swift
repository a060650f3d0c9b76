// SPDX-License-Identifier: MIT

internal import LuaRouting

extension LoadedScripts {
    /// Gives the scripts a tree: one in notation, or else the one that they start with.
    ///
    /// - Parameter given: The notation.
    /// - Returns: Why they have none, where it is a script that failed.
    /// - Throws: `usage` where the notation is wrong.
    func begin(given: String?) throws(Failure) -> Diagnostic? {
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
