// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser

/// The options of commands that read scenario files.
struct FileOptions: ParsableArguments {
    @Option(
        name: .customLong("file-root"),
        help: ArgumentHelp(
            "The folder in which paths in scenario files must stay. Default: the nearest one above "
                + "each file with a 'luaroute.json' or '.git', or the current folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: String?
}
#endif
