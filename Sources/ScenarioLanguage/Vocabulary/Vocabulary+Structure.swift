// SPDX-License-Identifier: MIT

internal import RouteCore

extension Vocabulary {
    /// A line that structures steps and is not itself a step.
    package enum Structure: Sendable {
        /// `repeat`, with the number of repetitions.
        case loop(Int)
        /// `end`.
        case end
        /// `do`, with the range of the macro's name and the ranges of the arguments.
        case call(Range<Int>, [Range<Int>])
        /// `maybe`, which allows the step after it to remain unused.
        case optional
        /// `each`, with the path of a CSV file if the table is in another file.
        case each(FilePath?)
    }

    /// The forms of all lines that structure steps.
    package static let structure: [Form<Structure>] = [
        Form(
            "repeat COUNT",
            "repeats the steps up to the matching 'end' the given number of times",
            example: [
                "repeat 3", "  navigate Show/open(id=7)", "end",
                "expect tree nav[Home, Show(id=7)]",
            ]
        ) {
            parser throws(SyntaxError) in
            .loop(try parser.count("a count", from: 1))
        },
        Form(
            "end",
            "ends the steps that 'repeat' repeats",
            example: ["repeat 2", "  navigate Show/open(id=7)", "  back", "end", "expect top Home"]
        ) { _ throws(SyntaxError) in
            .end
        },
        Form(
            "do MACRO [ARGUMENT…]",
            "runs the steps of a macro",
            example: ["do watch 7", "do watch 8", "expect depth 3"]
        ) { parser throws(SyntaxError) in
            try parser.call()
        },
        Form(
            "maybe STEP",
            "runs a 'stub', 'host refuses' or 'ready' step, and allows it to remain unused",
            example: [
                "maybe stub Account/load finished (name=\"ann\")", "navigate Show/open(id=7)",
            ]
        ) {
            _ throws(SyntaxError) in
            .optional
        },
        Form(
            "each [from PATH]",
            "runs the scenario once for each row of a table or of a CSV file (RFC 4180). The first row contains the column names. In the steps and in the name of the scenario, '<column>' is replaced by the cell of this column",
            example: [
                "navigate Show/open(id=<id>)", "expect top Show(id=<id>)", "each", "  | id |",
                "  | 7  |", "  | 8  |",
            ]
        ) {
            parser throws(SyntaxError) in
            .each(parser.take("from") ? try parser.path("the path of a table") : nil)
        },
    ]

    /// Returns whether a word can begin a line of a block.
    static func isStep(_ word: Range<Int>, in bytes: [UInt8]) -> Bool {
        stepWords.index(of: word, in: bytes) != nil
            || acts[String(decoding: bytes[word], as: UTF8.self)] != nil
            || structureWords.index(of: word, in: bytes) != nil
            || exploringWords.index(of: word, in: bytes) != nil
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
