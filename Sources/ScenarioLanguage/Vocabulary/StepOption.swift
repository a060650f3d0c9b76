// SPDX-License-Identifier: MIT

internal import RouteCore

/// An option in parentheses, written as `name=value`.
///
/// The value can be a duration.
struct StepOption {
    /// The name of the option.
    let name: String
    /// The value.
    ///
    /// A duration is a number in seconds. If the value is a screen, this property is nil.
    let value: Value
    /// The pattern if the value is a screen, or nil for any other value.
    let screen: ScreenNotation?
    /// The range of the option in the text.
    package let range: Range<Int>

    /// The range of the name in the text.
    var nameRange: Range<Int> { range.lowerBound..<range.lowerBound + name.utf8.count }

    /// Returns the known option that has this name.
    ///
    /// Throws an error if the name is unknown.
    func one<Known>(of known: [Known], named name: (Known) -> String) throws(SyntaxError) -> Known {
        if let found = known.first(where: { name($0) == self.name }) { return found }
        throw .unknown("option", word: self.name, at: nameRange, among: known.map(name))
    }
}

extension StepParser {
    /// Parses `(name=value, …)` and the space after it.
    ///
    /// The value of the option called `screenName` can be a screen.
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
        let name = try name("an option of the form 'name=value'")
        skipSpace()
        guard take(byte: "=") else { throw expected("'='", after: "option '\(name)'") }
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
