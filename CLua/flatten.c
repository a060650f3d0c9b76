// SPDX-License-Identifier: MIT
//
// Converts Lua values to flat trees, using raw access, so that no script runs during the operation.
#include "path.h"

void luaroute_flat_grow_values(LuaRouteFlat *flat) {
    size_t capacity = flat->capacity == 0 ? 32 : flat->capacity * 2;
    LuaRouteValue *values = realloc(flat->values, capacity * sizeof(LuaRouteValue));
    if (values == NULL) abort();
    flat->values = values;
    flat->capacity = capacity;
}

void luaroute_flat_grow_bytes(LuaRouteFlat *flat, size_t count) {
    if (flat->byteCapacity - flat->length >= count) return;
    size_t capacity = flat->byteCapacity == 0 ? 256 : flat->byteCapacity * 2;
    if (capacity < flat->length + count) capacity = flat->length + count;
    uint8_t *bytes = realloc(flat->bytes, capacity);
    if (bytes == NULL) abort();
    flat->bytes = bytes;
    flat->byteCapacity = capacity;
}

void luaroute_flat_free(LuaRouteFlat *flat) {
    free(flat->values);
    free(flat->bytes);
}

__attribute__((always_inline)) static inline void append(
    LuaRouteFlat *flat, uint32_t tag, size_t length, int64_t payload) {
    if (flat->count == flat->capacity) luaroute_flat_grow_values(flat);
    flat->values[flat->count] = (LuaRouteValue){tag, (uint32_t)length, payload};
    flat->count += 1;
}

static void appendNumber(LuaRouteFlat *flat, lua_Number number) {
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    append(flat, LUAROUTE_NUMBER, 0, bits);
}

static inline void appendString(LuaRouteFlat *flat, const char *bytes, size_t length) {
    // Leaves space for the bytes that `flatPrefix` reads beyond the end of the string.
    if (flat->byteCapacity - flat->length < length + sizeof(uint64_t)) {
        luaroute_flat_grow_bytes(flat, length + sizeof(uint64_t));
    }
    memcpy(flat->bytes + flat->length, bytes, length);
    append(flat, LUAROUTE_STRING, length, (int64_t)flat->length);
    flat->length += length;
}

enum {
    SMALL = 32,    // maximum number of entries of a table that a single walk can flatten
    UNTIMED = 64,  // number of tables between two checks of the clock
    NAMES = 4096,  // maximum number of keys that are listed for a message
};

// Whether a tree exceeds the limit on values or bytes for one transfer.
static inline bool isFull(LuaRouteContext *context, const LuaRouteFlat *flat) {
    return flat->count > LUAROUTE_CROSSING || flat->length > luaroute_soft(context);
}

// The path from the transferred value to the part that cannot be transferred.
typedef struct Path {
    const struct Path *parent;
    LuaRouteKey key;
} Path;

static void putPath(const Path *path, LuaRouteText *text) {
    if (path == NULL) return;
    putPath(path->parent, text);
    if (path->key.rank == 1) {
        luaroute_put_key(text, (const uint8_t *)path->key.bytes, path->key.length);
    } else {
        luaroute_put_integer(text, path->key.integer);
    }
}

static int refuseValue(LuaRouteContext *context, const Path *path, const char *what) {
    LuaRouteText text = {.length = 0};
    putPath(path, &text);
    return luaroute_blame(context, &text, what);
}

static int flatten(
    LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat, const Path *path,
    int depth);

static int flattenEntries(
    LuaRouteContext *context, lua_State *L, int table, LuaRouteFlat *flat, const Path *path,
    int depth, size_t count, lua_Integer list) {
    if (count > LUAROUTE_CROSSING || !lua_checkstack(L, (int)count + 8)) {
        return refuseValue(context, path, "a table with too many entries cannot be passed between scripts and host");
    }
    LuaRouteKey small[16];
    LuaRouteKey *keys = small;
    if (count > 16) keys = malloc(count * sizeof(LuaRouteKey));
    if (keys == NULL) abort();
    luaroute_read_keys(L, table, list, keys, count);
    int status = LUAROUTE_OK;
    // When the table is rebuilt from its records, all keys may collide, and no instruction hook can
    // interrupt the operation.
    if (count > LUAROUTE_SPARSE && keys[LUAROUTE_SPARSE].rank == 0) {
        status = refuseValue(
            context, path, "a table with too many integer keys outside its list part cannot be passed between scripts and host");
    }
    for (size_t i = 0; i < count && status == LUAROUTE_OK; i += 1) {
        Path next = {path, keys[i]};
        if (keys[i].rank > 1) {
            status = refuseValue(context, path, "a table with a key that is neither an integer nor a string cannot be passed between scripts and host");
            break;
        }
        status = flatten(context, L, keys[i].index, flat, &next, depth + 1);
        if (status != LUAROUTE_OK) break;
        lua_pushvalue(L, keys[i].index);
        lua_rawget(L, table);
        status = flatten(context, L, lua_gettop(L), flat, &next, depth + 1);
        lua_pop(L, 1);
    }
    if (keys != small) free(keys);
    return status;
}

