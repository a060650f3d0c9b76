// SPDX-License-Identifier: MIT
//
// Coroutines that the host creates. A function waits by yielding at the end of its trampoline, and
// the values with which the host resumes the coroutine are the results of the function. An error
// leaves the stack of the coroutine's thread intact, so the location and the traceback are read
// from this stack, and no handler is needed.
//
// The thread of a coroutine that has returned is reused. The thread of a cancelled coroutine is
// reused after its stack is dropped. Dropping a stack runs no script code, because scripts have no
// `__close`. The thread of a failed coroutine is not reused, because Lua keeps hooks disabled after
// a hook has raised an error.
#include "internal.h"

typedef enum State { OVER, RUNNING, WAITING } State;

struct LuaRouteCoroutine {
    lua_State *L;
    int anchor;       // registry index of the thread
    State state;
    uint64_t serial;  // the serial number of the function that the coroutine runs
    uint64_t entry;   // the last outermost entry in which the coroutine ran
    LuaRouteCoroutine *next;   // the next in the pool, or in the list of those without a thread
    LuaRouteCoroutine *older;  // the next in the list of all coroutines
};

// MARK: Threads

// The stack must have space for a thread.
static void makeThread(LuaRouteContext *context, LuaRouteCoroutine *coroutine) {
    context->exempt += 1;
    coroutine->L = lua_newthread(context->current);
    coroutine->anchor = luaroute_anchor(context, context->current);
    context->exempt -= 1;
    coroutine->entry = 0;
}

static LuaRouteCoroutine *takeCoroutine(LuaRouteContext *context) {
    LuaRouteCoroutine *coroutine = context->pool;
    if (coroutine != NULL) {
        context->pool = coroutine->next;
        context->pooled -= 1;
    } else {
        coroutine = context->spent;
        if (coroutine != NULL) {
            context->spent = coroutine->next;
        } else {
            coroutine = calloc(1, sizeof *coroutine);
            if (coroutine == NULL) abort();
            coroutine->older = context->coroutines;
            context->coroutines = coroutine;
        }
        makeThread(context, coroutine);
    }
    context->lastThread += 1;
    context->threads += 1;
    coroutine->serial = context->lastThread;
    return coroutine;
}

// Returns an ended coroutine to the pool. Its stack is empty.
static void giveBack(LuaRouteContext *context, LuaRouteCoroutine *coroutine, bool isAsNew) {
    coroutine->state = OVER;
    coroutine->serial = 0;
    context->threads -= 1;
    LuaRouteCoroutine **list = &context->pool;
    if (isAsNew && context->pooled < LUAROUTE_POOLED) {
        context->pooled += 1;
    } else {
        luaroute_release_anchor(context, coroutine->anchor);
        coroutine->L = NULL;
        list = &context->spent;
    }
    coroutine->next = *list;
    *list = coroutine;
}

// Drops the stack of a waiting or failed coroutine.
static void drop(LuaRouteContext *context, LuaRouteCoroutine *coroutine, bool hasFailed) {
    context->isClean = false;
#if LUA_VERSION_RELEASE_NUM >= 50406
    lua_closethread(coroutine->L, context->current);
#else
    lua_resetthread(coroutine->L);
#endif
    lua_settop(coroutine->L, 0);  // removes the error of a failed coroutine
    giveBack(context, coroutine, !hasFailed);
}

void luaroute_free_threads(LuaRouteContext *context) {
    LuaRouteCoroutine *coroutine = context->coroutines;
    while (coroutine != NULL) {
        LuaRouteCoroutine *older = coroutine->older;
        free(coroutine);
        coroutine = older;
    }
}

size_t luaroute_live_threads(const LuaRouteContext *context) {
    return context->threads;
}

int luaroute_is_waiting(const LuaRouteContext *context, LuaRouteThread thread) {
    (void)context;
    return thread.coroutine->serial == thread.serial && thread.coroutine->state == WAITING;
}

void luaroute_cancel(LuaRouteContext *context, LuaRouteThread thread) {
    if (luaroute_is_waiting(context, thread)) drop(context, thread.coroutine, false);
}

void luaroute_thread_free(LuaRouteContext *context, LuaRouteThread thread) {
    luaroute_cancel(context, thread);
    // The host has released the handle, so an image must not restore it.
    if (context->images > 0 && thread.serial <= context->imagedThread) {
        luaroute_insert(&context->releasedThreads, thread.serial);
    }
}

// MARK: Images

// The records stay at their addresses, because a handle may refer to a record that an image does
// not contain.

const size_t luaroute_thread_size = sizeof(LuaRouteCoroutine);

