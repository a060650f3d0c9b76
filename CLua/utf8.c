// SPDX-License-Identifier: MIT
//
// `utf8`: the standard's functions, charged by the bytes that they go over.
#include "internal.h"

enum { CODEPOINT, LENGTH, OFFSET, COUNT };
static const char *const names[COUNT] = {"codepoint", "len", "offset"};

// Without a range `codepoint` and `offset` look at a few bytes.
static void charge(lua_State *L, bool isWhole) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaroute_charge(L, 1 + (isWhole ? (int64_t)length / 4 : 0));
}

static int codepoint(lua_State *L) {
    charge(L, lua_gettop(L) > 2);
    return luaroute_context(L)->utf8[CODEPOINT](L);
}

static int length(lua_State *L) {
    charge(L, true);
    return luaroute_context(L)->utf8[LENGTH](L);
}

static int offset(lua_State *L) {
    lua_Integer count = luaL_checkinteger(L, 2);
    charge(L, count < -8 || count > 8);
    return luaroute_context(L)->utf8[OFFSET](L);
}

// Stack: ..., standard library, own library.
void luaroute_open_utf8(lua_State *L) {
    for (int i = 0; i < COUNT; i += 1) {
        lua_getfield(L, -2, names[i]);
        luaroute_context(L)->utf8[i] = lua_tocfunction(L, -1);
        lua_pop(L, 1);
    }
    static const luaL_Reg functions[] = {
        {"codepoint", codepoint},
        {"len", length},
        {"offset", offset},
        {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
}
