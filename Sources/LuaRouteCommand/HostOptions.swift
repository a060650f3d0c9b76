// SPDX-License-Identifier: MIT

import ArgumentParser

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
}