// Returns the first bytes of the last appended string as a number. Comparing these numbers is
// sufficient to order most strings.
static inline uint64_t flatPrefix(const LuaRouteFlat *flat, size_t length) {
    if (length == 0) return 0;
    uint64_t prefix;
    memcpy(&prefix, flat->bytes + flat->length - length, sizeof prefix);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    prefix = __builtin_bswap64(prefix);
#endif
    return length < sizeof prefix ? prefix & ~(UINT64_MAX >> 8 * length) : prefix;
}

// Appends the value on top if it is a Boolean, a number or a string.
__attribute__((always_inline)) static inline bool appendPlain(lua_State *L, LuaRouteFlat *flat) {
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        append(flat, LUAROUTE_BOOLEAN, 0, lua_toboolean(L, -1));
        return true;
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1)) {
            append(flat, LUAROUTE_INTEGER, 0, lua_tointeger(L, -1));
        } else {
            appendNumber(flat, lua_tonumber(L, -1));
        }
        return true;
    case LUA_TSTRING: {
        size_t length;
        const char *bytes = lua_tolstring(L, -1, &length);
        if (length > UINT32_MAX) return false;
        appendString(flat, bytes, length);
        return true;
    }
    default:
        return false;
    }
}

// Whether one string sorts before another that begins with the same bytes.
__attribute__((noinline)) static bool continuesBefore(
    const LuaRouteFlat *flat, const LuaRouteValue *key, const LuaRouteValue *other) {
    size_t common = key->length < other->length ? key->length : other->length;
    int order = memcmp(flat->bytes + key->payload, flat->bytes + other->payload, common);
    return order != 0 ? order < 0 : key->length < other->length;
}

// Whether a key with the given prefix sorts before the key of another record.
static inline bool comesBefore(
    const LuaRouteFlat *flat, const LuaRouteValue *key, uint64_t keyPrefix,
    const LuaRouteValue *other, uint64_t otherPrefix) {
    if (key->tag != other->tag) return key->tag == LUAROUTE_INTEGER;
    if (keyPrefix != otherPrefix) return keyPrefix < otherPrefix;
    return key->tag == LUAROUTE_STRING && continuesBefore(flat, key, other);
}

// Marks a value that needs further work after the entries are sorted. The payload is the stack
// index of the value.
enum { WAITING_VALUE = UINT8_MAX };

// Appends entries in order. Some of their values are still on the stack.
static int flattenWaiting(
    LuaRouteContext *context, lua_State *L, LuaRouteFlat *flat, const Path *path, int depth,
    const LuaRouteValue *pairs, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i += 1) {
        LuaRouteValue key = pairs[2 * i], value = pairs[2 * i + 1];
        append(flat, key.tag, key.length, key.payload);
        if (value.tag != WAITING_VALUE) {
            append(flat, value.tag, value.length, value.payload);
            continue;
        }
        Path next = {path, {.rank = 0, .integer = key.payload}};
        if (key.tag == LUAROUTE_STRING) {
            next.key = (LuaRouteKey){.rank = 1, .bytes = names[i], .length = key.length};
        }
        int status = flatten(context, L, (int)value.payload, flat, &next, depth + 1);
        if (status != LUAROUTE_OK) return status;
    }
    return LUAROUTE_OK;
}

