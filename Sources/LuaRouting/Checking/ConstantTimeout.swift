// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteCore

/// A constant `timeout` among the options of a call, with which the call fails whenever it runs.
struct ConstantTimeout {
    /// The function that is called: `navigate`.
    let function: String
    /// The constant as it is written.
    let text: String
    /// The number of its line.
    let line: Int

    /// The names of the functions and methods that take a timeout among their options.
    private static let functions: Set<String> = {
        let functions = APIChapter.all.flatMap(\.functions)
            .filter { $0.parameters.contains(where: \.type.takesTimeout) }
        return Set(functions.map(\.name))
    }()

    /// An open bracket, or a block of statements.
    private enum Scope: Equatable {
        /// The arguments of a call, and the table of its options.
        case arguments(String), options(String)
        case other
    }

    /// Finds those of a source.
    ///
    /// - Complexity: O(*n*) in the length of the source.
    static func all(in source: [UInt8]) -> [ConstantTimeout] {
        let tokens = Array(LuaTokens(source))
        let texts = tokens.map { source[$0.range] }
        func text(_ index: Int) -> Substring {
            tokens.indices.contains(index) ? Substring(decoding: texts[index], as: UTF8.self) : ""
        }
        // The function whose arguments or table begin at a bracket.
        func callee(_ index: Int) -> String? {
            guard [".", ":"].contains(text(index - 2)), index > 1, tokens[index - 1].kind == .name
            else { return nil }
            return functions.contains(String(text(index - 1))) ? String(text(index - 1)) : nil
        }
        var found: [ConstantTimeout] = []
        var open: [Scope] = []
        for index in tokens.indices {
            switch text(index) {
            case "(": open.append(callee(index).map(Scope.arguments) ?? .other)
            case "{":
                if let callee = callee(index) {
                    open.append(.options(callee))
                } else if case .arguments(let callee) = open.last {
                    open.append(.options(callee))
                } else {
                    open.append(.other)
                }
            case "function", "if", "do", "repeat": open.append(.other)
            case ")", "}", "end", "until": _ = open.popLast()
            case "timeout":
                guard case .options(let function) = open.last, text(index + 1) == "=",
                    ["{", ",", ";"].contains(text(index - 1))
                else { continue }
                let isNegative = text(index + 2) == "-"
                let value = index + (isNegative ? 3 : 2)
                guard [",", "}", ";"].contains(text(value + 1)), value < tokens.count,
                    isWrong(tokens[value].kind, text(value), isNegative)
                else { continue }
                found.append(
                    ConstantTimeout(
                        function: function,
                        text: (isNegative ? "-" : "") + text(value),
                        line: tokens[index].lines.lowerBound
                    )
                )
            default: break
            }
        }
        return found
    }

    private static func isWrong(
        _ kind: LuaToken.Kind,
        _ text: Substring,
        _ isNegative: Bool
    ) -> Bool {
        switch kind {
        case .numeral: isNegative || Double(text).map { $0 <= 0 } ?? false
        case .string: true
        case .keyword: text == "true" || text == "false"
        case .name, .symbol: false
        }
    }
}

extension APIType {
    fileprivate var takesTimeout: Bool {
        switch self {
        case .keyed(let keys): keys.parameters.contains { $0.name == "timeout" }
        case .either(let types): types.contains(where: \.takesTimeout)
        default: false
        }
    }
}
