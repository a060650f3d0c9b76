// SPDX-License-Identifier: MIT
//
// The environments of scripts. They are built from lists of allowed names, never by removing names.
#include <math.h>
#include <pthread.h>

#include "internal.h"

// MARK: The standard libraries

// The functions that scripts receive unchanged, except that calls are charged. Each function is
// called through a separate variable.
#define UNREAD LUAROUTE_UNREAD
#define COPIED LUAROUTE_COPIED
#define PARSED LUAROUTE_PARSED
#define NUMERIC(ENTRY, library, name) ENTRY(#name, standard_##library##_##name, PARSED, PARSED)
#define BASE(ENTRY) \
    ENTRY("assert", base_assert, UNREAD, UNREAD) \
    ENTRY("select", base_select, PARSED, UNREAD) \
    ENTRY("type", base_type, UNREAD, UNREAD) \
    ENTRY("rawequal", base_rawequal, COPIED, COPIED) \
    NUMERIC(ENTRY, base, tonumber)
#define STRING(ENTRY) \
    NUMERIC(ENTRY, string, char) \
    ENTRY("len", string_len, UNREAD, UNREAD) \
    ENTRY("lower", string_lower, COPIED, UNREAD) \
    ENTRY("reverse", string_reverse, COPIED, UNREAD) \
    ENTRY("upper", string_upper, COPIED, UNREAD)
#define TABLE(ENTRY) ENTRY("pack", standard_table_pack, UNREAD, UNREAD)
#define MATH(ENTRY) \
    NUMERIC(ENTRY, math, abs) NUMERIC(ENTRY, math, acos) NUMERIC(ENTRY, math, asin) \
    NUMERIC(ENTRY, math, atan) NUMERIC(ENTRY, math, ceil) NUMERIC(ENTRY, math, cos) \
    NUMERIC(ENTRY, math, deg) NUMERIC(ENTRY, math, exp) NUMERIC(ENTRY, math, floor) \
    NUMERIC(ENTRY, math, fmod) NUMERIC(ENTRY, math, log) NUMERIC(ENTRY, math, max) \
    NUMERIC(ENTRY, math, min) NUMERIC(ENTRY, math, modf) NUMERIC(ENTRY, math, rad) \
    NUMERIC(ENTRY, math, sin) NUMERIC(ENTRY, math, sqrt) NUMERIC(ENTRY, math, tan) \
    NUMERIC(ENTRY, math, tointeger) NUMERIC(ENTRY, math, type) NUMERIC(ENTRY, math, ult)
#define UTF8(ENTRY) NUMERIC(ENTRY, utf8, char)
// Lua converts numerals in strings with these metamethods of strings.
#define ARITHMETIC(ENTRY) \
    NUMERIC(ENTRY, string, __add) NUMERIC(ENTRY, string, __div) NUMERIC(ENTRY, string, __idiv) \
    NUMERIC(ENTRY, string, __mod) NUMERIC(ENTRY, string, __mul) NUMERIC(ENTRY, string, __pow) \
    NUMERIC(ENTRY, string, __sub) NUMERIC(ENTRY, string, __unm)

#define STANDARD(list, FUNCTIONS) \
    FUNCTIONS(DECLARE) \
    LUAROUTE_FUNCTIONS(static const LuaRouteFunction list, FUNCTIONS)
#define DECLARE(name, function, first, rest) static lua_CFunction function;
STANDARD(base, BASE);
STANDARD(string, STRING);
STANDARD(arithmetic, ARITHMETIC);
STANDARD(table, TABLE);
STANDARD(mathematics, MATH);
STANDARD(utf8, UTF8);

static lua_Number pi;
static char characterPattern[32];
static size_t characterPatternLength;

