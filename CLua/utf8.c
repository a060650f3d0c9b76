// SPDX-License-Identifier: MIT
//
// `utf8`: the standard's functions, charged by the bytes that they go over.
#include "internal.h"

enum { CODEPOINT, LENGTH, OFFSET, COUNT };
static const char *const names[COUNT] = {"codepoint", "len", "offset"};

static lua_CFunction standard[COUNT];

void luaroute_read_utf8(lua_State *L) { luaroute_read(L, names, standard, COUNT); }

// Without a range `codepoint` and `offset` look at a few bytes.
static void charge(lua_State *L, bool isWhole) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaroute_charge(L, 1 + (isWhole ? (int64_t)length / 4 : 0));
}

static int codepoint(lua_State *L) {
    charge(L, lua_gettop(L) > 2);
    return standard[CODEPOINT](L);
}

static int length(lua_State *L) {
    charge(L, true);
    return standard[LENGTH](L);
}

static int offset(lua_State *L) {
    lua_Integer count = luaL_checkinteger(L, 2);
    charge(L, count < -8 || count > 8);
    return standard[OFFSET](L);
}

void luaroute_open_utf8(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"codepoint", codepoint},
        {"len", length},
        {"offset", offset},
        {NULL, NULL},
    };
    luaroute_add(L, functions);
}
