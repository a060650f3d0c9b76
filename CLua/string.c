// SPDX-License-Identifier: MIT
//
// `string`: the standard functions, charged by the bytes that they read or create.
#include "internal.h"

enum { BYTE, FORMAT, PACK_STRING, PACKSIZE, SUB, UNPACK_STRING, STRING_COUNT };
static const char *const stringNames[STRING_COUNT] = {
    "byte", "format", "pack", "packsize", "sub", "unpack",
};

// NUMERAL is the cost of formatting a number, which may have hundreds of digits.
enum { PACKED = 1024 * 1024, NUMERAL = 400 };

static lua_CFunction standardString[STRING_COUNT];

void luaroute_read_string(lua_State *L) {
    luaroute_read(L, stringNames, standardString, STRING_COUNT);
}

// The number of results is the number of bytes that were read.
static int byte(lua_State *L) {
    int count = standardString[BYTE](L);
    luaroute_charge(L, count);
    return count;
}

static int sub(lua_State *L) {
    int count = standardString[SUB](L);
    luaroute_charge(L, (int64_t)lua_rawlen(L, -1) / LUAROUTE_COPIED);
    return count;
}

// The standard function repeats the string without a limit.
static int rep(lua_State *L) {
    size_t length, separatorLength;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &separatorLength);
    size_t unit = length + separatorLength;
    if (count <= 0 || unit == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    LuaRouteContext *context = luaroute_context(L);
    if ((size_t)count > luaroute_soft(context) / unit) {
        context->tripped = LUAROUTE_MEMORY;
        return luaroute_terminate(L);
    }
    size_t total = unit * (size_t)count - separatorLength;
    luaroute_charge(L, (int64_t)(total / LUAROUTE_COPIED));
    luaL_Buffer buffer;
    char *bytes = luaL_buffinitsize(L, &buffer, total);
    memcpy(bytes, text, length);
    if (count > 1) memcpy(bytes + length, separator, separatorLength);
    for (size_t done = unit; done < total; done *= 2) {
        memcpy(bytes + done, bytes, done < total - done ? done : total - done);
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

// Charges the arguments by their length, and replaces arguments for `%s` with strings that contain
// no addresses.
static int format(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    int64_t cost = (int64_t)length;
    int argument = 1, top = lua_gettop(L);
    for (size_t i = 0; i + 1 < length; i += 1) {
        if (text[i] != '%') continue;
        i += 1;
        if (text[i] == '%') continue;
        while (i < length && strchr("-+ #0123456789.", text[i]) != NULL && text[i] != 0) i += 1;
        argument += 1;
        if (i >= length) break;
        if (text[i] == 'p') return luaL_error(L, "'%%p' is not allowed");
        if (argument > top) continue;
        if (text[i] == 's' && lua_type(L, argument) != LUA_TSTRING) {
            size_t size;
            luaroute_tostring(L, argument, &size);
            lua_replace(L, argument);
        }
        if (lua_type(L, argument) == LUA_TSTRING) {
            cost += (int64_t)lua_rawlen(L, argument);
        } else {
            cost += NUMERAL;
        }
        lua_settop(L, top);
    }
    luaroute_charge(L, 1 + cost / 4);
    return standardString[FORMAT](L);
}

// MARK: The trusted profile

// Charges the bytes that `pack` produces for options with a size.
static void chargeLayout(lua_State *L, bool isMade) {
    size_t length, bytes = 0;
    const char *format = luaL_checklstring(L, 1, &length);
    for (size_t i = 0; i + 1 < length && isMade; i += 1) {
        if (format[i] != 'c') continue;
        size_t size = 0;
        for (; i + 1 < length && format[i + 1] >= '0' && format[i + 1] <= '9'; i += 1) {
            if (size <= PACKED) size = size * 10 + (size_t)(format[i + 1] - '0');
        }
        bytes += size;
        if (bytes > PACKED) luaL_error(L, "resulting string too large");
    }
    luaroute_charge(L, 1 + (int64_t)(length + bytes / 16));
}

static int pack(lua_State *L) {
    chargeLayout(L, true);
    return standardString[PACK_STRING](L);
}

static int packSize(lua_State *L) {
    chargeLayout(L, false);
    return standardString[PACKSIZE](L);
}

static int unpackString(lua_State *L) {
    chargeLayout(L, false);
    return standardString[UNPACK_STRING](L);
}

#define STRING_FUNCTIONS(ENTRY) \
    ENTRY("byte", byte, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("format", format, LUAROUTE_COPIED, LUAROUTE_UNREAD) \
    ENTRY("rep", rep, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("sub", sub, LUAROUTE_UNREAD, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_string_functions, STRING_FUNCTIONS);

// `dump` is omitted, because compiled chunks are not loaded.
#define TRUSTED(ENTRY) \
    ENTRY("pack", pack, LUAROUTE_COPIED, LUAROUTE_PARSED) \
    ENTRY("packsize", packSize, LUAROUTE_COPIED, LUAROUTE_UNREAD) \
    ENTRY("unpack", unpackString, LUAROUTE_COPIED, LUAROUTE_COPIED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_trusted_string_functions, TRUSTED);
