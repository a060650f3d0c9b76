// SPDX-License-Identifier: MIT
//
// The order of keys: integers, strings by their bytes, other numbers, Booleans, objects by type and
// identifier, and tables and functions by creation. This order is the same in each run.
#include "internal.h"

enum { INTEGER, STRING, NUMBER, TRUTH, OBJECT, REFERENCE };
enum {
    INSERTED = 32,  // maximum number of keys that are sorted by insertion
    SLOTS = 16,     // slots of a table that are walked in the time of one instruction
};

// Returns the first bytes of a string as a number. Comparing these numbers is sufficient to order
// most strings.
static inline uint64_t keyPrefix(const char *bytes, size_t length) {
    uint64_t prefix = 0;
    memcpy(&prefix, bytes, length < sizeof prefix ? length : sizeof prefix);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    prefix = __builtin_bswap64(prefix);
#endif
    return prefix;
}

static void readKey(lua_State *L, int index, LuaRouteKey *key) {
    *key = (LuaRouteKey){.index = index};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            key->integer = lua_tointeger(L, index);
            key->prefix = (uint64_t)key->integer ^ (uint64_t)1 << 63;
        } else {
            key->rank = NUMBER;
            key->number = lua_tonumber(L, index);
        }
        break;
    case LUA_TSTRING:
        key->rank = STRING;
        key->bytes = lua_tolstring(L, index, &key->length);
        key->prefix = keyPrefix(key->bytes, key->length);
        break;
    case LUA_TBOOLEAN:
        key->rank = TRUTH;
        key->integer = lua_toboolean(L, index);
        break;
    case LUA_TUSERDATA: {
        uint32_t type = 0;
        key->rank = OBJECT;
        luaroute_object(L, index, &type, &key->integer);
        key->prefix = type;
        break;
    }
    case LUA_TFUNCTION:
        key->rank = REFERENCE;
        // A C function without upvalues has no memory block.
        if (lua_iscfunction(L, index)) {
            if (lua_getupvalue(L, index, 1) == NULL) {
                key->integer = luaroute_function_position(lua_tocfunction(L, index));
                break;
            }
            lua_pop(L, 1);
        }
        key->integer = (int64_t)luaroute_serial(lua_topointer(L, index));
        break;
    case LUA_TTABLE:
        key->rank = REFERENCE;
        key->integer = (int64_t)luaroute_serial(lua_topointer(L, index));
        break;
    case LUA_TTHREAD:
        // The memory block of a thread begins with Lua's extra space.
        key->rank = REFERENCE;
        key->integer = (int64_t)luaroute_serial(
            (const char *)lua_topointer(L, index) - LUA_EXTRASPACE);
        break;
    default:
        key->rank = REFERENCE;
    }
}

static inline int compareKeys(const LuaRouteKey *left, const LuaRouteKey *right) {
    if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
    if (left->prefix != right->prefix) return left->prefix < right->prefix ? -1 : 1;
    if (left->rank == STRING) {
        size_t common = left->length < right->length ? left->length : right->length;
        int order = memcmp(left->bytes, right->bytes, common);
        if (order != 0) return order;
        return left->length < right->length ? -1 : left->length > right->length;
    }
    if (left->rank == NUMBER) {
        return left->number < right->number ? -1 : left->number > right->number;
    }
    return left->integer < right->integer ? -1 : left->integer > right->integer;
}

static int compare(const void *first, const void *second) { return compareKeys(first, second); }

static void sortKeys(LuaRouteKey *keys, size_t count) {
    if (count > INSERTED) {
        qsort(keys, count, sizeof(LuaRouteKey), compare);
        return;
    }
    for (size_t i = 1; i < count; i += 1) {
        LuaRouteKey key = keys[i];
        size_t place = i;
        while (place > 0 && compareKeys(&key, &keys[place - 1]) < 0) {
            keys[place] = keys[place - 1];
            place -= 1;
        }
        keys[place] = key;
    }
}

static bool isInList(lua_State *L, lua_Integer list) {
    if (list == 0 || !lua_isinteger(L, -1)) return false;
    lua_Integer integer = lua_tointeger(L, -1);
    return integer >= 1 && integer <= list;
}

// MARK: Slots

// No Lua function returns the number of slots in a table, which determines the cost of a walk over
// the table: a table that was emptied keeps all its slots. The offsets of the two sizes in the
// table structure are therefore found with tables of known sizes.
//
// Finds the offset at which three tables contain three given numbers; 0 if there is none. Tables
// begin with a pointer to another object, which is skipped, because the bytes of the pointer could
// equal the given numbers by chance.
//
// Stack: ..., three tables -> ...
static size_t findSize(lua_State *L, const void *numbers, size_t bytes) {
    const char *tables[3];
    for (int i = 0; i < 3; i += 1) tables[i] = lua_topointer(L, i - 3);
    size_t place = 0;
    for (size_t next = sizeof(void *); place == 0 && next < luaroute_context(L)->table; next += bytes) {
        bool isPlace = true;
        for (int i = 0; i < 3; i += 1) {
            const char *number = (const char *)numbers + (size_t)i * bytes;
            isPlace = isPlace && memcmp(tables[i] + next, number, bytes) == 0;
        }
        if (isPlace) place = next;
    }
    lua_pop(L, 3);
    return place;
}

void luaroute_open_keys(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    lua_gc(L, LUA_GCSTOP);
    size_t start = context->used;
    lua_createtable(L, 0, 0);
    context->table = context->used - start;
    lua_createtable(L, 0, 1);
    context->node = context->used - start - 2 * context->table;
    lua_pop(L, 2);
    static const uint32_t sizes[] = {0, 8, 64};
    for (int i = 0; i < 3; i += 1) lua_createtable(L, (int)sizes[i], 0);
    context->listSize = findSize(L, sizes, sizeof *sizes);
    static const uint8_t exponents[] = {0, 3, 6};
    for (int i = 0; i < 3; i += 1) lua_createtable(L, 0, (int)sizes[i]);
    context->hashSize = findSize(L, exponents, sizeof *exponents);
    lua_gc(L, LUA_GCRESTART);
}

int64_t luaroute_walk(lua_State *L, int index) {
    const LuaRouteContext *context = luaroute_context(L);
    if (context->listSize == 0 || context->hashSize == 0) return 0;
    const char *table = lua_topointer(L, index);
    uint32_t list;
    memcpy(&list, table + context->listSize, sizeof list);
    return ((int64_t)list + ((int64_t)1 << (table[context->hashSize] & 31))) / SLOTS;
}

size_t luaroute_count_keys(lua_State *L, int table, lua_Integer list, int64_t *bytes) {
    size_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (luaroute_is_hidden(L, -1) || isInList(L, list)) continue;
        count += 1;
        if (bytes != NULL && lua_type(L, -1) == LUA_TSTRING) *bytes += (int64_t)lua_rawlen(L, -1);
    }
    return count;
}

size_t luaroute_read_keys(
    lua_State *L, int table, lua_Integer list, LuaRouteKey *keys, size_t room) {
    int top = lua_gettop(L);
    size_t count = 0;
    bool isSorted = true;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (luaroute_is_hidden(L, -1) || isInList(L, list)) continue;
        if (count == room) {
            lua_settop(L, top);
            return SIZE_MAX;
        }
        readKey(L, top + 1 + (int)count, &keys[count]);
        if (count > 0 && compareKeys(&keys[count - 1], &keys[count]) > 0) isSorted = false;
        count += 1;
        lua_pushvalue(L, -1);
    }
    if (!isSorted) sortKeys(keys, count);
    return count;
}
