// SPDX-License-Identifier: MIT
//
// Empty tables that are views of a hidden table: read-only tables, and `_G`.
#include "internal.h"

static const char hiddenKey;

// Stack: ..., message. Raises the message with the line of the caller.
static int raiseRefusal(lua_State *L) {
    LuaRoutePlace *place = &luaroute_texts(luaroute_context(L))->raised[0];
    if (luaroute_place(L, 1, place)) {
        lua_pushfstring(L, "%s:%d: ", place->brief, place->line);
        lua_insert(L, -2);
        lua_concat(L, 2);
        luaroute_mark_raised(L, 0);
    }
    return lua_error(L);
}

static int refuseWrite(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    return raiseRefusal(L);
}

void luaroute_check_writable(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return;
    if (lua_rawgetp(L, -1, &hiddenKey) == LUA_TNIL) {
        lua_pop(L, 2);
        luaroute_hide(L, 2);
        return;
    }
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "__newindex") == LUA_TTABLE) {
        lua_pop(L, 2);
        luaroute_hide(L, 2);
        return;
    }
    lua_getupvalue(L, -1, 1);
    raiseRefusal(L);
}

static int frozenLength(lua_State *L) {
    lua_settop(L, 1);
    luaroute_unwrap(L, 1);
    int type = lua_type(L, 1);
    luaL_argexpected(L, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    return luaroute_leave(L, 1);
}

void luaroute_freeze(lua_State *L, const char *message, size_t size) {
    // Stack: ..., hidden
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushlstring(L, message, size);
    lua_pushcclosure(L, refuseWrite, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, frozenLength);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -3);
    lua_rawsetp(L, -2, &hiddenKey);
    lua_setmetatable(L, -2);
    lua_replace(L, -2);
}

void luaroute_push_globals(lua_State *L) {
    // Stack: ..., globals
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 4);
    lua_getfield(L, -3, "rawget");
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -3);
    lua_rawsetp(L, -2, &hiddenKey);
    lua_setmetatable(L, -2);
}

bool luaroute_unwrap(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
    if (lua_rawgetp(L, -1, &hiddenKey) == LUA_TNIL) {
        lua_pop(L, 2);
        luaroute_hide(L, 2);
        return false;
    }
    lua_replace(L, index);
    lua_pop(L, 1);
    luaroute_complete(L, index);
    luaroute_hide(L, 4);
    return true;
}

// Stack: table, message -> proxy
static int freeze(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t size;
    const char *message = luaL_checklstring(L, 2, &size);
    lua_pushvalue(L, 1);
    luaroute_freeze(L, message, size);
    return luaroute_leave(L, 1);
}

LuaRouteSlot luaroute_freezer(LuaRouteContext *context) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 4)) {
        luaroute_fail_memory(context);
        return 0;
    }
    lua_pushcfunction(L, freeze);
    return luaroute_take(context, L);
}
