// SPDX-License-Identifier: MIT
//
// The location of an error. The handler of the protected call reads the stack while the error is
// raised.
#include <stdio.h>

#include "internal.h"

static void readPlace(const lua_Debug *activation, LuaRoutePlace *place) {
    const char *name = activation->source;
    if (*name == '@' || *name == '=') name += 1;
    size_t length = strlen(name);
    place->length = length < sizeof place->chunk ? length : sizeof place->chunk;
    memcpy(place->chunk, name, place->length);
    memcpy(place->brief, activation->short_src, sizeof place->brief);
    place->line = activation->currentline;
}

// Whether a function belongs to a chunk of the host, which messages do not name.
static bool isHidden(const lua_Debug *activation) {
    return *activation->source == '=' && activation->currentline > 0;
}

bool luaroute_place(lua_State *L, int level, LuaRoutePlace *place) {
    lua_Debug activation;
    do {
        if (!lua_getstack(L, level, &activation)) return false;
        lua_getinfo(L, "Sl", &activation);
        level += 1;
    } while (isHidden(&activation));
    if (activation.currentline <= 0) return false;
    readPlace(&activation, place);
    return true;
}

// Searches the callers for the top-level code of the file that made the declaration.
bool luaroute_chunk_place(lua_State *L, LuaRoutePlace *place) {
    lua_Debug activation;
    for (int level = 1; level <= LUAROUTE_HELPERS && lua_getstack(L, level, &activation); level += 1) {
        lua_getinfo(L, "Sl", &activation);
        if (*activation.what != 'm' || isHidden(&activation)) continue;
        readPlace(&activation, place);
        return true;
    }
    return luaroute_place(L, 1, place);
}

void luaroute_find_place(lua_State *L, int level, LuaRoutePlace *place) {
    for (int last = level + LUAROUTE_LEVELS; level < last; level += 1) {
        if (luaroute_place(L, level, place)) return;
    }
}

void luaroute_mark_raised(lua_State *L, int hostError) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_RAISED + hostError);
}

// Searches for an error among the errors that were raised last. Returns the number of a host error,
// 0 for an error raised by `error`, or -1 for any other error. Among equal host errors, the latest
// is found.
static int findRaised(LuaRouteContext *context, lua_State *L, int index) {
    for (unsigned back = 0; back < LUAROUTE_THROWN; back += 1) {
        int number = 1 + (int)((context->throws - back) % LUAROUTE_THROWN);
        lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_RAISED + number);
        bool isSame = lua_rawequal(L, index, -1);
        lua_pop(L, 1);
        if (isSame) return number;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_RAISED);
    bool isSame = lua_rawequal(L, index, -1);
    lua_pop(L, 1);
    return isSame ? 0 : -1;
}

// Appends a line to the traceback. Returns whether there is space for another line.
static bool appendLine(LuaRouteContext *context, const lua_Debug *activation) {
    LuaRouteTexts *texts = luaroute_texts(context);
    char *text = texts->traceback + context->tracebackLength;
    size_t room = sizeof texts->traceback - context->tracebackLength;
    const char *separator = context->tracebackLength == 0 ? "" : "\n";
    int count;
    if (*activation->what == 'm') {
        count = snprintf(
            text, room, "%s%s:%d: in the main chunk", separator, activation->short_src,
            activation->currentline);
    } else if (activation->name != NULL) {
        count = snprintf(
            text, room, "%s%s:%d: in '%.40s'", separator, activation->short_src,
            activation->currentline, activation->name);
    } else {
        count = snprintf(
            text, room, "%s%s:%d: in the function that begins at line %d", separator,
            activation->short_src, activation->currentline, activation->linedefined);
    }
    if (count < 0 || (size_t)count >= room) return false;
    context->tracebackLength += (size_t)count;
    return true;
}

