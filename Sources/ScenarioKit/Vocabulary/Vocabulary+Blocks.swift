// SPDX-License-Identifier: MIT

extension Vocabulary {
    /// What a line in the first column opens.
    package enum Block: Sendable {
        /// `use`.
        case use(ScenarioFile.Use)
        /// `background`.
        case background
        /// `scenario`, `skip`, `only`.
        case scenario(name: String, tags: [String], Scenario.Mode)
    }

    /// The blocks.
    package static let blocks: [Form<Block>] = [
        Form("use PATH", "names the script, or the folder of scripts, relative to the file") {
            parser throws(SyntaxError) in
            .use(try parser.path())
        },
        Form("background", "holds the steps that run before every scenario of the file") {
            _ throws(SyntaxError) in
            .background
        },
        Form("scenario \"NAME\" [@TAG…]", "holds the steps of one scenario") {
            parser throws(SyntaxError) in
            .scenario(name: try parser.title(), tags: try parser.tags(), .plain)
        },
        Form("skip \"NAME\" [@TAG…]", "is a scenario that does not run") {
            parser throws(SyntaxError) in
            .scenario(name: try parser.title(), tags: try parser.tags(), .skip)
        },
        Form("only \"NAME\" [@TAG…]", "is a scenario that runs alone") {
            parser throws(SyntaxError) in
            .scenario(name: try parser.title(), tags: try parser.tags(), .only)
        },
    ]
}

extension StepParser {
    /// Goes past a path: text in quotes, or all up to the end of the line.
    fileprivate mutating func path() throws(SyntaxError) -> ScenarioFile.Use {
        let start = position
        if isAtEnd { throw expected("the path of a script") }
        if isAtQuote {
            let path = try quoted("a path")
            return ScenarioFile.Use(path: path, range: start..<position)
        }
        skip(to: end)
        return ScenarioFile.Use(path: text(start..<end), range: start..<end)
    }

    fileprivate mutating func title() throws(SyntaxError) -> String {
        try quoted("a name")
    }

    fileprivate mutating func tags() throws(SyntaxError) -> [String] {
        var tags: [String] = []
        while take(byte: "@") {
            tags.append(try name("a tag after '@'"))
            skipSpace()
        }
        return tags
    }
}
