// SPDX-License-Identifier: MIT

public import LuaRouting