static lua_CFunction readOne(lua_State *L, const char *name) {
    lua_CFunction function = NULL;
    lua_getfield(L, -1, name);
    // A function with upvalues would belong to the state from which it was read.
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

static void openStandard(lua_State *L, lua_CFunction open) {
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
}

static int readStandard(lua_State *L) {
#define READ(name, function, first, rest) function = readOne(L, name);
    openStandard(L, luaopen_base);
    BASE(READ)
    openStandard(L, luaopen_string);
    STRING(READ)
    luaroute_read_string(L);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    ARITHMETIC(READ)
    openStandard(L, luaopen_table);
    TABLE(READ)
    luaroute_read_table(L);
    openStandard(L, luaopen_math);
    MATH(READ)
    lua_getfield(L, -1, "pi");
    pi = luaL_checknumber(L, -1);
    openStandard(L, luaopen_utf8);
    UTF8(READ)
    luaroute_read_utf8(L);
    lua_getfield(L, -1, "charpattern");
    const char *bytes = luaL_checklstring(L, -1, &characterPatternLength);
    if (characterPatternLength > sizeof characterPattern) luaL_error(L, "'charpattern' too long");
    memcpy(characterPattern, bytes, characterPatternLength);
    return 0;
}

// The result is immutable once it is complete, so states on many threads can use it.
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

void luaroute_charge_bytes(lua_State *L, LuaRouteCost first, LuaRouteCost rest) {
    int count = lua_gettop(L);
    int64_t cost = 1 + count;
    if (first != UNREAD && lua_type(L, 1) == LUA_TSTRING) {
        cost += (int64_t)lua_rawlen(L, 1) / first;
    }
    for (int i = 2; i <= count && rest != UNREAD; i += 1) {
        if (lua_type(L, i) == LUA_TSTRING) cost += (int64_t)lua_rawlen(L, i) / rest;
    }
    luaroute_charge(L, cost);
}

// The tables that contain functions. `STEPS` contains the functions that other functions return.
enum { GLOBALS, STRINGS, TRUSTED_STRINGS, METAMETHODS, TABLES, NUMBERS, TEXTS, COROUTINES, STEPS };

static const struct {
    int library;
    const LuaRouteFunction *functions;
} lists[] = {
    {GLOBALS, base},
    {GLOBALS, luaroute_base_functions},
    {GLOBALS, luaroute_metatables_functions},
    {GLOBALS, luaroute_traversal_functions},
    {STRINGS, string},
    {STRINGS, luaroute_string_functions},
    {STRINGS, luaroute_patterns_functions},
    {TRUSTED_STRINGS, luaroute_trusted_string_functions},
    {METAMETHODS, arithmetic},
    {TABLES, table},
    {TABLES, luaroute_table_functions},
    {NUMBERS, mathematics},
    {NUMBERS, luaroute_random_functions},
    {TEXTS, utf8},
    {TEXTS, luaroute_utf8_functions},
    {COROUTINES, luaroute_coroutine_functions},
    {STEPS, luaroute_list_steps},
    {STEPS, luaroute_text_steps},
};
enum { LISTS = sizeof lists / sizeof *lists };

int luaroute_function_position(lua_CFunction function) {
    int position = 0;
    for (int list = 0; list < LISTS; list += 1) {
        for (const LuaRouteFunction *each = lists[list].functions; each->name != NULL; each += 1) {
            position += 1;
            if (each->charged == function) return position;
        }
    }
    return 0;
}

// Stack: ..., table -> same. The table must have no metatable.
static void addFunctions(lua_State *L, int library) {
    for (int list = 0; list < LISTS; list += 1) {
        if (lists[list].library != library) continue;
        for (const LuaRouteFunction *each = lists[list].functions; each->name != NULL; each += 1) {
            lua_pushlstring(L, each->name, each->length);
            lua_pushcfunction(L, each->charged);
            lua_rawset(L, -3);
        }
    }
}

static void fillString(lua_State *L) {
    addFunctions(L, STRINGS);
    if (luaroute_context(L)->profile == LUAROUTE_TRUSTED) addFunctions(L, TRUSTED_STRINGS);
}

static void fillTable(lua_State *L) { addFunctions(L, TABLES); }

static void fillMath(lua_State *L) {
    addFunctions(L, NUMBERS);
    lua_pushnumber(L, pi);
    lua_setfield(L, -2, "pi");
    lua_pushnumber(L, (lua_Number)HUGE_VAL);
    lua_setfield(L, -2, "huge");
    lua_pushinteger(L, LUA_MAXINTEGER);
    lua_setfield(L, -2, "maxinteger");
    lua_pushinteger(L, LUA_MININTEGER);
    lua_setfield(L, -2, "mininteger");
}

static void fillUTF8(lua_State *L) {
    addFunctions(L, TEXTS);
    lua_pushlstring(L, characterPattern, characterPatternLength);
    lua_setfield(L, -2, "charpattern");
}

static void fillCoroutine(lua_State *L) { addFunctions(L, COROUTINES); }

// All tables with weak values share one metatable.
void luaroute_push_weak(lua_State *L) {
    lua_createtable(L, 0, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    lua_getmetatable(L, -1);
    lua_setmetatable(L, -3);
    lua_pop(L, 1);
}

// Lua creates these strings while it handles errors. If they already exist, no memory is needed at
// that time.
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
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    luaroute_open_held(L);
    luaroute_open_keys(L);

    // The methods of strings are in a table that no script can reach.
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 16);
    addFunctions(L, METAMETHODS);
    lua_createtable(L, 0, 16);
    fillString(L);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    return 0;
}

LuaRouteSlot luaroute_environment(
    LuaRouteContext *context, LuaRouteSlot undefined, LuaRouteSlot ignoring) {
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
        {"utf8", 8, fillUTF8},      {"coroutine", 8, fillCoroutine},
    };
    int count = context->profile == LUAROUTE_TRUSTED ? 5 : 4;
    lua_createtable(L, 0, 32);
    addFunctions(L, GLOBALS);
    luaroute_add_metatables(L, luaroute_position(context, ignoring));
    lua_pushliteral(L, LUA_VERSION);
    lua_setfield(L, -2, "_VERSION");
    for (int i = 0; i < count; i += 1) {
        lua_createtable(L, 0, libraries[i].size);
        libraries[i].fill(L);
        lua_setfield(L, -2, libraries[i].name);
    }
    if (undefined != 0) luaroute_push_globals(L); else lua_pushvalue(L, -1);
    lua_setfield(L, -2, "_G");
    if (undefined != 0) {
        lua_createtable(L, 0, 3);
        lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_position(context, undefined));
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__index");
        lua_setfield(L, -2, "__newindex");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_setmetatable(L, -2);
    }
    LuaRouteSlot slot = luaroute_take(context, L);
    context->exempt -= 1;
    return slot;
}

int luaroute_set_global(
    LuaRouteContext *context, LuaRouteSlot environment, const uint8_t *name, size_t length,
    const LuaRouteFlat *value) {
    int table = luaroute_position(context, environment);
    if (table == 0) return luaroute_fail_dead(context);
    lua_State *L = context->current;
    int top = lua_gettop(L);
    if (!lua_checkstack(L, LUA_MINSTACK)) return luaroute_fail_memory(context);
    size_t position = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, table);
    context->exempt += 1;
    lua_pushlstring(L, (const char *)name, length);
    int status = luaroute_build(context, L, value, &position);
    if (status == LUAROUTE_OK) lua_rawset(L, -3);
    context->exempt -= 1;
    lua_settop(L, top);
    return status;
}
