// SPDX-License-Identifier: MIT
//
// The available space on the C stack of the running thread, and the part of a Lua stack above its
// top. No private table may remain in this part, because a script could read it.
#include <pthread.h>

#include "layout.h"

// The number of bytes of the C stack that must be available for a nested entry. The depth of calls
// within the entry has separate limits.
enum { ROOM = 128 * 1024 };

#ifdef __linux__
// Declared here, because the complete header contains names that conflict with names in this
// project.
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

static uintptr_t lowestAddress(void) {
#ifdef __APPLE__
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    return (uintptr_t)lowest;
#else
    return 0;
#endif
}

bool luaroute_has_room(void) {
    static _Thread_local uintptr_t lowest;
    if (lowest == 0) lowest = lowestAddress();
    return (uintptr_t)__builtin_frame_address(0) - lowest >= ROOM;
}

// MARK: Above the top

// A value in which all bits are zero is nil.
static inline void clearValues(SeenValue *first, const SeenValue *end) {
    if (first < end) memset(first, 0, (size_t)((const char *)end - (char *)first));
}

int luaroute_leave(lua_State *L, int results) {
    const LuaRouteLayout *layout = luaroute_context(L)->layout;
    if (layout == NULL) return results;
    const SeenCall *call = luaroute_seen_call(layout, L);
    SeenValue *bottom = (SeenValue *)call->function + 1;
    SeenValue *top = bottom + lua_gettop(L);
    clearValues(bottom, top - results);
    clearValues(top, call->top);
    return results;
}

int64_t luaroute_clear_above(lua_State *L) {
    const LuaRouteLayout *layout = luaroute_context(L)->layout;
    if (layout == NULL) return 0;
    const SeenCall *call = luaroute_seen_call(layout, L);
    SeenValue *top = (SeenValue *)call->function + 1 + lua_gettop(L);
    const SeenValue *end = luaroute_seen_end(layout, L);
    clearValues(top, end);
    return end - top;
}

void luaroute_hide(lua_State *L, int count) {
    for (int i = 0; i < count; i += 1) lua_pushnil(L);
    lua_pop(L, count);
}

int luaroute_get_metafield(lua_State *L, int index, const char *field) {
    int type = luaL_getmetafield(L, index, field);
    luaroute_hide(L, 2);
    return type;
}
