// SPDX-License-Identifier: MIT
//
// `find`, `match`, `gmatch` and `gsub`, using a matcher that counts its steps.
#include "matcher.h"

static bool isPlain(const char *pattern, size_t length) {
    for (size_t i = 0; i < length; i += 1) {
        if (pattern[i] == 0 || strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
    }
    return true;
}

// Returns the first occurrence of a string in another, or NULL. The cost is charged during the
// search.
static const char *findPlain(
    lua_State *L, const char *subject, size_t length, const char *text, size_t size) {
    if (size == 0) return subject;
    const char *end = subject + length;
    while ((size_t)(end - subject) >= size) {
        size_t room = (size_t)(end - subject) - size + 1;
        const char *candidate = memchr(subject, text[0], room);
        luaroute_charge(
            L, 1 + (candidate == NULL ? (int64_t)room : candidate - subject + (int64_t)size) / 16);
        if (candidate == NULL) return NULL;
        if (memcmp(candidate, text, size) == 0) return candidate;
        subject = candidate + 1;
    }
    return NULL;
}

// Returns the start position that the argument at `index` requests, counting from 0. A position
// past the end of the subject is greater than the length.
static size_t startOf(lua_State *L, int index, size_t length) {
    lua_Integer start = luaL_optinteger(L, index, 1);
    if (start > 0) return (size_t)start - 1;
    if (start == 0 || start < -(lua_Integer)length) return 0;
    return length - (size_t)-start;
}

static int search(lua_State *L, bool isFind) {
    size_t length, size;
    const char *subject = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    size_t start = startOf(L, 3, length);
    if (start > length) {
        lua_pushnil(L);
        return 1;
    }
    if (isFind && (lua_toboolean(L, 4) || isPlain(pattern, size))) {
        const char *found = findPlain(L, subject + start, length - start, pattern, size);
        if (found == NULL) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, found - subject + 1);
        lua_pushinteger(L, found - subject + (lua_Integer)size);
        return 2;
    }
    bool isAnchored = size > 0 && pattern[0] == '^';
    LuaRouteMatch match;
    luaroute_match_begin(
        &match, L, subject, length, pattern + isAnchored, size - (size_t)isAnchored);
    for (const uint8_t *from = match.subject + start; from <= match.subjectEnd; from += 1) {
        const uint8_t *end = luaroute_match_at(&match, from);
        if (end != NULL) {
            luaroute_match_charge(&match);
            if (!isFind) return luaroute_push_captures(&match, from, end);
            lua_pushinteger(L, from - match.subject + 1);
            lua_pushinteger(L, end - match.subject);
            return 2 + luaroute_push_captures(&match, NULL, NULL);
        }
        if (isAnchored) break;
    }
    luaroute_match_charge(&match);
    lua_pushnil(L);
    return 1;
}

static int findFirst(lua_State *L) {
    return search(L, true);
}

static int matchFirst(lua_State *L) {
    return search(L, false);
}

// Upvalues: subject, pattern, start position for the next match, end of the last match.
static int nextMatch(lua_State *L) {
    size_t length, size;
    const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &size);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    LuaRouteMatch match;
    luaroute_match_begin(&match, L, subject, length, pattern, size);
    const uint8_t *from = match.subject + lua_tointeger(L, lua_upvalueindex(3));
    for (; from <= match.subjectEnd; from += 1) {
        const uint8_t *end = luaroute_match_at(&match, from);
        // An empty match at the end of the last match is skipped.
        if (end == NULL || end - match.subject == last) continue;
        luaroute_match_charge(&match);
        lua_pushinteger(L, end - match.subject);
        lua_pushvalue(L, -1);
        lua_replace(L, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return luaroute_push_captures(&match, from, end);
    }
    luaroute_match_charge(&match);
    return 0;
}

static int matchAll(lua_State *L) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaL_checkstring(L, 2);
    size_t start = startOf(L, 3, length);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)(start > length ? length + 1 : start));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, nextMatch, 4);
    return 1;
}

static void appendTemplate(
    LuaRouteMatch *match, luaL_Buffer *buffer, const uint8_t *start, const uint8_t *end) {
    lua_State *L = match->L;
    size_t length;
    const char *text = lua_tolstring(L, 3, &length);
    luaroute_charge(L, (int64_t)length / 2);
    const char *limit = text + length;
    while (text < limit) {
        const char *escape = memchr(text, '%', (size_t)(limit - text));
        if (escape == NULL) escape = limit;
        luaL_addlstring(buffer, text, (size_t)(escape - text));
        if (escape == limit) return;
        int which = escape + 1 < limit ? (unsigned char)escape[1] : 0;
        if (which == '%') {
            luaL_addchar(buffer, '%');
        } else if (which == '0') {
            luaL_addlstring(buffer, (const char *)start, (size_t)(end - start));
        } else if (which >= '1' && which <= '9') {
            luaroute_push_capture(match, which - '1', start, end);
            lua_tolstring(L, -1, NULL);
            luaL_addvalue(buffer);
        } else {
            luaroute_match_fail(match, "invalid use of '%%' in replacement string", 0);
        }
        text = escape + 2;
    }
}

// Appends the replacement for a match. Returns whether it differs from the match.
static bool appendReplacement(
    LuaRouteMatch *match, luaL_Buffer *buffer, const uint8_t *start, const uint8_t *end) {
    lua_State *L = match->L;
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, luaroute_push_captures(match, start, end), 1);
        break;
    case LUA_TTABLE:
        luaroute_push_capture(match, 0, start, end);
        luaroute_charge(L, luaroute_count_hops(L, 3, "__index"));
        lua_gettable(L, 3);
        break;
    default:
        appendTemplate(match, buffer, start, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(buffer, (const char *)start, (size_t)(end - start));
        return false;
    }
    if (!lua_isstring(L, -1)) {
        luaroute_match_charge(match);
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(buffer);
    return true;
}

static int replaceAll(lua_State *L) {
    size_t length, size;
    const char *subject = luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    int type = lua_type(L, 3);
    luaL_argexpected(
        L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION
            || type == LUA_TTABLE,
        3, "string/function/table");
    if (type == LUA_TNUMBER) lua_tostring(L, 3);
    lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)length + 1);
    bool isAnchored = size > 0 && pattern[0] == '^';
    LuaRouteMatch match;
    luaroute_match_begin(
        &match, L, subject, length, pattern + isAnchored, size - (size_t)isAnchored);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    luaroute_charge(L, 1 + (int64_t)length / 16);
    const uint8_t *from = match.subject, *last = NULL;
    lua_Integer count = 0;
    bool isChanged = false;
    while (count < limit) {
        const uint8_t *end = luaroute_match_at(&match, from);
        if (end != NULL && end != last) {
            count += 1;
            match.steps += 4;
            isChanged |= appendReplacement(&match, &buffer, from, end);
            from = end;
            last = end;
        } else if (from < match.subjectEnd) {
            luaL_addchar(&buffer, (char)*from);
            from += 1;
        } else {
            break;
        }
        if (isAnchored) break;
    }
    luaroute_match_charge(&match);
    if (isChanged) {
        luaL_addlstring(&buffer, (const char *)from, (size_t)(match.subjectEnd - from));
        luaL_pushresult(&buffer);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}

#define PATTERN_FUNCTIONS(ENTRY) \
    ENTRY("find", findFirst, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("match", matchFirst, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("gmatch", matchAll, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("gsub", replaceAll, LUAROUTE_UNREAD, LUAROUTE_COPIED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_patterns_functions, PATTERN_FUNCTIONS);
