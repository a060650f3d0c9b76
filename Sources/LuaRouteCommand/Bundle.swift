// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit
import SystemGaps

/// The command `luaroute bundle`, which runs the separate executable `luaroute-bundle`, because
/// `luaroute` contains no cryptography.
struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Make, sign, verify and compare bundles, using the command 'luaroute-bundle'.",
        discussion: """
            luaroute bundle scripts -o app.lrb --version 42           make a bundle
            luaroute bundle key -o app.key                            make a key pair
            luaroute bundle sign --key app.key app.lrb                sign the bundle
            luaroute bundle verify --public-key app.key.pub app.lrb   verify the bundle
            luaroute bundle inspect app.lrb                           print the manifest
            luaroute bundle diff old.lrb app.lrb                      compare two bundles
            luaroute bundle run --public-key app.key.pub app.lrb      run the scenarios

            'luaroute-bundle --help' prints all options. The command is searched for in the folder \
            of 'luaroute' and in 'PATH'. 'scripts/luaroute bundle' builds the command on its first \
            use.

            Exit codes: those of 'luaroute-bundle'; 66 if that command is missing.
            """
    )

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The arguments of 'luaroute-bundle'.", valueName: "arguments")
    )
    var arguments: [String] = []

    func run() throws {
        let name = "luaroute-bundle"
        let own = CommandLine.arguments.first ?? ""
        let beside = own.lastIndex(of: "/").map { "\(own[...$0])\(name)" }
        // `execv` and `execvp` return only if they fail.
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        if let beside { execv(beside, &words) }
        execvp(name, &words)
        let streams = Streams()
        streams.errors(
            "'\(name)' is not in the folder of 'luaroute' or in 'PATH': build it with 'swift build "
                + "--traits BundleCommand --product \(name)', or run 'scripts/luaroute bundle'\n"
        )
        throw streams.exit(.inputMissing)
    }
}
#endif
