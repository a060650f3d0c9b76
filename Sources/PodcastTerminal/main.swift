// SPDX-License-Identifier: MIT

internal import LuaRouting
