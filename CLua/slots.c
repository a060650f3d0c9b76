// SPDX-License-Identifier: MIT
//
// Lua values that Swift references. They are in the array part of the registry, so that reading a
// value takes one access.
//
// A handle consists of a position and a unique birth number, which a rewind does not reset. If the
// heap is rewound to a time before the handle's birth, the handle is dead, and its position can be
// reused.
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

static void makeRoomForBirth(LuaRouteContext *context, size_t position) {
    size_t room = context->birthRoom == 0 ? 64 : context->birthRoom;
    while (room <= position) room *= 2;
    size_t size = sizeof *context->births;
    context->births = luaroute_resize_memory(
        context, context->births, context->birthRoom * size, room * size);
    memset(context->births + context->birthRoom, 0, (room - context->birthRoom) * size);
    context->birthRoom = room;
}

LuaRouteSlot luaroute_take(LuaRouteContext *context, lua_State *L) {
    context->slots += 1;
    luaroute_count(context, LUAROUTE_HANDLE);
    size_t position = (size_t)luaroute_anchor(context, L);
    if (position >= context->birthRoom) makeRoomForBirth(context, position);
    context->lastBirth += 1;
    context->births[position] = context->lastBirth;
    return (LuaRouteSlot)(context->lastBirth << LUAROUTE_POSITION_BITS | position);
}

LuaRouteSlot luaroute_slot_take(LuaRouteContext *context, lua_State *L, int index) {
    lua_pushvalue(L, index);
    return luaroute_take(context, L);
}

void luaroute_free_position(LuaRouteContext *context, int position) {
    context->births[position] = 0;
    context->isClean = false;
    luaroute_release_anchor(context, position);
    context->slots -= 1;
    luaroute_uncount(context, LUAROUTE_HANDLE);
}

void luaroute_slot_free(LuaRouteContext *context, LuaRouteSlot slot) {
    int position = luaroute_position(context, slot);
    if (position != 0) luaroute_free_position(context, position);
    // The host has released the handle, so an image must not restore it.
    uint64_t birth = luaroute_birth(slot);
    if (context->images > 0 && birth <= context->imagedBirth) {
        luaroute_insert(&context->releasedSlots, birth);
    }
}

void luaroute_slot_leave(LuaRouteContext *context, LuaRouteSlot slot) {
    // From now on, handles can be dead.
    context->wasRewound = true;
    int position = luaroute_position(context, slot);
    if (position != 0) luaroute_free_position(context, position);
}

int luaroute_slot_is_alive(const LuaRouteContext *context, LuaRouteSlot slot) {
    return luaroute_position(context, slot) != 0;
}

int luaroute_slot_parameters(LuaRouteContext *context, LuaRouteSlot slot, int *isVariadic) {
    int position = luaroute_position(context, slot);
    *isVariadic = 0;
    if (position == 0) return 0;
    lua_State *L = context->current;
    lua_Debug function;
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    // Only queries that push a value need memory.
    lua_getinfo(L, ">u", &function);
    *isVariadic = function.isvararg;
    return function.nparams;
}

LuaRouteOrigin luaroute_slot_source(LuaRouteContext *context, LuaRouteSlot slot) {
    int position = luaroute_position(context, slot);
    if (position == 0) return (LuaRouteOrigin){0};
    lua_State *L = context->current;
    lua_Debug function;
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    // These queries only read the function, and push nothing.
    LuaRouteOrigin origin = {0};
    for (int i = 0; i < 3; i += 1) origin.parameters[i] = lua_getlocal(L, NULL, i + 1);
    lua_getinfo(L, ">S", &function);
    origin.chunk = function.source;
    origin.first = function.linedefined;
    origin.last = function.lastlinedefined;
    return origin;
}

uintptr_t luaroute_slot_identity(LuaRouteContext *context, LuaRouteSlot slot) {
    lua_State *L = context->current;
    lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_position(context, slot));
    uintptr_t identity = (uintptr_t)lua_topointer(L, -1);
    lua_pop(L, 1);
    return identity;
}

static int compareSlots(const void *first, const void *second) {
    LuaRouteSlot left = *(const LuaRouteSlot *)first, right = *(const LuaRouteSlot *)second;
    return left < right ? -1 : left > right;
}

// Whether a slot contains a C function, as every function of the host is.
static bool isOfHost(lua_State *L, int position) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    bool isOfHost = lua_iscfunction(L, -1);
    lua_pop(L, 1);
    return isOfHost;
}

size_t luaroute_held_slots(LuaRouteContext *context, LuaRouteSlot *slots, size_t room) {
    int end = context->nextSlot;
    if ((size_t)end > context->birthRoom) end = (int)context->birthRoom;
    size_t count = 0;
    for (int i = LUAROUTE_FIRST_SLOT; i < end; i += 1) {
        // The functions of the host are the same in each state.
        if (context->births[i] == 0 || isOfHost(context->current, i)) continue;
        if (count < room) {
            uint64_t birth = context->births[i];
            slots[count] = (LuaRouteSlot)(birth << LUAROUTE_POSITION_BITS | (uint64_t)i);
        }
        count += 1;
    }
    // The birth number is in the upper bits, so this sorts by the time of creation.
    qsort(slots, count < room ? count : room, sizeof *slots, compareSlots);
    return count;
}
