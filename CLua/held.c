// SPDX-License-Identifier: MIT
//
// Closures and objects of the host that scripts reference, as userdata without a finalizer. Lua
// loses an object if its finalizer fails, which happens if the C stack is full or an allocation
// fails. The allocator therefore detects when Lua frees such a block, and keeps the block. The host
// is notified after the operation is complete, so that no Swift code runs in the middle of a
// collection.
#include "internal.h"

void luaroute_open_held(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    lua_gc(L, LUA_GCSTOP);
    size_t used = context->used;
    lua_newuserdatauv(L, sizeof(LuaRouteHeld), 0);
    context->offset = context->used - used - sizeof(LuaRouteHeld);
    lua_pop(L, 1);
    lua_gc(L, LUA_GCRESTART);
}

// The size of the userdata for objects of a type, or for closures.
static size_t sizeOfHeld(uint32_t type) {
    return type == 0 ? sizeof(LuaRouteBox) : sizeof(LuaRouteHeld);
}

LuaRouteHeld *luaroute_new_held(LuaRouteContext *context, lua_State *L, LuaRouteHeld held) {
    LuaRouteHeld *new = lua_newuserdatauv(L, sizeOfHeld(held.type), 0);
    *new = held;
    LuaRouteHeader *header = (LuaRouteHeader *)((char *)new - context->offset) - 1;
    header->serial |= LUAROUTE_IS_HELD;
    bool isBox = held.type == 0;
    if (isBox) {
        LuaRouteBox *box = (LuaRouteBox *)new;
        box->next = context->newestBox;
        box->previous = NULL;
        if (box->next != NULL) box->next->previous = box;
        context->newestBox = box;
    }
    *(isBox ? &context->boxes : &context->objects) += 1;
    luaroute_count(context, isBox ? LUAROUTE_BOX : LUAROUTE_ITEM);
    return new;
}

void luaroute_drop(LuaRouteContext *context, LuaRouteHeader *header) {
    LuaRouteHeld *held = (LuaRouteHeld *)((char *)(header + 1) + context->offset);
    if (held->type == 0) {
        LuaRouteBox *box = (LuaRouteBox *)held;
        if (box->next != NULL) box->next->previous = box->previous;
        *(box->previous != NULL ? &box->previous->next : &context->newestBox) = box->next;
    }
    header->serial = (uint64_t)(uintptr_t)context->dropped;
    context->dropped = header;
    context->hasDropped = true;
}

// Whether scripts have since received a new object with the same identifier.
static bool hasNewer(LuaRouteContext *context, const LuaRouteHeld *object) {
    if (context->main == NULL) return false;
    lua_State *L = context->current;
    lua_rawgeti(L, LUA_REGISTRYINDEX, context->types[object->type - 1].cache);
    bool hasNewer = lua_rawgeti(L, -1, object->identifier) != LUA_TNIL;
    lua_pop(L, 2);
    luaroute_hide(L, 2);
    return hasNewer;
}

static void tell(LuaRouteContext *context, const LuaRouteHeld *held) {
    LuaRouteHost *host = &context->host;
    if (held->type == 0) {
        context->boxes -= 1;
        luaroute_uncount(context, LUAROUTE_BOX);
        host->releaseBox(host->owner, held->closure);
        return;
    }
    context->objects -= 1;
    luaroute_uncount(context, LUAROUTE_ITEM);
    context->keeping -= held->isKeeping;
    if (!hasNewer(context, held)) host->releaseObject(host->owner, held->type, held->identifier);
}

void luaroute_report_dropped(LuaRouteContext *context) {
    if (context->isFinalizing) return;
    if (context->main != NULL) {
        context->exempt += 1;
        bool hasRoom = lua_checkstack(context->current, 4);
        context->exempt -= 1;
        if (!hasRoom) return;
    }
    context->isFinalizing = true;
    while (context->dropped != NULL) {
        LuaRouteHeader *header = context->dropped;
        context->dropped = (LuaRouteHeader *)(uintptr_t)header->serial;
        LuaRouteHeld held;
        memcpy(&held, (char *)(header + 1) + context->offset, sizeof held);
        luaroute_free_block(
            context, header, sizeof *header + context->offset + sizeOfHeld(held.type));
        tell(context, &held);
    }
    context->isFinalizing = false;
    context->hasDropped = false;
}
