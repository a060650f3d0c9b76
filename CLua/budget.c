// SPDX-License-Identifier: MIT
//
// The budget of an entry. An exceeded budget stays exceeded until the outermost entry ends: `pcall`
// raises the error again, and the hook raises it after each instruction. If the host requests the
// end of an entry, an error is raised in the same way, but only up to the innermost entry.
#include <stdio.h>
#include <time.h>

#include "internal.h"

LuaRouteFlag *luaroute_flag_create(void) {
    LuaRouteFlag *flag = calloc(1, sizeof(LuaRouteFlag));
    if (flag == NULL) abort();
    return flag;
}

void luaroute_flag_raise(LuaRouteFlag *flag) {
    atomic_store_explicit(&flag->isRaised, true, memory_order_relaxed);
}

void luaroute_flag_free(LuaRouteFlag *flag) {
    free(flag);
}

atomic_bool luaroute_ending;

void luaroute_cancel_all(void) {
    atomic_store_explicit(&luaroute_ending, true, memory_order_relaxed);
}

int luaroute_all_cancelled(void) {
    return atomic_load_explicit(&luaroute_ending, memory_order_relaxed);
}

LuaRouteBudget luaroute_budget(int64_t instructions, int64_t nanoseconds, int64_t bytes) {
    return (LuaRouteBudget){
        .instructions = instructions,
        .nanoseconds = nanoseconds,
        .bytes = bytes,
        .interval =
            instructions < LUAROUTE_INTERVAL ? (int32_t)instructions + 1 : LUAROUTE_INTERVAL,
        .isLimited = instructions != INT64_MAX || nanoseconds != INT64_MAX,
    };
}

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t addTime(int64_t time, int64_t nanoseconds) {
    return nanoseconds > INT64_MAX - time ? INT64_MAX : time + nanoseconds;
}

// The limit applies to the processor time of the thread, because a script is not responsible for
// the time that other threads use. Reading the processor time is slow, so it is read only after the
// same amount of wall-clock time has passed. The wall-clock time is also limited, so that a host
// function cannot block forever.
static bool hasTime(LuaRouteContext *context, int64_t time) {
    int64_t nanoseconds = context->budget.nanoseconds;
    bool isEndless = nanoseconds > INT64_MAX / LUAROUTE_PATIENCE;
    int64_t last = addTime(context->begun, isEndless ? INT64_MAX : nanoseconds * LUAROUTE_PATIENCE);
    int64_t spent = now(CLOCK_THREAD_CPUTIME_ID) - context->processor;
    if (spent > nanoseconds || time > last) return false;
    context->deadline = addTime(time, nanoseconds - spent);
    return true;
}

// The clock is first read at the first check, so that a short entry does not pay for reading it.
static void lookAtClock(LuaRouteContext *context) {
    if (luaroute_is_cancelled(context)) {
        context->tripped = LUAROUTE_CANCELLED;
        return;
    }
    int64_t time = now(CLOCK_MONOTONIC);
    if (context->deadline == 0) {
        context->begun = time;
        context->processor = now(CLOCK_THREAD_CPUTIME_ID);
        context->deadline = addTime(time, context->budget.nanoseconds);
    } else if (time > context->deadline && !hasTime(context, time)) {
        context->tripped = LUAROUTE_DEADLINE;
    }
}

