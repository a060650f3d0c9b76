// SPDX-License-Identifier: MIT
//
// The environments of scripts: built from lists of what is allowed, never by taking away.
#include <math.h>
#include <pthread.h>

#include "internal.h"

// MARK: The standard libraries

// The functions that scripts are given as they are, but for what calls cost.
#define UNREAD LUAROUTE_UNREAD
#define COPIED LUAROUTE_COPIED
#define PARSED LUAROUTE_PARSED
static LuaRouteFunction base[] = {
    {"assert", NULL, UNREAD, UNREAD}, {"select", NULL, PARSED, UNREAD},
    {"type", NULL, UNREAD, UNREAD}, {"rawequal", NULL, COPIED, COPIED},
    {"tonumber", NULL, PARSED, PARSED}, {NULL, NULL, 0, 0},
};
static LuaRouteFunction string[] = {
    {"char", NULL, PARSED, PARSED}, {"len", NULL, UNREAD, UNREAD},
    {"lower", NULL, COPIED, UNREAD}, {"reverse", NULL, COPIED, UNREAD},
    {"upper", NULL, COPIED, UNREAD}, {NULL, NULL, 0, 0},
};
static LuaRouteFunction table[] = {{"pack", NULL, UNREAD, UNREAD}, {NULL, NULL, 0, 0}};
#define NUMERIC(name) {name, NULL, PARSED, PARSED}
static LuaRouteFunction mathematics[] = {
    NUMERIC("abs"), NUMERIC("acos"), NUMERIC("asin"), NUMERIC("atan"), NUMERIC("ceil"),
    NUMERIC("cos"), NUMERIC("deg"), NUMERIC("exp"), NUMERIC("floor"), NUMERIC("fmod"),
    NUMERIC("log"), NUMERIC("max"), NUMERIC("min"), NUMERIC("modf"), NUMERIC("rad"),
    NUMERIC("sin"), NUMERIC("sqrt"), NUMERIC("tan"), NUMERIC("tointeger"), NUMERIC("type"),
    NUMERIC("ult"), {NULL, NULL, 0, 0},
};
static LuaRouteFunction utf8[] = {NUMERIC("char"), {NULL, NULL, 0, 0}};
// Lua reads numerals in strings by these metamethods of strings.
static LuaRouteFunction arithmetic[] = {
    NUMERIC("__add"), NUMERIC("__div"), NUMERIC("__idiv"), NUMERIC("__mod"), NUMERIC("__mul"),
    NUMERIC("__pow"), NUMERIC("__sub"), NUMERIC("__unm"), {NULL, NULL, 0, 0},
};
static lua_Number pi;
static char characterPattern[32];
static size_t characterPatternLength;

static lua_CFunction readOne(lua_State *L, const char *name) {
    lua_CFunction function = NULL;
    lua_getfield(L, -1, name);
    // One with upvalues belongs to the state that it is read from.
    if (lua_iscfunction(L, -1) && lua_getupvalue(L, -1, 1) == NULL) {
        function = lua_tocfunction(L, -1);
    }
    if (function == NULL) luaL_error(L, "no function '%s' in the standard library", name);
    lua_pop(L, 1);
    return function;
}

void luaroute_read(lua_State *L, const char *const *names, lua_CFunction *functions, int count) {
    for (int i = 0; i < count; i += 1) functions[i] = readOne(L, names[i]);
}

// Stack: ... -> ..., standard library.
static void readLibrary(
    lua_State *L, lua_CFunction open, LuaRouteFunction *functions,
    void (*readOther)(lua_State *L)) {
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
    for (; functions->name != NULL; functions += 1) {
        functions->function = readOne(L, functions->name);
    }
    if (readOther != NULL) readOther(L);
}

static int readStandard(lua_State *L) {
    readLibrary(L, luaopen_base, base, NULL);
    readLibrary(L, luaopen_string, string, luaroute_read_string);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    for (LuaRouteFunction *field = arithmetic; field->name != NULL; field += 1) {
        field->function = readOne(L, field->name);
    }
    readLibrary(L, luaopen_table, table, luaroute_read_table);
    readLibrary(L, luaopen_math, mathematics, NULL);
    lua_getfield(L, -1, "pi");
    pi = luaL_checknumber(L, -1);
    readLibrary(L, luaopen_utf8, utf8, luaroute_read_utf8);
    lua_getfield(L, -1, "charpattern");
    const char *bytes = luaL_checklstring(L, -1, &characterPatternLength);
    if (characterPatternLength > sizeof characterPattern) luaL_error(L, "'charpattern' too long");
    memcpy(characterPattern, bytes, characterPatternLength);
    return 0;
}

// Nothing is written once all is read, so states of many threads may use it.
bool luaroute_read_standard(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool isRead;
    pthread_mutex_lock(&mutex);
    if (!isRead) {
        lua_State *L = luaL_newstate();
        if (L != NULL) {
            lua_pushcfunction(L, readStandard);
            isRead = lua_pcall(L, 0, 0, 0) == LUA_OK;
            lua_close(L);
        }
    }
    bool wasRead = isRead;
    pthread_mutex_unlock(&mutex);
    return wasRead;
}

