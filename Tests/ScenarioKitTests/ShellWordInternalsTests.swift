// SPDX-License-Identifier: MIT

import Testing

@testable import ScenarioKit

/// Tests of the shell words in command lines that a report prints.
struct ShellWordInternalsTests {
    @Test(
        "a word is quoted if it has characters that a shell would interpret",
        arguments: [
            ("scripts/a.scenario:6", "scripts/a.scenario:6"),
            ("rows.scenario:6#2", "rows.scenario:6#2"),
            ("#rows.scenario:6", "'#rows.scenario:6'"),
            ("Café.scenario:6", "Café.scenario:6"),
            ("my scripts/a.scenario:6", "'my scripts/a.scenario:6'"),
            ("it's.scenario:6", #"'it'\''s.scenario:6'"#),
            ("a'\u{301};ls;'\u{301}", "'a'\\''\u{301};ls;'\\''\u{301}'"),
            ("-\u{301}x", "'./-\u{301}x'"),
            ("$HOME`x`\"*?!;&|<>(){}[]~.scenario", "'$HOME`x`\"*?!;&|<>(){}[]~.scenario'"),
            ("-x.scenario:6", "./-x.scenario:6"),
            ("a\nb\u{1B}[1m's.scenario", #"$'a\012b\033[1m\'s.scenario'"#),
            ("", "''"),
        ]
    )
    func quoting(_ text: String, _ expected: String) {
        #expect(ShellWord(text).description == expected)
    }
}
