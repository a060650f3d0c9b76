// SPDX-License-Identifier: MIT
//
// Visits a coroutine, with its calls and the values on its stack.
#include "walk.h"

static lua_State *threadOf(const void *object) { return (lua_State *)(uintptr_t)object; }

// Whether a coroutine has ended. The stack of a failed coroutine is kept.
static bool isDead(lua_State *thread, const SeenCall *call) {
    int status = lua_status(thread);
    if (status == LUA_YIELD) return false;
    return status != LUA_OK || (call->previous == NULL && lua_gettop(thread) == 0);
}

// All stack slots up to the next call are in use, because the compiler allocates registers like a
// stack.
void luaroute_visit_thread(Walk *walk, const void *object) {
    lua_State *thread = threadOf(object);
    const SeenCall *call = luaroute_seen_call(walk->layout, object);
    if (isDead(thread, call)) {
        note(walk, OF_DEAD, 0);
        return;
    }
    const SeenValue *top = call->function + 1 + lua_gettop(thread), *bottom;
    note(walk, OF_STACK, (uint64_t)lua_status(thread));
    for (;; call = call->previous) {
        bottom = call->function;
        if (call->previous == NULL) break;
        // Stack positions are counted from the top, because the top is known first. The number of
        // variable arguments and of results follows from the positions and from the function.
        note(walk, OF_CALL, (uint64_t)(top - call->function));
        if (call->status & SEEN_IS_C) continue;
        const SeenClosure *closure = pointer(call->function->bits);
        note(walk, OF_SCRIPT, (uint64_t)(call->instruction - closure->prototype->code));
    }
    note(walk, OF_STACK, (uint64_t)(top - bottom));
    for (const SeenValue *value = bottom + 1; value < top; value += 1) {
        absorb(walk, describeValue(walk, value));
    }
}

// The variables of a coroutine that are upvalues are known after all closures were visited.
// Upvalues of unreachable closures are garbage.
void luaroute_link_thread(Walk *walk, const void *object, size_t number) {
    const SeenCall *call = luaroute_seen_call(walk->layout, object);
    if (isDead(threadOf(object), call)) return;
    const SeenValue *top = call->function + 1 + lua_gettop(threadOf(object));
    const SeenUpvalue *open = luaroute_seen_open(walk->layout, object);
    for (; open != NULL; open = open->nextOpen) {
        uint32_t cell = numberOf(&walk->objects, open->value);
        if (cell == 0) continue;
        note(walk, OF_SHARED, number);
        absorb(walk, (Pair){(uint64_t)(top - open->value), cell});
    }
}