// Appends the entries of a small table that has only integer and string keys. Each entry consists
// of two records, which are inserted in order, so that the table is walked only once. For any other
// table, returns false and leaves the tree unchanged.
static bool flattenSmall(
    LuaRouteContext *context, lua_State *L, int table, LuaRouteFlat *flat, const Path *path,
    int depth, lua_Integer list, size_t header, int *status) {
    uint64_t prefixes[SMALL];
    const char *names[SMALL];
    size_t first = flat->count, length = flat->length, count = 0;
    int waiting = table;  // the stack index of the last value that needs further work
    lua_pushnil(L);
    while (lua_next(L, table)) {
        int type = lua_type(L, -2);
        uint64_t own;
        const char *name = NULL;
        if (type == LUA_TSTRING) {
            size_t size;
            name = lua_tolstring(L, -2, &size);
            if (count == SMALL || size > UINT32_MAX) break;
            appendString(flat, name, size);
            own = flatPrefix(flat, size);
        } else if (type == LUA_TNUMBER && lua_isinteger(L, -2)) {
            lua_Integer integer = lua_tointeger(L, -2);
            if (integer >= 1 && integer <= list) {
                lua_pop(L, 1);
                continue;
            }
            if (count == SMALL) break;
            own = (uint64_t)integer ^ (uint64_t)1 << 63;
            append(flat, LUAROUTE_INTEGER, 0, integer);
        } else if (luaroute_is_hidden(L, -2)) {
            lua_pop(L, 1);
            continue;
        } else {
            break;
        }
        if (appendPlain(L, flat)) {
            lua_pop(L, 1);
        } else {
            lua_insert(L, -2);
            waiting += 1;
            append(flat, WAITING_VALUE, 0, waiting);
        }
        // Insert the entry after the last key that does not sort after the new key.
        LuaRouteValue *pairs = &flat->values[first], *place = pairs + 2 * count;
        size_t rank = count;
        LuaRouteValue key = place[0], value = place[1];
        while (rank > 0 && comesBefore(flat, &key, own, place - 2, prefixes[rank - 1])) {
            place[0] = place[-2];
            place[1] = place[-1];
            prefixes[rank] = prefixes[rank - 1];
            names[rank] = names[rank - 1];
            place -= 2;
            rank -= 1;
        }
        place[0] = key;
        place[1] = value;
        prefixes[rank] = own;
        names[rank] = name;
        count += 1;
    }
    bool isWhole = lua_gettop(L) == waiting;
    if (!isWhole || isFull(context, flat)) {
        lua_settop(L, table);
        flat->count = first;
        flat->length = length;
        return false;
    }
    flat->values[header].length = (uint32_t)list;
    flat->values[header].payload = (int64_t)count;
    if (waiting > table) {
        // The contents of tables on the stack are appended between the records, and may consist of
        // many records.
        LuaRouteValue pairs[2 * SMALL];
        memcpy(pairs, &flat->values[first], 2 * count * sizeof(LuaRouteValue));
        flat->count = first;
        *status = flattenWaiting(context, L, flat, path, depth, pairs, names, count);
    }
    return true;
}

// Charges the cost of a walk over a table, and checks the budget every few tables.
static int lookAfter(LuaRouteContext *context, int64_t walk) {
    context->instructions -= walk;
    context->crossed += 1 + context->large / LUAROUTE_LARGE;
    if (context->crossed < UNTIMED) return LUAROUTE_OK;
    context->crossed = 0;
    if (luaroute_spend(context, 0)) return LUAROUTE_OK;
    return luaroute_fail(
        context, context->tripped, "%s", luaroute_reason(context, context->tripped));
}

static int flattenTable(
    LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat, const Path *path,
    int depth) {
    if (depth > LUAROUTE_TABLE_DEPTH) {
        return refuseValue(
            context, path, "a table that has more than 32 levels or contains itself cannot be passed between scripts and host");
    }
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 8 + SMALL)) return LUAROUTE_MEMORY;
    lua_pushvalue(L, index);
    int table = top + 1;
    luaroute_unwrap(L, table);
    int look = lookAfter(context, luaroute_walk(L, table));
    if (look != LUAROUTE_OK) {
        lua_settop(L, top);
        return look;
    }
    size_t header = flat->count;
    append(flat, LUAROUTE_TABLE, 0, 0);
    lua_Integer list = 0;
    int status = LUAROUTE_OK;
    // If the length of the table is 0, the list has no first value.
    bool hasList = lua_rawlen(L, table) > 0;
    while (hasList && status == LUAROUTE_OK && lua_rawgeti(L, table, list + 1) != LUA_TNIL) {
        list += 1;
        Path next = {path, {.rank = 0, .integer = list}};
        status = flatten(context, L, table + 1, flat, &next, depth + 1);
        lua_settop(L, table);
    }
    if (status == LUAROUTE_OK) {
        if (hasList) lua_settop(L, table);
        if (flattenSmall(context, L, table, flat, path, depth, list, header, &status)) {
            lua_settop(L, top);
            return status;
        }
        size_t count = luaroute_count_keys(L, table, list, NULL);
        flat->values[header].length = (uint32_t)list;
        flat->values[header].payload = (int64_t)count;
        if (count > 0) {
            status = flattenEntries(context, L, table, flat, path, depth, count, list);
        }
    }
    lua_settop(L, top);
    return status;
}

