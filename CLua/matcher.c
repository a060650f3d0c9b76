// SPDX-License-Identifier: MIT
//
// The matcher for the patterns of `string`. With some short patterns, the standard matcher runs for
// hours, and no hook can stop it. This matcher counts its steps.
#include "matcher.h"

#include <ctype.h>

enum { ESCAPE = '%', MOST_STEPS = 4000000, DEPTH = 150, STEPS_PER_INSTRUCTION = 4 };
enum { CHARGED = 4 * LUAROUTE_INTERVAL };  // maximum number of steps before they are charged

void luaroute_match_charge(LuaRouteMatch *match) {
    luaroute_charge(match->L, match->steps / STEPS_PER_INSTRUCTION);
    match->limit -= match->steps;
    match->steps = 0;
}

int luaroute_match_fail(LuaRouteMatch *match, const char *format, int value) {
    luaroute_match_charge(match);
    return luaL_error(match->L, format, value);
}

static int failMatch(LuaRouteMatch *match, const char *message) {
    return luaroute_match_fail(match, message, 0);
}

static void countStep(LuaRouteMatch *match) {
    match->steps += 1;
    if (match->steps < CHARGED) return;
    luaroute_match_charge(match);
    if (match->limit < 0) failMatch(match, "pattern too complex");
}

static bool isOfClass(int character, int class) {
    bool isMember;
    switch (tolower(class)) {
    case 'a': isMember = isalpha(character); break;
    case 'c': isMember = iscntrl(character); break;
    case 'd': isMember = isdigit(character); break;
    case 'g': isMember = isgraph(character); break;
    case 'l': isMember = islower(character); break;
    case 'p': isMember = ispunct(character); break;
    case 's': isMember = isspace(character); break;
    case 'u': isMember = isupper(character); break;
    case 'w': isMember = isalnum(character); break;
    case 'x': isMember = isxdigit(character); break;
    default: return class == character;
    }
    return isupper(class) ? !isMember : isMember;
}

// Returns the end of the single item that begins at `item`: a character, a class or a set.
static const uint8_t *endOfItem(LuaRouteMatch *match, const uint8_t *item) {
    uint8_t first = *item;
    item += 1;
    if (first == ESCAPE) {
        if (item == match->patternEnd) {
            failMatch(match, "malformed pattern (ends with '%%')");
        }
        return item + 1;
    }
    if (first != '[') return item;
    if (item < match->patternEnd && *item == '^') item += 1;
    // A bracket at the first position is an ordinary character.
    do {
        if (item == match->patternEnd) {
            failMatch(match, "malformed pattern (missing ']')");
        }
        uint8_t member = *item;
        item += 1;
        if (member == ESCAPE) {
            if (item == match->patternEnd) {
                failMatch(match, "malformed pattern (missing ']')");
            }
            item += 1;
        }
    } while (item == match->patternEnd || *item != ']');
    return item + 1;
}

// `set` points to the opening bracket, and `end` to the closing bracket.
static bool isInSet(LuaRouteMatch *match, int character, const uint8_t *set, const uint8_t *end) {
    bool isIn = true;
    set += 1;
    if (*set == '^') {
        isIn = false;
        set += 1;
    }
    while (set < end) {
        countStep(match);
        if (*set == ESCAPE) {
            if (isOfClass(character, set[1])) return isIn;
            set += 2;
        } else if (set + 2 < end && set[1] == '-') {
            if (set[0] <= character && character <= set[2]) return isIn;
            set += 3;
        } else {
            if (*set == character) return isIn;
            set += 1;
        }
    }
    return !isIn;
}

static bool matchesItem(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *item, const uint8_t *end) {
    if (subject >= match->subjectEnd) return false;
    countStep(match);
    switch (*item) {
    case '.': return true;
    case ESCAPE: return isOfClass(*subject, item[1]);
    case '[': return isInSet(match, *subject, item, end - 1);
    default: return *item == *subject;
    }
}

