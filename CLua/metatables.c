// SPDX-License-Identifier: MIT
//
// The metatables of scripts. Lua uses a copy of the allowed fields, which no script can reach, so
// adding `__gc` or `__mode` later has no effect. Other fields that are added later take effect when
// the metatable is set again, or when the chunk has finished, because modules may define their
// fields in any order. `__call` takes effect immediately.
//
// The chain of tables that one access follows through `__index` is part of one instruction, and so
// is the chain through `__newindex`. The length of both chains is limited. The tables of a chain
// can be linked in any order, so each table stores the number of tables that lead to it.
//
// The metatable itself contains its copy, under a key that no script can see. A registry that maps
// metatables to copies would be an ephemeron table, which Lua collects in quadratic time.
#include "internal.h"

enum { COPYING = 25, CIRCLE = -1 };

static const char copyKey;      // in a metatable: the copy
static const char originalKey;  // in a copy: the metatable
// The fields that form chains. For each field there is a key, under which tables and copies store
// the number of tables that lead to them.
static const char *const links[] = {"__index", "__newindex"};
enum { LINKS = 2 };
static const char linkKeys[LINKS];

static const char *const allowed[] = {
    "__add", "__band", "__bnot", "__bor", "__bxor", "__call", "__concat", "__div", "__eq",
    "__idiv", "__index", "__le", "__len", "__lt", "__mod", "__mul", "__name", "__newindex",
    "__pairs", "__pow", "__shl", "__shr", "__sub", "__tostring", "__unm",
};
// The metafields that are refused, each with the reason and an alternative.
static const struct {
    const char *field, *reason;
} refused[] = {
    {"__close", "no code runs at the end of a block: call the function there"},
    {"__gc", "no code runs when a value is collected: call the function where the value is last used"},
    {"__metatable", "metatables are already frozen copies"},
    {"__mode", "the entries of a table must not depend on garbage collection: remove the entries yourself"},
};
static const char ignored[] = "__mode";  // the field that is ignored in environments for libraries

bool luaroute_is_copy(lua_State *L, int metatable) {
    bool isCopy = lua_rawgetp(L, metatable, &originalKey) != LUA_TNIL;
    lua_pop(L, 1);
    return isCopy;
}

// Whether the `__call` of a metatable may be copied. Lua follows `__call` through callable tables
// without executing an instruction, so a cycle would never end.
static bool isCallable(lua_State *L, int metatable) {
    lua_pushliteral(L, "__call");
    int type = lua_rawget(L, metatable);
    return type == LUA_TNIL || type == LUA_TFUNCTION;
}

static int finishLateCall(lua_State *L, int status, lua_KContext context) {
    (void)status;
    (void)context;
    return luaroute_leave(L, lua_gettop(L));
}

static void copyFields(lua_State *L, int metatable);

// The `__call` of a copy whose metatable had no `__call` when it was set. The metatable may have
// received a `__call` since then.
//
// Stack: table, arguments -> results.
static int callLate(lua_State *L) {
    if (lua_type(L, 1) == LUA_TTABLE && lua_getmetatable(L, 1)) {
        int copy = lua_gettop(L);
        int type = lua_rawgetp(L, copy, &originalKey);
        if (type == LUA_TTABLE && isCallable(L, copy + 1) && !lua_isnil(L, -1)) {
            lua_insert(L, 1);
            lua_insert(L, copy + 1);
            // Stack: function, table, arguments, metatable, copy
            copyFields(L, copy + 1);
            lua_settop(L, copy);
            luaroute_leave(L, copy);
            lua_callk(L, copy - 1, LUA_MULTRET, 0, finishLateCall);
            return luaroute_leave(L, lua_gettop(L));
        }
    }
    lua_Debug call;
    const char *type = luaL_typename(L, 1);
    if (lua_getstack(L, 0, &call) && lua_getinfo(L, "n", &call) && call.name != NULL) {
        return luaL_error(
            L, "attempt to call a %s value (%s '%s')", type, call.namewhat, call.name);
    }
    return luaL_error(L, "attempt to call a %s value", type);
}

