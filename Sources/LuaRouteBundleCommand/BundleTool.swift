// SPDX-License-Identifier: MIT

#if BundleCommand
import ArgumentParser
import BundleKit
import CommandStreams
import ScenarioKit

/// The command `luaroute-bundle`, which `luaroute bundle` runs.
@main
struct BundleTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "luaroute-bundle",
        abstract: "Makes, signs, verifies and compares bundles of scripts.",
        discussion: """
            luaroute bundle scripts/podcast -o app.lrb --version 42   make a bundle
            luaroute bundle key -o app.key                            make a key pair
            luaroute bundle sign --key app.key app.lrb                sign the bundle
            luaroute bundle verify --public-key app.key.pub app.lrb   verify the bundle
            luaroute bundle inspect app.lrb                           print the manifest
            luaroute bundle inspect bundles                           print a store's record
            luaroute bundle diff old.lrb app.lrb                      compare two bundles
            luaroute bundle run --public-key app.key.pub app.lrb      run the scenarios

            Exit codes: 0 success, 1 a bundle was refused, a scenario failed, or bundles differ \
            ('diff --exit-code'), 2 a scenario does not parse, 3 a script failed to load, 4 there \
            is no scenario to run, 64 usage error, 66 a file is missing or cannot be read, 74 a \
            file could not be written, 130 interrupted, 143 terminated.
            """,
        subcommands: [
            Make.self, Key.self, Sign.self, Verify.self, Inspect.self, Difference.self,
            RunBundle.self,
        ],
        defaultSubcommand: Make.self
    )

    static func main() {
        // Without this check, a misspelled command name would be used as the folder of a new bundle.
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        let word = CommandLine.arguments.dropFirst().first
        if word.map(names.contains) == false, let error = Streams.misspelled(word, among: names) {
            exit(withError: error)
        }
        runProcess()
    }
}

extension ParsableCommand {
    /// Runs a command with the streams of the process, and exits with the resulting code.
    func exit(_ body: (BundleOutput) -> ScenarioKit.ExitCode) throws {
        let streams = Streams()
        let code = body(
            BundleOutput(
                streams.console(.auto),
                input: { () throws(InputError) in try StandardInput.next() },
                save: { Streams.save($0, to: $1, isSecret: $2) }
            )
        )
        throw streams.exit(code)
    }
}

/// Writes the scripts of a folder as one file.
struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Write the scripts of a folder, or of another bundle, as one unsigned bundle.",
        discussion: """
            luaroute bundle scripts -o app.lrb --version 42
            luaroute bundle scripts -o app.lrb --version 43 --canary smoke.scenario
            luaroute bundle good-42.lrb -o app.lrb --version 44    release version 42 again

            The bundle contains all Lua files of the folder except hidden files and definitions \
            for editors ('.d.lua'), and the canary scenarios with the files that they include. The bundle requests the capabilities that \
            the declarations and the text of the scripts show, except for the timeout, and each \
            '--capability'. The scripts must load with only these capabilities. The same folder \
            and options always result in the same bytes. A bundle that is made from another \
            bundle has its name, files, needs, capabilities and canary scenarios, but neither its \
            signature nor its times.

            An existing file is replaced only if it is a bundle with a lower version. A signed \
            bundle with the same contents is kept.
            """
    )

    @Argument(
        help: "The folder with a 'main.lua', the entry file of the scripts, or a bundle ('.lrb').",
        completion: .directory
    )
    var folder: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "The version of the bundle, an integer from 1 to 9007199254740991.",
            valueName: "number"
        )
    )
    var version: Int

    @Option(help: "The name of the bundle. Default: the name of the folder or of the bundle.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The expiry date, the last day or second on which apps accept the bundle, such as "
                + "'2026-12-31' or "
                + "'2026-12-31T12:00:00Z'.",
            valueName: "time"
        )
    )
    var notAfter: String?

    @Option(
        help: ArgumentHelp(
            "The creation time to record in the bundle. Default: none.",
            valueName: "time"
        )
    )
    var created: String?

    @Option(
        help: ArgumentHelp(
            "A scenario file in the folder; 'bundle run' runs it before you publish the bundle.",
            valueName: "file"
        )
    )
    var canary: [String] = []

    @Option(
        help: ArgumentHelp(
            "An additional capability to request, such as 'screens:Web', which the text of the "
                + "scripts does not show.",
            valueName: "word"
        )
    )
    var capability: [String] = []

    @OptionGroup var clock: Clock

    func validate() throws {
        guard MakeCommand.versions.contains(version) else {
            let (first, last) = (MakeCommand.versions.lowerBound, MakeCommand.versions.upperBound)
            throw ValidationError("'--version' must be an integer from \(first) to \(last)")
        }
        for (option, text) in [("--not-after", notAfter), ("--created", created)] {
            guard let text, MakeCommand.seconds(text) == nil else { continue }
            throw ValidationError(
                "'\(option) \(text)' is not a time ('2026-12-31' or '2026-12-31T12:00:00Z' expected)"
            )
        }
        if let notAfter, let last = MakeCommand.seconds(notAfter, endsDay: true),
            last < clock.time
        {
            throw ValidationError(
                "'--not-after \(notAfter)' is in the past: no app would accept the bundle (to make an expired bundle again, give its time with '--at')"
            )
        }
        for word in capability where !MakeCommand.isCapability(word) {
            throw ValidationError(
                "'--capability \(word)' is not a capability (one of these expected: \(MakeCommand.capabilityHelp))"
            )
        }
    }

    func run() throws {
        var command = MakeCommand(path: folder, target: output, version: version)
        command.name = name
        command.created = created.flatMap { MakeCommand.seconds($0) }
        command.notAfter = notAfter.flatMap { MakeCommand.seconds($0, endsDay: true) }
        command.canary = canary
        command.capabilities = capability
        try exit(command.run)
    }
}

