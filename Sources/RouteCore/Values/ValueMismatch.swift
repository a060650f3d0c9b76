// SPDX-License-Identifier: MIT

/// The error of a value that is not of the type which is declared or requested.
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

    /// The path inside the value to the part that does not match, such as `address.street` or
    /// `items[3].price`; empty for the value itself.
    public var path: String { String(components.drop { $0 == "." }) }

    private var components = ""
    /// The names of the fields that contain the part.
    private var fields: [String] = []
    private var reason: Reason

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - expected: The type, such as `integer`.
    ///   - value: The value.
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

    /// The error of the value that contains this one.
    func inside(_ component: String) -> ValueMismatch {
        var error = self
        error.components = component + components
        return error
    }

    /// The error of the table that has the value in a field.
    func inside(field name: String) -> ValueMismatch {
        var error = inside(".\(name)")
        error.fields.append(name)
        return error
    }

    /// The error in the form that a router reports: `badInfo`, or the error that a function of the
    /// script raised.
    public var routeError: RouteError { routeError(hiding: []) }

    /// The error in the form that a router reports, without the values of private fields.
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

    /// The number of alternatives that a message names.
    private static let namedAlternatives = 20

    private static func list(_ values: [Value]) -> String {
        let count = values.count <= namedAlternatives ? values.count : namedAlternatives - 1
        var texts = values.prefix(count).map(NotationPrinter().value)
        if count < values.count { texts.append("one of \(values.count - count) more") }
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
