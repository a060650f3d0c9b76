// SPDX-License-Identifier: MIT

import ArgumentParser
import ScenarioKit

/// Says which version this is.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the version.")

    func run() throws {
        let streams = Streams()
        streams.output("luaroute \(Release.version) (\(Release.lua))\n")
        throw streams.exit(.success)
    }
}
