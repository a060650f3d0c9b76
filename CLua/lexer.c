// SPDX-License-Identifier: MIT
//
// The tokens of a Lua source. If Lua accepts a source, the tokens here are the same as in Lua. If
// the tokens differed, scripts could evade the limits in `source.c`.
#include "internal.h"

static int peek(const LuaRouteLexer *lexer, size_t ahead) {
    size_t position = lexer->position + ahead;
    return position < lexer->length ? lexer->source[position] : -1;
}

// MARK: Classes of bytes, independent of the locale

static bool isDigit(int byte) { return byte >= '0' && byte <= '9'; }

static bool isHexadecimal(int byte) {
    return isDigit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static bool isLetter(int byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static bool isLineEnd(int byte) { return byte == '\n' || byte == '\r'; }

static bool isSpace(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// MARK: Parts of tokens

// Skips one byte or one line break, which is CR, LF, or both in either order.
static void advance(LuaRouteLexer *lexer) {
    int byte = peek(lexer, 0);
    lexer->position += 1;
    if (!isLineEnd(byte)) return;
    int next = peek(lexer, 0);
    if (isLineEnd(next) && next != byte) lexer->position += 1;
    lexer->line += 1;
}

// Returns the level of the long bracket at the position, or -1 if there is none.
static int longBracket(const LuaRouteLexer *lexer, char bracket) {
    if (peek(lexer, 0) != bracket) return -1;
    size_t level = 0;
    while (peek(lexer, 1 + level) == '=') level += 1;
    return peek(lexer, 1 + level) == bracket ? (int)level : -1;
}

// Skips a long bracket with its contents. Returns false if the closing bracket is missing.
static bool skipLong(LuaRouteLexer *lexer, int level) {
    lexer->position += (size_t)level + 2;
    while (lexer->position < lexer->length) {
        if (longBracket(lexer, ']') == level) {
            lexer->position += (size_t)level + 2;
            return true;
        }
        advance(lexer);
    }
    return false;
}

// Skips a quoted string. Returns false if the string does not end in its line. Lua checks whether
// escapes are valid: apart from the escapes that are handled here, no valid escape contains a
// quote, a backslash or a line break.
static bool skipQuoted(LuaRouteLexer *lexer) {
    int quote = peek(lexer, 0);
    lexer->position += 1;
    while (lexer->position < lexer->length) {
        int byte = peek(lexer, 0);
        if (isLineEnd(byte)) return false;
        lexer->position += 1;
        if (byte == quote) return true;
        if (byte != '\\' || lexer->position == lexer->length) continue;
        bool skipsSpace = peek(lexer, 0) == 'z';
        advance(lexer);
        while (skipsSpace && isSpace(peek(lexer, 0))) advance(lexer);
    }
    return false;
}

// Skips a comment. Returns false if the end of a long comment is missing.
static bool skipComment(LuaRouteLexer *lexer) {
    lexer->position += 2;
    int level = longBracket(lexer, '[');
    if (level >= 0) return skipLong(lexer, level);
    while (lexer->position < lexer->length && !isLineEnd(peek(lexer, 0))) lexer->position += 1;
    return true;
}

// Skips the characters that Lua reads as a numeral, even if it then refuses the numeral.
static void skipNumeral(LuaRouteLexer *lexer) {
    const char *exponent = "Ee";
    if (peek(lexer, 0) == '.') lexer->position += 1;
    int first = peek(lexer, 0), second = peek(lexer, 1);
    lexer->position += 1;
    if (first == '0' && (second == 'x' || second == 'X')) {
        exponent = "Pp";
        lexer->position += 1;
    }
    for (;;) {
        int byte = peek(lexer, 0), sign = peek(lexer, 1);
        if (byte == exponent[0] || byte == exponent[1]) {
            lexer->position += sign == '-' || sign == '+' ? 2 : 1;
        } else if (isHexadecimal(byte) || byte == '.') {
            lexer->position += 1;
        } else {
            break;
        }
    }
    if (isLetter(peek(lexer, 0))) lexer->position += 1;
}

static size_t symbolLength(const LuaRouteLexer *lexer) {
    int byte = peek(lexer, 0), next = peek(lexer, 1);
    switch (byte) {
    case '.': return next != '.' ? 1 : peek(lexer, 2) == '.' ? 3 : 2;
    case ':': case '/': return next == byte ? 2 : 1;
    case '=': case '~': return next == '=' ? 2 : 1;
    case '<': case '>': return next == '=' || next == byte ? 2 : 1;
    default: return 1;
    }
}

static bool isKeyword(const uint8_t *word, size_t length) {
    // The keywords by their first letter: at most three for a letter, with at most eight letters
    // each.
    static const char words['z' - 'a' + 1][3][9] = {
        ['a' - 'a'] = {"and"}, ['b' - 'a'] = {"break"}, ['d' - 'a'] = {"do"},
        ['e' - 'a'] = {"else", "elseif", "end"}, ['f' - 'a'] = {"false", "for", "function"},
        ['g' - 'a'] = {"goto"}, ['i' - 'a'] = {"if", "in"}, ['l' - 'a'] = {"local"},
        ['n' - 'a'] = {"nil", "not"}, ['o' - 'a'] = {"or"}, ['r' - 'a'] = {"repeat", "return"},
        ['t' - 'a'] = {"then", "true"}, ['u' - 'a'] = {"until"}, ['w' - 'a'] = {"while"},
    };
    if (word[0] < 'a' || word[0] > 'z' || length < 2 || length > 8) return false;
    for (size_t i = 0; i < 3; i += 1) {
        const char *known = words[word[0] - 'a'][i];
        if (known[length] == 0 && memcmp(known, word, length) == 0) return true;
    }
    return false;
}

// MARK: Tokens

static LuaRouteTokenKind skipToken(LuaRouteLexer *lexer) {
    int byte = peek(lexer, 0), next = peek(lexer, 1);
    if (isLetter(byte)) {
        const uint8_t *word = lexer->source + lexer->position;
        size_t length = 1;
        while (isLetter(peek(lexer, length)) || isDigit(peek(lexer, length))) length += 1;
        lexer->position += length;
        return isKeyword(word, length) ? LUAROUTE_KEYWORD : LUAROUTE_NAME;
    }
    if (isDigit(byte) || (byte == '.' && isDigit(next))) {
        skipNumeral(lexer);
        return LUAROUTE_NUMERAL;
    }
    if (byte == '"' || byte == '\'') {
        return skipQuoted(lexer) ? LUAROUTE_LITERAL : LUAROUTE_BROKEN;
    }
    int level = longBracket(lexer, '[');
    if (level >= 0) return skipLong(lexer, level) ? LUAROUTE_LITERAL : LUAROUTE_BROKEN;
    lexer->position += symbolLength(lexer);
    return LUAROUTE_SYMBOL;
}

void luaroute_skip_interpreter(LuaRouteLexer *lexer) {
    if (lexer->position > 0 || peek(lexer, 0) != '#' || peek(lexer, 1) != '!') return;
    while (lexer->position < lexer->length && !isLineEnd(peek(lexer, 0))) lexer->position += 1;
}

LuaRouteToken luaroute_read_token(LuaRouteLexer *lexer) {
    if (lexer->position == 0) luaroute_skip_interpreter(lexer);
    LuaRouteToken token = {.kind = LUAROUTE_END_OF_SOURCE};
    bool isWhole = true;
    while (isWhole && lexer->position < lexer->length) {
        int byte = lexer->source[lexer->position];
        if (byte == ' ') {
            lexer->position += 1;
        } else if (byte == '-' && peek(lexer, 1) == '-') {
            isWhole = skipComment(lexer);
        } else if (isSpace(byte)) {
            advance(lexer);
        } else {
            break;
        }
    }
    token.start = lexer->position;
    token.firstLine = lexer->line;
    if (!isWhole) {
        token.kind = LUAROUTE_BROKEN;
    } else if (lexer->position < lexer->length) {
        token.kind = skipToken(lexer);
    }
    token.end = lexer->position;
    token.line = lexer->line;
    return token;
}
