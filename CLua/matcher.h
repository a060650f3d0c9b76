// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_MATCHER_H
#define LUAROUTE_MATCHER_H

#include "internal.h"

enum { LUAROUTE_CAPTURES = 32 };
// The lengths of a capture that has not ended, and of one that is a position.
enum { LUAROUTE_OPEN = -1, LUAROUTE_POSITION = -2 };

typedef struct LuaRouteCapture {
    const uint8_t *start;
    ptrdiff_t length;
} LuaRouteCapture;

typedef struct LuaRouteMatch {
    lua_State *L;
    const uint8_t *subject, *subjectEnd;
    const uint8_t *pattern, *patternEnd;
    int64_t steps;  // since the last charge
    int64_t limit;  // how many more there may be
    int depth, count;
    LuaRouteCapture captures[LUAROUTE_CAPTURES];
} LuaRouteMatch;

void luaroute_match_begin(
    LuaRouteMatch *match, lua_State *L, const char *subject, size_t subjectLength,
    const char *pattern, size_t patternLength);
// Returns the end of the match that begins at `subject`, or NULL. Raises if it takes too many
// steps.
const uint8_t *luaroute_match_at(LuaRouteMatch *match, const uint8_t *subject);
// Charges the remaining cost.
void luaroute_match_charge(LuaRouteMatch *match);
// Raises an error of the pattern after charging its cost.
int luaroute_match_fail(LuaRouteMatch *match, const char *format, int value);
void luaroute_push_capture(
    LuaRouteMatch *match, int which, const uint8_t *start, const uint8_t *end);
// Returns the number of captures pushed; with `start`, the whole match if there are none.
int luaroute_push_captures(LuaRouteMatch *match, const uint8_t *start, const uint8_t *end);

#endif
