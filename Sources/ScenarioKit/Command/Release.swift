// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The version of this library, and of the linked Lua.
package enum Release {
    /// The version of luaroute.
    package static let version = "0.2.0"

    /// The version of Lua that runs the scripts, such as `Lua 5.4.4`.
    package static var lua: String { Router.luaRelease }

    /// A line for each known defect of the linked Lua, printed by `version --verbose`.
    package static var luaDefects: PrintedText {
        Router.luaDefects.map { "lua-defect \($0)\n" as PrintedText }.joined()
    }
}
