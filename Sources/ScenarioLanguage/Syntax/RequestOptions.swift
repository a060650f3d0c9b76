// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// An option in `with (…)` that a step passes to the navigation that it requests.
package enum RequestOption: String, CaseIterable {
    case window
    case animated
    case timeout
    case policy
    case again
    case force

    /// The options of the steps that leave screens.
    ///
    /// The Lua verbs that leave screens have the same options.
    package static let ofLeaving: [RequestOption] = [.window, .animated, .force]

    /// A description of the valid values, for messages.
    package var expected: String {
        switch self {
        case .window: "name"
        case .animated, .again, .force: "boolean"
        case .timeout: "a duration such as 2s, a positive number of seconds, or 'none'"
        case .policy: "name of a policy"
        }
    }
}

extension StepParser {
    /// Parses `with (name=value, …)` if it comes next.
    ///
    /// - Returns: Whether there were options.
    mutating func takeOptions(
        _ known: [RequestOption],
        into options: inout NavigationOptions
    ) throws(SyntaxError) -> Bool {
        guard take("with") else { return false }
        guard isAtParenthesis else { throw expected("options of the form '(name=value)'") }
        for option in try self.options() {
            let name = try option.one(of: known, named: \.rawValue)
            switch (name, option.value) {
            case (.window, .string(let name)): options.window = name.displayText
            case (.animated, .boolean(let isAnimated)): options.isAnimated = isAnimated
            case (.timeout, .integer(let seconds)) where seconds > 0:
                options.timeout = Double(seconds)
            case (.timeout, .number(let seconds)) where seconds > 0: options.timeout = seconds
            case (.timeout, .string("none")): options.timeout = 0
            case (.policy, .string(let name)):
                options.policy = try policy(name.displayText, option)
            case (.again, .boolean(let isAgain)): options.isAgain = isAgain
            case (.force, .boolean(let isForced)): options.isForced = isForced
            default: throw .badOption(option, expected: name.expected)
            }
        }
        return true
    }

    private func policy(_ name: String, _ option: StepOption) throws(SyntaxError) -> Policy {
        guard let policy = Policy(rawValue: name) else {
            throw .unknown(
                "policy",
                word: name,
                at: option.range,
                among: Policy.allCases.map(\.rawValue)
            )
        }
        return policy
    }
}

extension SyntaxError {
    fileprivate static func badOption(_ option: StepOption, expected: String) -> SyntaxError {
        badOption(option, "\(expected) expected, got \(option.value.kindName)")
    }

    static func badOption(_ option: StepOption, _ reason: String) -> SyntaxError {
        SyntaxError(
            code: .notation,
            message: "bad option '\(option.name)' (\(reason))",
            range: option.range
        )
    }
}
