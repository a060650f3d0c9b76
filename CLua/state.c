// SPDX-License-Identifier: MIT
//
// A state: its memory, its opening and its end.
#include <stdio.h>

#include "internal.h"

uint64_t luaroute_serial(const void *block) {
    return ((const LuaRouteHeader *)block)[-1].serial;
}

static bool isRefused(LuaRouteContext *context, size_t more) {
    if (context->exempt) return false;
    context->requests += 1;
    if (context->refuse != 0 && context->requests >= context->refuse) {
        // A refused request is made again after a collection: that one is refused as well.
        if (context->isLasting || context->requests <= context->refuse + 1) return true;
    }
    size_t next = context->used + more;
    return next > 4 * luaroute_soft(context) || next > context->hard;
}

void luaroute_open_keys(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    lua_gc(L, LUA_GCSTOP);
    size_t start = context->used;
    lua_createtable(L, 0, 0);
    size_t empty = context->used - start;
    lua_createtable(L, 0, 1);
    context->node = context->used - start - 2 * empty;
    lua_pop(L, 2);
    lua_gc(L, LUA_GCRESTART);
}

// Whether a new block is room for more keys than a table may have. Numbers are easily chosen so
// that all collide in a table of some size, and to move them there is one instruction: its time
// grows with the square of their number. Such room is known by its size, a power of two of keys.
static bool isTooCrowded(const LuaRouteContext *context, size_t size) {
    if (context->depth == 0 || context->exempt || context->isCompiling) return false;
    if (size <= LUAROUTE_KEYS * context->node) return false;
    size_t keys = size / context->node;
    return keys * context->node == size && (keys & (keys - 1)) == 0;
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
    LuaRouteHeader *header = block == NULL ? NULL : (LuaRouteHeader *)block - 1;
    size_t old = block == NULL ? 0 : oldSize;  // for a new block it is the kind of object
    if (newSize == 0) {
        context->used -= old;
        if (old >= LUAROUTE_LARGE) context->large -= old;
        if (header != NULL && header->serial & 1) {
            luaroute_drop(context, header);
        } else {
            free(header);
        }
        return NULL;
    }
    // For a vector the kind of object is 0.
    bool isCrowded = block == NULL && oldSize == 0 && isTooCrowded(context, newSize);
    if (isCrowded || (newSize > old && isRefused(context, newSize - old))) {
        context->isCrowded |= isCrowded && context->tripped == LUAROUTE_OK;
        refuse(context);
        return NULL;
    }
    LuaRouteHeader *moved = realloc(header, newSize + sizeof(LuaRouteHeader));
    if (moved == NULL) {
        if (newSize <= old) return block;
        // No limit of ours, but the end of the process's memory: what Swift would die of, too. It
        // could not be an error, for an exempt operation has no protected call to end it.
        if (context->exempt) abort();
        refuse(context);
        return NULL;
    }
    if (header == NULL) moved->serial = context->serial += 2;
    context->used += newSize - old;
    if (old >= LUAROUTE_LARGE) context->large -= old;
    if (newSize >= LUAROUTE_LARGE) context->large += newSize;
    // To refuse here would start a collection in the middle of an operation, which Lua 5.4.4 does
    // not survive everywhere. So it is granted, and looked at after the next instruction.
    if (newSize > old && (context->used > luaroute_soft(context) || newSize - old >= LUAROUTE_LARGE)) {
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
    size_t refuse, int isLasting) {
    LuaRouteContext *context = calloc(1, sizeof(LuaRouteContext));
    if (context == NULL) return NULL;
    context->host = *host;
    context->cancel = cancel;
    context->profile = profile;
    context->budget = luaroute_budget(INT64_MAX, INT64_MAX, bytes);
    context->hard = SIZE_MAX;
    context->refuse = refuse;
    context->isLasting = isLasting;
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
    lua_pushcfunction(L, luaroute_handle);  // at LUAROUTE_HANDLER_INDEX, for good
    return context;
}

size_t luaroute_close(LuaRouteContext *context) {
    context->exempt += 1;
    // Of what had a newer object of the same identifier, the host is told while that is known.
    if (context->objects > 0) luaroute_collect(context);
    lua_close(context->main);
    context->main = NULL;
    luaroute_tell(context);
    size_t left = context->used - context->counted + context->boxes + context->objects;
    luaroute_free_threads(context);
    free(context->caches);
    free(context);
    return left;
}

void luaroute_refuse(LuaRouteContext *context, size_t request, int isLasting) {
    context->requests = 0;
    context->refuse = request;
    context->isLasting = isLasting;
}

void luaroute_limit(LuaRouteContext *context, size_t more) {
    context->hard = more > SIZE_MAX - context->used ? SIZE_MAX : context->used + more;
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
    luaroute_tell(context);
}

const char *luaroute_release(void) { return LUA_RELEASE; }
