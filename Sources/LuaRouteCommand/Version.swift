// SPDX-License-Identifier: MIT

import ScenarioKit

/// Says which version this is.
struct Version: Command {
    static let name = "version"
    static let summary = "Print the version"
    static let operandsHelp: String? = nil
    static let remarks = ""
    static let options: [Option<Version>] = []

    var operands: [String] = []

    func run(_ streams: Streams) throws(UsageError) -> ExitCode {
        streams.output("luaroute \(Release.version) (\(Release.lua))\n")
        return .success
    }
}