// The `__concat` of a copy, if it would crash the linked release of Lua.
static int refuseConcatenation(lua_State *L) {
    char text[128];
    luaroute_write_need(LUAROUTE_CONCATENATION, "'__concat'", text, sizeof text);
    return luaL_error(L, "%s: call a function that joins the values", text);
}

// The number of tables that lead to the table or copy at an index through a field.
static lua_Integer chainLength(lua_State *L, int index, int link) {
    lua_rawgetp(L, index, &linkKeys[link]);
    lua_Integer length = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return length;
}

// Records that `length` tables lead to the table on top through a field, and updates the tables
// that follow in the chain. Returns the length of the chain, or CIRCLE if the chain leads to the
// table at `from`, which is about to be linked. `from` is 0 if there is no such table. A table that
// leads to itself ends the chain.
//
// Stack: ..., table -> ...
static lua_Integer extendChain(lua_State *L, int link, lua_Integer length, int from) {
    int table = lua_gettop(L);
    while (length <= LUAROUTE_CHAIN) {
        if (from != 0 && lua_rawequal(L, from, table)) {
            length = CIRCLE;
            break;
        }
        if (chainLength(L, table, link) >= length) break;
        lua_pushinteger(L, length);
        lua_rawsetp(L, table, &linkKeys[link]);
        if (!lua_getmetatable(L, table) || !luaroute_is_copy(L, -1)) break;
        lua_pushinteger(L, length);
        lua_rawsetp(L, -2, &linkKeys[link]);
        lua_pushstring(L, links[link]);
        if (lua_rawget(L, -2) != LUA_TTABLE || lua_rawequal(L, -1, table)) break;
        lua_replace(L, table);
        lua_settop(L, table);
        length += 1;
    }
    lua_settop(L, table - 1);
    return length;
}

// Stack: ..., copy -> same.
static void copyFields(lua_State *L, int metatable) {
    bool canCall = isCallable(L, metatable) && !lua_isnil(L, -1);
    lua_pop(L, 1);
    int copy = lua_gettop(L);
    bool refuses = (luaroute_context(L)->defects & LUAROUTE_CONCATENATION) != 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i += 1) {
        lua_pushstring(L, allowed[i]);
        lua_pushvalue(L, -1);
        int type = lua_rawget(L, metatable);
        lua_CFunction other = NULL;
        if (!canCall && strcmp(allowed[i], "__call") == 0) {
            other = callLate;
        } else if (refuses && type != LUA_TNIL && strcmp(allowed[i], "__concat") == 0) {
            other = refuseConcatenation;
        }
        if (other != NULL) {
            lua_pop(L, 1);
            lua_pushcfunction(L, other);
        }
        lua_rawset(L, copy);
    }
}

// Raises an error if a metatable has a field that is not allowed. Upvalue: the function to call
// when a field is ignored, or nil.
static void checkFields(lua_State *L) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i += 1) {
        lua_pushstring(L, refused[i].field);
        // A `__metatable` field that contains the metatable itself has no effect.
        if (lua_rawget(L, 2) == LUA_TNIL || lua_rawequal(L, -1, 2)) {
            lua_pop(L, 1);
            continue;
        }
        if (strcmp(refused[i].field, ignored) != 0 || lua_isnil(L, lua_upvalueindex(1))) {
            luaL_error(
                L, "metafield '%s' is not allowed (%s)", refused[i].field, refused[i].reason);
        }
        lua_pop(L, 1);
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_call(L, 0, 0);
    }
    if (!isCallable(L, 2)) {
        luaL_error(
            L, "bad metafield '__call' (function expected, got %s)", luaL_typename(L, -1));
    }
    lua_pop(L, 1);
}

