// SPDX-License-Identifier: MIT
//
// Checks the memory layout of values in the running Lua, and determines the parts of the layout
// that differ between releases of Lua.
#include <pthread.h>

#include "layout.h"

enum { PROBED_WORDS = 24, PROBED_LENGTH = 100 };

// The line numbers and the text of this chunk are part of the checks.
static const char probeSource[] =
    "local first, second = 1, 'second'\n"
    "local function wait(...)\n"
    "  local inner = ...\n"
    "  probe(function() return inner end)\n"
    "end\n"
    "return wait, function(a, b) return first, second, 'constant' end, function() first = 2 end\n";

static const void *object(const SeenValue *value) { return (const void *)(uintptr_t)value->bits; }

static void expect(lua_State *L, bool isTrue, const char *what) {
    if (!isTrue) luaL_error(L, "another layout of %s", what);
}

static bool isText(const SeenString *string, const char *text) {
    size_t length;
    const char *bytes = luaroute_seen_bytes(string, &length);
    return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

static void checkStrings(lua_State *L) {
    char text[PROBED_LENGTH + 1];
    memset(text, 'x', PROBED_LENGTH);
    text[PROBED_LENGTH] = 0;
    static const size_t starts[] = {0, PROBED_LENGTH - 1};
    for (int i = 0; i < 2; i += 1) {
        const char *bytes = lua_pushstring(L, text + starts[i]);
        const SeenString *string =
            (const SeenString *)(bytes - offsetof(SeenString, bytes));
        uint8_t tag = (i == 0 ? SEEN_LONG_STRING : SEEN_SHORT_STRING) & ~SEEN_OWNED;
        expect(L, string->tag == tag && isText(string, bytes), "strings");
        lua_pop(L, 1);
    }
}

static void checkTables(lua_State *L) {
    lua_createtable(L, 3, 1);
    lua_createtable(L, 0, 0);
    lua_setmetatable(L, -2);
    lua_pushnumber(L, 1.5);
    lua_rawseti(L, -2, 2);
    lua_pushboolean(L, 1);
    lua_rawseti(L, -2, 3);
    lua_pushinteger(L, 7);
    lua_setfield(L, -2, "x");
    const SeenTable *table = lua_topointer(L, -1);
    lua_getmetatable(L, -1);
    expect(L, table->tag == (SEEN_TABLE & ~SEEN_OWNED), "tables");
    expect(L, table->metatable == lua_topointer(L, -1), "metatables");
    expect(L, luaroute_seen_list(table) == 3 && table->exponent == 0, "the size of tables");
    lua_Number number = 1.5;
    expect(L, (table->list[0].tag & SEEN_BASE) == 0, "nil");
    expect(L, table->list[1].tag == SEEN_FLOAT, "numbers");
    expect(L, memcmp(&table->list[1].bits, &number, sizeof number) == 0, "numbers");
    expect(L, table->list[2].tag == SEEN_TRUE, "booleans");
    const SeenNode *node = table->nodes;
    expect(L, node->tag == SEEN_INTEGER && node->bits == 7, "integers");
    expect(L, node->keyTag == SEEN_SHORT_STRING, "keys");
    expect(L, isText((const SeenString *)(uintptr_t)node->key, "x"), "keys");
    lua_pop(L, 2);
}

// Checks the lengths of lists with gaps, which depend on how Lua searches for the end of a list.
static void checkLengths(lua_State *L) {
    for (unsigned pattern = 0; pattern < 256; pattern += 1) {
        lua_createtable(L, pattern % 5, 0);
        for (int i = 0; i < 8; i += 1) {
            lua_pushinteger(L, i);
            if (pattern >> i & 1) lua_rawseti(L, -2, i + 1); else lua_pop(L, 1);
        }
        for (int i = 0; i < 2; i += 1) {
            lua_Unsigned length = luaroute_seen_length(lua_topointer(L, -1));
            expect(L, lua_rawlen(L, -1) == length, "lists with gaps");
        }
        lua_pop(L, 1);
    }
}

static void checkUserdata(lua_State *L) {
    const char *bytes = lua_newuserdatauv(L, PROBED_LENGTH, 0);
    // No Lua function returns the address of a userdata object, but a list contains the address.
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, 1);
    const SeenUserdata *userdata = object(((const SeenTable *)lua_topointer(L, -1))->list);
    expect(L, userdata->tag == (SEEN_USERDATA & ~SEEN_OWNED), "userdata");
    expect(L, userdata->length == PROBED_LENGTH && bytes > (const char *)userdata, "userdata");
    lua_pop(L, 2);
}

