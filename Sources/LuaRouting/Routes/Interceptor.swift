// SPDX-License-Identifier: MIT

internal import LuaVM

/// What is asked whether a navigation may go on.
enum Interceptor: Sendable, Hashable {
    case named(String)
    case inline(LuaFunction)
    /// What the class of a screen that would go says.
    case leaving(ScreenID)
}

/// An interceptor on the way of a navigation, which is asked once: one for all routes once for a
/// target, one of a step once for that step.
struct Interception: Hashable {
    let interceptor: Interceptor
    /// The step whose interceptor it is, with the info that the step sees; nil for one for all
    /// routes, and for a screen that would go.
    var link: Plan.Link?

    static func == (one: Interception, other: Interception) -> Bool {
        one.interceptor == other.interceptor && one.link?.step === other.link?.step
            && one.link?.info == other.link?.info
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(interceptor)
        hasher.combine(link.map { ObjectIdentifier($0.step) })
    }
}
