// SPDX-License-Identifier: MIT
//
// The order of keys: integers, strings by their bytes, other numbers, truth values, objects by
// type and identifier, tables and functions by creation. So it is the same in each run.
#include "internal.h"

enum { INTEGER, STRING, NUMBER, TRUTH, OBJECT, REFERENCE };

static void readKey(lua_State *L, int index, LuaRouteKey *key) {
    *key = (LuaRouteKey){.index = index};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            key->integer = lua_tointeger(L, index);
        } else {
            key->rank = NUMBER;
            key->number = lua_tonumber(L, index);
        }
        break;
    case LUA_TSTRING:
        key->rank = STRING;
        key->bytes = lua_tolstring(L, index, &key->length);
        break;
    case LUA_TBOOLEAN:
        key->rank = TRUTH;
        key->integer = lua_toboolean(L, index);
        break;
    case LUA_TUSERDATA: {
        uint32_t type = 0;
        key->rank = OBJECT;
        luaroute_object(L, index, &type, &key->integer);
        key->number = type;
        break;
    }
    case LUA_TFUNCTION:
        key->rank = REFERENCE;
        // A C function without upvalues is no block of its own.
        if (lua_iscfunction(L, index)) {
            if (lua_getupvalue(L, index, 1) == NULL) break;
            lua_pop(L, 1);
        }
        key->integer = (int64_t)luaroute_serial(lua_topointer(L, index));
        break;
    case LUA_TTABLE:
        key->rank = REFERENCE;
        key->integer = (int64_t)luaroute_serial(lua_topointer(L, index));
        break;
    case LUA_TTHREAD:
        // Its block begins with the extra space.
        key->rank = REFERENCE;
        key->integer = (int64_t)luaroute_serial(
            (const char *)lua_topointer(L, index) - LUA_EXTRASPACE);
        break;
    default:
        key->rank = REFERENCE;
    }
}

static int compare(const void *first, const void *second) {
    const LuaRouteKey *left = first, *right = second;
    if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
    if (left->rank == STRING) {
        size_t common = left->length < right->length ? left->length : right->length;
        int order = memcmp(left->bytes, right->bytes, common);
        if (order != 0) return order;
        return left->length < right->length ? -1 : left->length > right->length;
    }
    if (left->number != right->number) return left->number < right->number ? -1 : 1;
    return left->integer < right->integer ? -1 : left->integer > right->integer;
}

static bool isInList(lua_State *L, lua_Integer list) {
    if (list == 0 || !lua_isinteger(L, -1)) return false;
    lua_Integer integer = lua_tointeger(L, -1);
    return integer >= 1 && integer <= list;
}

size_t luaroute_count_keys(lua_State *L, int table, lua_Integer list, int64_t *bytes) {
    size_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (isInList(L, list)) continue;
        count += 1;
        if (bytes != NULL && lua_type(L, -1) == LUA_TSTRING) *bytes += (int64_t)lua_rawlen(L, -1);
    }
    return count;
}

// Stack: ... -> ..., keys. The caller has made room for them, and two more.
void luaroute_sort_keys(lua_State *L, int table, lua_Integer list, LuaRouteKey *keys) {
    size_t count = 0;
    bool isSorted = true;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (isInList(L, list)) continue;
        readKey(L, lua_gettop(L), &keys[count]);
        if (count > 0 && compare(&keys[count - 1], &keys[count]) > 0) isSorted = false;
        count += 1;
        lua_pushvalue(L, -1);
    }
    if (!isSorted) qsort(keys, count, sizeof(LuaRouteKey), compare);
}