/// Writes a new key pair.
struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Write a new Ed25519 key pair.",
        discussion: """
            luaroute bundle key -o app.key     write 'app.key' and 'app.key.pub'

            The private key signs bundles, and only its owner can read the file. The app contains \
            the public key as one line of text. Existing files are not replaced.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file of the private key.", valueName: "file")
    )
    var output = "luaroute.key"

    func run() throws { try exit(KeyCommand(path: output).run) }
}

/// Signs a bundle.
struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a bundle with a private key.",
        discussion: """
            luaroute bundle sign --key app.key app.lrb
            printenv APP_KEY | luaroute bundle sign --key - app.lrb    read a CI secret
            """
    )

    @Option(
        help: ArgumentHelp(
            "The file of the private key; '-' reads the standard input.",
            valueName: "file"
        )
    )
    var key: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write. Default: the signed bundle replaces the unsigned bundle.",
            valueName: "file"
        )
    )
    var output: String?

    @Argument(help: "The bundle.", completion: .file(extensions: ["lrb"]))
    var bundle: String

    func run() throws {
        var command = SignCommand(path: bundle, key: key)
        command.target = output
        try exit(command.run)
    }
}

/// Verifies a bundle.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a bundle in the same way as an app that receives the bundle.",
        discussion: """
            luaroute bundle verify --public-key app.key.pub app.lrb
            luaroute bundle verify --public-key app.key.pub --previous old.lrb app.lrb
            luaroute bundle verify --public-key app.key.pub --grant present app.lrb

            Checks the signature, the files, the API level and the expiry date. '--name' also \
            checks the name. '--size-limit', '--api' and '--version-step' check the limits that \
            the app sets. With '--previous', the bundle must have the same name and a higher \
            version, and each capability that only the new bundle requests must be granted with \
            '--grant'. Without '--previous', '--grant' must name all capabilities that the bundle \
            requests. If neither option is given, capabilities are not checked.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The file of a public key. Repeat the option to accept several keys, such as during a "
                + "key rotation.",
            valueName: "file"
        )
    )
    var publicKey: [String]

    @Option(
        help: ArgumentHelp(
            "The older bundle that the verified bundle replaces.",
            valueName: "bundle"
        )
    )
    var previous: String?

    @Option(help: "The name that the app expects. Default: the name of '--previous'.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A capability that the bundle may request, such as 'present' or 'screens:Web'. A name "
                + "without a value, such as 'screens', grants all values.",
            valueName: "word"
        )
    )
    var grant: [String] = []

    @Option(
        help: ArgumentHelp(
            "The maximum size that the app accepts: 'sizeLimit' of its store. Default: "
                + "67108864.",
            valueName: "bytes"
        )
    )
    var sizeLimit: Int?

    @Option(
        help: ArgumentHelp(
            "The highest API level that the app supports. Default: the level of this command.",
            valueName: "level"
        )
    )
    var api: Int?

    @Option(
        help: ArgumentHelp(
            "The maximum difference to the version of '--previous': 'versionStep' of the app's "
                + "store. Default: no limit.",
            valueName: "number"
        )
    )
    var versionStep: Int?

    @OptionGroup var clock: Clock

    @Flag(help: "Print one JSON document.")
    var json = false

    @Argument(help: "The bundle.", completion: .file(extensions: ["lrb"]))
    var bundle: String

    func validate() throws {
        for (option, number) in [
            ("--size-limit", sizeLimit), ("--api", api), ("--version-step", versionStep),
        ] {
            if let number, number < 1 {
                throw ValidationError("'\(option) \(number)' must be an integer of 1 or more")
            }
        }
        if versionStep != nil, previous == nil {
            throw ValidationError(
                "'--version-step' needs the bundle that devices have: '--previous'"
            )
        }
        for word in grant where !MakeCommand.isGrant(word) {
            throw ValidationError(
                "'--grant \(word)' is not a capability (one of these expected: \(MakeCommand.capabilityHelp))"
            )
        }
    }

    func run() throws {
        var command = VerifyCommand(path: bundle, keys: publicKey)
        (command.previous, command.name) = (previous, name)
        command.grants = grant
        if let sizeLimit { command.sizeLimit = sizeLimit }
        if let versionStep { command.versionStep = versionStep }
        (command.api, command.time) = (api, clock.time)
        command.isJSON = json
        try exit(command.run)
    }
}

