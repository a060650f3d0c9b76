// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The completions that the parser of the command line generates.
struct CompletionTests {
    @Test(
        "the completion script of each shell contains every command and every long option",
        arguments: ["bash", "zsh", "fish"]
    )
    func scripts(_ shell: String) throws {
        let script = try CommandProcess(["--generate-completion-script", shell])
        #expect(script.code == 0)
        let help = try CommandProcess(["--help"]).output
        let list = try #require(help.range(of: "SUBCOMMANDS:\n"))
        let commands = help[list.upperBound...].matches(of: /(?m)^  ([a-z-]+)/).map(\.1)
        #expect(commands.count >= 10)
        for command in commands {
            #expect(script.output.contains(command), "\(command)")
            let options = try CommandProcess(["help", String(command)]).output
                .matches(of: /(?m)^  (?:-\w, )?--([a-z-]+)/).map(\.1)
            for option in options {
                #expect(script.output.contains(option), "\(command) \(option)")
            }
        }
    }

    @Test(
        "bash completes commands, options and the files of a command",
        .enabled(
            if: ["/bin", "/usr/bin", "/usr/local/bin"].contains {
                FileManager.default.isExecutableFile(atPath: $0 + "/bash")
            },
            "no bash is here"
        )
    )
    func bash() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.scenario", "")
        try folder.write("b.lua", "")
        let process = try CommandProcess(
            shell: """
                exec bash --norc <<'END'
                PATH=$(dirname "$LUAROUTE"):$PATH
                source <("$LUAROUTE" --generate-completion-script bash)
                cd '\(folder.path)'
                complete_line() {
                    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
                    COMP_POINT=${#COMP_LINE}
                    _luaroute luaroute "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                    echo "${COMPREPLY[*]}"
                }
                complete_line luaroute rou
                complete_line luaroute fmt --ch
                complete_line luaroute run ''
                complete_line luaroute init --template ''
                complete_line luaroute schema proj
                complete_line luaroute explain-error L0107
                END
                """
        )
        #expect(
            process.output
                == "routes\n--check\na.scenario\napp tabs links\nproject\nL0107\n"
        )
        #expect(process.errors.isEmpty)
    }
}