static void hook(lua_State *L, lua_Debug *activation) {
    LuaRouteContext *context = luaroute_context(L);
    if (activation->event == LUA_HOOKLINE) {
        luaroute_note_line(context->coverage, L, activation);
        return;
    }
    // An early check is charged like a whole interval, because it replaces the next regular check.
    context->instructions -= context->interval;
    if (context->tripped == LUAROUTE_OK) {
        if (context->instructions < 0) {
            context->tripped = LUAROUTE_INSTRUCTIONS;
        } else {
            lookAtClock(context);
        }
    }
    if (context->tripped == LUAROUTE_OK && context->used > luaroute_soft(context)) {
        lua_gc(L, LUA_GCCOLLECT);
        luaroute_report(context);  // dropped objects use host memory until they are reported
        context->instructions -= (int64_t)(context->used / 64);
        if (context->used > luaroute_soft(context)) context->tripped = LUAROUTE_MEMORY;
    }
    if (context->tripped != LUAROUTE_OK) luaroute_terminate(L);
    int interval = luaroute_interval(context);
    if (interval < context->interval || context->budget.instructions >= LUAROUTE_INTERVAL) {
        context->interval = interval;
    }
    // Another thread may already have made the early check for which this thread's hook was set.
    if (context->isEarly || lua_gethookcount(L) != context->interval) {
        context->isEarly = false;
        luaroute_set_hook(context, L);
    }
}

void luaroute_set_hook(LuaRouteContext *context, lua_State *L) {
    bool isHooked = context->budget.isLimited || context->isEarly;
    int interval = context->isEarly ? 1 : context->interval;
    int lines = context->coverage != NULL ? LUA_MASKLINE : 0;
    lua_sethook(L, hook, (isHooked ? LUA_MASKCOUNT : 0) | lines, interval);
    if (L == context->main) context->isHooked = isHooked;
}

void luaroute_disarm(LuaRouteContext *context) {
    if (context->tripped == LUAROUTE_CANCELLED) {
        atomic_store_explicit(&context->cancel->isRaised, false, memory_order_relaxed);
    }
    if (context->tripped == LUAROUTE_MEMORY || context->used > luaroute_soft(context)) {
        // The next entry must not pay for this collection. The collection also clears the unused
        // part of the stack.
        lua_pushboolean(context->main, 0);
        lua_rawseti(context->main, LUA_REGISTRYINDEX, LUAROUTE_RAISED);
        lua_gc(context->main, LUA_GCCOLLECT);
    }
    context->breach = context->tripped;
    context->tripped = LUAROUTE_OK;
    context->isCrowded = false;
    context->chain = NULL;
    context->broken.line = 0;
}

int luaroute_take_breach(LuaRouteContext *context) {
    int breach = context->breach;
    context->breach = LUAROUTE_OK;
    return breach;
}

void luaroute_count_bytes(LuaRouteContext *context, int64_t bytes) {
    if (bytes < 0) {
        luaroute_uncount(context, (size_t)-bytes);
    } else {
        luaroute_count(context, (size_t)bytes);
    }
}

// This function may be called in the middle of an operation, because Lua allows its hook to be set
// at any time.
void luaroute_trip_soon(LuaRouteContext *context) {
    if (context->depth == 0 || context->isEarly) return;
    context->isEarly = true;
    luaroute_set_hook(context, context->current);
}

// Writes "what exceeded (at most 16 MiB)", in the largest unit that divides the limit without a
// remainder.
static void writeReason(
    LuaRouteContext *context, const char *what, int64_t limit, int64_t factor,
    const char *const *units, const char *note) {
    while (units[1] != NULL && limit > 0 && limit % factor == 0) {
        limit /= factor;
        units += 1;
    }
    snprintf(
        context->reason, sizeof context->reason, "%s exceeded (at most %lld %s%s)", what,
        (long long)limit, *units, note == NULL ? "" : note);
}

