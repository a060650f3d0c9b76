// SPDX-License-Identifier: MIT
//
// Metatables of scripts. What Lua sees is a copy of the allowed fields, which no script can reach:
// `__gc` or `__mode`, added later, has no effect on it. Other fields that are added later have one
// when the metatable is set again, or when the chunk has run: modules define what they need in any
// order.
#include "internal.h"

enum { COPYING = 25 };

static const char copyKey;

static const char *const allowed[] = {
    "__add", "__band", "__bnot", "__bor", "__bxor", "__call", "__concat", "__div", "__eq",
    "__idiv", "__index", "__le", "__len", "__lt", "__mod", "__mul", "__name", "__newindex",
    "__pairs", "__pow", "__shl", "__shr", "__sub", "__tostring", "__unm",
};
// What is refused, why, and what there is in its place.
static const struct {
    const char *field, *reason;
} refused[] = {
    {"__close", "nothing runs at the end of a block: call it there"},
    {"__gc", "nothing runs when a value is collected: call it where the value is let go"},
    {"__metatable", "metatables are frozen copies as it is"},
    {"__mode", "what a table holds must not depend on collection: remove entries yourself"},
};

bool luaroute_is_copy(lua_State *L, int metatable) {
    bool isCopy = lua_rawgetp(L, metatable, &copyKey) != LUA_TNIL;
    lua_pop(L, 1);
    return isCopy;
}

// Whether `__call` of the metatable at `metatable` may be in a copy. To find what is called through
// tables that are called Lua goes on without an instruction, and in a circle without end.
static bool isCallable(lua_State *L, int metatable) {
    lua_pushliteral(L, "__call");
    int type = lua_rawget(L, metatable);
    return type == LUA_TNIL || type == LUA_TFUNCTION;
}

// Stack: ..., copy -> same.
static void copyFields(lua_State *L, int metatable) {
    bool canCall = isCallable(L, metatable);
    lua_pop(L, 1);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i += 1) {
        if (!canCall && strcmp(allowed[i], "__call") == 0) continue;
        lua_pushstring(L, allowed[i]);
        lua_pushvalue(L, -1);
        lua_rawget(L, metatable);
        lua_rawset(L, -3);
    }
}

// Stack: table, metatable of the script -> ..., copy. One copy serves all tables of a metatable,
// and is brought up to date each time.
static void pushCopy(lua_State *L) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i += 1) {
        lua_pushstring(L, refused[i].field);
        // A `__metatable` that is the metatable says what holds as it is.
        if (lua_rawget(L, 2) != LUA_TNIL && !lua_rawequal(L, -1, 2)) {
            luaL_error(
                L, "metafield '%s' is not allowed (%s)", refused[i].field, refused[i].reason);
        }
        lua_pop(L, 1);
    }
    if (!isCallable(L, 2)) {
        luaL_error(
            L, "bad metafield '__call' (function expected, got %s)", luaL_typename(L, -1));
    }
    lua_pop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 4);
        lua_pushboolean(L, 1);
        lua_rawsetp(L, -2, &copyKey);
        lua_pushvalue(L, 2);
        lua_setfield(L, -2, "__metatable");
        lua_pushvalue(L, 2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    copyFields(L, 2);
}

// Brings the copies of all metatables up to date, at the end of a chunk.
static int settle(lua_State *L) {
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        // Stack: copies, metatable, copy
        luaroute_charge(L, COPYING);
        copyFields(L, 2);
        lua_settop(L, 2);
    }
    return 0;
}

int luaroute_settler(LuaRouteContext *context) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 4)) return 0;
    lua_pushcfunction(L, settle);
    return luaroute_take(context, L);
}

static int setMetatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    lua_settop(L, 2);
    if (lua_getmetatable(L, 1)) {
        if (!luaroute_is_copy(L, 3)) return luaL_error(L, "cannot change a protected metatable");
        lua_pop(L, 1);
    }
    luaroute_charge(L, COPYING);
    if (type == LUA_TTABLE) pushCopy(L);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int getMetatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (!luaL_getmetafield(L, 1, "__metatable")) lua_pushnil(L);
    // What is protected shows nothing of itself.
    if (lua_type(L, -1) == LUA_TBOOLEAN) lua_pushnil(L);
    return 1;
}

void luaroute_open_metatables(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"setmetatable", setMetatable},
        {"getmetatable", getMetatable},
        {NULL, NULL},
    };
    luaroute_add(L, functions);
}
