// SPDX-License-Identifier: MIT

internal import LuaRouting

extension Vocabulary {
    /// A line among steps that is none itself: it says which steps there are.
    package enum Structure: Sendable {
        /// `repeat`.
        case loop(Int)
        /// `end`.
        case end
        /// `do`: the name of a macro, and arguments, as parts of the text.
        case call(Range<Int>, [Range<Int>])
        /// `maybe`: the step behind it need not be used.
        case optional
        /// `each`, with the file that has the table, if it is in one.
        case each(FilePath?)
    }

    /// The lines that say which steps there are.
    package static let structure: [Form<Structure>] = [
        Form("repeat COUNT", "does the steps up to its 'end' so often") {
            parser throws(SyntaxError) in
            .loop(try parser.count("a count", from: 1))
        },
        Form("end", "ends what is repeated") { _ throws(SyntaxError) in
            .end
        },
        Form("do MACRO [ARGUMENT…]", "does the steps of a macro") { parser throws(SyntaxError) in
            try parser.call()
        },
        Form("maybe STEP", "does a 'stub', 'host refuses' or 'ready' that need not be used") {
            _ throws(SyntaxError) in
            .optional
        },
        Form("each [from PATH]", "runs the scenario once for each row of a table") {
            parser throws(SyntaxError) in
            .each(parser.take("from") ? try parser.path("the path of a table") : nil)
        },
    ]

    /// Whether a word opens a line that stands under a block.
    static func isStep(_ word: Range<Int>, in bytes: [UInt8]) -> Bool {
        stepWords.index(of: word, in: bytes) != nil
            || acts[String(decoding: bytes[word], as: UTF8.self)] != nil
            || structureWords.index(of: word, in: bytes) != nil
    }
}

extension StepParser {
    fileprivate mutating func call() throws(SyntaxError) -> Vocabulary.Structure {
        let start = position
        _ = try name("the name of a macro")
        let name = start..<position
        skipSpace()
        var arguments: [Range<Int>] = []
        while !isAtEnd {
            var scanner = TokenScanner(bytes, position..<end)
            let argument = scanner.takeArgument()
            arguments.append(argument)
            skip(to: argument.upperBound)
        }
        return .call(name, arguments)
    }
}
