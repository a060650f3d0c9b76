// SPDX-License-Identifier: MIT

package import RouteCore

/// The object `router.next`.
///
/// A `prepare` function or a provider returns this object to continue the navigation with the next
/// match of the URL.
package struct NextMatch: Declaration {
    package static let declarationName = "router.next"

    /// The only instance.
    ///
    /// Because there is only one instance, scripts can compare values with `router.next`.
    package static let value = HostObject(NextMatch())
}

extension Value {
    /// Whether the value is `router.next`.
    package var isNextMatch: Bool {
        if case .object(let object) = self { object.base is NextMatch } else { false }
    }
}

extension RouteError {
    package static func nextWithoutURL() -> RouteError {
        RouteError(.badInfo, "'router.next' can be used only if a URL led to this route")
    }
}
