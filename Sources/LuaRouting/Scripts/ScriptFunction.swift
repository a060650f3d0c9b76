// SPDX-License-Identifier: MIT

internal import LuaVM

/// A function of a script.
typealias ScriptFunction = LuaFunction
