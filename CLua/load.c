// SPDX-License-Identifier: MIT
//
// Compiling chunks: text only, of bounded size, in an environment of the host's choice.
#include <stdio.h>

#include "internal.h"

static int fail(LuaRouteContext *context, const char *chunkName, int line, const char *message) {
    luaroute_fail(context, LUAROUTE_SYNTAX, "%s", message);
    size_t length = strlen(chunkName);
    if (length > sizeof context->place.chunk) length = sizeof context->place.chunk;
    memcpy(context->place.chunk, chunkName, length);
    context->place.length = length;
    context->place.line = line;
    return LUAROUTE_SYNTAX;
}

// Lua writes "name:line: message", with a long name cut; the name holds no newline.
static int failSyntax(LuaRouteContext *context, const char *chunkName, const char *text) {
    size_t size = strlen(chunkName);
    const char *rest = text;
    if (strncmp(text, chunkName, size) == 0) {
        rest = text + size;
    } else if (strncmp(text, "...", 3) == 0) {
        // A long name keeps its end.
        size_t kept = size < LUA_IDSIZE - 4 ? size : LUA_IDSIZE - 4;
        rest = text + 3 + kept;
    }
    int line = 0, count = 0;
    if (sscanf(rest, ":%d: %n", &line, &count) != 1) return fail(context, chunkName, 1, text);
    return fail(context, chunkName, line, rest + count);
}

int luaroute_load(
    LuaRouteContext *context, const uint8_t *source, size_t length, const char *chunkName,
    int environment, int *slot) {
    lua_State *L = context->current;
    char message[96];
    if (length > LUAROUTE_SOURCE) {
        snprintf(
            message, sizeof message, "a chunk has at most %d bytes, got %zu", LUAROUTE_SOURCE,
            length);
        return fail(context, chunkName, 1, message);
    }
    const char *reason;
    int line = luaroute_check_source(source, length, &reason);
    if (line != 0) return fail(context, chunkName, line, reason);
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    char name[520];
    snprintf(name, sizeof name, "%s%s", *chunkName == '=' ? "" : "@", chunkName);
    int top = lua_gettop(L);
    luaroute_work(context, (int64_t)length / 8);
    context->isCompiling = true;
    int result = luaL_loadbufferx(L, (const char *)source, length, name, "t");
    context->isCompiling = false;
    int status = LUAROUTE_OK;
    if (result == LUA_OK) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, environment);
        lua_setupvalue(L, -2, 1);
        *slot = luaroute_take(context, L);
    } else if (result == LUA_ERRSYNTAX && context->tripped == LUAROUTE_OK) {
        status = failSyntax(context, chunkName, lua_tostring(L, -1));
    } else if (result == LUA_ERRRUN && context->tripped == LUAROUTE_OK) {
        // The parser's own depth is the only error that is none of syntax.
        status = fail(context, chunkName, 1, "a chunk has too many levels of nesting");
    } else {
        status =
            luaroute_fail(context, LUAROUTE_MEMORY, "%s", luaroute_reason(context, LUAROUTE_MEMORY));
    }
    lua_settop(L, top);
    if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    if (status == LUAROUTE_OK) luaroute_tell(context);
    return status;
}
