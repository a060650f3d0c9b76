// SPDX-License-Identifier: MIT

/// What `router.next` is, which a `prepare` or a provider returns to have its navigation go on with
/// the next match of its URL.
struct NextMatch: Declaration {
    static let declarationName = "router.next"

    /// The one object of it, so that scripts can compare it.
    static let value = HostObject(NextMatch())
}

extension Value {
    /// Whether a script returned `router.next`.
    var isNextMatch: Bool {
        if case .object(let object) = self { object.base is NextMatch } else { false }
    }
}

extension RouteError {
    static func nextWithoutURL() -> RouteError {
        RouteError(.badInfo, "'router.next' is for a navigation that a URL led here")
    }
}
