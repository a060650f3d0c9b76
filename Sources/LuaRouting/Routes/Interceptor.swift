// SPDX-License-Identifier: MIT

internal import LuaVM

/// What is asked whether a navigation may go on, each once for a target.
enum Interceptor: Sendable, Hashable {
    case named(String)
    case inline(LuaFunction)
    /// What the class of a screen that would go says.
    case leaving(ScreenID)
}
