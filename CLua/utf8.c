// SPDX-License-Identifier: MIT
//
// `utf8`: the standard functions, charged by the bytes that they read.
#include "internal.h"

enum { CODEPOINT, CODES, LENGTH, OFFSET, UTF8_COUNT };
static const char *const utf8Names[UTF8_COUNT] = {"codepoint", "codes", "len", "offset"};

static lua_CFunction standardUTF8[UTF8_COUNT];
static lua_CFunction steps[2];  // the strict and the lax iterator of `codes`

void luaroute_read_utf8(lua_State *L) {
    luaroute_read(L, utf8Names, standardUTF8, UTF8_COUNT);
    for (int isLax = 0; isLax < 2; isLax += 1) {
        lua_pushcfunction(L, standardUTF8[CODES]);
        lua_pushliteral(L, "");
        lua_pushboolean(L, isLax);
        lua_call(L, 2, 1);
        steps[isLax] = lua_tocfunction(L, -1);
        lua_pop(L, 1);
    }
}

static int utf8Codepoint(lua_State *L) {
    int count = standardUTF8[CODEPOINT](L);
    luaroute_charge(L, count);
    return count;
}

static int utf8Length(lua_State *L) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaroute_charge(L, (int64_t)length / 4);
    return standardUTF8[LENGTH](L);
}

// Charges the bytes from a start position to the position at which a function ended, because the
// function skips continuation bytes. If the function has no result, it has searched up to the end
// of the text.
static void chargeDistance(lua_State *L, lua_Integer start, bool hasResult) {
    lua_Integer length = (lua_Integer)lua_rawlen(L, 1), distance = length;
    if (hasResult && start >= 0) {
        lua_Integer end = lua_tointeger(L, -1);
        distance = end > start ? end - start : start - end;
    }
    luaroute_charge(L, (distance < length ? distance : length) / 4);
}

static int offset(lua_State *L) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    lua_Integer start = luaL_optinteger(L, 3, count > 0 ? 1 : (lua_Integer)length + 1);
    if (start < 0) start += (lua_Integer)length + 1;
    int results = standardUTF8[OFFSET](L);
    chargeDistance(L, start, lua_isinteger(L, -1));
    return results;
}

// Stack: text, position -> ..., position and code, or nothing at the end.
static int stepCodes(lua_State *L, lua_CFunction step) {
    lua_settop(L, 2);
    luaL_checktype(L, 1, LUA_TSTRING);
    lua_Integer start = lua_tointeger(L, 2);
    int count = step(L);
    if (count == 2) lua_pushvalue(L, -2);
    chargeDistance(L, start, count == 2);
    if (count == 2) lua_pop(L, 1);
    return count;
}

static int stepStrict(lua_State *L) { return stepCodes(L, steps[0]); }

static int stepLax(lua_State *L) { return stepCodes(L, steps[1]); }

#define TEXT_STEPS(ENTRY) \
    ENTRY("codes", stepStrict, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("codes", stepLax, LUAROUTE_UNREAD, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_text_steps, TEXT_STEPS);

static int codes(lua_State *L) {
    bool isLax = lua_toboolean(L, 2);
    standardUTF8[CODES](L);
    lua_pushcfunction(L, luaroute_text_steps[isLax].charged);
    lua_replace(L, -4);
    return 3;
}

#define UTF8_FUNCTIONS(ENTRY) \
    ENTRY("codepoint", utf8Codepoint, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("codes", codes, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("len", utf8Length, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("offset", offset, LUAROUTE_UNREAD, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_utf8_functions, UTF8_FUNCTIONS);
