// SPDX-License-Identifier: MIT
//
// A state: its memory, its opening and its end.
#include <stdio.h>

#include "internal.h"

// Each block begins with a number that grows, so that tables and functions have an order of
// creation that does not change from run to run, as their addresses do.
typedef struct Header {
    uint64_t serial;
} Header;

uint64_t luaroute_serial(const void *block) {
    return ((const Header *)block)[-1].serial;
}

// No handler sees a refusal, so this is where the line is known.
static void refuse(LuaRouteContext *context) {
    if (context->depth > 0 && context->tripped == LUAROUTE_OK) {
        luaroute_mark_broken(context, context->current);
    }
    context->tripped = LUAROUTE_MEMORY;
}

void *luaroute_allocate(void *owner, void *block, size_t oldSize, size_t newSize) {
    LuaRouteContext *context = owner;
    Header *header = block == NULL ? NULL : (Header *)block - 1;
    size_t old = block == NULL ? 0 : oldSize;  // for a new block it is the kind of object
    if (newSize == 0) {
        free(header);
        context->used -= old;
        if (old >= LUAROUTE_LARGE) context->large -= old;
        return NULL;
    }
    if (newSize > old && !context->exempt) {
        context->requests += 1;
        // A refused request is made again after a collection: that one is refused as well.
        bool isChosen = context->refuse != 0
            && (context->requests == context->refuse || context->requests == context->refuse + 1);
        if (isChosen || context->used + (newSize - old) > context->soft * 4) {
            refuse(context);
            return NULL;
        }
    }
    Header *moved = realloc(header, newSize + sizeof(Header));
    if (moved == NULL) {
        if (newSize <= old) return block;
        if (context->exempt) abort();
        refuse(context);
        return NULL;
    }
    if (header == NULL) moved->serial = ++context->serial;
    context->used += newSize - old;
    if (old >= LUAROUTE_LARGE) context->large -= old;
    if (newSize >= LUAROUTE_LARGE) context->large += newSize;
    // To refuse here would start a collection in the middle of an operation, which Lua 5.4.4 does
    // not survive everywhere. So it is granted, and looked at after the next instruction.
    if (newSize > old && (context->used > context->soft || newSize - old >= LUAROUTE_LARGE)) {
        luaroute_trip_soon(context);
    }
    return moved + 1;
}

static int panic(lua_State *L) {
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "no message";
    fprintf(stderr, "luaroute: an error escaped every protected call: %s\n", message);
    abort();
}

LuaRouteContext *luaroute_open(
    const LuaRouteHost *host, LuaRouteFlag *cancel, int profile, int64_t bytes, uint64_t seed,
    size_t refuse) {
    LuaRouteContext *context = calloc(1, sizeof(LuaRouteContext));
    if (context == NULL) return NULL;
    context->host = *host;
    context->cancel = cancel;
    context->profile = profile;
    context->soft = (size_t)bytes;
    context->refuse = refuse;
    context->nextSlot = LUAROUTE_FIRST_SLOT;
    lua_State *L = lua_newstate(luaroute_allocate, context);
    if (L == NULL) {
        free(context);
        return NULL;
    }
    *(LuaRouteContext **)lua_getextraspace(L) = context;
    lua_atpanic(L, panic);
    context->main = L;
    context->current = L;
    lua_pushcfunction(L, luaroute_open_libraries);
    lua_pushinteger(L, (lua_Integer)seed);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        luaroute_close(context);
        return NULL;
    }
    context->tripped = LUAROUTE_OK;
    return context;
}

void luaroute_close(LuaRouteContext *context) {
    context->exempt += 1;
    lua_close(context->main);
    luaroute_free_threads(context);
    free(context->caches);
    free(context);
}

void luaroute_refuse(LuaRouteContext *context, size_t request) {
    context->requests = 0;
    context->refuse = request;
}

size_t luaroute_requests(const LuaRouteContext *context) {
    return context->requests;
}

size_t luaroute_used(const LuaRouteContext *context) {
    return context->used;
}

size_t luaroute_live_boxes(const LuaRouteContext *context) {
    return context->boxes;
}

size_t luaroute_live_objects(const LuaRouteContext *context) {
    return context->objects;
}

size_t luaroute_live_slots(const LuaRouteContext *context) {
    return context->slots;
}

int luaroute_depth(const LuaRouteContext *context) {
    return context->depth;
}

void luaroute_collect(LuaRouteContext *context) {
    lua_gc(context->current, LUA_GCCOLLECT);
}

const char *luaroute_release(void) { return LUA_RELEASE; }
