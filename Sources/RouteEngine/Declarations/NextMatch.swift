// SPDX-License-Identifier: MIT

package import RouteCore

/// What `router.next` is, which a `prepare` or a provider returns to have its navigation go on with
/// the next match of its URL.
package struct NextMatch: Declaration {
    package static let declarationName = "router.next"

    /// The one object of it, so that scripts can compare it.
    package static let value = HostObject(NextMatch())
}

extension Value {
    /// Whether a script returned `router.next`.
    package var isNextMatch: Bool {
        if case .object(let object) = self { object.base is NextMatch } else { false }
    }
}

extension RouteError {
    package static func nextWithoutURL() -> RouteError {
        RouteError(.badInfo, "'router.next' is for a navigation that a URL led here")
    }
}
