// SPDX-License-Identifier: MIT

import ScenarioKit

extension Command {
    /// Reads the words behind the name of a command.
    ///
    /// - Returns: The command, nil where help is asked for.
    /// - Throws: ``UsageError`` for the first word that does not fit.
    static func reading(_ words: ArraySlice<String>) throws(UsageError) -> Self? {
        var command = Self()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--":
                command.operands += words
                words = []
            case "-h", "--help":
                return nil
            case _ where word.hasPrefix("-") && word != "-":
                try command.readOption(word, &words)
            default:
                command.operands.append(word)
            }
        }
        if operandsHelp == nil, let operand = command.operands.first {
            throw UsageError("'\(name)' takes no paths, got '\(operand)'")
        }
        return command
    }

    private mutating func readOption(
        _ word: String,
        _ words: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let known = Self.options
        guard let option = known.first(where: { $0.name == name }) else {
            let names = known.map(\.name) + ["--help"]
            throw UsageError("unknown option '\(name)'", word: name, known: names)
        }
        let value = parts.count > 1 ? String(parts[1]) : nil
        guard let expected = option.value else {
            if let value { throw UsageError("'\(name)' takes no value, got '\(value)'") }
            try option.apply(&self, "")
            return
        }
        // A word with dashes is an option that stands where a value was forgotten; `=` has it.
        let isNextMeant = value == nil && words.first?.hasPrefix("--") == false
        guard let value = isNextMeant ? words.popFirst() : value else {
            throw UsageError("'\(name)' takes a value: '\(name) \(expected)'")
        }
        guard option.values.isEmpty || option.values.contains(value) else {
            let known = option.values.map { "'\($0)'" }.joined(separator: ", ")
            let message = "'\(name)' takes one of \(known), got '\(value)'"
            throw UsageError(message, word: value, known: option.values)
        }
        try option.apply(&self, value)
    }
}
