// SPDX-License-Identifier: MIT

package import RouteCore

/// A function that decides whether a navigation may continue.
package enum Interceptor: Sendable, Hashable {
    case named(String)
    case inline(ScriptFunction)
    /// The `leaving` function of a screen's class.
    case leaving(ScreenID)

    package static func == (one: Interceptor, other: Interceptor) -> Bool {
        switch (one, other) {
        case (.named(let name), .named(let other)): name == other
        case (.inline(let function), .inline(let other)): function === other
        case (.leaving(let screen), .leaving(let other)): screen == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .named(let name): hasher.combine(name)
        case .inline(let function): hasher.combine(ObjectIdentifier(function))
        case .leaving(let screen): hasher.combine(screen)
        }
    }
}

/// A call to an interceptor for a navigation.
///
/// Each call is made at most once: an interceptor for all routes is called once for each target,
/// and an interceptor of a step is called once for that step.
package struct Interception: Hashable {
    package let interceptor: Interceptor
    /// The step to which the interceptor belongs, with the parameters of the step; nil for an
    /// interceptor for all routes and for a `leaving` function.
    package var link: Plan.Link?

    /// Returns the call to `leaving` for a screen that would be removed.
    package static func leaving(_ screen: ScreenID) -> Interception {
        Interception(interceptor: .leaving(screen))
    }

    package static func == (one: Interception, other: Interception) -> Bool {
        one.interceptor == other.interceptor && one.link?.step === other.link?.step
            && one.link?.info == other.link?.info
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(interceptor)
        hasher.combine(link.map { ObjectIdentifier($0.step) })
    }
}