// Returns the length of the prefix "chunk:line: " of a message, and writes the line number to
// `line`. Returns 0 if the message does not begin with the given chunk.
static size_t measurePrefix(const char *message, size_t length, const char *brief, int *line) {
    size_t position = strlen(brief);
    if (position == 0 || position + 3 >= length) return 0;
    if (memcmp(message, brief, position) != 0 || message[position] != ':') return 0;
    position += 1;
    int number = 0;
    size_t digits = position;
    while (position < length && message[position] >= '0' && message[position] <= '9'
        && position - digits < 9) {
        number = number * 10 + (message[position] - '0');
        position += 1;
    }
    if (position == digits || position + 2 > length) return 0;
    if (message[position] != ':' || message[position + 1] != ' ') return 0;
    *line = number;
    return position + 2;
}

// Writes the traceback and the location, using the stack. Returns the length of the location with
// which the message begins.
static size_t readStack(
    lua_State *L, int level, const char *message, size_t length, int raised) {
    LuaRouteContext *context = luaroute_context(L);
    int last = level + 4 * LUAROUTE_LEVELS - 1;
    context->tracebackLength = 0;
    context->place.line = 0;
    context->place.length = 0;
    size_t prefix = 0;
    bool hasRoom = true;
    lua_Debug activation;
    for (int lines = 0; lines < LUAROUTE_LEVELS && level < last; level += 1) {
        if (!lua_getstack(L, level, &activation)) break;
        lua_getinfo(L, "Sl", &activation);
        if (activation.currentline <= 0 || isHidden(&activation)) continue;
        lines += 1;
        if (hasRoom) lua_getinfo(L, "n", &activation);
        if (hasRoom) hasRoom = appendLine(context, &activation);
        int line;
        // The location in the message is preferred, because the error may have been raised again at
        // another place.
        size_t own = prefix > 0 ? 0
            : measurePrefix(message, length, activation.short_src, &line);
        if (own > 0 || context->place.line == 0) readPlace(&activation, &context->place);
        if (own > 0) {
            context->place.line = line;
            prefix = own;
        }
    }
    if (raised >= 0 && context->texts->raised[raised].line > 0) {
        int line;
        context->place = context->texts->raised[raised];
        prefix = measurePrefix(message, length, context->place.brief, &line);
    }
    return prefix;
}

static int describeError(lua_State *L) {
    size_t length;
    luaroute_tostring(L, 1, &length);
    return 1;
}

int luaroute_explain(lua_State *L, lua_State *raised, int level) {
    LuaRouteContext *context = luaroute_context(L);
    // The location was recorded when the end was requested.
    if (context->tripped == LUAROUTE_ENDED) return 1;
    bool isText = lua_type(L, 1) == LUA_TSTRING;
    int found = -1;
    if (isText) {
        found = findRaised(context, L, 1);
    } else if (context->tripped == LUAROUTE_OK) {
        bool hasText = lua_type(L, 1) == LUA_TNUMBER || luaroute_get_metafield(L, 1, "__tostring");
        lua_settop(L, 1);
        luaroute_clear_above(L);
        // `__tostring` of a script may fail or run forever, so it runs under the same budget.
        lua_pushcfunction(L, describeError);
        lua_pushvalue(L, 1);
        bool isDescribed = hasText && lua_pcall(L, 1, 1, 0) == LUA_OK;
        if (context->tripped == LUAROUTE_ENDED) {
            // A `__tostring` of the host may have ended the entry, so that there is no calling
            // script line.
            if (context->place.line == 0) luaroute_find_place(raised, level, &context->place);
            return 1;
        }
        if (!isDescribed || lua_type(L, -1) != LUA_TSTRING) {
            lua_settop(L, 1);
            lua_pushfstring(L, "error object is a %s value", luaL_typename(L, 1));
        }
    }
    if (lua_type(L, -1) != LUA_TSTRING) lua_pushstring(L, luaroute_reason(context, context->tripped));
    size_t length;
    const char *message = lua_tolstring(L, -1, &length);
    size_t prefix = readStack(raised, level, message, length, found);
    length -= prefix;
    if (length > LUAROUTE_MESSAGE) length = LUAROUTE_MESSAGE;
    memcpy(luaroute_texts(context)->message, message + prefix, length);
    context->messageLength = length;
    context->hostError = found > 0 ? found : 0;
    return 1;
}

// Level 0 is this function, and level 1 is the function that raised the error.
int luaroute_handle(lua_State *L) {
    return luaroute_explain(L, L, 1);
}
