// SPDX-License-Identifier: MIT

/// An error for a value that does not have the declared or requested type.
///
/// ```swift
/// do {
///     _ = try [Int](routeValue: [1, "two"])
/// } catch {
///     print(error.path)  // [2]
///     print(error)  // bad field '[2]' (integer expected, got string)
/// }
/// ```
public struct ValueMismatch: Error, Sendable, CustomStringConvertible {
    private enum Reason {
        case kind(expected: String, got: String)
        case alternatives([Value], got: Value)
        case unknown(String, among: [String])
        case raised(RouteError)
    }

    /// The path to the part of the value that does not match, such as `address.street` or
    /// `items[3].price`; empty if the value itself does not match.
    public var path: String { String(components.drop { $0 == "." }) }

    private var components = ""
    /// The names of the fields on the path to the part.
    private var fields: [String] = []
    private var reason: Reason

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - expected: The name of the expected type, such as `integer`.
    ///   - value: The value that was found.
    public init(expected: String, got value: Value) {
        self.init(expected: expected, got: value.scriptKind)
    }

    init(expected: String, got: String) { reason = .kind(expected: expected, got: got) }

    init(alternatives: [Value], got value: Value) {
        reason = .alternatives(alternatives, got: value)
    }

    init(unknown component: String, among known: [String]) {
        components = component
        let name = component.drop { $0 == "." }
        reason = .unknown(String(name), among: known)
    }

    init(raised error: RouteError) { reason = .raised(error) }

    /// Returns the error for a value that contains the mismatch at the given path component.
    func inside(_ component: String) -> ValueMismatch {
        var error = self
        error.components = component + components
        return error
    }

    /// Returns the error for a table that contains the mismatch in the given field.
    func inside(field name: String) -> ValueMismatch {
        var error = inside(".\(name)")
        error.fields.append(name)
        return error
    }

    /// The error that a router reports for the mismatch: `badInfo`, or the error that was raised by
    /// the function that checks the value.
    public var routeError: RouteError { routeError(hiding: []) }

    /// Returns the error that a router reports for the mismatch, with the values of private fields
    /// hidden.
    func routeError(hiding privateNames: Set<String>) -> RouteError {
        switch reason {
        case .kind(let expected, let got):
            let place = components.isEmpty ? "value" : "field '\(path)'"
            return RouteError(.badInfo, "bad \(place) (\(expected) expected, got \(got))")
        case .alternatives(let values, let got):
            var classes = ScreenClasses()
            classes.privateNames = privateNames
            let isHidden = fields.contains(where: privateNames.contains)
            let shown = isHidden ? ScreenClasses.hidden : classes.hidingPrivate(got)
            var error = self
            error.reason = .kind(
                expected: Self.list(values),
                got: got.isNil ? "nil" : NotationPrinter().value(shown)
            )
            return error.routeError
        case .unknown(let name, let known):
            return .unknownField(path, Suggestion.hint(for: name, among: known))
        case .raised(let error):
            return error
        }
    }

    /// The maximum number of allowed values that a message lists.
    private static let namedAlternatives = 20

    private static func list(_ values: [Value]) -> String {
        let count = values.count <= namedAlternatives ? values.count : namedAlternatives - 1
        var texts = values.prefix(count).map(NotationPrinter().value)
        if count < values.count { texts.append("one of \(values.count - count) other values") }
        return texts.joined(separator: " or ")
    }

    /// The message: `bad field 'address.street' (string expected, got nil)`.
    public var description: String { routeError.message }
}

extension RouteError {
    package static func unknownField(_ path: String, _ hint: String) -> RouteError {
        RouteError(.badInfo, "unknown field '\(path)'\(hint)")
    }
}
