// SPDX-License-Identifier: MIT
//
// Values as flat trees: built and read raw, so that no script runs in between.
#include <stdio.h>

#include "internal.h"

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

static LuaRouteValue *append(LuaRouteFlat *flat, uint32_t tag, size_t length, int64_t payload) {
    if (flat->count == flat->capacity) luaroute_flat_grow_values(flat);
    LuaRouteValue *value = &flat->values[flat->count];
    *value = (LuaRouteValue){tag, (uint32_t)length, payload};
    flat->count += 1;
    return value;
}

static void appendString(LuaRouteFlat *flat, const char *bytes, size_t length) {
    luaroute_flat_grow_bytes(flat, length);
    memcpy(flat->bytes + flat->length, bytes, length);
    append(flat, LUAROUTE_STRING, length, (int64_t)flat->length);
    flat->length += length;
}

// MARK: Building

typedef struct Building {
    LuaRouteContext *context;
    lua_State *L;
    const LuaRouteFlat *flat;
    size_t position;
    const char *message;  // of a write to a table around this one that is frozen
    size_t messageLength;
} Building;

static int build(Building *building, int depth);

static int buildTable(Building *building, const LuaRouteValue *value, int depth) {
    lua_State *L = building->L;
    if (depth > LUAROUTE_TABLE_DEPTH) {
        return luaroute_fail(
            building->context, LUAROUTE_CONVERSION, "a table of more than %d levels cannot cross",
            LUAROUTE_TABLE_DEPTH);
    }
    if (!lua_checkstack(L, 8)) return LUAROUTE_MEMORY;
    int64_t entries = value->payload;
    uint32_t list = value->length;
    lua_createtable(L, (int)list, (int)entries);
    for (uint32_t i = 1; i <= list; i += 1) {
        int status = build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        lua_rawseti(L, -2, i);
    }
    for (int64_t i = 0; i < entries; i += 1) {
        int status = build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        lua_Number number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
        if (lua_isnil(L, -1) || number != number) {
            return luaroute_fail(
                building->context, LUAROUTE_CONVERSION, "%s cannot be the key of a table",
                lua_isnil(L, -1) ? "nil" : "NaN");
        }
        status = build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        lua_rawset(L, -3);
    }
    if (building->message != NULL) {
        luaroute_freeze(L, building->message, building->messageLength);
    }
    return LUAROUTE_OK;
}

// Stack: ... -> ..., value; on failure what was begun is left for the caller to drop.
static int build(Building *building, int depth) {
    lua_State *L = building->L;
    const LuaRouteFlat *flat = building->flat;
    if (building->position >= flat->count) {
        return luaroute_fail(
            building->context, LUAROUTE_CONVERSION, "a table has fewer values than it announced");
    }
    const LuaRouteValue *value = &flat->values[building->position];
    building->position += 1;
    switch (value->tag) {
    case LUAROUTE_BOOLEAN:
        lua_pushboolean(L, value->payload != 0);
        return LUAROUTE_OK;
    case LUAROUTE_INTEGER:
        lua_pushinteger(L, value->payload);
        return LUAROUTE_OK;
    case LUAROUTE_NUMBER: {
        lua_Number number;
        memcpy(&number, &value->payload, sizeof number);
        lua_pushnumber(L, number);
        return LUAROUTE_OK;
    }
    case LUAROUTE_STRING:
        lua_pushlstring(L, (const char *)flat->bytes + value->payload, value->length);
        return LUAROUTE_OK;
    case LUAROUTE_FUNCTION:
        lua_rawgeti(L, LUA_REGISTRYINDEX, value->payload);
        return LUAROUTE_OK;
    case LUAROUTE_OBJECT:
        return luaroute_push_object(building->context, L, value->length, value->payload);
    case LUAROUTE_TABLE:
        return buildTable(building, value, depth);
    case LUAROUTE_FROZEN: {
        const LuaRouteValue *text = value + 1;
        const char *outer = building->message;
        size_t outerLength = building->messageLength;
        building->message = (const char *)flat->bytes + text->payload;
        building->messageLength = text->length;
        building->position += 1;
        int status = build(building, depth);
        building->message = outer;
        building->messageLength = outerLength;
        return status;
    }
    default:
        lua_pushnil(L);
        return LUAROUTE_OK;
    }
}

int luaroute_build(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t *position) {
    if (!lua_checkstack(L, 8)) return luaroute_fail_memory(context);
    int top = lua_gettop(L);
    Building building = {context, L, flat, *position, NULL, 0};
    context->exempt += 1;
    int status = build(&building, 1);
    context->exempt -= 1;
    if (status != LUAROUTE_OK) lua_settop(L, top);
    *position = building.position;
    return status;
}

// MARK: Flattening

// The way from the value that crosses to the one that cannot.
typedef struct Path {
    const struct Path *parent;
    LuaRouteKey key;
} Path;

