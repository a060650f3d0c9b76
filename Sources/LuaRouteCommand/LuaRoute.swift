// SPDX-License-Identifier: MIT

import ScenarioKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The command `luaroute`.
///
/// Words are read here rather than by a library of packages: one that reads them by reflection
/// took longer than all the rest of a short run.
@main
enum LuaRoute {
    static let commands: [any Command.Type] = [Run.self, Version.self]

    static func main() {
        let streams = Streams()
        let code = start(CommandLine.arguments.dropFirst(), streams)
        exit(streams.end(code).rawValue)
    }

    private static func start(_ words: ArraySlice<String>, _ streams: Streams) -> ExitCode {
        switch words.first {
        case "-h", "--help", "help":
            return help(words.dropFirst(), streams)
        case "--version":
            return start(Version.self, words.dropFirst(), streams)
        case let word:
            // Without a name, the words are those of a run.
            guard let command = commands.first(where: { $0.name == word }) else {
                return start(Run.self, words, streams)
            }
            return start(command, words.dropFirst(), streams)
        }
    }

    private static func start<Meant: Command>(
        _ command: Meant.Type,
        _ words: ArraySlice<String>,
        _ streams: Streams
    ) -> ExitCode {
        do throws(UsageError) {
            guard let command = try Meant.reading(words) else {
                streams.output(Meant.help)
                return .success
            }
            return try command.run(streams)
        } catch {
            let help = "'luaroute \(Meant.name) --help' says what fits"
            streams.errors(error.text(isColored: streams.isErrorsColored(.auto), help: help))
            return .usage
        }
    }

    private static func help(_ words: ArraySlice<String>, _ streams: Streams) -> ExitCode {
        if let command = commands.first(where: { $0.name == words.first }) {
            streams.output(command.help)
        } else {
            streams.output(help)
        }
        return .success
    }

    private static var help: String {
        """
        Runs route scripts against scenario files, without a device.

        usage: luaroute [command] [options] [paths…]

        commands, 'run' where none is named:
        \(columns(commands.map { ($0.name, $0.summary) }))
        'luaroute help COMMAND' says more.

        """
    }
}
