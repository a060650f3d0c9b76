// SPDX-License-Identifier: MIT
#include "CLuaProbes.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

typedef struct Text {
    uint8_t *bytes;
    size_t length, capacity;
} Text;

static void append(Text *text, const void *bytes, size_t length) {
    if (text->capacity - text->length < length) {
        text->capacity = 2 * text->capacity + length + 256;
        text->bytes = realloc(text->bytes, text->capacity);
        if (text->bytes == NULL) abort();
    }
    if (length > 0) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static int write(lua_State *L, const void *bytes, size_t length, void *text) {
    (void)L;
    append(text, bytes, length);
    return 0;
}

// The program that Lua makes of a text; empty if it refuses the text.
static Text compile(lua_State *L, const uint8_t *source, size_t length) {
    Text program = {NULL, 0, 0};
    if (luaL_loadbufferx(L, (const char *)source, length, "=probe", "t") == LUA_OK) {
        lua_dump(L, write, &program, 0);
    }
    lua_settop(L, 0);
    return program;
}

static Text rewrite(const uint8_t *source, size_t length) {
    Text text = {NULL, 0, 0};
    LuaRouteLexer lexer = {.source = source, .length = length, .line = 1};
    int line = 1;
    for (;;) {
        LuaRouteToken token = luaroute_read_token(&lexer);
        if (token.kind == LUAROUTE_END_OF_SOURCE || token.kind == LUAROUTE_BROKEN) return text;
        for (; line < token.firstLine; line += 1) append(&text, "\n", 1);
        append(&text, " ", 1);
        append(&text, source + token.start, token.end - token.start);
        line = token.line;
    }
}

int lexer_probe(const uint8_t *source, size_t length) {
    lua_State *L = luaL_newstate();
    if (L == NULL) abort();
    int result = LEXER_REFUSED;
    Text program = compile(L, source, length);
    if (program.length > 0) {
        Text text = rewrite(source, length);
        Text again = compile(L, text.bytes, text.length);
        bool isSame = program.length == again.length
            && memcmp(program.bytes, again.bytes, program.length) == 0;
        result = isSame ? LEXER_SAME : LEXER_DIFFERS;
        free(text.bytes);
        free(again.bytes);
    }
    free(program.bytes);
    lua_close(L);
    return result;
}

// MARK: Stacks

static const void *objectOf(const SeenValue *value) { return (const void *)(uintptr_t)value->bits; }

static const void *inRegistry(lua_State *L, int position) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, position);
    const void *object = lua_topointer(L, -1);
    lua_pop(L, 1);
    return object;
}

// Whether a table has a short text as a key, and what is its value.
static const SeenValue *seenField(const SeenTable *table, const char *name) {
    for (size_t i = 0; table != NULL && i < (size_t)1 << table->exponent; i += 1) {
        const SeenNode *node = &table->nodes[i];
        if ((node->tag & SEEN_BASE) == 0 || node->keyTag != SEEN_SHORT_STRING) continue;
        size_t length;
        const char *bytes = luaroute_seen_bytes((const SeenString *)(uintptr_t)node->key, &length);
        if (length == strlen(name) && memcmp(bytes, name, length) == 0) return (const SeenValue *)node;
    }
    return NULL;
}

static const char *privateTable(
    LuaRouteContext *context, lua_State *L, const SeenTable *table) {
    if (table == inRegistry(L, LUAROUTE_METATABLES)) return "the list of metatables";
    if (table == inRegistry(L, LUAROUTE_ANCHORS)) return "the list of messages";
    if (table == lua_topointer(L, LUA_REGISTRYINDEX)) return "the registry";
    for (size_t i = 0; i < context->typeCount; i += 1) {
        if (table == inRegistry(L, context->types[i].cache)) return "a list of objects";
        if (table == inRegistry(L, context->types[i].cache + 1)) return "the metatable of a type";
    }
    if (context->missing != 0 && table == inRegistry(L, context->missing)) return "that of members";
    const SeenValue *shown = seenField(table, "__metatable");
    if (shown != NULL && objectOf(shown) != table) return "a metatable";
    if (seenField(table, "of a frozen table") != NULL) return "the content of a frozen table";
    // Scripts give their tables metatables that show another.
    if (table->metatable != NULL && seenField(table->metatable, "__metatable") == NULL) {
        return "a table of members";
    }
    return NULL;
}

// The kind of a private value; NULL for any other value.
static const char *privateValue(
    LuaRouteContext *context, lua_State *L, const SeenValue *value) {
    const SeenUserdata *userdata;
    switch (value->tag) {
    case SEEN_TABLE: return privateTable(context, L, objectOf(value));
    case SEEN_LIGHT: return "an address";
    case SEEN_THREAD: return objectOf(value) == context->main ? "the main thread" : NULL;
    case SEEN_USERDATA:
        userdata = objectOf(value);
        return userdata->length != sizeof(LuaRouteHeld) ? "a closure or a block of C" : NULL;
    default: return NULL;
    }
}

const char *stack_probe(void *opaque) {
    LuaRouteContext *context = opaque;
    lua_State *L = context->current;
    const SeenCall *call = luaroute_seen_call(context->layout, L);
    const SeenValue *first = call->function + 1 + lua_gettop(L);
    const SeenValue *end = luaroute_seen_end(context->layout, L);
    size_t count = (size_t)(end - first);
    // The values are copied first, because a search of the registry uses the stack.
    SeenValue *values = malloc(count * sizeof *values + 1);
    if (values == NULL) abort();
    memcpy(values, first, count * sizeof *values);
    const char *what = NULL;
    for (size_t i = 0; i < count && what == NULL; i += 1) {
        what = privateValue(context, L, &values[i]);
    }
    free(values);
    luaroute_hide(L, 1);
    return what;
}

size_t region_probe(const void *opaque) {
    const LuaRouteContext *context = opaque;
    size_t bytes = 0;
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        if (context->segments[i].isUsed) bytes += context->segments[i].size;
    }
    return bytes;
}

#include "lua_sources.h"