size_t luaroute_count_threads(const LuaRouteContext *context) {
    size_t count = 0;
    for (LuaRouteCoroutine *next = context->coroutines; next != NULL; next = next->older) count += 1;
    return count;
}

void luaroute_copy_threads(const LuaRouteContext *context, LuaRouteCoroutine *copies) {
    for (LuaRouteCoroutine *next = context->coroutines; next != NULL; next = next->older) {
        *copies = *next;
        copies += 1;
    }
}

void luaroute_restore_threads(
    LuaRouteContext *context, const LuaRouteCoroutine *copies, size_t count) {
    LuaRouteCoroutine *next = context->coroutines;
    for (size_t newer = luaroute_count_threads(context) - count; newer > 0; newer -= 1) {
        LuaRouteCoroutine *older = next->older;
        *next = (LuaRouteCoroutine){.state = OVER, .older = older, .next = context->spent};
        context->spent = next;
        next = older;
    }
    for (; next != NULL; next = next->older) {
        *next = *copies;
        copies += 1;
    }
}

void luaroute_cancel_released_threads(LuaRouteContext *context) {
    for (LuaRouteCoroutine *next = context->coroutines; next != NULL; next = next->older) {
        if (next->state == WAITING && luaroute_contains(&context->releasedThreads, next->serial)) {
            drop(context, next, false);
        }
    }
}

// MARK: Running

// Sets the hook of a thread that is about to run. If the thread has already run in this entry, its
// hook continues to count, so that many short runs cannot evade the budget.
static void setThreadHook(LuaRouteContext *context, LuaRouteCoroutine *coroutine) {
    lua_State *L = coroutine->L;
    if (coroutine->entry == context->entry) {
        int interval = context->isEarly ? 1 : context->interval;
        bool isHooked = context->budget.isLimited || context->isEarly;
        if (!isHooked && !luaroute_is_hooked(L)) return;
        if (isHooked && luaroute_is_hooked(L) && lua_gethookcount(L) == interval) return;
    } else {
        coroutine->entry = context->entry;
        // Instructions before the first check of the thread are not counted, so they are charged
        // here.
        if (context->depth > 0) {
            context->instructions -= context->interval;
            if (context->instructions < 0 && context->tripped == LUAROUTE_OK) {
                context->tripped = LUAROUTE_INSTRUCTIONS;
            }
        }
        if (!context->budget.isLimited && !context->isEarly && !luaroute_is_hooked(L)) return;
    }
    luaroute_set_hook(context, L);
}

// Stack: error, thread -> message.
static int explain(lua_State *L) {
    lua_State *raised = lua_touserdata(L, 2);
    lua_settop(L, 1);
    return luaroute_explain(L, raised, 0);
}

// Returns the status of a failure. The error object is on top of the coroutine's stack.
static int readFailure(LuaRouteContext *context, LuaRouteCoroutine *coroutine, int result) {
    lua_State *L = context->current;
    int top = lua_gettop(L);
    // Stack space: every caller has LUA_MINSTACK free slots.
    if (result == LUA_OK || result == LUA_YIELD) {
        lua_pushnil(L);
    } else {
        lua_xmove(coroutine->L, L, 1);
    }
    if (result == LUA_ERRRUN && context->tripped != LUAROUTE_ENDED) {
        if (lua_type(L, -1) != LUA_TSTRING && context->tripped == LUAROUTE_OK) {
            // `__tostring` of a script may run here. It runs in a different thread from the thread
            // that failed.
            context->instructions -= context->interval;
            luaroute_set_hook(context, L);
        }
        lua_pushcfunction(L, explain);
        lua_insert(L, -2);
        lua_pushlightuserdata(L, coroutine->L);
        int failed = lua_pcall(L, 2, 1, 0);
        if (failed != LUA_OK) result = failed == LUA_ERRMEM ? LUA_ERRMEM : LUA_ERRERR;
    }
    int status = luaroute_status(context, L, result);
    lua_settop(L, top);
    return status;
}

