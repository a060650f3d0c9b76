// SPDX-License-Identifier: MIT

/// When a stream is coloured.
public enum ColorChoice: String, Sendable, CaseIterable {
    /// It is.
    case always
    /// It is not.
    case never
    /// It is where a terminal shows it, unless the environment says otherwise.
    case auto

    /// Decides about a stream.
    ///
    /// What the command line says counts more than `NO_COLOR`, this more than
    /// `CLICOLOR_FORCE`, and this more than `TERM=dumb`. A variable that is empty is not set.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the stream ends at a terminal.
    ///   - environment: Gives the value of a variable.
    /// - Returns: Whether it is coloured.
    public func isColored(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        func variable(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if variable("NO_COLOR") != nil { return false }
            if let force = variable("CLICOLOR_FORCE"), force != "0" { return true }
            return isTerminal && variable("TERM") != "dumb"
        }
    }
}