// MARK: The libraries of scripts

// Charges a call before it runs. Upvalue: the function.
static int callCharged(lua_State *L) {
    const LuaRouteFunction *function = lua_touserdata(L, lua_upvalueindex(1));
    int count = lua_gettop(L);
    int64_t cost = 1 + count;
    if (function->first != UNREAD && lua_type(L, 1) == LUA_TSTRING) {
        cost += (int64_t)lua_rawlen(L, 1) / function->first;
    }
    for (int i = 2; i <= count && function->rest != UNREAD; i += 1) {
        if (lua_type(L, i) == LUA_TSTRING) cost += (int64_t)lua_rawlen(L, i) / function->rest;
    }
    luaroute_charge(L, cost);
    return function->function(L);
}

void luaroute_push_function(lua_State *L, const LuaRouteFunction *function) {
    if (function->first == 0 || function->rest == 0) {
        luaL_error(L, "the function '%s' has no cost", function->name);
    }
    lua_pushlightuserdata(L, (void *)(uintptr_t)function);
    lua_pushcclosure(L, callCharged, 1);
}

// Stack: ..., table -> same. It has no metatable.
void luaroute_add(lua_State *L, const LuaRouteFunction *functions) {
    for (; functions->name != NULL; functions += 1) {
        lua_pushstring(L, functions->name);
        luaroute_push_function(L, functions);
        lua_rawset(L, -3);
    }
}

static void fillBase(lua_State *L, int ignoring) {
    luaroute_add(L, base);
    luaroute_open_base(L);
    luaroute_open_metatables(L, ignoring);
    luaroute_open_traversal(L);
    lua_pushliteral(L, "_VERSION");
    lua_pushliteral(L, LUA_VERSION);
    lua_rawset(L, -3);
}

static void fillString(lua_State *L) {
    luaroute_add(L, string);
    luaroute_open_string(L);
}

static void fillTable(lua_State *L) {
    luaroute_add(L, table);
    luaroute_open_table(L);
}

static void fillMath(lua_State *L) {
    luaroute_add(L, mathematics);
    luaroute_open_random(L);
    lua_pushliteral(L, "pi");
    lua_pushnumber(L, pi);
    lua_rawset(L, -3);
    lua_pushliteral(L, "huge");
    lua_pushnumber(L, (lua_Number)HUGE_VAL);
    lua_rawset(L, -3);
    lua_pushliteral(L, "maxinteger");
    lua_pushinteger(L, LUA_MAXINTEGER);
    lua_rawset(L, -3);
    lua_pushliteral(L, "mininteger");
    lua_pushinteger(L, LUA_MININTEGER);
    lua_rawset(L, -3);
}

static void fillUTF8(lua_State *L) {
    luaroute_add(L, utf8);
    luaroute_open_utf8(L);
    lua_pushliteral(L, "charpattern");
    lua_pushlstring(L, characterPattern, characterPatternLength);
    lua_rawset(L, -3);
}

void luaroute_push_weak(lua_State *L) {
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
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

int luaroute_open_libraries(lua_State *L) {
    anchorMessages(L);
    for (int i = 0; i <= LUAROUTE_THROWN; i += 1) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_RAISED + i);
    }
    luaroute_push_weak(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    luaroute_open_held(L);
    luaroute_open_keys(L);

    // Methods of strings come from a table that no script sees.
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 16);
    luaroute_add(L, arithmetic);
    lua_pushliteral(L, "__index");
    lua_createtable(L, 0, 16);
    fillString(L);
    lua_rawset(L, -3);
    lua_pushliteral(L, "__metatable");
    lua_pushboolean(L, 0);
    lua_rawset(L, -3);
    lua_setmetatable(L, -2);
    return 0;
}

int luaroute_environment(LuaRouteContext *context, int undefined, int ignoring) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        luaroute_fail_memory(context);
        return 0;
    }
    context->exempt += 1;
    static const struct {
        const char *name;
        int size;
        void (*fill)(lua_State *L);
    } libraries[] = {
        {"string", 16, fillString}, {"table", 8, fillTable}, {"math", 32, fillMath},
        {"utf8", 8, fillUTF8},      {"coroutine", 8, luaroute_open_coroutine},
    };
    int count = context->profile == LUAROUTE_TRUSTED ? 5 : 4;
    lua_createtable(L, 0, 32);
    fillBase(L, ignoring);
    for (int i = 0; i < count; i += 1) {
        lua_pushstring(L, libraries[i].name);
        lua_createtable(L, 0, libraries[i].size);
        libraries[i].fill(L);
        lua_rawset(L, -3);
    }
    lua_pushliteral(L, "_G");
    lua_pushvalue(L, -2);
    lua_rawset(L, -3);
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
