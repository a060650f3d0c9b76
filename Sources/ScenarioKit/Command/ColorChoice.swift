// SPDX-License-Identifier: MIT

/// The choice of when a stream is coloured.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// Always coloured.
    case always
    /// Never coloured.
    case never
    /// Coloured on a terminal, unless the environment says otherwise.
    case auto

    /// Returns whether to colour a stream.
    ///
    /// The command line takes precedence over `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`,
    /// then `TERM=dumb`. An empty variable counts as not set, and so does `0` for `FORCE_COLOR` and
    /// `CLICOLOR_FORCE`.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the stream is a terminal.
    ///   - environment: Returns the value of a variable.
    /// - Returns: Whether the stream is coloured.
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
