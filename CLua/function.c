// SPDX-License-Identifier: MIT
//
// Swift closures as functions of Lua.
#include "internal.h"

typedef struct Box {
    void *closure;
} Box;

static const char boxKey;

// Runs a Swift closure and raises what it threw. Its Swift frame has returned by then: only C is
// left to jump over.
int luaroute_run(lua_State *L, bool *isKept) {
    LuaRouteContext *context = luaroute_context(L);
    const Box *box = lua_touserdata(L, lua_upvalueindex(1));
    lua_State *outer = context->current;
    context->current = L;
    int count = context->host.call(box->closure, L);
    context->current = outer;
    if (context->tripped != LUAROUTE_OK) return luaroute_terminate(L);
    context->calls += 1;
    if (context->calls % LUAROUTE_CALLS == 0 && count != LUAROUTE_END) luaroute_look(L);
    if (count >= 0) return count;
    if (count == LUAROUTE_KEEP) {
        *isKept = true;
        return 1;
    }
    if (count == LUAROUTE_END) return luaroute_end(L);
    if (count == LUAROUTE_WAIT) {
        if (!luaroute_may_wait(context, L)) return luaL_error(L, "cannot wait here");
        lua_settop(L, 0);  // what it was given is free meanwhile
        return lua_yield(L, 0);
    }

    LuaRoutePlace place;
    bool isPlaced = context->level > 0 && luaroute_place(L, context->level, &place);
    if (isPlaced) {
        lua_pushfstring(L, "%s:%d: ", place.brief, place.line);
        lua_pushlstring(L, context->thrown, context->thrownLength);
        lua_concat(L, 2);
    } else {
        lua_pushlstring(L, context->thrown, context->thrownLength);
    }
    luaroute_mark_raised(L, isPlaced ? &place : NULL, true);
    return lua_error(L);
}

static int trampoline(lua_State *L) {
    bool isKept;
    return luaroute_run(L, &isKept);
}

static int collectBox(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    Box *box = lua_touserdata(L, 1);
    void *closure = box->closure;
    box->closure = NULL;
    if (closure == NULL) return 0;
    context->boxes -= 1;
    context->used -= LUAROUTE_BOX;
    bool outer = context->isFinalizing;
    context->isFinalizing = true;
    context->host.releaseBox(context->host.owner, closure);
    context->isFinalizing = outer;
    return 0;
}

void luaroute_open_functions(lua_State *L) {
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, collectBox);
    lua_setfield(L, -2, "__gc");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &boxKey);
}

int luaroute_function(LuaRouteContext *context, void *closure) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 4)) return 0;
    context->exempt += 1;
    Box *box = lua_newuserdatauv(L, sizeof(Box), 0);
    box->closure = NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &boxKey);
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, trampoline, 1);
    int slot = luaroute_take(context, L);
    context->exempt -= 1;
    box->closure = closure;  // adopted: nothing can fail any more
    context->boxes += 1;
    luaroute_count(context, LUAROUTE_BOX);
    return slot;
}

void luaroute_throw(LuaRouteContext *context, const uint8_t *message, size_t length, int level) {
    context->thrownLength = length < LUAROUTE_MESSAGE ? length : LUAROUTE_MESSAGE;
    if (length > 0) memcpy(context->thrown, message, context->thrownLength);
    context->level = level;
}

int luaroute_location(
    LuaRouteContext *context, lua_State *L, int level, const char **chunk, size_t *length,
    int *line) {
    if (!luaroute_place(L, level, &context->located)) return 0;
    *chunk = context->located.chunk;
    *length = context->located.length;
    *line = context->located.line;
    return 1;
}

const uint8_t *luaroute_string(lua_State *L, int index, size_t *length) {
    if (lua_type(L, index) != LUA_TSTRING) return NULL;
    return (const uint8_t *)lua_tolstring(L, index, length);
}

int luaroute_push_string(
    LuaRouteContext *context, lua_State *L, const uint8_t *bytes, size_t length) {
    if (!lua_checkstack(L, 2)) return LUAROUTE_MEMORY;
    context->exempt += 1;
    lua_pushlstring(L, (const char *)bytes, length);
    context->exempt -= 1;
    return LUAROUTE_OK;
}

int luaroute_push_slot(LuaRouteContext *context, lua_State *L, int slot) {
    (void)context;
    if (!lua_checkstack(L, 2)) return LUAROUTE_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
    return LUAROUTE_OK;
}

int luaroute_push_flat(LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat) {
    size_t position = 0;
    int count = 0;
    while (position < flat->count) {
        if (luaroute_build(context, L, flat, &position) != LUAROUTE_OK) {
            lua_settop(L, -count - 1);
            luaroute_throw(
                context, (const uint8_t *)context->message, context->messageLength, 1);
            return LUAROUTE_RAISE;
        }
        count += 1;
    }
    return count;
}

int luaroute_can_wait(lua_State *L) {
    return luaroute_may_wait(luaroute_context(L), L);
}
