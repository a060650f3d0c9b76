// SPDX-License-Identifier: MIT
//
// Swift closures as Lua functions.
#include "internal.h"

// The number of the last error that the host threw.
static int lastThrown(const LuaRouteContext *context) {
    return 1 + (int)(context->throws % LUAROUTE_THROWN);
}

// Writes "chunk:line: " before a message, like Lua, and returns the length of this prefix. Only one
// string is created this way; formatting would create three.
static size_t writePrefix(char *message, const LuaRoutePlace *place) {
    char *start = message;
    *--start = ' ';
    *--start = ':';
    unsigned line = (unsigned)place->line;
    do {
        *--start = (char)('0' + line % 10);
        line /= 10;
    } while (line > 0);
    *--start = ':';
    size_t length = strlen(place->brief);
    start -= length;
    memcpy(start, place->brief, length);
    return (size_t)(message - start);
}

// Runs a Swift closure, and raises the error that it throws. The Swift frame has returned by then,
// so the jump skips only C frames.
int luaroute_run(lua_State *L, void *closure, int member, bool *isKept) {
    LuaRouteContext *context = luaroute_context(L);
    lua_State *outer = context->current;
    context->current = L;
    int count = context->host.call(closure, member, L);
    context->current = outer;
    if (context->tripped != LUAROUTE_OK) return luaroute_terminate(L);
    context->calls += 1;
    // The budget is also checked after an error, because Swift has charged the values that it read.
    if (context->instructions < 0) luaroute_charge(L, 0);
    if (context->calls % LUAROUTE_CALLS == 0) {
        if (count >= 0) luaroute_report(context);
        luaroute_look(L);
    }
    if (count >= 0) return count;
    if (count == LUAROUTE_KEEP) {
        *isKept = true;
        return 1;
    }
    if (count == LUAROUTE_END) return luaroute_end(L);
    if (count == LUAROUTE_WAIT) {
        if (!luaroute_may_wait(context, L)) return luaL_error(L, "cannot wait here");
        lua_settop(L, 0);  // releases the arguments while the coroutine waits
        return lua_yield(L, 0);
    }

    int number = lastThrown(context);
    LuaRoutePlace *place = &context->texts->raised[number];
    char *message = context->texts->thrown + LUAROUTE_PREFIX;
    size_t length = context->thrownLength;
    if (context->level > 0 && luaroute_place(L, context->level, place)) {
        size_t prefix = writePrefix(message, place);
        message -= prefix;
        length += prefix;
    } else {
        place->line = 0;
    }
    lua_pushlstring(L, message, length);
    luaroute_mark_raised(L, number);
    return lua_error(L);
}

int luaroute_run_charged(lua_State *L, void *closure, int member) {
    bool isKept;
    luaroute_context(L)->instructions -= LUAROUTE_HOST_CALL;
    return luaroute_run(L, closure, member, &isKept);
}

// Upvalue: box.
static int trampoline(lua_State *L) {
    const LuaRouteHeld *box = lua_touserdata(L, lua_upvalueindex(1));
    return luaroute_run_charged(L, box->closure, 0);
}

LuaRouteSlot luaroute_function(LuaRouteContext *context, void *closure) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 4)) {
        luaroute_fail_memory(context);
        return 0;
    }
    // No operation below this line can fail.
    context->exempt += 1;
    luaroute_new_held(context, L, (LuaRouteHeld){.closure = closure});
    lua_pushcclosure(L, trampoline, 1);
    LuaRouteSlot slot = luaroute_take(context, L);
    context->exempt -= 1;
    luaroute_report(context);
    return slot;
}

int luaroute_throw(LuaRouteContext *context, const uint8_t *message, size_t length, int level) {
    context->thrownLength = length < LUAROUTE_MESSAGE ? length : LUAROUTE_MESSAGE;
    char *thrown = luaroute_texts(context)->thrown + LUAROUTE_PREFIX;
    if (length > 0) memcpy(thrown, message, context->thrownLength);
    context->level = level;
    context->throws += 1;
    return lastThrown(context);
}

int luaroute_location(
    LuaRouteContext *context, lua_State *L, int level, const char **chunk, size_t *length,
    int *line) {
    LuaRoutePlace *located = &context->located;
    if (!(level > 0 ? luaroute_place(L, level, located) : luaroute_chunk_place(L, located))) return 0;
    *chunk = context->located.chunk;
    *length = context->located.length;
    *line = context->located.line;
    return 1;
}

// Charges a string that Swift iterates over. This function must not raise an error, so an exceeded
// budget raises an error only after Swift has returned.
static inline void chargeString(LuaRouteContext *context, size_t length) {
    if (length < LUAROUTE_LONG_STRING || context->depth == 0) return;
    context->instructions -= (int64_t)(length / LUAROUTE_HOST_BYTES);
}

const uint8_t *luaroute_string(lua_State *L, int index, size_t *length) {
    if (lua_type(L, index) != LUA_TSTRING) return NULL;
    const uint8_t *bytes = (const uint8_t *)lua_tolstring(L, index, length);
    chargeString(luaroute_context(L), *length);
    return bytes;
}

int luaroute_push_string(
    LuaRouteContext *context, lua_State *L, const uint8_t *bytes, size_t length) {
    if (!lua_checkstack(L, 2)) return LUAROUTE_MEMORY;
    context->exempt += 1;
    lua_pushlstring(L, (const char *)bytes, length);
    context->exempt -= 1;
    chargeString(context, length);
    return LUAROUTE_OK;
}

int luaroute_push_slot(LuaRouteContext *context, lua_State *L, LuaRouteSlot slot) {
    if (!lua_checkstack(L, 2)) return LUAROUTE_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_position(context, slot));
    return LUAROUTE_OK;
}

int luaroute_push_flat(LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat) {
    size_t position = 0;
    int count = 0;
    while (position < flat->count) {
        if (luaroute_build(context, L, flat, &position) != LUAROUTE_OK) {
            lua_settop(L, -count - 1);
            luaroute_throw(
                context, (const uint8_t *)context->texts->message, context->messageLength, 1);
            return LUAROUTE_RAISE;
        }
        count += 1;
    }
    if (flat->count >= LUAROUTE_WORK) luaroute_work(context, (int64_t)flat->count);
    chargeString(context, flat->length);
    return count;
}

int luaroute_can_wait(lua_State *L) {
    return luaroute_may_wait(luaroute_context(L), L);
}
