// SPDX-License-Identifier: MIT
//
// The only way to enter scripts: a protected call with a budget, and with a handler that records
// the location of errors.
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

int luaroute_fail(LuaRouteContext *context, int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(luaroute_texts(context)->message, LUAROUTE_MESSAGE, format, arguments);
    va_end(arguments);
    context->messageLength =
        count < LUAROUTE_MESSAGE ? (size_t)count : (size_t)LUAROUTE_MESSAGE - 1;
    context->tracebackLength = 0;
    context->place.line = 0;
    context->place.length = 0;
    context->hostError = 0;
    return status;
}

// MARK: The entry

int luaroute_check_entry(LuaRouteContext *context) {
    if (context->isFinalizing) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "the script cannot be called while an object is being released");
    }
    if (context->depth >= LUAROUTE_NESTING) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME,
            "calls between host and script are nested more than %d levels deep", LUAROUTE_NESTING);
    }
    if (context->depth > 0 && !luaroute_has_room()) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME,
            "the stack of the thread has no room for another call between host and script");
    }
    return LUAROUTE_OK;
}

int luaroute_fail_dead(LuaRouteContext *context) {
    return luaroute_fail(
        context, LUAROUTE_REWOUND, "the function was created after the restored checkpoint, so it no longer exists");
}

int luaroute_fail_memory(LuaRouteContext *context) {
    // A nested entry leaves the reset to the outer entry.
    if (context->depth == 0) luaroute_disarm(context);
    return luaroute_fail(context, LUAROUTE_MEMORY, "%s", luaroute_reason(context, LUAROUTE_MEMORY));
}