static const uint8_t *matchBalance(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *pair) {
    if (match->patternEnd - pair < 2) {
        failMatch(match, "malformed pattern (missing arguments to '%%b')");
    }
    if (subject >= match->subjectEnd || *subject != pair[0]) return NULL;
    int open = 1;
    for (subject += 1; subject < match->subjectEnd; subject += 1) {
        countStep(match);
        if (*subject == pair[1]) {
            open -= 1;
            if (open == 0) return subject + 1;
        } else if (*subject == pair[0]) {
            open += 1;
        }
    }
    return NULL;
}

static const uint8_t *matchFrom(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *pattern);

// Matches as many repetitions as possible, then fewer.
static const uint8_t *matchMost(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *item, const uint8_t *end) {
    ptrdiff_t count = 0;
    while (matchesItem(match, subject + count, item, end)) count += 1;
    for (; count >= 0; count -= 1) {
        const uint8_t *rest = matchFrom(match, subject + count, end + 1);
        if (rest != NULL) return rest;
    }
    return NULL;
}

// Matches as few repetitions as possible, then more.
static const uint8_t *matchLeast(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *item, const uint8_t *end) {
    for (;;) {
        const uint8_t *rest = matchFrom(match, subject, end + 1);
        if (rest != NULL) return rest;
        if (!matchesItem(match, subject, item, end)) return NULL;
        subject += 1;
    }
}

static const uint8_t *beginCapture(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *pattern, ptrdiff_t length) {
    if (match->count >= LUAROUTE_CAPTURES) failMatch(match, "too many captures");
    match->captures[match->count].start = subject;
    match->captures[match->count].length = length;
    match->count += 1;
    const uint8_t *rest = matchFrom(match, subject, pattern);
    if (rest == NULL) match->count -= 1;
    return rest;
}

static const uint8_t *endCapture(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *pattern) {
    int last = match->count - 1;
    while (last >= 0 && match->captures[last].length != LUAROUTE_OPEN) last -= 1;
    if (last < 0) failMatch(match, "invalid pattern capture");
    match->captures[last].length = subject - match->captures[last].start;
    const uint8_t *rest = matchFrom(match, subject, pattern);
    if (rest == NULL) match->captures[last].length = LUAROUTE_OPEN;
    return rest;
}

// Compares the subject with an earlier capture.
static const uint8_t *matchCapture(LuaRouteMatch *match, const uint8_t *subject, int digit) {
    int which = digit - '1';
    if (which < 0 || which >= match->count || match->captures[which].length == LUAROUTE_OPEN) {
        luaroute_match_fail(match, "invalid capture index %%%d in pattern", which + 1);
    }
    ptrdiff_t length = match->captures[which].length;
    if (length < 0) length = 0;
    match->steps += length / 8;
    countStep(match);
    if (match->subjectEnd - subject < length) return NULL;
    if (memcmp(match->captures[which].start, subject, (size_t)length) != 0) return NULL;
    return subject + length;
}

static bool isFrontier(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *set, const uint8_t *end) {
    int before = subject == match->subject ? 0 : subject[-1];
    int after = subject == match->subjectEnd ? 0 : *subject;
    return !isInSet(match, before, set, end - 1) && isInSet(match, after, set, end - 1);
}

