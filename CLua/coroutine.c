// SPDX-License-Identifier: MIT
//
// The library `coroutine` for the trusted profile. Coroutines of scripts exist in addition to those
// of the host. The count hook counts each coroutine separately, so creating a coroutine is charged
// for the instructions that it may execute uncounted. The error of an exceeded budget is raised
// again in the thread that resumed the coroutine. Scripts have no access to a coroutine of the
// host, so they can neither resume it nor yield from it. There is no `close`, because some
// sequences of calls crash Lua 5.4.4.
#include "internal.h"

enum { RESUME_NESTING = 64, RESUMING = 20 };

// Whether a thread is a coroutine that a script created.
static bool isOwn(LuaRouteContext *context, lua_State *L) {
    return L != context->main && L != context->waiter;
}

static lua_State *checkCoroutine(lua_State *L) {
    lua_State *coroutine = lua_tothread(L, 1);
    luaL_argexpected(L, coroutine != NULL, 1, "coroutine");
    return coroutine;
}

// Stack: function -> ..., coroutine.
static int create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaroute_charge(L, LUAROUTE_INTERVAL);
    lua_State *coroutine = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, coroutine, 1);
    return 1;
}

// Sets the hook of a coroutine that is about to run. If the coroutine already has the right hook,
// the hook continues to count.
static void setCoroutineHook(LuaRouteContext *context, lua_State *L) {
    bool isHooked = context->budget.isLimited || context->isEarly;
    bool wasHooked = luaroute_is_hooked(L);
    int interval = context->isEarly ? 1 : context->interval;
    if (isHooked == wasHooked && (!isHooked || lua_gethookcount(L) == interval)) return;
    context->instructions -= context->interval;
    luaroute_set_hook(context, L);
}

// Returns the number of results on top of the stack, or -1 if an error is on top instead.
//
// Stack: ..., arguments -> ..., results or error.
static int runCoroutine(lua_State *L, lua_State *coroutine, int arguments) {
    LuaRouteContext *context = luaroute_context(L);
    luaroute_charge(L, RESUMING);
    if (context->resumes == RESUME_NESTING) luaL_error(L, "coroutines are nested too deeply");
    if (!lua_checkstack(coroutine, arguments + LUA_MINSTACK)) {
        luaL_error(L, "too many arguments to resume");
    }
    lua_xmove(L, coroutine, arguments);
    setCoroutineHook(context, coroutine);
    context->resumes += 1;
    context->current = coroutine;
    int count = 0;
    int result = lua_resume(coroutine, L, arguments, &count);
    context->current = L;
    context->resumes -= 1;
    if (context->tripped != LUAROUTE_OK) luaroute_terminate(L);
    // If the coroutine has not made a requested early check, this thread must make the check.
    if (context->isEarly) luaroute_set_hook(context, L);
    if (result != LUA_OK && result != LUA_YIELD) {
        lua_xmove(coroutine, L, 1);
        luaroute_clear_above(coroutine);
        return -1;
    }
    if (!lua_checkstack(L, count + 1)) {
        lua_pop(coroutine, count);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(coroutine, L, count);
    return count;
}

static int resumeCoroutine(lua_State *L) {
    lua_State *coroutine = checkCoroutine(L);
    int count = runCoroutine(L, coroutine, lua_gettop(L) - 1);
    lua_pushboolean(L, count >= 0);
    if (count < 0) count = 1;
    lua_insert(L, -(count + 1));
    return count + 1;
}

// Upvalue: coroutine.
static int resumeWrapped(lua_State *L) {
    int count = runCoroutine(L, lua_tothread(L, lua_upvalueindex(1)), lua_gettop(L));
    if (count >= 0) return count;
    if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int wrap(lua_State *L) {
    create(L);
    lua_pushcclosure(L, resumeWrapped, 1);
    return 1;
}

static int yield(lua_State *L) {
    if (!isOwn(luaroute_context(L), L)) {
        return luaL_error(L, "attempt to yield from outside a coroutine");
    }
    return lua_yield(L, lua_gettop(L));
}

static int status(lua_State *L) {
    lua_State *coroutine = checkCoroutine(L);
    lua_Debug activation;
    const char *text = "dead";
    if (coroutine == L) {
        text = "running";
    } else if (lua_status(coroutine) == LUA_YIELD) {
        text = "suspended";
    } else if (lua_status(coroutine) == LUA_OK) {
        if (lua_getstack(coroutine, 0, &activation)) {
            text = "normal";
        } else if (lua_gettop(coroutine) > 0) {
            text = "suspended";
        }
    }
    lua_pushstring(L, text);
    return 1;
}

static int isYieldable(lua_State *L) {
    lua_State *coroutine = lua_isnone(L, 1) ? L : checkCoroutine(L);
    lua_pushboolean(L, isOwn(luaroute_context(L), coroutine) && lua_isyieldable(coroutine));
    return 1;
}

// Outside of all coroutines of scripts, the first result is nil.
static int running(lua_State *L) {
    bool isMain = !isOwn(luaroute_context(L), L);
    if (isMain) {
        lua_pushnil(L);
    } else {
        lua_pushthread(L);
    }
    lua_pushboolean(L, isMain);
    return 2;
}

#define COROUTINE_FUNCTIONS(ENTRY) \
    ENTRY("create", create, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("isyieldable", isYieldable, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("resume", resumeCoroutine, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("running", running, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("status", status, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("wrap", wrap, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("yield", yield, LUAROUTE_UNREAD, LUAROUTE_UNREAD)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_coroutine_functions, COROUTINE_FUNCTIONS);
