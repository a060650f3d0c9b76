// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser

/// The options of commands that read scenario files.
struct FileOptions: ParsableArguments {
    @Option(
        name: .customLong("file-root"),
        help: ArgumentHelp(
            "The folder that must contain all files to which scenario files refer. Default: the "
                + "nearest folder that is above the scenario file and contains 'luaroute.json' or "
                + "'.git', otherwise the current folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: String?
}
#endif
