// SPDX-License-Identifier: MIT
//
// `pairs`, `next` and `ipairs`, in an order that is the same in each run.
#include "internal.h"

enum { HELD_KEYS = 32 };  // maximum number of keys that a closure can store

static const char namesKey;  // in the metatable of a type: the function that lists field names
static const char traversalKey;  // in a table that `next` traverses: its sorted keys

// MARK: Objects

// Objects with fields have the length 0.
static int noLength(lua_State *L) {
    lua_pushinteger(L, 0);
    return 1;
}

void luaroute_set_names(lua_State *L, lua_CFunction list) {
    lua_pushcfunction(L, list);
    lua_rawsetp(L, -2, &namesKey);
    lua_pushcfunction(L, noLength);
    lua_setfield(L, -2, "__len");
}

// Whether the value at an index is an object of a type that lists its field names.
static bool hasNames(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return false;
    bool hasNames = lua_rawgetp(L, -1, &namesKey) != LUA_TNIL;
    lua_pop(L, 2);
    luaroute_hide(L, 2);
    return hasNames;
}

// Stack: ... -> ..., sorted list of the field names of the object at `object`.
static size_t pushNames(lua_State *L, int object) {
    lua_getmetatable(L, object);
    lua_rawgetp(L, -1, &namesKey);
    lua_remove(L, -2);
    lua_pushvalue(L, object);
    lua_call(L, 1, 1);
    size_t count = (size_t)lua_rawlen(L, -1);
    luaroute_charge(L, (int64_t)count * 4);
    return count;
}

// Reads the value for the key on top. Metamethods of a table are not called; an object is read as
// in a script.
static int get(lua_State *L, int table) {
    if (lua_type(L, table) == LUA_TUSERDATA) return lua_gettable(L, table);
    return lua_rawget(L, table);
}

// MARK: Keys

static inline void chargeWalk(lua_State *L, int table) {
    int64_t cost = luaroute_walk(L, table);
    if (cost > 0) luaroute_charge(L, cost);
}

// Stack: ... -> ..., sorted list of the keys of the table at `table`.
static size_t pushKeys(lua_State *L, int table) {
    chargeWalk(L, table);
    int top = lua_gettop(L);
    int64_t bytes = 0, levels = 1;
    size_t count = luaroute_count_keys(L, table, 0, &bytes);
    while (count >> levels > 0) levels += 1;
    luaroute_charge(L, (int64_t)count * 4 + bytes * levels / 64);
    if (count > INT32_MAX - 8) luaL_error(L, "table too large to traverse");
    LuaRouteKey *keys = lua_newuserdatauv(L, count * sizeof(LuaRouteKey), 0);
    lua_createtable(L, (int)count, 1);
    luaL_checkstack(L, (int)count + 8, "table too large to traverse");
    luaroute_read_keys(L, table, 0, keys, count);
    for (size_t i = 0; i < count; i += 1) {
        lua_pushvalue(L, keys[i].index);
        lua_rawseti(L, top + 2, (lua_Integer)i + 1);
    }
    lua_settop(L, top + 2);
    lua_remove(L, top + 1);
    return count;
}

// Pushes the next key and value of a table, and advances the position in its sorted keys. Keys that
// have since been removed are skipped. Returns the number of pushed values: 2, or 0 at the end.
static int pushFrom(lua_State *L, int table, int keys, lua_Integer *position) {
    for (;;) {
        *position += 1;
        if (lua_rawgeti(L, keys, *position) == LUA_TNIL) {
            lua_pop(L, 1);
            return 0;
        }
        lua_pushvalue(L, -1);
        if (get(L, table) != LUA_TNIL) return 2;
        lua_pop(L, 2);
        luaroute_charge(L, 1);
    }
}

// Upvalues: table, position, sorted keys. There is no upvalue after the last key.
static int stepFew(lua_State *L) {
    luaroute_charge(L, 1);
    int *position = lua_touserdata(L, lua_upvalueindex(2));
    for (;;) {
        int key = lua_upvalueindex(3 + *position);
        if (lua_isnone(L, key)) break;
        *position += 1;
        lua_pushvalue(L, key);
        lua_pushvalue(L, key);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 2;
        lua_pop(L, 2);  // the key has since been removed
        luaroute_charge(L, 1);
    }
    lua_pushnil(L);
    return 1;
}

// Pushes a function that iterates over the table at `table`, if all keys fit in its closure. This
// needs one block of memory instead of three.
static bool pushFew(lua_State *L, int table) {
    chargeWalk(L, table);
    LuaRouteKey keys[HELD_KEYS];
    luaL_checkstack(L, 2 * HELD_KEYS + 8, "too many values");
    int top = lua_gettop(L);
    size_t count = luaroute_read_keys(L, table, 0, keys, HELD_KEYS);
    if (count == SIZE_MAX) return false;
    int64_t bytes = 0;
    for (size_t i = 0; i < count; i += 1) bytes += (int64_t)keys[i].length;
    luaroute_charge(L, (int64_t)count * 4 + bytes * (int64_t)count / 64);
    lua_pushvalue(L, table);
    *(int *)lua_newuserdatauv(L, sizeof(int), 0) = 0;
    for (size_t i = 0; i < count; i += 1) lua_pushvalue(L, keys[i].index);
    lua_pushcclosure(L, stepFew, (int)count + 2);
    lua_insert(L, top + 1);
    lua_settop(L, top + 1);
    return true;
}