const char *luaroute_reason(LuaRouteContext *context, int status) {
    static const char *const bytes[] = {"bytes", "KiB", "MiB", "GiB", NULL};
    static const char *const times[] = {"ns", "us", "ms", "s", NULL};
    static const char *const instructions[] = {"instructions", NULL};
    switch (status) {
    case LUAROUTE_MEMORY:
        if (context->isCrowded) {
            snprintf(
                context->reason, sizeof context->reason,
                "table size exceeded (at most %d numeric keys outside the list part)",
                LUAROUTE_KEYS);
            break;
        }
        if (context->chain != NULL) {
            snprintf(
                context->reason, sizeof context->reason, "chain of '%s' exceeded (at most %d tables)",
                context->chain, LUAROUTE_CHAIN);
            break;
        }
        writeReason(
            context, "memory limit", context->budget.bytes, 1024, bytes,
            context->budget.bytesNote);
        break;
    case LUAROUTE_INSTRUCTIONS:
        writeReason(
            context, "instruction budget", context->budget.instructions, 1, instructions,
            context->budget.instructionsNote);
        break;
    case LUAROUTE_DEADLINE:
        writeReason(
            context, "deadline", context->budget.nanoseconds, 1000, times,
            context->budget.timeNote);
        break;
    default: return "cancelled";
    }
    return context->reason;
}

void luaroute_mark_broken(LuaRouteContext *context, lua_State *L) {
    if (context->broken.line == 0) luaroute_find_place(L, 0, &context->broken);
}

int luaroute_terminate(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    if (context->tripped == LUAROUTE_ENDED) {
        // No hook is needed to stop a further instruction: only C code can catch the error, and it
        // checks `tripped`. The hook of the outer entry therefore continues to count.
        lua_pushboolean(L, 0);
        return lua_error(L);
    }
    luaroute_mark_broken(context, L);
    context->isEarly = true;
    luaroute_set_hook(context, L);
    lua_pushstring(L, luaroute_reason(context, context->tripped));
    return lua_error(L);
}

int luaroute_end(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    // This is the last check in this entry, so it must detect all limits that have been exceeded.
    if (context->instructions < 0) {
        context->tripped = LUAROUTE_INSTRUCTIONS;
    } else {
        lookAtClock(context);
    }
    if (context->tripped == LUAROUTE_OK) {
        context->tripped = LUAROUTE_ENDED;
        context->messageLength = 0;
        context->tracebackLength = 0;
        context->hostError = 0;
        context->place.line = 0;
        // The callback may have been called by C code, such as `pcall`. In this case, the script
        // line that called the C code is used.
        luaroute_find_place(L, 1, &context->place);
    }
    return luaroute_terminate(L);
}

void luaroute_work(LuaRouteContext *context, int64_t cost) {
    if (context->depth == 0 || !context->budget.isLimited) return;
    context->instructions -= cost;
    if (context->deadline == 0 && context->tripped == LUAROUTE_OK) lookAtClock(context);
    luaroute_trip_soon(context);
}

void luaroute_look(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    if (!context->budget.isLimited || context->tripped != LUAROUTE_OK) return;
    lookAtClock(context);
    if (context->tripped != LUAROUTE_OK) luaroute_terminate(L);
}

bool luaroute_spend(LuaRouteContext *context, int64_t cost) {
    context->instructions -= cost;
    if (context->tripped == LUAROUTE_OK) {
        if (context->instructions < 0) {
            context->tripped = LUAROUTE_INSTRUCTIONS;
        } else {
            lookAtClock(context);
        }
    }
    return context->tripped == LUAROUTE_OK;
}

void luaroute_charge(lua_State *L, int64_t cost) {
    LuaRouteContext *context = luaroute_context(L);
    context->unseen += cost;
    if (context->unseen >= context->interval) {
        context->unseen = 0;
        luaroute_spend(context, cost);
    } else {
        context->instructions -= cost;
        if (context->instructions < 0 && context->tripped == LUAROUTE_OK) {
            context->tripped = LUAROUTE_INSTRUCTIONS;
        }
    }
    if (context->tripped != LUAROUTE_OK) luaroute_terminate(L);
}

int64_t luaroute_spent(const LuaRouteContext *context) {
    return context->budget.instructions - context->instructions;
}

int64_t luaroute_time_spent(const LuaRouteContext *context) {
    return context->deadline == 0 ? 0 : now(CLOCK_THREAD_CPUTIME_ID) - context->processor;
}
