// SPDX-License-Identifier: MIT
//
// Values of Lua that Swift holds: positions of the registry, whose array part makes them one read.
#include "internal.h"

int luaroute_anchor(LuaRouteContext *context, lua_State *L) {
    int slot = context->freeSlot;
    context->exempt += 1;
    if (slot != 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
        context->freeSlot = (int)lua_tointeger(L, -1);
        lua_pop(L, 1);
    } else {
        slot = context->nextSlot;
        context->nextSlot += 1;
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, slot);
    context->exempt -= 1;
    return slot;
}

void luaroute_release_anchor(LuaRouteContext *context, int slot) {
    lua_State *L = context->current;
    context->exempt += 1;
    lua_pushinteger(L, context->freeSlot);
    lua_rawseti(L, LUA_REGISTRYINDEX, slot);
    context->exempt -= 1;
    context->freeSlot = slot;
}

int luaroute_take(LuaRouteContext *context, lua_State *L) {
    context->slots += 1;
    luaroute_count(context, LUAROUTE_HANDLE);
    return luaroute_anchor(context, L);
}

int luaroute_slot_take(LuaRouteContext *context, lua_State *L, int index) {
    lua_pushvalue(L, index);
    return luaroute_take(context, L);
}

void luaroute_slot_free(LuaRouteContext *context, int slot) {
    luaroute_release_anchor(context, slot);
    context->slots -= 1;
    luaroute_uncount(context, LUAROUTE_HANDLE);
}

int luaroute_slot_parameters(LuaRouteContext *context, int slot, int *isVariadic) {
    lua_State *L = context->current;
    lua_Debug function;
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
    // Of all that it can be asked, only what pushes something needs memory.
    lua_getinfo(L, ">u", &function);
    *isVariadic = function.isvararg;
    return function.nparams;
}

uintptr_t luaroute_slot_identity(LuaRouteContext *context, int slot) {
    lua_State *L = context->current;
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
    uintptr_t identity = (uintptr_t)lua_topointer(L, -1);
    lua_pop(L, 1);
    return identity;
}
