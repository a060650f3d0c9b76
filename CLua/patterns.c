// SPDX-License-Identifier: MIT
#include "internal.h"

void luaroute_open_patterns(lua_State *L) {
    static const char *const names[] = {"find", "match", "gmatch", "gsub"};
    for (int i = 0; i < 4; i += 1) {
        lua_getfield(L, -2, names[i]);
        lua_setfield(L, -2, names[i]);
    }
}
