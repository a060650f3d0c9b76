// SPDX-License-Identifier: MIT

/// The error of a value that is not of the type which is declared or asked for.
public struct ValueMismatch: Error, Sendable, CustomStringConvertible {
    private enum Reason {
        case kind(expected: String, got: String)
        case unknown(String, among: [String])
        case raised(RouteError)
    }

    /// The position of the part that does not fit inside the value, such as `address.street` or
    /// `items[3].price`; empty for the value itself.
    public var path: String { String(components.drop { $0 == "." }) }

    private var components = ""
    private let reason: Reason

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - expected: The type, such as `integer`.
    ///   - value: The value.
    public init(expected: String, got value: Value) {
        self.init(expected: expected, got: value.scriptKind)
    }

    init(expected: String, got: String) { reason = .kind(expected: expected, got: got) }

    init(unknown component: String, among known: [String]) {
        components = component
        let name = component.drop { $0 == "." }
        reason = .unknown(String(name), among: known)
    }

    init(raised error: RouteError) { reason = .raised(error) }

    /// The error of the value that contains this one.
    func inside(_ component: String) -> ValueMismatch {
        var error = self
        error.components = component + components
        return error
    }

    /// The error as a router reports it: `badInfo`, or what a function of the script raised.
    public var routeError: RouteError {
        switch reason {
        case .kind(let expected, let got):
            let place = components.isEmpty ? "value" : "field '\(path)'"
            return RouteError(.badInfo, "bad \(place) (\(expected) expected, got \(got))")
        case .unknown(let name, let known):
            return .unknownField(path, Suggestion.hint(for: name, among: known))
        case .raised(let error):
            return error
        }
    }

    /// The message: `bad field 'address.street' (string expected, got nil)`.
    public var description: String { routeError.message }
}

extension RouteError {
    package static func unknownField(_ path: String, _ hint: String) -> RouteError {
        RouteError(.badInfo, "unknown field '\(path)'\(hint)")
    }
}
