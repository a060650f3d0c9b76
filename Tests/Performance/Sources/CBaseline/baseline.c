// SPDX-License-Identifier: MIT
#include "CBaseline.h"

#include "lua_headers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

enum { RESULTS = 4 };

struct Baseline {
    lua_State *L;
    int references[RESULTS];
    int list;
};

// Adds the number of the closure, so that the read of the upvalue is not optimized away.
static int add(lua_State *L) {
    const int64_t *context = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer first = luaL_checkinteger(L, 1);
    lua_Integer second = luaL_checkinteger(L, 2);
    lua_pushinteger(L, first + second + *context);
    return 1;
}

static int fail(lua_State *L) {
    return luaL_error(L, "no such screen");
}

static int handle(lua_State *L) {
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
    return 1;
}

static void hook(lua_State *L, lua_Debug *activation) {
    (void)activation;
    *(int64_t *)lua_getextraspace(L) += 1;
}

// Opens the libraries that strict scripts have, whole.
static void open_libraries(lua_State *L) {
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},           {LUA_STRLIBNAME, luaopen_string},
        {LUA_TABLIBNAME, luaopen_table},     {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i += 1) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
}

Baseline *baseline_open(const char *source) {
    lua_State *L = luaL_newstate();
    Baseline *baseline = calloc(1, sizeof(Baseline));
    if (L == NULL || baseline == NULL) abort();
    baseline->L = L;
    open_libraries(L);
    int64_t *context = lua_newuserdatauv(L, sizeof(int64_t), 0);
    *context = 0;
    *(int64_t *)lua_getextraspace(L) = 0;
    lua_pushcclosure(L, add, 1);
    lua_setglobal(L, "add");
    lua_pushcfunction(L, fail);
    lua_setglobal(L, "fail");
    if (luaL_loadstring(L, source) != LUA_OK || lua_pcall(L, 0, LUA_MULTRET, 0) != LUA_OK
        || lua_gettop(L) > RESULTS) {
        fprintf(stderr, "bench: the baseline does not load: %s\n", lua_tostring(L, -1));
        baseline_close(baseline);
        return NULL;
    }
    for (int i = lua_gettop(L); i > 0; i -= 1) {
        bool isList = lua_type(L, -1) == LUA_TTABLE;
        int reference = luaL_ref(L, LUA_REGISTRYINDEX);
        if (isList) baseline->list = reference;
        baseline->references[i - 1] = reference;
    }
    return baseline;
}

void baseline_close(Baseline *baseline) {
    lua_close(baseline->L);
    free(baseline);
}

int64_t baseline_call_integers(
    Baseline *baseline, int function, int64_t count, int64_t second, int interval) {
    lua_State *L = baseline->L;
    int reference = baseline->references[function];
    int64_t sum = 0;
    lua_pushcfunction(L, handle);
    for (int64_t i = 0; i < count; i += 1) {
        if (interval > 0) lua_sethook(L, hook, LUA_MASKCOUNT, interval);
        lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
        lua_pushinteger(L, i);
        lua_pushinteger(L, second);
        if (lua_pcall(L, 2, 1, 1) != LUA_OK) {
            sum = INT64_MIN;
            break;
        }
        sum += lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    if (interval > 0) lua_sethook(L, NULL, 0, 0);
    lua_settop(L, 0);
    return sum;
}

int64_t baseline_call_empty(Baseline *baseline, int function, int64_t count) {
    lua_State *L = baseline->L;
    int reference = baseline->references[function];
    for (int64_t i = 0; i < count; i += 1) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
        if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
            lua_settop(L, 0);
            return INT64_MIN;
        }
    }
    return count;
}

int64_t baseline_call_policy(Baseline *baseline, int function, int64_t count) {
    lua_State *L = baseline->L;
    int reference = baseline->references[function];
    int64_t sum = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, baseline->list);
    lua_Integer length = (lua_Integer)lua_rawlen(L, 1);
    for (int64_t i = 0; i < count; i += 1) {
        for (lua_Integer element = 1; element <= length; element += 1) {
            lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
            lua_rawgeti(L, 1, element);
            if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
                lua_settop(L, 0);
                return INT64_MIN;
            }
            bool holds = lua_toboolean(L, -1);
            lua_pop(L, 1);
            if (holds) {
                sum += element;
                break;
            }
        }
    }
    lua_settop(L, 0);
    return sum;
}

// MARK: Values

typedef struct Record {
    const char *path, *name;
    size_t pathLength, nameLength;
    lua_Integer ttl;
    lua_Number weight;
    bool reuse;
} Record;

// Stack: record, function -> nothing.
static int buildRecord(lua_State *L) {
    const Record *record = lua_touserdata(L, 1);
    lua_createtable(L, 0, 5);
    lua_pushlstring(L, "path", 4);
    lua_pushlstring(L, record->path, record->pathLength);
    lua_rawset(L, -3);
    lua_pushlstring(L, "name", 4);
    lua_pushlstring(L, record->name, record->nameLength);
    lua_rawset(L, -3);
    lua_pushlstring(L, "ttl", 3);
    lua_pushinteger(L, record->ttl);
    lua_rawset(L, -3);
    lua_pushlstring(L, "weight", 6);
    lua_pushnumber(L, record->weight);
    lua_rawset(L, -3);
    lua_pushlstring(L, "reuse", 5);
    lua_pushboolean(L, record->reuse);
    lua_rawset(L, -3);
    lua_call(L, 1, 0);
    return 0;
}