static int probeCall(lua_State *L) { return lua_yield(L, 1); }

// Stack: wait, two functions that share an upvalue.
static void checkClosures(lua_State *L) {
    const SeenClosure *reader = lua_topointer(L, 2), *writer = lua_topointer(L, 3);
    expect(L, reader->tag == (SEEN_CLOSURE & ~SEEN_OWNED), "closures");
    expect(L, reader->count == 2 && writer->count == 1, "closures");
    expect(L, reader->upvalues[0] == lua_upvalueid(L, 2, 1), "upvalues");
    expect(L, reader->upvalues[0] == writer->upvalues[0], "upvalues");
    expect(L, reader->upvalues[0]->value->tag == SEEN_INTEGER, "upvalues");
    expect(L, reader->upvalues[0]->value->bits == 1, "upvalues");
    const SeenPrototype *prototype = reader->prototype;
    expect(L, prototype->parameters == 2 && prototype->isVariadic == 0, "prototypes");
    expect(L, prototype->firstLine == 6 && prototype->lastLine == 6, "prototypes");
    expect(L, prototype->codeCount > 3 && prototype->codeCount < 10, "prototypes");
    expect(L, prototype->lineCount == prototype->codeCount, "prototypes");
    expect(L, prototype->constantCount == 1 && prototype->prototypeCount == 0, "prototypes");
    expect(L, prototype->upvalueCount == 2 && prototype->localCount == 2, "prototypes");
    expect(L, isText(object(&prototype->constants[0]), "constant"), "constants");
    expect(L, isText(prototype->upvalues[1].name, "second"), "the names of upvalues");
    expect(L, isText(prototype->locals[1].name, "b"), "the names of locals");
    expect(L, isText(prototype->source, "=probe"), "prototypes");
    const SeenPrototype *outer = ((const SeenClosure *)lua_topointer(L, 1))->prototype;
    expect(L, outer->isVariadic && outer->prototypeCount == 1, "prototypes");
    expect(L, outer->prototypes[0]->firstLine == 4, "prototypes");

    lua_pushvalue(L, 2);
    lua_pushcclosure(L, probeCall, 1);
    const SeenCClosure *function = lua_topointer(L, -1);
    expect(L, function->tag == (SEEN_C_CLOSURE & ~SEEN_OWNED), "C closures");
    expect(L, function->count == 1 && function->function == probeCall, "C closures");
    expect(L, object(&function->upvalues[0]) == reader, "C closures");
    lua_pop(L, 1);
}

static size_t findWord(lua_State *L, const void *thread, const void *word) {
    const void *const *words = thread;
    for (size_t i = 0; i < PROBED_WORDS; i += 1) {
        if (words[i] == word) return i * sizeof *words;
    }
    luaL_error(L, "another layout of threads");
    return 0;
}

// Finds the end of a new stack. The size of the stack is known: the words for its beginning and its
// end differ by this size.
static size_t findEnd(lua_State *L, const void *thread) {
    const uintptr_t *words = thread;
    for (size_t end = 0; end < PROBED_WORDS; end += 1) {
        for (size_t start = 0; start < PROBED_WORDS; start += 1) {
            if (words[end] - words[start] == 2 * LUA_MINSTACK * sizeof(SeenValue)) {
                return end * sizeof *words;
            }
        }
    }
    luaL_error(L, "another layout of stacks");
    return 0;
}

