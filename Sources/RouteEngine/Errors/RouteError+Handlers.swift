// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors about handlers of route strings.
extension RouteError {
    package static func handlerIsMissing() -> RouteError {
        RouteError(.script, "bad argument #3 to 'handle' (function expected, got no value)")
    }

    package static func handlesNothing() -> RouteError {
        RouteError(
            .script,
            "bad argument #1 to 'handle' (an identifier expected, got an empty list)"
        )
    }

    package static func badIdentifier(_ identifier: ByteString) -> RouteError {
        RouteError(
            .badInfo,
            "bad route identifier '\(shortened(identifier))' (UTF-8 without '|' expected)"
        )
    }

    package static func noHandler(_ identifier: String, among known: [String]) -> RouteError {
        // An identifier that is much longer than all known identifiers is not near any of them.
        let hint =
            identifier.utf8.count <= 256 ? Suggestion.hint(for: identifier, among: known) : ""
        return RouteError(
            .notFound,
            "no handler for the route identifier '\(shortened(identifier))'\(hint)"
        )
    }

    package static func badHandlerResult(_ identifier: String, _ values: [Value]) -> RouteError {
        var got = values.map { $0.text.map { "'\(shortened($0))'" } ?? $0.scriptKind }
        while got.count > 1, got.last == "nil" { got.removeLast() }
        return RouteError(
            .script,
            "bad result of the handler of '\(shortened(identifier))' "
                + "(service, task, info expected, got \(got.joined(separator: ", ")))"
        )
    }
}
