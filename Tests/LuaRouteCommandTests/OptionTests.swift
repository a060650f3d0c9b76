// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A table of all commands and their options, as reported by the parser.
struct OptionTests {
    /// The options whose help may differ between commands.
    private static let differ: Set = ["--all", "--filter", "--report", "--trace"]

    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }

            let kind: String
            let names: [Name]?
            let valueName: String?
            let abstract: String?
            let isRepeating: Bool
            let shouldDisplay: Bool
        }

        let commandName: String
        let abstract: String?
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    /// A description of an option in one or more commands.
    private struct Use: Hashable {
        /// The kind of option: a flag, or an option with the name of its value.
        let form: String
        let isRepeating: Bool
        let help: String
    }

    private static func commands() throws -> [Command] {
        struct Tool: Decodable { let command: Command }
        let output = try CommandProcess(["--experimental-dump-help"]).output
        let tool = try JSONDecoder().decode(Tool.self, from: Data(output.utf8))
        return try #require(tool.command.subcommands)
    }

    /// Returns the different descriptions of each option, with the commands that use them.
    private static func options() throws -> [String: [Use: [String]]] {
        var options: [String: [Use: [String]]] = [:]
        for command in try commands() where command.commandName != "help" {
            for argument in command.arguments ?? []
            where argument.kind != "positional" && argument.shouldDisplay {
                let names = (argument.names ?? []).map { name in
                    name.kind == "short" ? "-\(name.name)" : "--\(name.name)"
                }
                let use = Use(
                    form: argument.kind == "flag" ? "" : "<\(argument.valueName ?? "")>",
                    isRepeating: argument.isRepeating,
                    help: argument.abstract ?? ""
                )
                options[names.joined(separator: ", "), default: [:]][use, default: []].append(
                    command.commandName
                )
            }
        }
        return options
    }

    @Test("an option has the same form, meaning and help text in all commands")
    func uniform() throws {
        let options = try Self.options()
        #expect(options.count > 50)
        for (name, uses) in options {
            let forms = Set(uses.keys.map { "\($0.form) \($0.isRepeating)" })
            #expect(forms.count == 1, "\(name): \(forms)")
            #expect(uses.count == 1 || Self.differ.contains(name), "\(name): \(uses)")
        }
        for name in Self.differ { #expect(options[name]?.count ?? 0 > 1, "\(name)") }
    }

    @Test("no line of help or usage exceeds 80 columns, and the usage lists every option")
    func width() throws {
        for command in try Self.commands() {
            let name = command.commandName
            let help = try CommandProcess(["help", name])
            let error = try CommandProcess([name, "--no-such-option"])
            #expect(help.code == 0 && (error.code == 64 || name == "bundle"))
            for line in (help.output + error.errors).split(separator: "\n") {
                #expect(line.count <= 80 || name == "bundle", "\(line)")
            }
        }
        let usage = try CommandProcess(["graph", "--frob"]).errors
        #expect(usage.contains("\n      [--"), "\(usage)")
        #expect(usage.contains("[--filter <text> ...]"), "\(usage)")
    }

    @Test("the table of options matches the recorded table")
    func table() throws {
        var lines: [String] = []
        for (name, uses) in try Self.options() {
            for (use, commands) in uses {
                let form = use.form + (use.isRepeating ? " …" : "")
                lines.append("\(name)\t\(form)\t\(commands.joined(separator: " "))\t\(use.help)\n")
            }
        }
        try expectGolden(lines.sorted().joined(), listings.appending(path: "options.tsv"))
    }
}
