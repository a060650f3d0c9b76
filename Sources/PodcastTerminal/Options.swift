// SPDX-License-Identifier: MIT

internal import ScenarioKit

/// The command line.
struct Options: Equatable {
    /// The path of the scripts; nil for the default.
    var scripts: String?
    /// The file of the scenario to write.
    var record: String?

    /// The end of the program before the app begins.
    struct End: Error, Equatable {
        let code: ExitCode
        let message: String
    }

    private static let usage = "usage: scripts/terminal [SCRIPTS] [--record FILE]"

    /// Reads the arguments.
    static func parse(_ arguments: [String]) -> Result<Options, End> {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .failure(End(code: .success, message: usage))
            case "--record":
                guard let file = rest.popFirst(), !file.isEmpty else {
                    return wrong("'--record' needs a file")
                }
                options.record = file
            case _ where argument.hasPrefix("-"): return wrong("unknown option '\(argument)'")
            case _ where options.scripts != nil: return wrong("two paths of scripts")
            default: options.scripts = argument
            }
        }
        return .success(options)
    }

    private static func wrong(_ message: String) -> Result<Options, End> {
        .failure(End(code: .usage, message: "error: \(message)\n\(usage)"))
    }
}