int luaroute_status(LuaRouteContext *context, lua_State *L, int result) {
    if (context->tripped == LUAROUTE_ENDED) {
        context->tripped = LUAROUTE_OK;  // the enclosing entry continues
        return LUAROUTE_ENDED;
    }
    if (context->tripped != LUAROUTE_OK) {
        // The handler is not called for a refused allocation, or if the budget is exceeded when the
        // script ends.
        if (result != LUA_ERRRUN) {
            luaroute_fail(context, 0, "%s", luaroute_reason(context, context->tripped));
        } else {
            const char *reason = luaroute_reason(context, context->tripped);
            context->messageLength = strlen(reason);
            memcpy(luaroute_texts(context)->message, reason, context->messageLength);
            context->hostError = 0;
        }
        // This is the location where the limit was exceeded, not the location of a call through
        // which the error passed.
        if (context->broken.line > 0) context->place = context->broken;
        return context->tripped;
    }
    switch (result) {
    case LUA_OK: return LUAROUTE_OK;
    case LUA_ERRRUN: return LUAROUTE_RUNTIME;
    case LUA_ERRMEM:
        return luaroute_fail(context, LUAROUTE_MEMORY, "%s", luaroute_reason(context, LUAROUTE_MEMORY));
    default:
        return luaroute_fail(
            context, LUAROUTE_HANDLER, "%s",
            lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in error handling");
    }
}

// Pushes the message handler and returns its stack index. The handler of an outermost entry is
// already on the stack.
static inline int pushHandler(LuaRouteContext *context, lua_State *L) {
    if (context->depth == 0) return LUAROUTE_HANDLER_INDEX;
    lua_pushcfunction(L, luaroute_handle);
    return lua_gettop(L);
}

// Ends a call that failed, or that requires further work.
//
// Stack: ..., results or error -> ..., results; on failure: ...
static int leave(LuaRouteContext *context, lua_State *L, int result, int results) {
    int status = LUAROUTE_OK;
    if (result != LUA_OK || context->tripped != LUAROUTE_OK) {
        status = luaroute_status(context, L, result);
        // If a call returned all its results, the caller pops them.
        if (results != LUA_MULTRET || result != LUA_OK) lua_pop(L, result == LUA_OK ? results : 1);
        luaroute_clear_above(L);
    }
    context->depth -= 1;
    if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    // Calls to the host may record another failure, so they are made only if this entry succeeded.
    if (status == LUAROUTE_OK) luaroute_report(context);
    return status;
}

// The slow path, for a nested entry, or for an entry that must first handle a flag.
static int enterWithin(
    LuaRouteContext *context, lua_State *L, const LuaRouteBudget *budget, int handler,
    int arguments, int results) {
    int status = luaroute_check_entry(context);
    if (status == LUAROUTE_OK) {
        if (context->depth == 0) {
            luaroute_begin_budget(context, budget);
            if (budget->isLimited || context->isHooked) luaroute_set_hook(context, L);
        }
        context->depth += 1;
        context->isClean = false;
        if (context->tripped == LUAROUTE_OK) {
            return leave(context, L, lua_pcall(L, arguments, results, handler), results);
        }
        status = luaroute_status(context, L, LUA_ERRMEM);
        context->depth -= 1;
        if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    }
    lua_pop(L, arguments + 1);
    return status;
}

// Leaves only the results of the call on the stack. This function is inlined, because it takes most
// of the time of a short call.
//
// Stack: ..., function, arguments -> ..., results; on failure: ...
__attribute__((always_inline)) static inline int enter(
    LuaRouteContext *context, lua_State *L, const LuaRouteBudget *budget, int handler,
    int arguments, int results) {
    if (context->gate != 0 || luaroute_is_cancelled(context)) {
        return enterWithin(context, L, budget, handler, arguments, results);
    }
    context->budget = *budget;
    context->instructions = budget->instructions;
    context->deadline = 0;
    context->entry += 1;
    context->isClean = false;
    if (budget->isLimited || context->isHooked) {
        luaroute_begin_counting(context);
        luaroute_set_hook(context, L);
    }
    context->depth = 1;
    int result = lua_pcall(L, arguments, results, LUAROUTE_HANDLER_INDEX);
    if (result != LUA_OK || context->trouble != 0) return leave(context, L, result, results);
    context->depth = 0;
    return LUAROUTE_OK;
}

// An entry must restore the stack. Values that remain would accumulate until the stack overflows.
static void checkBalance(lua_State *L, int top) {
#ifdef DEBUG
    if (lua_gettop(L) != top) {
        fprintf(stderr, "luaroute: an entry left %d values on the stack\n", lua_gettop(L) - top);
        abort();
    }
#else
    (void)L;
    (void)top;
#endif
}

int luaroute_push_all(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t position,
    int *pushed) {
    int status = LUAROUTE_OK;
    while (status == LUAROUTE_OK && position < flat->count) {
        status = luaroute_build(context, L, flat, &position);
        *pushed += 1;
    }
    return status;
}

int luaroute_call(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count) {
    int position = luaroute_position(context, slot);
    if (position == 0) return luaroute_fail_dead(context);
    lua_State *L = context->current;
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    int top = lua_gettop(L);
    int handler = pushHandler(context, L);
    int bottom = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    int pushed = 0, status = LUAROUTE_OK;
    if (arguments != NULL) status = luaroute_push_all(context, L, arguments, 0, &pushed);
    if (status == LUAROUTE_OK) {
        if (results == NULL) count = 0;
        status = enter(context, L, budget, handler, pushed, count < 0 ? LUA_MULTRET : count);
        if (count < 0) {
            int given = lua_gettop(L) - bottom;
            count = given < -count ? given : -count;
        } else {
            checkBalance(L, status == LUAROUTE_OK ? bottom + count : bottom);
        }
        for (int i = 1; i <= count && status == LUAROUTE_OK; i += 1) {
            status = luaroute_flatten(context, L, bottom + i, results);
        }
    }
    lua_settop(L, top);
    return status;
}

// A float with an integer value is accepted as an integer; a string is not.
static int readWhole(LuaRouteContext *context, lua_State *L, int64_t *value) {
    int isInteger = 0;
    lua_Integer integer = 0;
    if (lua_type(L, -1) == LUA_TNUMBER) integer = lua_tointegerx(L, -1, &isInteger);
    *value = integer;
    if (isInteger) return LUAROUTE_OK;
    return luaroute_fail(
        context, LUAROUTE_CONVERSION, "expected an integer as the result, got %s",
        luaL_typename(L, -1));
}

// Inlined twice, because an outermost call knows the stack index of its handler.
__attribute__((always_inline)) static inline LuaRouteInteger callIntegers(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, int64_t first,
    int64_t second, bool isWithin) {
    int position = luaroute_position(context, slot);
    if (position == 0) return (LuaRouteInteger){0, luaroute_fail_dead(context)};
    lua_State *L = context->current;
#ifdef DEBUG
    int top = lua_gettop(L);
#endif
    // Stack space: every caller has LUA_MINSTACK free slots.
    int handler = isWithin ? pushHandler(context, L) : LUAROUTE_HANDLER_INDEX;
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    lua_pushinteger(L, first);
    lua_pushinteger(L, second);
    LuaRouteInteger result = {0, enter(context, L, budget, handler, 2, 1)};
    if (result.status == LUAROUTE_OK) {
        if (lua_isinteger(L, -1)) {
            result.value = lua_tointeger(L, -1);
        } else {
            result.status = readWhole(context, L, &result.value);
        }
        lua_pop(L, 1);
    }
    if (isWithin) lua_pop(L, 1);
#ifdef DEBUG
    checkBalance(L, top);
#endif
    return result;
}

LuaRouteInteger luaroute_call_integers(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, int64_t first,
    int64_t second) {
    if (context->depth == 0) return callIntegers(context, budget, slot, first, second, false);
    return callIntegers(context, budget, slot, first, second, true);
}

// MARK: Predicates for many objects

typedef struct Question {
    const LuaRouteValue *objects;
    size_t count;
    size_t found;
} Question;

// Stack: question, predicate, arguments -> same.
static int askEach(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    Question *question = lua_touserdata(L, 1);
    int top = lua_gettop(L);
    luaL_checkstack(L, top + LUA_MINSTACK, "too many arguments");
    for (size_t i = 0; i < question->count; i += 1) {
        const LuaRouteValue *object = &question->objects[i];
        lua_pushvalue(L, 2);
        luaroute_push_object(context, L, object->length, object->payload);
        for (int argument = 3; argument <= top; argument += 1) lua_pushvalue(L, argument);
        lua_call(L, top - 1, 1);
        if (lua_toboolean(L, -1)) {
            question->found = i;
            return 0;
        }
        lua_settop(L, top);
        luaroute_charge(L, 1);  // a predicate that is a host function executes no instruction
    }
    return 0;
}

int luaroute_call_first(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *flat, size_t count, size_t *found) {
    int position = luaroute_position(context, slot);
    if (position == 0) return luaroute_fail_dead(context);
    lua_State *L = context->current;
    int top = lua_gettop(L);
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    Question question = {flat->values, count, count};
    int handler = pushHandler(context, L);
    lua_pushcfunction(L, askEach);
    lua_pushlightuserdata(L, &question);
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    int pushed = 2;
    int status = luaroute_push_all(context, L, flat, count, &pushed);
    if (status == LUAROUTE_OK) status = enter(context, L, budget, handler, pushed, 0);
    lua_settop(L, top);
    *found = question.found;
    return status;
}

void luaroute_failure(LuaRouteContext *context, LuaRouteFailure *failure) {
    const LuaRouteTexts *texts = luaroute_texts(context);
    failure->message = texts->message;
    failure->messageLength = context->messageLength;
    failure->chunk = context->place.chunk;
    failure->chunkLength = context->place.line > 0 ? context->place.length : 0;
    failure->line = context->place.line;
    failure->traceback = texts->traceback;
    failure->tracebackLength = context->tracebackLength;
    failure->hostError = context->hostError;
}