// Creates the copy of the metatable at index 2. The metatable and the copy reference each other, so
// both live as long as one of them is used.
//
// Stack: ... -> ..., copy.
static void makeCopy(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, 2);
    lua_rawsetp(L, -2, &originalKey);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "__metatable");
    // Hidden keys do not count toward the memory limit.
    context->exempt += 1;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, 2, &copyKey);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)luaroute_serial(lua_topointer(L, -3)));
    lua_pop(L, 1);
    context->exempt -= 1;
}

// Stack: table, metatable of the script -> ..., copy. All tables with the same metatable share one
// copy, which is updated each time.
static void pushCopy(lua_State *L) {
    checkFields(L);
    if (lua_rawgetp(L, 2, &copyKey) == LUA_TNIL) {
        lua_pop(L, 1);
        makeCopy(L);
    }
    copyFields(L, 2);
}

// Adds the links of the copy on top to the chains. `table` is the index of the table that will get
// the copy, or 0.
//
// Stack: ..., copy -> same.
static void linkCopy(lua_State *L, int table) {
    LuaRouteContext *context = luaroute_context(L);
    int copy = lua_gettop(L);
    for (int link = 0; link < LINKS; link += 1) {
        lua_pushstring(L, links[link]);
        if (lua_rawget(L, copy) != LUA_TTABLE) {
            lua_pop(L, 1);
            continue;
        }
        lua_Integer length = chainLength(L, copy, link);
        lua_Integer led = table == 0 ? 0 : chainLength(L, table, link);
        if (led > length) length = led;
        context->exempt += 1;  // scripts do not see these keys
        if (length > 0) {
            lua_pushinteger(L, length);
            lua_rawsetp(L, copy, &linkKeys[link]);
        }
        if (table == 0 || !lua_rawequal(L, -1, table)) {
            length = extendChain(L, link, length + 1, table);
        }
        context->exempt -= 1;
        if (length == CIRCLE) {
            luaL_error(L, "a chain of '%s' leads back to the table itself", links[link]);
        } else if (length > LUAROUTE_CHAIN) {
            context->chain = links[link];
            context->tripped = LUAROUTE_MEMORY;
            luaroute_terminate(L);
        }
        lua_settop(L, copy);
    }
}

// Updates the copies of all metatables after a chunk has run.
static int settle(lua_State *L) {
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_METATABLES);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        luaroute_charge(L, COPYING);
        if (lua_type(L, 3) == LUA_TTABLE && lua_rawgetp(L, 3, &originalKey) == LUA_TTABLE) {
            lua_insert(L, 3);
            // Stack: copies, key, metatable, copy
            copyFields(L, 3);
            linkCopy(L, 0);
        }
        lua_settop(L, 2);
    }
    return luaroute_leave(L, 0);
}

LuaRouteSlot luaroute_settler(LuaRouteContext *context) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 4)) return 0;
    lua_pushcfunction(L, settle);
    return luaroute_take(context, L);
}

static int setMetatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    lua_settop(L, 2);
    if (lua_getmetatable(L, 1)) {
        if (!luaroute_is_copy(L, 3)) return luaL_error(L, "cannot change a protected metatable");
        lua_pop(L, 1);
    }
    luaroute_charge(L, COPYING);
    if (type == LUA_TTABLE) {
        pushCopy(L);
        linkCopy(L, 1);
    }
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return luaroute_leave(L, 1);
}

static int getMetatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (!luaroute_get_metafield(L, 1, "__metatable")) lua_pushnil(L);
    // A protected metatable is hidden.
    if (lua_type(L, -1) == LUA_TBOOLEAN) lua_pushnil(L);
    return 1;
}

#define METATABLE_FUNCTIONS(ENTRY) \
    ENTRY("getmetatable", getMetatable, LUAROUTE_UNREAD, LUAROUTE_UNREAD)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_metatables_functions, METATABLE_FUNCTIONS);

void luaroute_add_metatables(lua_State *L, int ignoring) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, ignoring);
    lua_pushcclosure(L, setMetatable, 1);
    lua_setfield(L, -2, "setmetatable");
}