// Stack: wait, ... -> same. Calls `wait` with three variable arguments in a new coroutine, which
// then waits.
static void readThreads(lua_State *L, LuaRouteLayout *layout) {
    lua_State *thread = lua_newthread(L);
    layout->end = findEnd(L, thread);
    expect(L, lua_checkstack(thread, 200), "stacks");
    lua_settop(thread, 200);
    const SeenValue *end = luaroute_seen_end(layout, thread);
    lua_settop(thread, 0);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    for (int i = 0; i < 3; i += 1) lua_pushinteger(thread, 70 + i);
    int count;
    expect(L, lua_resume(thread, L, 3, &count) == LUA_YIELD, "threads");
    lua_Debug inner, outer;
    expect(L, lua_getstack(thread, 0, &inner) && lua_getstack(thread, 1, &outer), "threads");
    layout->call = findWord(L, thread, inner.i_ci);
    const SeenCall *call = luaroute_seen_call(layout, thread);
    const SeenCall *caller = call->previous;
    expect(L, caller == (const void *)outer.i_ci && caller->next == call, "calls");
    expect(L, (call->status & SEEN_IS_C) && !(caller->status & SEEN_IS_C), "calls");
    expect(L, call->function->tag == SEEN_LIGHT_FUNCTION, "calls");
    expect(L, object(caller->function) == lua_topointer(L, 1), "calls");
    expect(L, caller->function[-1].bits == 72, "variable arguments");
    const SeenPrototype *prototype = ((const SeenClosure *)object(caller->function))->prototype;
    ptrdiff_t position = caller->instruction - prototype->code;
    expect(L, position > 2 && position < prototype->codeCount, "instructions");
    const SeenCall *first = caller->previous;
    expect(L, first->previous == NULL && first->function < caller->function, "calls");
    // The function that `wait` passed to `probe` refers to a local variable of the coroutine.
    const SeenClosure *closure = lua_topointer(thread, -1);
    layout->open = findWord(L, thread, closure->upvalues[0]);
    const SeenUpvalue *open = luaroute_seen_open(layout, thread);
    expect(L, open->value == caller->function + 1 && open->nextOpen == NULL, "open upvalues");
    expect(L, open->value->bits == 70, "open upvalues");
    ptrdiff_t room = end - first->function;
    expect(L, room > 200 && room < 500, "stacks");
    lua_pop(L, 1);
}

static int readLayout(lua_State *L) {
    _Static_assert(sizeof(SeenValue) == 16 && sizeof(SeenNode) == 24, "sizes of values");
    LuaRouteLayout *layout = lua_touserdata(L, 1);
    expect(L, sizeof(void *) == 8 && sizeof(lua_Integer) == 8, "numbers");
    checkStrings(L);
    checkTables(L);
    checkLengths(L);
    checkUserdata(L);
    lua_pushcfunction(L, probeCall);
    lua_setglobal(L, "probe");
    if (luaL_loadbufferx(L, probeSource, sizeof probeSource - 1, "=probe", "t") != LUA_OK) {
        return lua_error(L);
    }
    lua_call(L, 0, 3);
    lua_remove(L, 1);
    checkClosures(L);
    readThreads(L, layout);
    return 0;
}

const LuaRouteLayout *luaroute_layout(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static LuaRouteLayout layout;
    static bool isRead;
    pthread_mutex_lock(&mutex);
    if (!isRead) {
        lua_State *L = luaL_newstate();
        if (L != NULL) {
            lua_pushcfunction(L, readLayout);
            lua_pushlightuserdata(L, &layout);
            isRead = lua_pcall(L, 1, 0, 0) == LUA_OK;
            lua_close(L);
        }
    }
    bool wasRead = isRead;
    pthread_mutex_unlock(&mutex);
    return wasRead ? &layout : NULL;
}

// MARK: Lengths

static bool isPresent(const SeenTable *table, uint64_t key) {
    if (key <= luaroute_seen_list(table)) return (table->list[key - 1].tag & SEEN_BASE) != 0;
    for (size_t i = 0; i < (size_t)1 << table->exponent; i += 1) {
        const SeenNode *node = &table->nodes[i];
        if (node->keyTag == SEEN_INTEGER && node->key == key) return (node->tag & SEEN_BASE) != 0;
    }
    return false;
}

// Finds a border between a present position (or 0) and an absent position.
static uint64_t findBorder(const SeenTable *table, uint64_t present, uint64_t absent) {
    while (absent - present > 1) {
        uint64_t middle = present + (absent - present) / 2;
        if (isPresent(table, middle)) present = middle; else absent = middle;
    }
    return present;
}

lua_Unsigned luaroute_seen_length(const SeenTable *table) {
    uint64_t limit = table->limit, size = luaroute_seen_list(table);
    if (limit > 0 && !isPresent(table, limit)) {
        if (limit >= 2 && isPresent(table, limit - 1)) return limit - 1;
        return findBorder(table, 0, limit);
    }
    if (limit < size) {
        if (!isPresent(table, limit + 1)) return limit;
        if (!isPresent(table, size)) return findBorder(table, limit, size);
        limit = size;
    }
    if (!isPresent(table, limit + 1)) return limit;
    // Like Lua for keys outside of the list, doubles the position until a key is absent.
    uint64_t present = limit == 0 ? 1 : limit, absent = present * 2;
    while (isPresent(table, absent)) {
        present = absent;
        absent *= 2;
        if (absent > (uint64_t)LUA_MAXINTEGER / 2) return present;
    }
    return findBorder(table, present, absent);
}
