// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_MATCHER_H
#define LUAROUTE_MATCHER_H

#include "internal.h"

enum { LUAROUTE_CAPTURES = 32 };
// The lengths that mark an unfinished capture, and a position capture.
enum { LUAROUTE_OPEN = -1, LUAROUTE_POSITION = -2 };

typedef struct LuaRouteCapture {
    const uint8_t *start;
    ptrdiff_t length;
} LuaRouteCapture;

typedef struct LuaRouteMatch {
    lua_State *L;
    const uint8_t *subject, *subjectEnd;
    const uint8_t *pattern, *patternEnd;
    int64_t steps;  // number of steps since the last charge
    int64_t limit;  // number of steps that remain
    int depth, count;
    LuaRouteCapture captures[LUAROUTE_CAPTURES];
} LuaRouteMatch;

void luaroute_match_begin(
    LuaRouteMatch *match, lua_State *L, const char *subject, size_t subjectLength,
    const char *pattern, size_t patternLength);
// Returns the end of the match that begins at `subject`, or NULL if there is none. Raises an error
// if there are too many steps.
const uint8_t *luaroute_match_at(LuaRouteMatch *match, const uint8_t *subject);
// Charges the steps that were not charged yet.
void luaroute_match_charge(LuaRouteMatch *match);
// Raises an error about the pattern, after charging the steps.
int luaroute_match_fail(LuaRouteMatch *match, const char *format, int value);
void luaroute_push_capture(
    LuaRouteMatch *match, int which, const uint8_t *start, const uint8_t *end);
// Returns the number of captures that were pushed. If there are no captures and `start` is not
// NULL, the whole match is pushed.
int luaroute_push_captures(LuaRouteMatch *match, const uint8_t *start, const uint8_t *end);

#endif
