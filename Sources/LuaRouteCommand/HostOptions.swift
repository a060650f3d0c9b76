// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options that describe the host of the scripts.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "The manifest of the host, as JSON; scripts that need more do not load.",
            valueName: "manifest"
        ),
        completion: .file(extensions: ["json"])
    )
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "The capabilities of the scripts, as JSON; using any other is an error.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var capabilities: String?

    @Option(
        help: ArgumentHelp(
            "The 'types --swift' file of the app; scripts that break it do not load.",
            valueName: "file"
        ),
        completion: .file(extensions: ["swift"])
    )
    var contract: String?

    func apply(to options: inout RunOptions, _ project: ProjectFile) {
        options.manifestPath = manifest ?? project.host
        options.capabilitiesPath = capabilities
        options.contractPath = contract ?? project.contract
    }
}
#endif
