// SPDX-License-Identifier: MIT
//
// The tokens of a Lua source. If Lua accepts a source, the tokens here are the same as in Lua. If
// the tokens differed, scripts could evade the limits in `source.c`.
#include "internal.h"

// MARK: Classes of bytes, independent of the locale

enum {
    BLANK = 1,      // white space, except line ends
    LINE_END = 2,
    LETTER = 4,     // includes the underscore
    DIGIT = 8,
    HEXADECIMAL = 16,
    QUOTE = 32,     // a quote or a backslash, which have a meaning in a quoted string
    SINGLE = 64,    // always a symbol of one byte
};

static const uint8_t classes[256] = {
    ['\t'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK, [' '] = BLANK,
    ['\n'] = LINE_END, ['\r'] = LINE_END,
    ['0' ... '9'] = DIGIT | HEXADECIMAL,
    ['A' ... 'F'] = LETTER | HEXADECIMAL, ['G' ... 'Z'] = LETTER, ['_'] = LETTER,
    ['a' ... 'f'] = LETTER | HEXADECIMAL, ['g' ... 'z'] = LETTER,
    ['('] = SINGLE, [')'] = SINGLE, ['{'] = SINGLE, ['}'] = SINGLE, [']'] = SINGLE,
    [','] = SINGLE, [';'] = SINGLE,
    ['"'] = QUOTE, ['\''] = QUOTE, ['\\'] = QUOTE,
};

static int peek(const LuaRouteLexer *lexer, size_t ahead) {
    size_t position = lexer->position + ahead;
    return position < lexer->length ? lexer->source[position] : -1;
}

static bool isIn(int byte, int class) { return byte >= 0 && (classes[byte] & class) != 0; }

// Skips all bytes of a class.
static inline void skipAll(LuaRouteLexer *lexer, int class) {
    size_t position = lexer->position;
    while (position < lexer->length && (classes[lexer->source[position]] & class) != 0) {
        position += 1;
    }
    lexer->position = position;
}

// Skips all bytes before the next byte of a class.
static inline void skipTo(LuaRouteLexer *lexer, int class) {
    size_t position = lexer->position;
    while (position < lexer->length && (classes[lexer->source[position]] & class) == 0) {
        position += 1;
    }
    lexer->position = position;
}

// MARK: Parts of tokens

// Skips one byte or one line break, which is CR, LF, or both in either order.
static void advance(LuaRouteLexer *lexer) {
    int byte = peek(lexer, 0);
    lexer->position += 1;
    if (!isIn(byte, LINE_END)) return;
    int next = peek(lexer, 0);
    if (isIn(next, LINE_END) && next != byte) lexer->position += 1;
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
    for (;;) {
        skipTo(lexer, QUOTE | LINE_END);
        int byte = peek(lexer, 0);
        if (byte < 0 || isIn(byte, LINE_END)) return false;
        lexer->position += 1;
        if (byte == quote) return true;
        if (byte != '\\' || lexer->position == lexer->length) continue;
        bool skipsSpace = peek(lexer, 0) == 'z';
        advance(lexer);
        while (skipsSpace && isIn(peek(lexer, 0), BLANK | LINE_END)) advance(lexer);
    }
}

// Skips a comment. Returns false if the end of a long comment is missing.
static bool skipComment(LuaRouteLexer *lexer) {
    lexer->position += 2;
    int level = longBracket(lexer, '[');
    if (level >= 0) return skipLong(lexer, level);
    skipTo(lexer, LINE_END);
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
        } else if (isIn(byte, HEXADECIMAL) || byte == '.') {
            lexer->position += 1;
        } else {
            break;
        }
    }
    if (isIn(peek(lexer, 0), LETTER)) lexer->position += 1;
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

// Whether a word is the given keyword of the same length. Inlined, so that the length is a constant.
__attribute__((always_inline)) static inline bool isWord(const uint8_t *word, const char *keyword) {
    return memcmp(word, keyword, strlen(keyword)) == 0;
}

