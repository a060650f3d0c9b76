// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_LEXER_H
#define LUAROUTE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LuaRouteTokenKind {
    LUAROUTE_END_OF_SOURCE,
    LUAROUTE_BROKEN,  // Lua refuses it: an unfinished string or comment
    LUAROUTE_NAME,
    LUAROUTE_KEYWORD,
    LUAROUTE_NUMERAL,
    LUAROUTE_LITERAL,
    LUAROUTE_SYMBOL,
} LuaRouteTokenKind;

typedef struct LuaRouteToken {
    LuaRouteTokenKind kind;
    size_t start, end;  // in the source
    int line;           // where it ends, as Lua counts
} LuaRouteToken;

typedef struct LuaRouteLexer {
    const uint8_t *source;
    size_t length, position;
    int line;
} LuaRouteLexer;

// Reads the next token. It is the same as Lua's own lexer finds, for each source that Lua accepts.
LuaRouteToken luaroute_read_token(LuaRouteLexer *lexer);

// Whether a token is this word or symbol.
bool luaroute_token_is(
    const LuaRouteLexer *lexer, const LuaRouteToken *token, const char *text);

#endif