// Upvalues: table, sorted keys, position.
static int stepKeys(lua_State *L) {
    luaroute_charge(L, 1);
    lua_settop(L, 0);
    lua_Integer position = lua_tointeger(L, lua_upvalueindex(3));
    int count = pushFrom(L, lua_upvalueindex(1), lua_upvalueindex(2), &position);
    lua_pushinteger(L, position);
    lua_replace(L, lua_upvalueindex(3));
    if (count == 0) lua_pushnil(L);
    return count == 0 ? 1 : count;
}

static int pairs(lua_State *L) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (luaroute_get_metafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    bool isObject = hasNames(L, 1);
    if (!isObject) luaL_checktype(L, 1, LUA_TTABLE);
    // Stack: table or view, the table behind the view
    lua_pushvalue(L, 1);
    luaroute_unwrap(L, 2);
    if (isObject || !pushFew(L, 2)) {
        lua_pushvalue(L, 2);
        if (isObject) pushNames(L, 2); else pushKeys(L, 2);
        lua_pushinteger(L, 0);
        lua_pushcclosure(L, stepKeys, 3);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// Returns the position in the list at `keys` of the key at index 2, or 0 if it is not in the list.
static lua_Integer findKey(lua_State *L, int keys, lua_Integer count) {
    luaroute_charge(L, count);
    for (lua_Integer i = 1; i <= count; i += 1) {
        lua_rawgeti(L, keys, i);
        bool isFound = lua_rawequal(L, -1, 2);
        lua_pop(L, 1);
        if (isFound) return i;
    }
    return 0;
}

// Whether a table has a key that scripts can see. The keys are not sorted for this.
static bool hasKey(lua_State *L, int table) {
    chargeWalk(L, table);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (luaroute_is_hidden(L, -1)) continue;
        lua_pop(L, 1);
        return true;
    }
    return false;
}

// Pops the value on top, and stores it as the traversal of a table.
static void setTraversal(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    context->exempt += 1;  // scripts cannot see this key
    lua_rawsetp(L, 1, &traversalKey);
    context->exempt -= 1;
}

// Between calls, a traversal stores its sorted keys in the table, with the position under the key
// 0, until it ends. A single call `next(t)`, which tests whether a table is empty, does not sort
// the keys. The few field names of an object are listed again for each call.
//
// Stack: table, key.
static int nextKey(lua_State *L) {
    bool isObject = hasNames(L, 1);
    if (!isObject) luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    luaroute_unwrap(L, 1);
    bool isFirst = lua_isnil(L, 2);
    if (isFirst && !isObject && !hasKey(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    bool isKnown = !isFirst && !isObject && lua_rawgetp(L, 1, &traversalKey) != LUA_TNIL;
    lua_Integer position = 0;
    if (isKnown) {
        lua_rawgeti(L, 3, 0);
        position = lua_tointeger(L, -1);
        lua_rawgeti(L, 3, position);
        isKnown = lua_rawequal(L, -1, 2);
    }
    lua_settop(L, isKnown ? 3 : 2);
    if (!isKnown) {
        lua_Integer count = (lua_Integer)(isObject ? pushNames(L, 1) : pushKeys(L, 1));
        position = isFirst ? 0 : findKey(L, 3, count);
        if (!isFirst && position == 0) return luaL_error(L, "invalid key to 'next'");
        if (!isObject) {
            lua_pushvalue(L, 3);
            setTraversal(L);
        }
    }
    // Stack: table, key, keys
    int count = pushFrom(L, 1, 3, &position);
    if (count == 0) {
        lua_pushnil(L);
        if (!isObject) setTraversal(L);
        lua_settop(L, 0);
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, position);
    lua_rawseti(L, 3, 0);
    return 2;
}

static int stepList(lua_State *L) {
    lua_Integer position = luaL_checkinteger(L, 2) + 1;
    lua_settop(L, 1);
    lua_pushinteger(L, position);
    return lua_geti(L, 1, position) == LUA_TNIL ? 1 : 2;
}

#define LIST_STEPS(ENTRY) ENTRY("ipairs", stepList, LUAROUTE_UNREAD, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_list_steps, LIST_STEPS);

static int ipairs(lua_State *L) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    lua_pushcfunction(L, luaroute_list_steps->charged);
    lua_insert(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

#define TRAVERSAL_FUNCTIONS(ENTRY) \
    ENTRY("pairs", pairs, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("next", nextKey, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("ipairs", ipairs, LUAROUTE_UNREAD, LUAROUTE_UNREAD)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_traversal_functions, TRAVERSAL_FUNCTIONS);
