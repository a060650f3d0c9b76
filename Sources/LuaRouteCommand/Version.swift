// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Prints the version.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version."
    )

    static var text: String { "luaroute \(Release.version) (\(Release.lua))" }

    func run() throws {
        let streams = Streams()
        streams.output(Self.text + "\n")
        throw streams.exit(.success)
    }
}
#endif
