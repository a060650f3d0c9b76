// SPDX-License-Identifier: MIT
//
// Compiles chunks. Only text of limited size is accepted, and the host determines the environment.
// Compiling is part of the entry that requests it; outside of entries, it is an entry itself.
#include <stdio.h>

#include "source.h"

static int failLoad(LuaRouteContext *context, const char *chunkName, int line, const char *message) {
    luaroute_fail(context, LUAROUTE_SYNTAX, "%s", message);
    size_t length = strlen(chunkName);
    if (length > sizeof context->place.chunk) length = sizeof context->place.chunk;
    memcpy(context->place.chunk, chunkName, length);
    context->place.length = length;
    context->place.line = line;
    return LUAROUTE_SYNTAX;
}

// Lua writes "name:line: message". A long name is truncated. The name contains no line break.
static int failSyntax(LuaRouteContext *context, const char *chunkName, const char *text) {
    size_t size = strlen(chunkName);
    const char *rest = text;
    if (strncmp(text, chunkName, size) == 0) {
        rest = text + size;
    } else if (strncmp(text, "...", 3) == 0) {
        // Only the end of a long name is kept.
        size_t kept = size < LUA_IDSIZE - 4 ? size : LUA_IDSIZE - 4;
        rest = text + 3 + kept;
    }
    int line = 0, count = 0;
    if (sscanf(rest, ":%d: %n", &line, &count) != 1) return failLoad(context, chunkName, 1, text);
    return failLoad(context, chunkName, line, rest + count);
}

// Returns the failure of a budget that was exceeded at a line of the source.
static int failBudget(LuaRouteContext *context, const char *chunkName, int line) {
    int status = context->tripped;
    failLoad(context, chunkName, line, luaroute_reason(context, status));
    if (context->broken.line == 0) {
        context->broken = context->place;
        context->broken.brief[0] = 0;
    }
    return status;
}

static int fallShort(LuaRouteContext *context, const LuaRouteSource *source, const char *chunkName) {
    const char *reason = source->refusal != NULL ? source->refusal : "the chunk cannot be read";
    return failLoad(context, chunkName, source->lexer.line, reason);
}

// Stack: function -> . Creates a slot for a loaded chunk.
static LuaRouteSlot take(LuaRouteContext *context, lua_State *L, LuaRouteSlot environment) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_position(context, environment));
    lua_setupvalue(L, -2, 1);
    context->lastChunk += 1;
    context->chunk = context->lastChunk;
    return luaroute_take(context, L);
}

static int compile(
    LuaRouteContext *context, const uint8_t *bytes, size_t length, const char *chunkName,
    LuaRouteSlot environment, LuaRouteSlot *slot) {
    lua_State *L = context->current;
    char name[520];
    snprintf(name, sizeof name, "%s%s", *chunkName == '=' ? "" : "@", chunkName);
    LuaRouteSource source;
    luaroute_begin_source(&source, context, bytes, length);
    context->isCompiling = true;
    int result = lua_load(L, luaroute_read_source, &source, name, "t");
    context->isCompiling = false;
    if (context->tripped != LUAROUTE_OK) {
        return failBudget(context, chunkName, source.lexer.line);
    }
    bool isRead = !source.isIncomplete && source.refusal == NULL;
    if (source.refusal != NULL || (result == LUA_OK && !isRead)) {
        return fallShort(context, &source, chunkName);
    }
    switch (result) {
    case LUA_OK:
        *slot = take(context, L, environment);
        return LUAROUTE_OK;
    case LUA_ERRSYNTAX:
        return failSyntax(context, chunkName, lua_tostring(L, -1));
    case LUA_ERRRUN:
        // The only error besides a syntax error is the nesting limit of the parser.
        return failLoad(context, chunkName, source.lexer.line, "the chunk is nested too deeply");
    default:
        context->tripped = LUAROUTE_MEMORY;
        return failBudget(context, chunkName, source.lexer.line);
    }
}

int luaroute_load(
    LuaRouteContext *context, const LuaRouteBudget *budget, const uint8_t *source, size_t length,
    const char *chunkName, LuaRouteSlot environment, LuaRouteSlot *slot) {
    lua_State *L = context->current;
    if (length > LUAROUTE_SOURCE) {
        char message[96];
        snprintf(
            message, sizeof message, "a chunk can have at most %d bytes, got %zu", LUAROUTE_SOURCE,
            length);
        return failLoad(context, chunkName, 1, message);
    }
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    if (context->depth == 0) luaroute_begin_budget(context, budget);
    int top = lua_gettop(L);
    int status = compile(context, source, length, chunkName, environment, slot);
    lua_settop(L, top);
    if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    if (status == LUAROUTE_OK) luaroute_report(context);
    return status;
}

// MARK: Chunks of the host

// Appends a part of a compiled chunk. Returns 1 if there is not enough memory.
static int appendPart(lua_State *L, const void *part, size_t size, void *target) {
    (void)L;
    LuaRouteChunkBytes *chunk = target;
    uint8_t *bytes = realloc(chunk->bytes, chunk->count + size);
    if (bytes == NULL) return 1;
    memcpy(bytes + chunk->count, part, size);
    chunk->bytes = bytes;
    chunk->count += size;
    return 0;
}

LuaRouteChunkBytes luaroute_compile(const uint8_t *source, size_t length, const char *chunkName) {
    LuaRouteChunkBytes chunk = {NULL, 0};
    lua_State *L = luaL_newstate();
    if (L == NULL) return chunk;
    int status = luaL_loadbufferx(L, (const char *)source, length, chunkName, "t");
    if (status != LUA_OK || lua_dump(L, appendPart, &chunk, 0) != 0) {
        free(chunk.bytes);
        chunk = (LuaRouteChunkBytes){NULL, 0};
    }
    lua_close(L);
    return chunk;
}

void luaroute_free_compiled(LuaRouteChunkBytes chunk) {
    free(chunk.bytes);
}

int luaroute_load_compiled(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteChunkBytes chunk,
    LuaRouteSlot environment, LuaRouteSlot *slot) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    if (context->depth == 0) luaroute_begin_budget(context, budget);
    if (luaL_loadbufferx(L, (const char *)chunk.bytes, chunk.count, "", "b") != LUA_OK) {
        lua_pop(L, 1);
        return luaroute_fail_memory(context);
    }
    *slot = take(context, L, environment);
    luaroute_report(context);
    return LUAROUTE_OK;
}
