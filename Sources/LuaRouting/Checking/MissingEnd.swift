// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteChecking
internal import RouteCore

/// A search for the block that lacks its `end`, in a script that does not compile.
enum MissingEnd {
    /// Adds the line of the block that may lack its `end` to an error.
    ///
    /// - Parameters:
    ///   - error: The error of the compiler.
    ///   - source: The text of the script.
    /// - Returns: The error, unchanged if the indentation shows no block.
    static func hint(on error: ScriptError, in source: [UInt8]) -> ScriptError {
        guard error.kind == .syntax, let line = line(in: source, before: error.line ?? .max),
            !error.message.contains(part: "at line \(line))")
        else { return error }
        var error = error
        error.message += ", the block at line \(line) may lack its 'end'"
        return error
    }

    /// Returns the line of the first block that is indented more than the `end` that closes it.
    private static func line(in source: [UInt8], before last: Int) -> Int? {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        /// The lines on which the open blocks begin.
        var blocks: [Int] = []
        /// The line of a `for` or `while` whose `do` has not been read.
        var loop: Int?
        var previous = 0
        for token in ScriptNames.tokens(of: source) where token.line <= last {
            defer { previous = token.line }
            guard case .word(let word) = token.kind else { continue }
            switch word {
            case "for", "while": loop = token.line
            case "do": blocks.append(loop.take() ?? token.line)
            case "function", "if", "repeat": blocks.append(token.line)
            case "else", "elseif", "end", "until":
                guard let block = blocks.last else { return nil }
                let own = lines[token.line - 1].prefix(while: \.isSpace)
                let other = lines[block - 1].prefix(while: \.isSpace)
                if token.line > previous, own.count < other.count, other.starts(with: own) {
                    return block
                }
                if word == "end" || word == "until" { blocks.removeLast() }
            default: break
            }
        }
        return nil
    }
}
