// SPDX-License-Identifier: MIT
//
// Builds Lua values from flat trees, using raw access, so that no script runs during the operation.
#include "path.h"

typedef struct Building {
    LuaRouteContext *context;
    lua_State *L;
    const LuaRouteFlat *flat;
    size_t start, position;
    const char *message;  // the error message for writes to the enclosing frozen table
    size_t messageLength;
} Building;

// Writes the path from the root value to the record at `target`, or to the table if the record is a
// key. The path is computed only after a failure, so that building does not need to store it.
static void putPosition(const Building *building, size_t target, LuaRouteText *text) {
    struct {
        size_t list, count, seen, key;
    } levels[LUAROUTE_TABLE_DEPTH + 1];
    const LuaRouteFlat *flat = building->flat;
    int depth = 0;
    for (size_t position = building->start; position < target; position += 1) {
        const LuaRouteValue *value = &flat->values[position];
        if (value->tag == LUAROUTE_FROZEN) {
            position += 1;
            continue;
        }
        if (depth > 0 && levels[depth - 1].seen % 2 == levels[depth - 1].list % 2) {
            levels[depth - 1].key = position;
        }
        if (value->tag == LUAROUTE_TABLE && value->length + value->payload > 0) {
            if (depth > LUAROUTE_TABLE_DEPTH) return;
            levels[depth].list = value->length;
            levels[depth].count = value->length + 2 * (size_t)value->payload;
            levels[depth].seen = 0;
            depth += 1;
            continue;
        }
        while (depth > 0) {
            levels[depth - 1].seen += 1;
            if (levels[depth - 1].seen < levels[depth - 1].count) break;
            depth -= 1;
        }
    }
    for (int i = 0; i < depth; i += 1) {
        if (levels[i].seen < levels[i].list) {
            luaroute_put_integer(text, (int64_t)levels[i].seen + 1);
            continue;
        }
        if ((levels[i].seen - levels[i].list) % 2 == 0) return;
        const LuaRouteValue *key = &flat->values[levels[i].key];
        if (key->tag == LUAROUTE_STRING) {
            luaroute_put_key(text, flat->bytes + key->payload, key->length);
        } else if (key->tag == LUAROUTE_INTEGER) {
            luaroute_put_integer(text, key->payload);
        } else {
            luaroute_put(text, "[?]", 3);
        }
    }
}

static int refuseToBuild(Building *building, size_t target, const char *what) {
    LuaRouteText path = {.length = 0};
    putPosition(building, target, &path);
    return luaroute_blame(building->context, &path, what);
}

static int build(Building *building, int depth);

static inline lua_Number number(const LuaRouteValue *value) {
    lua_Number number;
    memcpy(&number, &value->payload, sizeof number);
    return number;
}

// Pushes the next value, if there is one and it is not a table, function or object.
static inline bool buildPlain(Building *building) {
    lua_State *L = building->L;
    const LuaRouteFlat *flat = building->flat;
    if (building->position >= flat->count) return false;
    const LuaRouteValue *value = &flat->values[building->position];
    switch (value->tag) {
    case LUAROUTE_BOOLEAN: lua_pushboolean(L, value->payload != 0); break;
    case LUAROUTE_INTEGER: lua_pushinteger(L, value->payload); break;
    case LUAROUTE_NUMBER: lua_pushnumber(L, number(value)); break;
    case LUAROUTE_STRING:
        lua_pushlstring(L, (const char *)flat->bytes + value->payload, value->length);
        break;
    default: return false;
    }
    building->position += 1;
    return true;
}

static int buildTable(Building *building, const LuaRouteValue *value, int depth) {
    lua_State *L = building->L;
    if (depth > LUAROUTE_TABLE_DEPTH) {
        return refuseToBuild(
            building, building->position - 1, "a table that has more than 32 levels cannot be passed between scripts and host");
    }
    if (!lua_checkstack(L, 8)) return luaroute_fail_memory(building->context);
    uint32_t list = value->length;
    uint64_t entries = (uint64_t)value->payload;
    // The number of remaining values limits the size of the table. Lua raises an error if the size
    // exceeds the maximum for tables.
    const LuaRouteFlat *flat = building->flat;
    size_t rest = flat->count - building->position;
    if (list > rest || entries > (rest - list) / 2 || rest > INT32_MAX) {
        return refuseToBuild(
            building, building->position - 1, "a table has fewer values than it announced");
    }
    lua_createtable(L, (int)list, (int)entries);
    for (uint32_t i = 1; i <= list; i += 1) {
        int status = buildPlain(building) ? LUAROUTE_OK : build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        lua_rawseti(L, -2, i);
    }
    for (uint64_t i = 0; i < entries; i += 1) {
        size_t position = building->position;
        // Earlier lists and tables may have consumed more values than they announced.
        if (position >= flat->count) return build(building, depth + 1);
        const LuaRouteValue *key = &flat->values[position];
        bool isNaN = key->tag == LUAROUTE_NUMBER && number(key) != number(key);
        if (key->tag == LUAROUTE_NIL || key->tag >= LUAROUTE_OTHER || isNaN) {
            return refuseToBuild(
                building, position,
                isNaN ? "NaN cannot be the key of a table" : "nil cannot be the key of a table");
        }
        int status = buildPlain(building) ? LUAROUTE_OK : build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        status = buildPlain(building) ? LUAROUTE_OK : build(building, depth + 1);
        if (status != LUAROUTE_OK) return status;
        lua_rawset(L, -3);
    }
    if (building->message != NULL) {
        luaroute_freeze(L, building->message, building->messageLength);
    }
    return LUAROUTE_OK;
}

// Stack: ... -> ..., value. After a failure, the caller drops the partial values.
static int build(Building *building, int depth) {
    lua_State *L = building->L;
    const LuaRouteFlat *flat = building->flat;
    if (building->position >= flat->count) {
        return refuseToBuild(
            building, flat->count, "a table has fewer values than it announced");
    }
    if (buildPlain(building)) return LUAROUTE_OK;
    const LuaRouteValue *value = &flat->values[building->position];
    building->position += 1;
    switch (value->tag) {
    case LUAROUTE_FUNCTION: {
        int position = luaroute_position(building->context, value->payload);
        if (position == 0) {
            return refuseToBuild(
                building, building->position - 1,
                "a function that was created after the restored checkpoint cannot be passed between scripts and host");
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, position);
        return LUAROUTE_OK;
    }
    case LUAROUTE_OBJECT:
        if (value->length == 0 || value->length > building->context->typeCount) {
            return refuseToBuild(
                building, building->position - 1, "an object of another Lua state cannot be passed between scripts and host");
        }
        return luaroute_push_object(building->context, L, value->length, value->payload);
    case LUAROUTE_TABLE:
        return buildTable(building, value, depth);
    case LUAROUTE_FROZEN: {
        if (flat->count - building->position < 2 || value[1].tag != LUAROUTE_STRING) {
            return refuseToBuild(building, building->position - 1, "a frozen table has no message");
        }
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
    Building building = {context, L, flat, *position, *position, NULL, 0};
    context->exempt += 1;
    int status = build(&building, 1);
    context->exempt -= 1;
    if (status != LUAROUTE_OK) lua_settop(L, top);
    *position = building.position;
    return status;
}
