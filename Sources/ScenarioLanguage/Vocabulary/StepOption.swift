// SPDX-License-Identifier: MIT

internal import RouteCore

/// An option in parentheses: `name=value`; the value may be a duration.
struct StepOption {
    /// The name.
    let name: String
    /// The value; a duration is a number of seconds, and a screen is nil.
    let value: Value
    /// The value that is a pattern of screens.
    let screen: ScreenNotation?
    /// The range in the text.
    package let range: Range<Int>

    /// The range of the option's name.
    var nameRange: Range<Int> { range.lowerBound..<range.lowerBound + name.utf8.count }

    /// Returns the one of the known options that has this name.
    func one<Known>(of known: [Known], named name: (Known) -> String) throws(SyntaxError) -> Known {
        if let found = known.first(where: { name($0) == self.name }) { return found }
        throw .unknown("option", word: self.name, at: nameRange, among: known.map(name))
    }
}

extension StepParser {
    /// Reads `(name=value, …)`, and the space after it; the value of one option may be a screen.
    mutating func options(screenName: String? = nil) throws(SyntaxError) -> [StepOption] {
        var options: [StepOption] = []
        let start = position
        guard take(byte: "(") else { throw expected("'('") }
        skipSpace()
        if take(byte: ")") {
            skipSpace()
            return options
        }
        repeat {
            skipSpace()
            let option = try option(screenName)
            guard !options.contains(where: { $0.name == option.name }) else {
                throw .optionTwice(option)
            }
            options.append(option)
        } while take(byte: ",")
        guard take(byte: ")") else { throw expected("',' or ')'") }
        spacing?.notations.append(start..<position)
        skipSpace()
        return options
    }

    private mutating func option(_ screenName: String?) throws(SyntaxError) -> StepOption {
        let start = position
        let name = try name("an option as 'name=value'")
        skipSpace()
        guard take(byte: "=") else { throw expected("after option '\(name)': '='") }
        skipSpace()
        let screen = name == screenName && !isAtQuote ? try screen() : nil
        let value: Value =
            screen != nil ? .nil : isAtDuration ? .number(try deadline()) : try plainValue()
        let range = TokenScanner.trimmed(start..<position, of: bytes)
        return StepOption(name: name, value: value, screen: screen, range: range)
    }
}

extension SyntaxError {
    fileprivate static func optionTwice(_ option: StepOption) -> SyntaxError {
        SyntaxError(
            code: .notation,
            message: "option '\(option.name)' is given twice",
            range: option.nameRange
        )
    }
}
