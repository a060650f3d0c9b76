// SPDX-License-Identifier: MIT
//
// The basic functions that differ from those of the standard library.
#include "internal.h"

// MARK: Errors

enum { CLEARED = 128 };  // stack values that are cleared in the time of one instruction

// A script cannot catch the error of an exceeded budget.
static int finishProtected(lua_State *L, int status, lua_KContext context) {
    (void)context;
    if (luaroute_context(L)->tripped != LUAROUTE_OK) return luaroute_terminate(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        luaroute_look(L);  // naming a value in a message is slow at the end of a long function
        int64_t cleared = luaroute_clear_above(L);
        if (cleared > CLEARED) luaroute_charge(L, cleared / CLEARED);
        lua_pushboolean(L, 0);
        lua_replace(L, 1);  // replaces the 'true' that 'protectedCall' has pushed
        return 2;
    }
    return lua_gettop(L);
}

// Stack: function, arguments -> true, results or false, error.
static int protectedCall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finishProtected);
    return finishProtected(L, status, 0);
}

// Stack: function, handler, true, results or error.
static int finishHandled(lua_State *L, int status, lua_KContext context) {
    finishProtected(L, status, context);
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - 2;
    // The handler runs after the stack has been unwound. It is called in protected mode, like any
    // other function.
    // Stack: false, handler, ..., error
    lua_insert(L, 3);
    lua_settop(L, 3);
    status = lua_pcallk(L, 1, 1, 0, 0, finishProtected);
    return finishProtected(L, status, 0);
}

// Stack: function, handler, arguments -> true, results or false, result of the handler.
static int handledCall(lua_State *L) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, lua_gettop(L) - 4, LUA_MULTRET, 0, 0, finishHandled);
    return finishHandled(L, status, 0);
}

static int raiseError(lua_State *L) {
    int level = (int)luaL_optinteger(L, 2, 1);
    lua_settop(L, 1);
    LuaRoutePlace *place = &luaroute_texts(luaroute_context(L))->raised[0];
    if (lua_type(L, 1) != LUA_TSTRING || level <= 0 || !luaroute_place(L, level, place)) {
        return lua_error(L);
    }
    lua_pushfstring(L, "%s:%d: ", place->brief, place->line);
    lua_insert(L, 1);
    lua_concat(L, 2);
    luaroute_mark_raised(L, 0);
    return lua_error(L);
}

// MARK: Text

// Like the standard function, but without addresses, and with `__name` only for userdata.
const char *luaroute_tostring(lua_State *L, int index, size_t *length) {
    index = lua_absindex(L, index);
    if (luaroute_get_metafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pushvalue(L, index);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
        return lua_tolstring(L, -1, length);
    }
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
        lua_pushvalue(L, index);
        return lua_tolstring(L, -1, length);
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
        return lua_tolstring(L, -1, length);
    case LUA_TUSERDATA:
        if (luaroute_get_metafield(L, index, "__name") == LUA_TSTRING) {
            return lua_tolstring(L, -1, length);
        }
    }
    lua_pushstring(L, luaL_typename(L, index));
    return lua_tolstring(L, -1, length);
}

static int tostring(lua_State *L) {
    luaL_checkany(L, 1);
    size_t length;
    luaroute_tostring(L, 1, &length);
    return 1;
}

// MARK: Raw access

static int rawGet(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    luaroute_unwrap(L, 1);
    lua_rawget(L, 1);
    return 1;
}

static int rawSet(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    luaroute_check_writable(L, 1);
    lua_pushvalue(L, 1);
    lua_insert(L, 1);
    luaroute_unwrap(L, 2);
    lua_rawset(L, 2);
    lua_settop(L, 1);
    return 1;
}

static int rawLength(lua_State *L) {
    int type = lua_type(L, 1);
    luaL_argexpected(L, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
    lua_settop(L, 1);
    luaroute_unwrap(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    return 1;
}

static int collectGarbage(lua_State *L) {
    static const char *const options[] = {
        "collect", "count", "generational", "incremental", "isrunning", "restart", "setpause",
        "setstepmul", "step", "stop", NULL,
    };
    // Scripts must not control garbage collection.
    bool isCount = luaL_checkoption(L, 1, "collect", options) == 1;
    lua_pushnumber(L, (lua_Number)luaroute_context(L)->used / 1024);
    if (!isCount) lua_pushinteger(L, 0);
    return 1;
}

#define BASE_FUNCTIONS(ENTRY) \
    ENTRY("pcall", protectedCall, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("xpcall", handledCall, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("error", raiseError, LUAROUTE_COPIED, LUAROUTE_PARSED) \
    ENTRY("tostring", tostring, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("rawget", rawGet, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("rawset", rawSet, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("rawlen", rawLength, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("collectgarbage", collectGarbage, LUAROUTE_UNREAD, LUAROUTE_UNREAD)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_base_functions, BASE_FUNCTIONS);
