// SPDX-License-Identifier: MIT
//
// `table`: the standard functions, charged before they run. They accept only tables without
// `__len`, so that the length is known.
#include "internal.h"

enum { CONCAT, INSERT, MOVE, REMOVE, UNPACK_LIST, TABLE_COUNT };
static const char *const tableNames[TABLE_COUNT] = {"concat", "insert", "move", "remove", "unpack"};

// The approximate maximum number of tables that Lua follows through `__index` and `__newindex`.
enum { HOPS = 2000 };

static lua_CFunction standardTable[TABLE_COUNT];

void luaroute_read_table(lua_State *L) { luaroute_read(L, tableNames, standardTable, TABLE_COUNT); }

// Returns the length of the table at index 1, which must not have `__len`. A frozen table is
// unwrapped if it is read, and causes an error if it is written.
static lua_Integer checkTable(lua_State *L, bool isRead) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (isRead) luaroute_unwrap(L, 1); else luaroute_check_writable(L, 1);
    if (luaroute_get_metafield(L, 1, "__len") != LUA_TNIL) {
        luaL_argerror(L, 1, "table without '__len' expected");
    }
    return (lua_Integer)lua_rawlen(L, 1);
}

int64_t luaroute_count_hops(lua_State *L, int index, const char *field) {
    int64_t hops = 1;
    lua_pushvalue(L, index);
    while (hops < HOPS && lua_type(L, -1) == LUA_TTABLE && lua_getmetatable(L, -1)) {
        lua_pushstring(L, field);
        lua_rawget(L, -2);
        lua_replace(L, -3);
        lua_pop(L, 1);
        hops += 1;
    }
    lua_pop(L, 1);
    luaroute_hide(L, 3);
    return hops;
}

// Charges the given number of items of the table at index 1. Each item may be looked up through a
// chain of tables.
static int64_t chargeItems(lua_State *L, lua_Integer count, bool isWritten) {
    int64_t cost = luaroute_count_hops(L, 1, "__index");
    if (isWritten) cost += luaroute_count_hops(L, 1, "__newindex") - 1;
    luaroute_charge(L, count > INT32_MAX ? INT32_MAX : count * cost);
    return cost;
}

static int concat(lua_State *L) {
    lua_Integer length = checkTable(L, true);
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_Integer last = luaL_optinteger(L, 4, length);
    if (luaroute_get_metafield(L, 1, "__index") != LUA_TNIL) {
        // A metamethod may provide a value for every index within the bounds.
        lua_Unsigned count = first > last ? 0 : (lua_Unsigned)last - (lua_Unsigned)first;
        length = count < INT32_MAX ? (lua_Integer)count : INT32_MAX;
        lua_pop(L, 1);
    }
    chargeItems(L, length, false);
    size_t used = luaroute_context(L)->used;
    int count = standardTable[CONCAT](L);
    size_t grown = luaroute_context(L)->used;
    luaroute_charge(L, grown > used ? (int64_t)(grown - used) / 16 : 0);
    return count;
}

static int insert(lua_State *L) {
    lua_Integer length = checkTable(L, false);
    if (lua_gettop(L) == 3) chargeItems(L, length, true);
    return standardTable[INSERT](L);
}

static int removeItem(lua_State *L) {
    lua_Integer length = checkTable(L, false);
    if (lua_gettop(L) > 1) chargeItems(L, length, true);
    return standardTable[REMOVE](L);
}

static int moveItems(lua_State *L) {
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, target, LUA_TTABLE);
    luaroute_check_writable(L, target);
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    lua_Unsigned count = first > last ? 0 : (lua_Unsigned)last - (lua_Unsigned)first;
    int64_t cost = luaroute_count_hops(L, 1, "__index");
    cost += luaroute_count_hops(L, target, "__newindex");
    luaroute_charge(L, count > INT32_MAX ? INT32_MAX : (int64_t)count * cost);
    return standardTable[MOVE](L);
}

// MARK: Sorting

// The standard sort uses the clock to choose pivots if partitions are unbalanced, so the order of
// equal items differs between runs. This sort uses fixed pseudo-random numbers. If the items are in
// an adversarial order, the full cost is charged.

enum { FEWEST = 8, UNCHARGED = 64, COMPARED = 4 };

