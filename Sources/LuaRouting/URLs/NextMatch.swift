// SPDX-License-Identifier: MIT

/// What `router.next` is, which a `prepare` or a provider returns to have its navigation go on with
/// the next match of its URL.
struct NextMatch: Declaration, Error {
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
    /// What asks for the next match: caught where a navigation goes on, an error elsewhere.
    static func goesOn() -> RouteError {
        RouteError(
            .badInfo,
            "'router.next' is for a navigation that a URL led here",
            cause: NextMatch()
        )
    }

    var asksForNextMatch: Bool { cause is NextMatch }
}