// Runs a coroutine until it returns, waits or fails. After any status other than LUAROUTE_OK and
// LUAROUTE_WAITS, the coroutine is dropped. If `hasRun` is false, no code ran, and the coroutine is
// unchanged.
//
// Stack of the coroutine: function, arguments or ..., values -> results, or the stack as Lua left
// it.
static int runThread(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteCoroutine *coroutine,
    int arguments, bool *hasRun) {
    lua_State *outer = context->current, *L = coroutine->L;
    // This check comes after the arguments were pushed. Otherwise, the objects among the arguments
    // would never be created, so the host would not be notified that scripts have dropped them.
    int status = luaroute_check_entry(context);
    if (status != LUAROUTE_OK) return status;
    if (context->depth == 0) luaroute_begin_budget(context, budget);
    setThreadHook(context, coroutine);
    context->depth += 1;
    context->isClean = false;
    *hasRun = context->tripped == LUAROUTE_OK;
    if (!*hasRun) {
        status = luaroute_status(context, outer, LUA_ERRMEM);
    } else {
        State before = coroutine->state;
        int old = lua_status(L), count;
        coroutine->state = RUNNING;
        lua_State *waiter = context->waiter;
        context->current = context->waiter = L;
        int result = lua_resume(L, outer, arguments, &count);
        context->current = outer;
        context->waiter = waiter;
        if (context->tripped == LUAROUTE_OK && result == LUA_OK) {
            coroutine->state = OVER;
        } else if (context->tripped == LUAROUTE_OK && result == LUA_YIELD) {
            coroutine->state = WAITING;
            status = LUAROUTE_WAITS;
        } else if (result == LUA_ERRRUN && lua_status(L) == old) {
            // Lua refused to start the coroutine, and popped the arguments. The message is one of
            // its preallocated strings.
            *hasRun = false;
            coroutine->state = before;
            lua_pop(L, 1);
            status = luaroute_fail(context, LUAROUTE_RUNTIME, "C stack overflow");
        } else {
            status = readFailure(context, coroutine, result);
            drop(context, coroutine, true);
        }
        // If the coroutine has not made a requested early check, the outer thread must make the
        // check.
        if (context->isEarly && context->depth > 1) luaroute_set_hook(context, outer);
    }
    context->depth -= 1;
    if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    // Calls to the host may record another failure, so they are made only if this entry succeeded.
    if (status == LUAROUTE_OK || status == LUAROUTE_WAITS) luaroute_report(context);
    return status;
}

// Reads the results of a coroutine that returned, and gives the coroutine back to the pool.
static int conclude(
    LuaRouteContext *context, LuaRouteCoroutine *coroutine, LuaRouteFlat *results, int count) {
    lua_State *L = coroutine->L;
    int status = LUAROUTE_OK;
    if (results != NULL && count > 0) {
        if (lua_checkstack(L, count)) {
            lua_settop(L, count);
        } else {
            status = luaroute_fail_memory(context);
        }
        for (int i = 1; i <= count && status == LUAROUTE_OK; i += 1) {
            status = luaroute_flatten(context, L, i, results);
        }
    }
    lua_settop(L, 0);
    giveBack(context, coroutine, true);
    return status;
}

int luaroute_begin(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count, LuaRouteThread *thread) {
    int position = luaroute_position(context, slot);
    if (position == 0) return luaroute_fail_dead(context);
    if (!lua_checkstack(context->current, LUA_MINSTACK)) return luaroute_fail_memory(context);
    LuaRouteCoroutine *coroutine = takeCoroutine(context);
    lua_State *L = coroutine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    int pushed = 0, status = LUAROUTE_OK;
    if (arguments != NULL) status = luaroute_push_all(context, L, arguments, 0, &pushed);
    bool hasRun = false;
    if (status == LUAROUTE_OK) status = runThread(context, budget, coroutine, pushed, &hasRun);
    if (status == LUAROUTE_OK) return conclude(context, coroutine, results, count);
    if (status == LUAROUTE_WAITS) {
        *thread = (LuaRouteThread){coroutine, coroutine->serial};
    } else if (!hasRun) {
        lua_settop(L, 0);
        giveBack(context, coroutine, true);
    }
    return status;
}

int luaroute_resume(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteThread thread,
    const LuaRouteFlat *values, LuaRouteFlat *results, int count) {
    LuaRouteCoroutine *coroutine = thread.coroutine;
    if (!luaroute_is_waiting(context, thread)) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "cannot resume a coroutine that %s",
            coroutine->serial == thread.serial ? "is running" : "has ended");
    }
    if (!lua_checkstack(context->current, LUA_MINSTACK)) return luaroute_fail_memory(context);
    lua_State *L = coroutine->L;
    int top = lua_gettop(L), pushed = 0, status = LUAROUTE_OK;
    if (values != NULL) status = luaroute_push_all(context, L, values, 0, &pushed);
    bool hasRun = false;
    if (status == LUAROUTE_OK) status = runThread(context, budget, coroutine, pushed, &hasRun);
    if (status == LUAROUTE_OK) return conclude(context, coroutine, results, count);
    if (status != LUAROUTE_WAITS && !hasRun) lua_settop(L, top);
    return status;
}
