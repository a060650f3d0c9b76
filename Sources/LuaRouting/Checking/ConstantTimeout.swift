// SPDX-License-Identifier: MIT

internal import RouteCore

extension ConstantOption {
    /// The names of the functions and methods that take a timeout among their options.
    private static let functionsWithTimeout: Set<String> = {
        let functions = APIChapter.all.flatMap(\.functions)
            .filter { $0.parameters.contains(where: \.type.takesTimeout) }
        return Set(functions.map(\.name))
    }()

    /// Whether the option is a timeout with which the call always fails.
    var isBadTimeout: Bool {
        guard key == "timeout", Self.functionsWithTimeout.contains(function) else { return false }
        switch value {
        case .numeral(let digits):
            let number = Double(String(decoding: digits, as: UTF8.self))
            return isNegative || number.map { $0 <= 0 } ?? false
        case .text, .word("true"), .word("false"): return true
        case .word, .join, .symbol: return false
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
