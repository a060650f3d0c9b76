// SPDX-License-Identifier: MIT
//
// `table`: the standard's functions, charged before they run, on tables without `__len`, whose length
// is what it says.
#include "internal.h"

enum { CONCAT, INSERT, REMOVE, SORT, UNPACK, COUNT };
static const char *const names[COUNT] = {"concat", "insert", "remove", "sort", "unpack"};

static lua_CFunction standard[COUNT];

void luaroute_read_table(lua_State *L) { luaroute_read(L, names, standard, COUNT); }

// Answers the length of the table at 1, which must be its own; a frozen one is shown for reading.
static lua_Integer check(lua_State *L, bool isRead) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (isRead) luaroute_unwrap(L, 1);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        luaL_argerror(L, 1, "table without '__len' expected");
    }
    return (lua_Integer)lua_rawlen(L, 1);
}

static int concat(lua_State *L) {
    lua_Integer length = check(L, true);
    luaroute_charge(L, length);
    size_t used = luaroute_context(L)->used;
    int count = standard[CONCAT](L);
    size_t grown = luaroute_context(L)->used;
    luaroute_charge(L, grown > used ? (int64_t)(grown - used) / 16 : 0);
    return count;
}

static int insert(lua_State *L) {
    lua_Integer length = check(L, false);
    if (lua_gettop(L) == 3) luaroute_charge(L, length);
    return standard[INSERT](L);
}

static int removeItem(lua_State *L) {
    lua_Integer length = check(L, false);
    if (lua_gettop(L) > 1) luaroute_charge(L, length);
    return standard[REMOVE](L);
}

static int sort(lua_State *L) {
    lua_Integer length = check(L, false);
    int64_t levels = 1;
    while ((length >> levels) > 0) levels += 1;
    luaroute_charge(L, length * levels);
    return standard[SORT](L);
}

static int unpack(lua_State *L) {
    check(L, true);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, (lua_Integer)lua_rawlen(L, 1));
    if (first <= last) {
        lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
        luaroute_charge(L, count > 1000000 ? 1 : (int64_t)count);
    }
    return standard[UNPACK](L);
}

void luaroute_open_table(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"concat", concat},
        {"insert", insert},
        {"remove", removeItem},
        {"sort", sort},
        {"unpack", unpack},
        {NULL, NULL},
    };
    luaroute_add(L, functions);
}