/// The option with the time at which a bundle is made or verified.
struct Clock: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time with which the expiry date is compared. Default: now.",
            valueName: "time"
        )
    )
    var at: String?

    func validate() throws {
        guard let at, MakeCommand.seconds(at) == nil else { return }
        throw ValidationError(
            "'--at \(at)' is not a time ('2026-12-31' or '2026-12-31T12:00:00Z' expected)"
        )
    }

    /// The time in seconds since 1970.
    var time: Int { at.flatMap { MakeCommand.seconds($0) } ?? Streams.secondsSince1970 }
}

/// Prints the manifest of a bundle.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Print the manifest of a bundle, or the record of a store.",
        discussion: """
            luaroute bundle inspect app.lrb     the manifest; the signature is not verified
            luaroute bundle inspect bundles     the record of a store, which may be in use
            """
    )

    @Flag(help: "Print one JSON document.")
    var json = false

    @Argument(
        help: "The bundle, or the folder of a store.",
        completion: .file(extensions: ["lrb"])
    )
    var bundle: String

    func run() throws {
        var command = InspectCommand(path: bundle)
        command.isJSON = json
        try exit(command.run)
    }
}

/// Compares two bundles.
struct Difference: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print the differences between two bundles.",
        discussion: """
            luaroute bundle diff old.lrb app.lrb
            luaroute bundle diff --exit-code expected.lrb app.lrb    fail in CI if they differ

            Compares the fields of the manifests, such as the version, the signer and the expiry \
            date, the routes, the links, the files and the capabilities.

            Lines begin with '+' for additions in the newer bundle, with '-' for removals, and \
            with '~' for routes and links that differ. The compared links are the examples of \
            routes, and the URLs of routes without parameters.
            """
    )

    @Flag(help: "End with exit code 1 if the bundles differ. Default: with 0.")
    var exitCode = false

    @Option(
        help: ArgumentHelp(
            "The file of a public key. Both bundles must be signed with the matching private key. "
                + "Default: signatures are not verified.",
            valueName: "file"
        )
    )
    var publicKey: [String] = []

    @Flag(help: "Print one JSON document.")
    var json = false

    @Argument(help: "The older bundle.", completion: .file(extensions: ["lrb"]))
    var old: String

    @Argument(help: "The newer bundle.", completion: .file(extensions: ["lrb"]))
    var new: String

    func run() throws {
        var command = DiffCommand(old: old, new: new)
        command.keys = publicKey
        command.isJSON = json
        command.setsCode = exitCode
        try exit(command.run)
    }
}

/// Runs scenarios with the scripts of a bundle.
struct RunBundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Verify a bundle, and run scenarios with its scripts.",
        discussion: """
            luaroute bundle run --public-key app.key.pub app.lrb
            luaroute bundle run --public-key app.key.pub app.lrb shop.scenario

            Checks the signature, the files, the API level and the expiry date. If no scenario \
            files are named, the canary scenarios of the bundle run. The scripts have the \
            capabilities that the bundle requests.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The file of a public key. Repeat the option to accept several keys, such as during a "
                + "key rotation.",
            valueName: "file"
        )
    )
    var publicKey: [String]

    @OptionGroup var clock: Clock

    @Flag(help: "Print one JSON document, in the format of 'luaroute run'.")
    var json = false

    @Argument(help: "The bundle.", completion: .file(extensions: ["lrb"]))
    var bundle: String

    @Argument(
        help: "Scenario files and folders. Default: the canary scenarios of the bundle.",
        completion: .file(extensions: ["scenario"])
    )
    var scenarios: [String] = []

    func run() throws {
        var command = RunBundleCommand(path: bundle, keys: publicKey)
        (command.scenarios, command.time) = (scenarios, clock.time)
        command.isJSON = json
        // With the signal handlers, the unpacked files are removed even if a signal ends the run.
        Signals.begin()
        command.interruption = { Signals.end }
        try exit { command.run($0, unpack: Streams.unpack) }
    }
}
#endif
