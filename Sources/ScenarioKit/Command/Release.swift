// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What this library is.
public enum Release {
    /// The version of luaroute.
    public static let version = "0.1.0"

    /// The Lua that runs the scripts, such as `Lua 5.4.4`.
    public static var lua: String { Router.luaRelease }
}
