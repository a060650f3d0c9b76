// SPDX-License-Identifier: MIT
//
// Tables of functions that share one Swift closure. Most scripts use only a few of the functions,
// so each function is created when it is first read.
#include "internal.h"

// Upvalues: box, member.
static int callMember(lua_State *L) {
    const LuaRouteHeld *box = lua_touserdata(L, lua_upvalueindex(1));
    return luaroute_run_charged(L, box->closure, (int)lua_tointeger(L, lua_upvalueindex(2)));
}

// Adds a function to a table. Stack: ... -> ..., function. The context must be exempt.
static void make(lua_State *L, int table, int box, const LuaRouteFlat *names, size_t member) {
    const LuaRouteValue *name = &names->values[member];
    lua_pushlstring(L, (const char *)names->bytes + name->payload, name->length);
    lua_pushvalue(L, box);
    lua_pushinteger(L, (lua_Integer)member);
    lua_pushcclosure(L, callMember, 2);
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_rawset(L, table);
}

// Finds the member whose name is the string at an index. Returns the number of members if there is
// none.
static size_t findMember(lua_State *L, int index, const LuaRouteFlat *names) {
    if (lua_type(L, index) != LUA_TSTRING) return names->count;
    size_t length, member = 0;
    const char *text = lua_tolstring(L, index, &length);
    for (; member < names->count; member += 1) {
        const LuaRouteValue *name = &names->values[member];
        if (name->length != length) continue;
        if (memcmp(names->bytes + name->payload, text, length) == 0) break;
    }
    return member;
}

// Reads a key that the table does not contain. Upvalues: box, names. Stack: table, key -> function.
static int readMember(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const LuaRouteFlat *names = lua_touserdata(L, lua_upvalueindex(2));
    size_t member = findMember(L, 2, names);
    if (member == names->count) {
        const LuaRouteHeld *box = lua_touserdata(L, lua_upvalueindex(1));
        return luaroute_run_charged(L, box->closure, LUAROUTE_UNKNOWN);
    }
    LuaRouteContext *context = luaroute_context(L);
    context->exempt += 1;
    make(L, 1, lua_upvalueindex(1), names, member);
    context->exempt -= 1;
    return luaroute_leave(L, 1);
}

void luaroute_complete(lua_State *L, int table) {
    if (!lua_getmetatable(L, table)) return;
    LuaRouteContext *context = luaroute_context(L);
    context->exempt += 1;
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    if (lua_tocfunction(L, -1) == readMember && lua_checkstack(L, 8)) {
        int top = lua_gettop(L);
        lua_getupvalue(L, top, 1);
        lua_getupvalue(L, top, 2);
        const LuaRouteFlat *names = lua_touserdata(L, top + 2);
        for (size_t member = 0; member < names->count; member += 1) {
            const LuaRouteValue *name = &names->values[member];
            lua_pushlstring(L, (const char *)names->bytes + name->payload, name->length);
            if (lua_rawget(L, table) == LUA_TNIL) make(L, table, top + 1, names, member);
            lua_settop(L, top + 2);
        }
        lua_pop(L, 2);
    }
    context->exempt -= 1;
    lua_pop(L, 2);
    luaroute_hide(L, 8);
}

LuaRouteSlot luaroute_functions(LuaRouteContext *context, void *closure, const LuaRouteFlat *names) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 8)) {
        luaroute_fail_memory(context);
        return 0;
    }
    // No operation below this line can fail.
    context->exempt += 1;
    lua_createtable(L, 0, 8);
    lua_createtable(L, 0, 2);
    luaroute_new_held(context, L, (LuaRouteHeld){.closure = closure});
    lua_pushlightuserdata(L, (void *)names);
    lua_pushcclosure(L, readMember, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    LuaRouteSlot slot = luaroute_take(context, L);
    luaroute_hide(L, 5);
    context->exempt -= 1;
    luaroute_report(context);
    return slot;
}