// Returns the end of the match, or NULL if there is none. The function recurses only where it may
// have to backtrack. All other items are handled by the loop.
static const uint8_t *matchFrom(
    LuaRouteMatch *match, const uint8_t *subject, const uint8_t *pattern) {
    match->depth += 1;
    if (match->depth > DEPTH) failMatch(match, "pattern too complex");
    while (subject != NULL && pattern != match->patternEnd) {
        countStep(match);
        if (*pattern == '(') {
            bool isPosition = pattern + 1 < match->patternEnd && pattern[1] == ')';
            subject = beginCapture(
                match, subject, pattern + (isPosition ? 2 : 1),
                isPosition ? LUAROUTE_POSITION : LUAROUTE_OPEN);
            break;
        }
        if (*pattern == ')') {
            subject = endCapture(match, subject, pattern + 1);
            break;
        }
        if (*pattern == '$' && pattern + 1 == match->patternEnd) {
            if (subject != match->subjectEnd) subject = NULL;
            break;
        }
        int escaped =
            *pattern == ESCAPE && pattern + 1 < match->patternEnd ? pattern[1] : 0;
        if (escaped == 'b') {
            subject = matchBalance(match, subject, pattern + 2);
            pattern += 4;
            continue;
        }
        if (escaped == 'f') {
            pattern += 2;
            if (pattern == match->patternEnd || *pattern != '[') {
                failMatch(match, "missing '[' after '%%f' in pattern");
            }
            const uint8_t *end = endOfItem(match, pattern);
            if (!isFrontier(match, subject, pattern, end)) subject = NULL;
            pattern = end;
            continue;
        }
        if (isdigit(escaped)) {
            subject = matchCapture(match, subject, escaped);
            pattern += 2;
            continue;
        }
        const uint8_t *end = endOfItem(match, pattern);
        int suffix = end < match->patternEnd ? *end : 0;
        if (suffix == '*') {
            subject = matchMost(match, subject, pattern, end);
            break;
        }
        if (suffix == '-') {
            subject = matchLeast(match, subject, pattern, end);
            break;
        }
        bool isMatch = matchesItem(match, subject, pattern, end);
        if (suffix == '+') {
            subject = isMatch ? matchMost(match, subject + 1, pattern, end) : NULL;
            break;
        }
        if (suffix == '?') {
            if (isMatch) {
                const uint8_t *rest = matchFrom(match, subject + 1, end + 1);
                if (rest != NULL) {
                    subject = rest;
                    break;
                }
            }
            pattern = end + 1;
            continue;
        }
        subject = isMatch ? subject + 1 : NULL;
        pattern = end;
    }
    match->depth -= 1;
    return subject;
}

void luaroute_match_begin(
    LuaRouteMatch *match, lua_State *L, const char *subject, size_t subjectLength,
    const char *pattern, size_t patternLength) {
    *match = (LuaRouteMatch){.L = L};
    match->subject = (const uint8_t *)subject;
    match->subjectEnd = match->subject + subjectLength;
    match->pattern = (const uint8_t *)pattern;
    match->patternEnd = match->pattern + patternLength;
    // The limit grows with the length of the subject, so only the budget limits a single pass over
    // a long subject.
    match->limit = MOST_STEPS + 8 * (int64_t)subjectLength;
}

const uint8_t *luaroute_match_at(LuaRouteMatch *match, const uint8_t *subject) {
    match->count = 0;
    match->depth = 0;
    return matchFrom(match, subject, match->pattern);
}

// Stack: ... -> ..., capture. If there are no captures, number 0 is the whole match.
void luaroute_push_capture(
    LuaRouteMatch *match, int which, const uint8_t *start, const uint8_t *end) {
    if (which >= match->count) {
        if (which != 0) luaroute_match_fail(match, "invalid capture index %%%d", which + 1);
        lua_pushlstring(match->L, (const char *)start, (size_t)(end - start));
        return;
    }
    const LuaRouteCapture *capture = &match->captures[which];
    if (capture->length == LUAROUTE_OPEN) failMatch(match, "unfinished capture");
    if (capture->length == LUAROUTE_POSITION) {
        lua_pushinteger(match->L, capture->start - match->subject + 1);
    } else {
        lua_pushlstring(match->L, (const char *)capture->start, (size_t)capture->length);
    }
}

int luaroute_push_captures(LuaRouteMatch *match, const uint8_t *start, const uint8_t *end) {
    int count = match->count == 0 && start != NULL ? 1 : match->count;
    luaL_checkstack(match->L, count, "too many captures");
    for (int i = 0; i < count; i += 1) luaroute_push_capture(match, i, start, end);
    return count;
}