static size_t describe(const Path *path, char *text, size_t size) {
    if (path == NULL) return 0;
    size_t length = describe(path->parent, text, size);
    if (length >= size) return length;
    int count;
    if (path->key.rank == 1) {
        count = snprintf(
            text + length, size - length, ".%.*s", (int)(path->key.length & 0xff),
            path->key.bytes);
    } else if (path->key.rank == 0) {
        count = snprintf(text + length, size - length, "[%lld]", (long long)path->key.integer);
    } else {
        count = snprintf(text + length, size - length, "[?]");
    }
    return length + (size_t)count;
}

static int refuse(LuaRouteContext *context, const Path *path, const char *what) {
    char text[512];
    size_t length = describe(path, text, sizeof text);
    if (length == 0) return luaroute_fail(context, LUAROUTE_CONVERSION, "%s cannot cross", what);
    return luaroute_fail(context, LUAROUTE_CONVERSION, "'%s': %s cannot cross", text, what);
}

static int flatten(
    LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat, const Path *path,
    int depth);

static int flattenEntries(
    LuaRouteContext *context, lua_State *L, int table, LuaRouteFlat *flat, const Path *path,
    int depth, size_t count, lua_Integer list) {
    if (count > INT32_MAX || !lua_checkstack(L, (int)count + 8)) {
        return refuse(context, path, "a table of so many entries");
    }
    LuaRouteKey small[16];
    LuaRouteKey *keys = small;
    if (count > 16) keys = malloc(count * sizeof(LuaRouteKey));
    if (keys == NULL) abort();
    luaroute_sort_keys(L, table, list, keys);
    int status = LUAROUTE_OK;
    for (size_t i = 0; i < count && status == LUAROUTE_OK; i += 1) {
        Path next = {path, keys[i]};
        if (keys[i].rank > 1) {
            status = refuse(context, path, "a table with a key that is no integer and no string");
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

static int flattenTable(
    LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat, const Path *path,
    int depth) {
    if (depth > LUAROUTE_TABLE_DEPTH) {
        return refuse(context, NULL, "a table of more than 32 levels, or within itself,");
    }
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 8)) return LUAROUTE_MEMORY;
    lua_pushvalue(L, index);
    int table = top + 1;
    luaroute_unwrap(L, table);
    size_t header = flat->count;
    append(flat, LUAROUTE_TABLE, 0, 0);
    lua_Integer list = 0;
    int status = LUAROUTE_OK;
    while (status == LUAROUTE_OK && lua_rawgeti(L, table, list + 1) != LUA_TNIL) {
        list += 1;
        Path next = {path, {.rank = 0, .integer = list}};
        status = flatten(context, L, table + 1, flat, &next, depth + 1);
        lua_settop(L, table);
    }
    if (status == LUAROUTE_OK) {
        lua_settop(L, table);
        size_t count = luaroute_count_keys(L, table, list);
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
    // A table that stands in many places crosses as often.
    if (flat->count > LUAROUTE_CROSSING || flat->length > context->soft) {
        return refuse(context, NULL, "a value of so many parts");
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
            lua_Number number = lua_tonumber(L, index);
            int64_t bits;
            memcpy(&bits, &number, sizeof bits);
            append(flat, LUAROUTE_NUMBER, 0, bits);
        }
        return LUAROUTE_OK;
    case LUA_TSTRING: {
        size_t length;
        const char *bytes = lua_tolstring(L, index, &length);
        if (length > UINT32_MAX) return refuse(context, path, "a string of so many bytes");
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
    case LUA_TTABLE:
        return flattenTable(context, L, index, flat, path, depth);
    default:
        return refuse(context, path, "a value of this kind");
    }
}

int luaroute_flatten(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat) {
    size_t count = flat->count, length = flat->length;
    context->exempt += 1;
    int status = flatten(context, L, lua_absindex(L, index), flat, NULL, 1);
    context->exempt -= 1;
    if (status == LUAROUTE_MEMORY) {
        luaroute_fail(context, status, "%s", luaroute_reason(context, status));
    }
    if (status == LUAROUTE_OK) {
        // What crosses is work of the entry too. The next instruction looks at what is left.
        context->instructions -= (int64_t)(flat->count - count + (flat->length - length) / 16);
        return status;
    }
    for (size_t i = count; i < flat->count && flat->functions > 0; i += 1) {
        if (flat->values[i].tag != LUAROUTE_FUNCTION) continue;
        luaroute_slot_free(context, (int)flat->values[i].payload);
        flat->functions -= 1;
    }
    flat->count = count;
    flat->length = length;
    return status;
}

void luaroute_keys(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat) {
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) return;
    size_t count = luaroute_count_keys(L, index, 0);
    if (count == 0 || count > INT32_MAX || !lua_checkstack(L, (int)count + 8)) return;
    LuaRouteKey *keys = malloc(count * sizeof(LuaRouteKey));
    if (keys == NULL) abort();
    context->exempt += 1;
    luaroute_sort_keys(L, index, 0, keys);
    for (size_t i = 0; i < count; i += 1) {
        if (keys[i].rank == 1) appendString(flat, keys[i].bytes, keys[i].length);
    }
    context->exempt -= 1;
    lua_settop(L, top);
    free(keys);
}