int64_t baseline_build(Baseline *baseline, int function, int total, int64_t count) {
    lua_State *L = baseline->L;
    Record record = {
        "/shows/:id/episodes", "episodes", strlen("/shows/:id/episodes"), strlen("episodes"), 300,
        0.75, true,
    };
    bool isCalled = true;
    lua_pushcfunction(L, handle);
    for (int64_t i = 0; i < count && isCalled; i += 1) {
        lua_pushcfunction(L, buildRecord);
        lua_pushlightuserdata(L, &record);
        lua_rawgeti(L, LUA_REGISTRYINDEX, baseline->references[function]);
        isCalled = lua_pcall(L, 2, 0, 1) == LUA_OK;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, baseline->references[total]);
    isCalled = lua_pcall(L, 0, 1, 1) == LUA_OK && isCalled;
    int64_t sum = isCalled ? lua_tointeger(L, -1) : INT64_MIN;
    lua_settop(L, 0);
    return sum;
}

typedef struct FlatValue {
    int type;
    uint32_t length;
    int64_t payload;
} FlatValue;

typedef struct Flat {
    FlatValue *values;
    size_t count, capacity;
    char *bytes;
    size_t length, byteCapacity;
} Flat;

static FlatValue *append(Flat *flat) {
    if (flat->count == flat->capacity) {
        flat->capacity = flat->capacity == 0 ? 32 : flat->capacity * 2;
        flat->values = realloc(flat->values, flat->capacity * sizeof(FlatValue));
        if (flat->values == NULL) abort();
    }
    flat->count += 1;
    return &flat->values[flat->count - 1];
}

static void flattenValue(lua_State *L, int index, Flat *flat) {
    FlatValue *value = append(flat);
    *value = (FlatValue){lua_type(L, index), 0, 0};
    switch (value->type) {
    case LUA_TBOOLEAN: value->payload = lua_toboolean(L, index); break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            value->length = 1;
            value->payload = lua_tointeger(L, index);
        } else {
            lua_Number number = lua_tonumber(L, index);
            memcpy(&value->payload, &number, sizeof number);
        }
        break;
    case LUA_TSTRING: {
        size_t length;
        const char *bytes = lua_tolstring(L, index, &length);
        if (flat->byteCapacity - flat->length < length) {
            flat->byteCapacity = flat->byteCapacity * 2 + length;
            flat->bytes = realloc(flat->bytes, flat->byteCapacity);
            if (flat->bytes == NULL) abort();
        }
        memcpy(flat->bytes + flat->length, bytes, length);
        value->length = (uint32_t)length;
        value->payload = (int64_t)flat->length;
        flat->length += length;
        break;
    }
    case LUA_TTABLE: {
        size_t header = flat->count - 1;
        int table = lua_absindex(L, index);
        lua_checkstack(L, 4);
        lua_pushnil(L);
        while (lua_next(L, table)) {
            flattenValue(L, -2, flat);
            flattenValue(L, -1, flat);
            lua_pop(L, 1);
            flat->values[header].payload += 1;
        }
        break;
    }
    default: break;
    }
}

// Stack: flat, function -> nothing.
static int flattenResult(lua_State *L) {
    Flat *flat = lua_touserdata(L, 1);
    lua_call(L, 0, 1);
    flattenValue(L, -1, flat);
    return 0;
}

// Calls a function for what it returns, under the handler at the bottom of the stack.
static bool callForFlat(Baseline *baseline, int function, Flat *flat) {
    lua_State *L = baseline->L;
    flat->count = 0;
    flat->length = 0;
    lua_pushcfunction(L, flattenResult);
    lua_pushlightuserdata(L, flat);
    lua_rawgeti(L, LUA_REGISTRYINDEX, baseline->references[function]);
    return lua_pcall(L, 2, 0, 1) == LUA_OK;
}

int64_t baseline_flatten(Baseline *baseline, int function, int64_t count) {
    lua_State *L = baseline->L;
    Flat flat = {0};
    int64_t sum = 0;
    lua_pushcfunction(L, handle);
    for (int64_t i = 0; i < count; i += 1) {
        if (!callForFlat(baseline, function, &flat)) {
            sum = INT64_MIN;
            break;
        }
        sum += flat.values[0].payload;
    }
    lua_settop(L, 0);
    free(flat.values);
    free(flat.bytes);
    return sum;
}

// The record of a C program, which owns its strings.
typedef struct OwnedRecord {
    char *path, *name;
    size_t pathLength, nameLength;
    lua_Integer ttl;
    lua_Number weight;
    bool reuse;
} OwnedRecord;

