// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The description that a failing golden comparison prints.
struct LineDifferenceTests {
    @Test("equal texts have no difference")
    func equal() {
        #expect(lineDifference(from: "a\nb\n", to: "a\nb\n") == "")
    }

    @Test("changed lines are printed with two lines of context before and after")
    func changed() {
        let old = (1...20).map { "line \($0)" }
        var new = old
        new[9] = "line ten"
        new.append("line 21")
        #expect(
            lineDifference(from: old.joined(separator: "\n"), to: new.joined(separator: "\n"))
                == """
                …
                  line 8
                  line 9
                - line 10
                + line ten
                  line 11
                  line 12
                …
                  line 19
                  line 20
                + line 21
                """
        )
    }

    @Test("a long difference is truncated")
    func long() {
        let old = (1...100).map { "\($0)" }.joined(separator: "\n")
        let text = lineDifference(from: old, to: "", limit: 3)
        #expect(text == "- 1\n- 2\n- 3\n… and 98 lines more")
    }
}
