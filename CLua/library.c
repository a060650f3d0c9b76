// SPDX-License-Identifier: MIT
//
// The environments of scripts: built from lists of what is allowed, never by taking away.
#include "internal.h"

// Stack: ..., source, target -> same. Copies what is named from one table to the other.
static void copyNamed(lua_State *L, const char *const *names) {
    for (; *names != NULL; names += 1) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
}

static const char *const baseNames[] = {"assert", "select", "type", "rawequal", NULL};
static const char *const stringNames[] = {"char", "len", "sub", NULL};
static const char *const mathNames[] = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log",
    "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan",
    "tointeger", "type", "ult", NULL,
};
static const char *const utf8Names[] = {"char", "charpattern", "codes", NULL};

// Lua reads numerals in strings by these metamethods of strings.
static const char *const arithmeticNames[] = {
    "__add", "__div", "__idiv", "__mod", "__mul", "__pow", "__sub", "__unm", NULL,
};

// Stack: ..., libraries -> same. Adds a library of the chosen names of a standard one.
static void addLibrary(
    lua_State *L, lua_CFunction open, const char *name, const char *const *names,
    void (*fill)(lua_State *L)) {
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
    lua_createtable(L, 0, 24);
    copyNamed(L, names);
    if (fill != NULL) fill(L);
    lua_setfield(L, -3, name);
    lua_pop(L, 1);
}

// Lets `math.random` begin where the host says.
static void seed(lua_State *L) {
    // Stack: seed, ..., standard math, own math
    lua_getfield(L, -2, "randomseed");
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    lua_call(L, 2, 0);
}

static void fillBase(lua_State *L) {
    luaroute_open_base(L);
    luaroute_open_metatables(L);
    luaroute_open_traversal(L);
    lua_pushliteral(L, LUA_VERSION);
    lua_setfield(L, -2, "_VERSION");
}

static void pushWeak(lua_State *L, const char *mode) {
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

// Lua makes these strings while it handles errors; found, they need no memory then.
static void anchorMessages(lua_State *L) {
    static const char *const messages[] = {
        "error in error handling", "C stack overflow", "stack overflow",
    };
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i += 1) {
        lua_pushstring(L, messages[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_ANCHORS);
}

// Stack: seed -> seed.
int luaroute_open_libraries(lua_State *L) {
    anchorMessages(L);
    for (int i = 0; i <= LUAROUTE_THROWN; i += 1) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_RAISED + i);
    }
    pushWeak(L, "k");
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    pushWeak(L, "k");
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_TRAVERSALS);
    luaroute_open_held(L);
    luaroute_open_keys(L);

    lua_createtable(L, 0, 8);
    addLibrary(L, luaopen_base, "_G", baseNames, fillBase);
    addLibrary(L, luaopen_string, "string", stringNames, luaroute_open_string);
    addLibrary(L, luaopen_table, "table", (const char *const[]){"pack", NULL}, luaroute_open_table);
    addLibrary(L, luaopen_math, "math", mathNames, seed);
    addLibrary(L, luaopen_utf8, "utf8", utf8Names, luaroute_open_utf8);
    if (luaroute_context(L)->profile == LUAROUTE_TRUSTED) luaroute_open_coroutine(L);

    // Methods of strings come from a table that no script sees.
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 2);
    lua_getmetatable(L, -2);
    lua_insert(L, -2);
    copyNamed(L, arithmeticNames);
    lua_remove(L, -2);
    lua_getfield(L, -3, "string");
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_LIBRARIES);
    return 0;
}

// Stack: ..., source, target -> ..., target.
static void copyAll(lua_State *L) {
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

int luaroute_environment(LuaRouteContext *context, int undefined) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        luaroute_fail_memory(context);
        return 0;
    }
    context->exempt += 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_LIBRARIES);
    int libraries = lua_gettop(L);
    lua_getfield(L, libraries, "_G");
    lua_createtable(L, 0, 32);
    copyAll(L);
    static const char *const names[] = {"string", "table", "math", "utf8", "coroutine"};
    int count = context->profile == LUAROUTE_TRUSTED ? 5 : 4;
    for (int i = 0; i < count; i += 1) {
        lua_getfield(L, libraries, names[i]);
        lua_createtable(L, 0, 32);
        copyAll(L);
        lua_setfield(L, -2, names[i]);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "_G");
    if (undefined != 0) {
        lua_createtable(L, 0, 3);
        lua_rawgeti(L, LUA_REGISTRYINDEX, undefined);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__index");
        lua_setfield(L, -2, "__newindex");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_setmetatable(L, -2);
    }
    int slot = luaroute_take(context, L);
    lua_pop(L, 1);
    context->exempt -= 1;
    return slot;
}

int luaroute_set_global(
    LuaRouteContext *context, int environment, const uint8_t *name, size_t length,
    const LuaRouteFlat *value) {
    lua_State *L = context->current;
    int top = lua_gettop(L);
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    size_t position = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, environment);
    context->exempt += 1;
    lua_pushlstring(L, (const char *)name, length);
    int status = luaroute_build(context, L, value, &position);
    if (status == LUAROUTE_OK) lua_rawset(L, -3);
    context->exempt -= 1;
    lua_settop(L, top);
    return status;
}