// Charges the comparison of two strings, which Lua compares by the rules of the locale.
static void chargeComparison(lua_State *L, int first, int second) {
    if (lua_type(L, first) != LUA_TSTRING || lua_type(L, second) != LUA_TSTRING) return;
    size_t length = lua_rawlen(L, first), other = lua_rawlen(L, second);
    if (other < length) length = other;
    if (length >= COMPARED) luaroute_charge(L, (int64_t)length / COMPARED);
}

// Whether the value at one index sorts before the value at another.
static bool isBefore(lua_State *L, int first, int second) {
    if (lua_isnil(L, 2)) chargeComparison(L, first, second);
    if (lua_isnil(L, 2)) return lua_compare(L, first, second, LUA_OPLT);
    first = lua_absindex(L, first);
    second = lua_absindex(L, second);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, first);
    lua_pushvalue(L, second);
    lua_call(L, 2, 1);
    bool isBefore = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return isBefore;
}

static int failOrder(lua_State *L) {
    return luaL_error(L, "invalid order function for sorting");
}

// Moves the items that sort before a pivot to the front, and returns the end of this part. Neither
// of the two parts is empty.
static lua_Integer divide(lua_State *L, lua_Integer first, lua_Integer last, lua_Integer pivot) {
    lua_Integer low = first - 1, high = last + 1;
    lua_geti(L, 1, pivot);
    for (;;) {
        do {
            lua_settop(L, 3);
            low += 1;
            if (low > last) failOrder(L);
            lua_geti(L, 1, low);
        } while (isBefore(L, 4, 3));
        do {
            lua_settop(L, 4);
            high -= 1;
            if (high < first) failOrder(L);
            lua_geti(L, 1, high);
        } while (isBefore(L, 3, 5));
        if (low >= high) break;
        lua_seti(L, 1, low);
        lua_seti(L, 1, high);
    }
    lua_settop(L, 2);
    if (high == last) failOrder(L);
    return high;
}

// Sorts a few items by insertion, so that two items need only one comparison.
static void insertEach(lua_State *L, lua_Integer first, lua_Integer last) {
    for (lua_Integer next = first + 1; next <= last; next += 1) {
        lua_Integer place = next;
        lua_geti(L, 1, next);
        for (; place > first; place -= 1) {
            lua_geti(L, 1, place - 1);
            if (!isBefore(L, 3, 4)) break;
            lua_seti(L, 1, place);
        }
        lua_settop(L, 3);
        if (place < next) lua_seti(L, 1, place);
        lua_settop(L, 2);
    }
}

// Stack: table, order or nil -> same.
static void sortRange(
    lua_State *L, lua_Integer first, lua_Integer last, int64_t cost, uint64_t *random) {
    while (first < last) {
        lua_Integer count = last - first;
        luaroute_charge(L, (count + 1) * cost);
        if (count < FEWEST) {
            insertEach(L, first, last);
            return;
        }
        lua_Integer pivot = first + count / 2;
        if (count > UNCHARGED) {
            *random = *random * 6364136223846793005 + 1442695040888963407;
            pivot = first + (lua_Integer)((*random >> 33) % (uint64_t)count);
        }
        lua_Integer middle = divide(L, first, last, pivot);
        // The smaller part is sorted first, to limit the depth of recursion.
        if (middle - first < last - middle) {
            sortRange(L, first, middle, cost, random);
            first = middle + 1;
        } else {
            sortRange(L, middle + 1, last, cost, random);
            last = middle;
        }
    }
}

static int sortList(lua_State *L) {
    lua_Integer length = checkTable(L, false);
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_argcheck(L, length < INT32_MAX, 1, "array too big");
    lua_settop(L, 2);
    uint64_t random = 0;
    sortRange(L, 1, length, chargeItems(L, 0, true), &random);
    return 0;
}

static int unpackList(lua_State *L) {
    checkTable(L, true);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, (lua_Integer)lua_rawlen(L, 1));
    if (first <= last) {
        lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
        chargeItems(L, count > 1000000 ? 1 : (lua_Integer)count, false);
    }
    return standardTable[UNPACK_LIST](L);
}

#define TABLE_FUNCTIONS(ENTRY) \
    ENTRY("concat", concat, LUAROUTE_UNREAD, LUAROUTE_COPIED) \
    ENTRY("insert", insert, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("move", moveItems, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("remove", removeItem, LUAROUTE_UNREAD, LUAROUTE_PARSED) \
    ENTRY("sort", sortList, LUAROUTE_UNREAD, LUAROUTE_UNREAD) \
    ENTRY("unpack", unpackList, LUAROUTE_UNREAD, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_table_functions, TABLE_FUNCTIONS);
