// SPDX-License-Identifier: MIT

internal import RouteCore

/// A word of a command line, quoted if a POSIX shell would interpret it.
package struct ShellWord: CustomStringConvertible {
    package let description: String

    /// Quotes a path, or the location of a scenario.
    package init(_ text: String) {
        // A word that begins with '-' would be an option.
        let text = text.hasBytePrefix("-") ? "./\(text)" : text
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            description = "$'" + text.unicodeScalars.map(Self.escaped).joined() + "'"
        } else if text.isEmpty || text.hasBytePrefix("#")
            || !text.unicodeScalars.allSatisfy(Self.isPlain)
        {
            description = "'" + text.replacing(part: "'", with: "'\\''") + "'"
        } else {
            description = text
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", ",", "+", "@", "%", "=":
            true
        // '#' begins a comment only at the start of a word, which is quoted in this case.
        case "#": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
        guard scalar.value < 0x20 || scalar.value == 0x7F else { return String(scalar) }
        let octal = String(scalar.value, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }
}
