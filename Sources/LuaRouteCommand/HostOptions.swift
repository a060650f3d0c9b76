// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// What is said of the host that scripts are for.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "What the host brings, as JSON; scripts that need more do not load.",
            valueName: "manifest"
        ),
        completion: .file(extensions: ["json"])
    )
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "What the scripts may do, as JSON; using anything else is an error.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var capabilities: String?

    @Option(
        help: ArgumentHelp(
            "The file of 'types --swift' that an app was compiled with; scripts that break its calls do not load.",
            valueName: "file"
        ),
        completion: .file(extensions: ["swift"])
    )
    var contract: String?

    func apply(to options: inout RunOptions) {
        options.manifestPath = manifest
        options.capabilitiesPath = capabilities
        options.contractPath = contract
    }
}
#endif