static int flatten(
    LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat, const Path *path,
    int depth) {
    // A table with several references is copied for each reference.
    if (isFull(context, flat)) {
        return refuseValue(context, NULL, "a value with too many parts cannot be passed between scripts and host");
    }
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        append(flat, LUAROUTE_NIL, 0, 0);
        return LUAROUTE_OK;
    case LUA_TBOOLEAN:
        append(flat, LUAROUTE_BOOLEAN, 0, lua_toboolean(L, index));
        return LUAROUTE_OK;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            append(flat, LUAROUTE_INTEGER, 0, lua_tointeger(L, index));
        } else {
            appendNumber(flat, lua_tonumber(L, index));
        }
        return LUAROUTE_OK;
    case LUA_TSTRING: {
        size_t length;
        const char *bytes = lua_tolstring(L, index, &length);
        if (length > UINT32_MAX) {
            return refuseValue(context, path, "a string with too many bytes cannot be passed between scripts and host");
        }
        appendString(flat, bytes, length);
        return LUAROUTE_OK;
    }
    case LUA_TFUNCTION:
        if (!lua_checkstack(L, 4)) return LUAROUTE_MEMORY;
        append(flat, LUAROUTE_FUNCTION, 0, luaroute_slot_take(context, L, index));
        flat->functions += 1;
        return LUAROUTE_OK;
    case LUA_TUSERDATA: {
        uint32_t type = 0;
        int64_t identifier = 0;
        luaroute_object(L, index, &type, &identifier);
        append(flat, LUAROUTE_OBJECT, type, identifier);
        return LUAROUTE_OK;
    }
    case LUA_TTABLE: {
        int status = flattenTable(context, L, index, flat, path, depth);
        luaroute_hide(L, 1);
        return status;
    }
    default:
        return refuseValue(
            context, path,
            lua_type(L, index) == LUA_TTHREAD ? "a coroutine cannot be passed between scripts and host"
                                              : "a value of this kind cannot be passed between scripts and host");
    }
}

// Removes all records and bytes after the given counts.
static void cutFlat(LuaRouteContext *context, LuaRouteFlat *flat, size_t count, size_t length) {
    for (size_t i = count; i < flat->count && flat->functions > 0; i += 1) {
        if (flat->values[i].tag != LUAROUTE_FUNCTION) continue;
        luaroute_slot_free(context, flat->values[i].payload);
        flat->functions -= 1;
    }
    flat->count = count;
    flat->length = length;
}

int luaroute_flatten(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat) {
    size_t count = flat->count, length = flat->length;
    context->exempt += 1;
    int status = flatten(context, L, lua_absindex(L, index), flat, NULL, 1);
    context->exempt -= 1;
    if (status == LUAROUTE_MEMORY) {
        luaroute_fail(context, status, "%s", luaroute_reason(context, status));
    }
    // The results of an outermost entry are read after the entry has ended.
    if (context->depth == 0 && context->tripped != LUAROUTE_OK) luaroute_disarm(context);
    if (status == LUAROUTE_OK) {
        // Converting values is charged to the entry. The next instruction checks the budget.
        context->instructions -= (int64_t)(flat->count - count + (flat->length - length) / 16);
    } else {
        cutFlat(context, flat, count, length);
    }
    return status;
}

int luaroute_flatten_arguments(
    LuaRouteContext *context, lua_State *L, int first, LuaRouteFlat *flat) {
    size_t count = flat->count, length = flat->length;
    int last = lua_gettop(L), status = LUAROUTE_OK;
    for (int index = first; index <= last && status == LUAROUTE_OK; index += 1) {
        size_t size;
        const uint8_t *bytes = luaroute_string(L, index, &size);
        // The limits for one value apply to all arguments together. If they are exceeded, the
        // arguments are refused below.
        if (bytes != NULL && size <= UINT32_MAX && !isFull(context, flat)) {
            appendString(flat, (const char *)bytes, size);
            continue;
        }
        status = luaroute_flatten(context, L, index, flat);
        // Only the contents of tables are charged here.
        if (lua_type(L, index) != LUA_TTABLE) context->instructions += 1;
    }
    if (status != LUAROUTE_OK) cutFlat(context, flat, count, length);
    return status;
}

void luaroute_keys(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat) {
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) return;
    size_t count = luaroute_count_keys(L, index, 0, NULL);
    context->instructions -= (int64_t)count + luaroute_walk(L, index);
    if (count == 0 || count > NAMES || !lua_checkstack(L, (int)count + 8)) return;
    LuaRouteKey *keys = malloc(count * sizeof(LuaRouteKey));
    if (keys == NULL) abort();
    context->exempt += 1;
    luaroute_read_keys(L, index, 0, keys, count);
    for (size_t i = 0; i < count; i += 1) {
        if (keys[i].rank == 1) appendString(flat, keys[i].bytes, keys[i].length);
    }
    context->exempt -= 1;
    lua_settop(L, top);
    free(keys);
}
