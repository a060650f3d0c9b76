// SPDX-License-Identifier: MIT
//
// Opening and closing a state.
#include <stdio.h>

#include "layout.h"

// A small state is collected only when it has reached ten times its size. Otherwise, the objects of
// screens, which are often unreferenced between two entries, would be recreated in each entry, and
// this would start the next collection. The rule does not apply while scripts are loaded, because
// definitions become garbage after they are read.
void luaroute_set_pace(LuaRouteContext *context, bool isBig) {
    lua_gc(context->main, LUA_GCINC, isBig || context->isLoading ? 200 : 1000, 0, 0);
    context->isBig = isBig;
}

void luaroute_set_loading(LuaRouteContext *context, int isLoading) {
    context->isLoading = isLoading;
    luaroute_set_pace(context, context->isBig);
}

static int abortOnPanic(lua_State *L) {
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "no message";
    fprintf(stderr, "luaroute: an error escaped every protected call: %s\n", message);
    abort();
}

static void clearPlace(LuaRoutePlace *place) {
    place->length = 0;
    place->brief[0] = 0;
    place->line = 0;
}

// The process ends if there is no memory for the texts, because the first failure may be a lack of
// memory.
void luaroute_make_texts(LuaRouteContext *context) {
    context->texts = luaroute_resize_memory(context, NULL, 0, sizeof(LuaRouteTexts));
    for (int i = 0; i <= LUAROUTE_THROWN; i += 1) clearPlace(&context->texts->raised[i]);
}

LuaRouteContext *luaroute_open(
    const LuaRouteHost *host, LuaRouteFlag *cancel, int profile, int64_t bytes, uint64_t seed,
    size_t refuse, int isLasting) {
    if (!luaroute_find_defects() || !luaroute_read_standard()) return NULL;
    LuaRouteContext *context = malloc(sizeof(LuaRouteContext));
    if (context == NULL) return NULL;
    // Most of the structure is a text buffer, which is written before it is read.
    memset(context, 0, offsetof(LuaRouteContext, place));
    clearPlace(&context->place);
    clearPlace(&context->located);
    context->host = *host;
    context->cancel = cancel;
    context->profile = profile;
    context->defects = luaroute_defects();
    context->layout = luaroute_layout();
    context->budget = luaroute_budget(INT64_MAX, INT64_MAX, bytes);
    context->hard = SIZE_MAX;
    context->refuse = refuse;
    context->isLasting = isLasting;
    context->nextSlot = LUAROUTE_FIRST_SLOT;
    luaroute_seed_random(context, seed);
    lua_State *L = lua_newstate(luaroute_allocate, context);
    if (L == NULL) {
        luaroute_free_region(context);
        free(context);
        return NULL;
    }
    *(LuaRouteContext **)lua_getextraspace(L) = context;
    lua_atpanic(L, abortOnPanic);
    context->main = L;
    context->current = L;
    lua_pushcfunction(L, luaroute_open_libraries);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        luaroute_close(context);
        return NULL;
    }
    context->tripped = LUAROUTE_OK;
    luaroute_set_pace(context, false);
    lua_pushcfunction(L, luaroute_handle);  // stays at LUAROUTE_HANDLER_INDEX
    return context;
}

size_t luaroute_close(LuaRouteContext *context) {
    context->exempt += 1;
    // Objects that were dropped earlier are reported now, while newer objects with the same
    // identifiers are still registered, so that the host is notified only once of each identifier.
    if (context->objects > 0) luaroute_collect(context);
    lua_close(context->main);
    context->main = NULL;
    luaroute_report(context);
    size_t left = context->used - context->counted + context->boxes + context->objects;
    luaroute_free_region(context);
    luaroute_free_walk(context);
    luaroute_free_threads(context);
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

static void collect(LuaRouteContext *context) {
    lua_gc(context->current, LUA_GCCOLLECT);
    context->isClean = true;
    luaroute_report(context);
}

void luaroute_collect(LuaRouteContext *context) {
    if (!context->isClean) collect(context);
}

void luaroute_collect_to_first_mark(LuaRouteContext *context) {
    if (context->layout == NULL) return;
    const SeenTable *registry = lua_topointer(context->current, LUA_REGISTRYINDEX);
    if (!(registry->marked & SEEN_FIRST_WHITE)) collect(context);
}
