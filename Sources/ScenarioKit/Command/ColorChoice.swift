// SPDX-License-Identifier: MIT

/// The choice of when to colour a stream.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// The stream is always coloured.
    case always
    /// The stream is never coloured.
    case never
    /// The stream is coloured if it is a terminal, unless the environment says otherwise.
    case auto

    /// Returns whether to colour a stream.
    ///
    /// In order of precedence, the choice depends on the command line, `NO_COLOR`, `FORCE_COLOR`
    /// and `CLICOLOR_FORCE`, and `TERM=dumb`. An empty variable counts as not set, and so does the
    /// value `0` of `FORCE_COLOR` and `CLICOLOR_FORCE`.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the stream is a terminal.
    ///   - environment: Returns the value of an environment variable.
    /// - Returns: Whether to colour the stream.
    package func isColored(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        func variable(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if variable("NO_COLOR") != nil { return false }
            for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
                if let force = variable(name), force != "0" { return true }
            }
            return isTerminal && variable("TERM") != "dumb"
        }
    }
}
