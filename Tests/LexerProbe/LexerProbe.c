// SPDX-License-Identifier: MIT
#include "CLexerProbe.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

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

#include "lua_sources.h"