// Returns the keyword that a word is; 0 for any other word.
static LuaRouteKeyword keyword(const uint8_t *word, size_t length) {
    switch (length) {
    case 2:
        if (isWord(word, "do")) return LUAROUTE_WORD_DO;
        if (isWord(word, "if")) return LUAROUTE_WORD_IF;
        if (isWord(word, "in")) return LUAROUTE_WORD_IN;
        if (isWord(word, "or")) return LUAROUTE_WORD_OR;
        return 0;
    case 3:
        if (isWord(word, "and")) return LUAROUTE_WORD_AND;
        if (isWord(word, "end")) return LUAROUTE_WORD_END;
        if (isWord(word, "for")) return LUAROUTE_WORD_FOR;
        if (isWord(word, "nil")) return LUAROUTE_WORD_NIL;
        if (isWord(word, "not")) return LUAROUTE_WORD_NOT;
        return 0;
    case 4:
        if (isWord(word, "else")) return LUAROUTE_WORD_ELSE;
        if (isWord(word, "goto")) return LUAROUTE_WORD_GOTO;
        if (isWord(word, "then")) return LUAROUTE_WORD_THEN;
        if (isWord(word, "true")) return LUAROUTE_WORD_TRUE;
        return 0;
    case 5:
        if (isWord(word, "break")) return LUAROUTE_WORD_BREAK;
        if (isWord(word, "false")) return LUAROUTE_WORD_FALSE;
        if (isWord(word, "local")) return LUAROUTE_WORD_LOCAL;
        if (isWord(word, "until")) return LUAROUTE_WORD_UNTIL;
        if (isWord(word, "while")) return LUAROUTE_WORD_WHILE;
        return 0;
    case 6:
        if (isWord(word, "elseif")) return LUAROUTE_WORD_ELSEIF;
        if (isWord(word, "repeat")) return LUAROUTE_WORD_REPEAT;
        if (isWord(word, "return")) return LUAROUTE_WORD_RETURN;
        return 0;
    case 8:
        if (isWord(word, "function")) return LUAROUTE_WORD_FUNCTION;
        return 0;
    default: return 0;
    }
}

// MARK: Tokens

__attribute__((always_inline)) static inline LuaRouteTokenKind skipToken(LuaRouteLexer *lexer) {
    int byte = lexer->source[lexer->position];
    if (isIn(byte, SINGLE)) {
        lexer->position += 1;
        return LUAROUTE_SYMBOL;
    }
    if (isIn(byte, LETTER)) {
        skipAll(lexer, LETTER | DIGIT);
        return LUAROUTE_NAME;
    }
    if (isIn(byte, DIGIT) || (byte == '.' && isIn(peek(lexer, 1), DIGIT))) {
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
    skipTo(lexer, LINE_END);
}

// Inlined, because a check of a source reads many tokens.
__attribute__((always_inline)) static inline LuaRouteToken nextToken(LuaRouteLexer *lexer) {
    if (lexer->position == 0) luaroute_skip_interpreter(lexer);
    LuaRouteToken token = {.kind = LUAROUTE_END_OF_SOURCE};
    bool isWhole = true;
    while (isWhole) {
        skipAll(lexer, BLANK);
        if (isIn(peek(lexer, 0), LINE_END)) {
            advance(lexer);
        } else if (peek(lexer, 0) == '-' && peek(lexer, 1) == '-') {
            isWhole = skipComment(lexer);
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
    if (token.kind == LUAROUTE_NAME) {
        token.keyword = keyword(lexer->source + token.start, token.end - token.start);
        if (token.keyword != 0) token.kind = LUAROUTE_KEYWORD;
    }
    return token;
}

LuaRouteToken luaroute_read_token(LuaRouteLexer *lexer) { return nextToken(lexer); }