static bool isKey(const Flat *flat, const FlatValue *value, const char *key, size_t length) {
    return value->type == LUA_TSTRING && value->length == length
        && memcmp(flat->bytes + value->payload, key, length) == 0;
}

static char *copyString(const Flat *flat, const FlatValue *value, size_t *length) {
    char *copy = malloc((size_t)value->length + 1);
    if (copy == NULL) abort();
    memcpy(copy, flat->bytes + value->payload, value->length);
    copy[value->length] = 0;
    *length = value->length;
    return copy;
}

// Reads a record from a flat table; answers whether it is one. What was read is to be freed anyway.
static bool readRecord(const Flat *flat, OwnedRecord *record) {
    const FlatValue *value = flat->values, *end = value + flat->count;
    int found = 0;
    *record = (OwnedRecord){0};
    if (value->type != LUA_TTABLE || flat->count != 1 + 2 * (size_t)value->payload) return false;
    for (value += 1; value < end; value += 2) {
        const FlatValue *field = value + 1;
        if (isKey(flat, value, "path", 4) && field->type == LUA_TSTRING) {
            record->path = copyString(flat, field, &record->pathLength);
            found |= 1;
        } else if (isKey(flat, value, "name", 4) && field->type == LUA_TSTRING) {
            record->name = copyString(flat, field, &record->nameLength);
            found |= 2;
        } else if (isKey(flat, value, "ttl", 3) && field->type == LUA_TNUMBER && field->length == 1) {
            record->ttl = field->payload;
            found |= 4;
        } else if (isKey(flat, value, "weight", 6) && field->type == LUA_TNUMBER && field->length == 0) {
            memcpy(&record->weight, &field->payload, sizeof record->weight);
            found |= 8;
        } else if (isKey(flat, value, "reuse", 5) && field->type == LUA_TBOOLEAN) {
            record->reuse = field->payload != 0;
            found |= 16;
        } else {
            return false;
        }
    }
    return found == 31;
}

int64_t baseline_read(Baseline *baseline, int function, int64_t count) {
    lua_State *L = baseline->L;
    Flat flat = {0};
    int64_t sum = 0;
    lua_pushcfunction(L, handle);
    for (int64_t i = 0; i < count; i += 1) {
        if (!callForFlat(baseline, function, &flat)) {
            sum = INT64_MIN;
            break;
        }
        OwnedRecord record;
        if (readRecord(&flat, &record)) {
            sum += (int64_t)(record.pathLength + record.nameLength) + record.ttl
                + (int64_t)(record.weight * 4) + record.reuse;
        }
        free(record.path);
        free(record.name);
    }
    lua_settop(L, 0);
    free(flat.values);
    free(flat.bytes);
    return sum;
}

int64_t baseline_states(int64_t count) {
    for (int64_t i = 0; i < count; i += 1) {
        lua_State *L = luaL_newstate();
        if (L == NULL) abort();
        open_libraries(L);
        lua_close(L);
    }
    return count;
}

static int do_nothing(lua_State *L) {
    (void)L;
    return 0;
}

static int count_route(lua_State *L) {
    int64_t *routes = lua_touserdata(L, lua_upvalueindex(1));
    *routes += 1;
    return 0;
}

int64_t baseline_register(const char *source, int64_t length, int64_t count) {
    int64_t routes = 0;
    for (int64_t i = 0; i < count; i += 1) {
        lua_State *L = luaL_newstate();
        if (L == NULL) abort();
        open_libraries(L);
        lua_createtable(L, 0, 4);
        lua_pushlightuserdata(L, &routes);
        lua_pushcclosure(L, count_route, 1);
        lua_setfield(L, -2, "register");
        lua_pushcfunction(L, do_nothing);
        lua_setfield(L, -2, "screen");
        lua_pushcfunction(L, do_nothing);
        lua_setfield(L, -2, "start");
        lua_pushcfunction(L, do_nothing);
        lua_setfield(L, -2, "class");
        lua_setglobal(L, "router");
        if (luaL_loadbuffer(L, source, (size_t)length, "=routes") != LUA_OK) abort();
        if (lua_pcall(L, 0, 0, 0) != LUA_OK) abort();
        lua_close(L);
    }
    return routes;
}

int64_t baseline_heap(void) {
#ifdef __APPLE__
    malloc_statistics_t usage;
    malloc_zone_statistics(NULL, &usage);
    return (int64_t)usage.size_in_use;
#else
    struct mallinfo2 usage = mallinfo2();
    return (int64_t)(usage.uordblks + usage.hblkhd);
#endif
}

__attribute__((noinline)) void baseline_region(void *context, void (*body)(void *context)) {
    body(context);
}

int64_t baseline_load(Baseline *baseline, const char *source, int64_t length, int64_t count) {
    lua_State *L = baseline->L;
    for (int64_t i = 0; i < count; i += 1) {
        if (luaL_loadbufferx(L, source, (size_t)length, "=steps", "t") != LUA_OK) {
            lua_settop(L, 0);
            return INT64_MIN;
        }
        lua_settop(L, 0);
    }
    return count;
}

#include "lua_sources.h"
