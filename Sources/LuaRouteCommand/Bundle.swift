// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The command `luaroute bundle`, which runs the separate executable `luaroute-bundle`, because
/// `luaroute` contains no cryptography.
struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Make, sign, verify and compare bundles, by the command 'luaroute-bundle'.",
        discussion: """
            luaroute bundle scripts -o app.lrb --version 42           make a bundle
            luaroute bundle key -o app.key                            make a pair of keys
            luaroute bundle sign --key app.key app.lrb                sign it
            luaroute bundle verify --public-key app.key.pub app.lrb   verify it
            luaroute bundle inspect app.lrb                           print its manifest
            luaroute bundle diff old.lrb app.lrb                      compare two versions
            luaroute bundle run --public-key app.key.pub app.lrb      run its scenarios

            'luaroute-bundle --help' prints all options. It is looked for in the folder of \
            'luaroute' and in 'PATH'; 'scripts/luaroute bundle' builds it when it is first used.

            Exit codes: those of 'luaroute-bundle', 66 if it is missing.
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
            "'\(name)' is not in the folder of 'luaroute' or in 'PATH': build it by 'swift build "
                + "--traits BundleCommand --product \(name)', or run 'scripts/luaroute bundle'\n"
        )
        throw streams.exit(.inputMissing)
    }
}
#endif
