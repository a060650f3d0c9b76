// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// The options that describe the host of the scripts.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "The JSON manifest of the host. Scripts that need more than the host provides do not "
                + "load.",
            valueName: "manifest"
        ),
        completion: .file(extensions: ["json"])
    )
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with the allowed capabilities. Using any other capability is an error.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var capabilities: String?

    @Option(
        help: ArgumentHelp(
            "The Swift file that 'types --swift' wrote for the app. Scripts that break its "
                + "contract do not load.",
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
