// SPDX-License-Identifier: MIT
//
// Finds what is legal in a source and too much for Lua.
//
// Chains of index suffixes, `a.b[c].d`, that are too long: to name the value in a message Lua 5.4.4
// follows such a chain by recursion, and a very long one overflows the C stack.
//
// Names in deeply nested functions: the compiler looks for each that is a global among the locals
// of all functions around it, for seconds where there are many.
#include <ctype.h>

#include "internal.h"

enum { NESTING = 256, LOOKUPS = 400 * 1000 };

typedef struct Scanner {
    const uint8_t *source;
    size_t length, position;
    int line;
} Scanner;

static int peek(const Scanner *scanner, size_t ahead) {
    size_t position = scanner->position + ahead;
    return position < scanner->length ? scanner->source[position] : -1;
}

static void advance(Scanner *scanner) {
    if (scanner->source[scanner->position] == '\n') scanner->line += 1;
    scanner->position += 1;
}

// The level of a long bracket that begins here, or -1.
static int longBracket(const Scanner *scanner, size_t ahead) {
    if (peek(scanner, ahead) != '[') return -1;
    int level = 0;
    while (peek(scanner, ahead + 1 + (size_t)level) == '=') level += 1;
    return peek(scanner, ahead + 1 + (size_t)level) == '[' ? level : -1;
}

static void skipLong(Scanner *scanner, int level) {
    for (int i = 0; i < level + 2; i += 1) advance(scanner);
    while (scanner->position < scanner->length) {
        if (peek(scanner, 0) == ']') {
            int count = 0;
            while (peek(scanner, 1 + (size_t)count) == '=') count += 1;
            if (count == level && peek(scanner, 1 + (size_t)count) == ']') {
                for (int i = 0; i < level + 2; i += 1) advance(scanner);
                return;
            }
        }
        advance(scanner);
    }
}

static void skipQuoted(Scanner *scanner) {
    int quote = peek(scanner, 0);
    advance(scanner);
    while (scanner->position < scanner->length) {
        int character = peek(scanner, 0);
        advance(scanner);
        if (character == quote || character == '\n') return;
        if (character == '\\' && scanner->position < scanner->length) advance(scanner);
    }
}

static bool isKeyword(const uint8_t *word, size_t length) {
    static const char *const words[] = {
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i += 1) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
    }
    return false;
}

// How many more blocks are open after a keyword. `while` and `for` have a `do`.
static int blocksOf(const uint8_t *word, size_t length) {
    static const struct {
        const char *word;
        int blocks;
    } words[] = {
        {"do", 1}, {"end", -1}, {"function", 1}, {"if", 1}, {"repeat", 1}, {"until", -1},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i += 1) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) {
            return words[i].blocks;
        }
    }
    return 0;
}

int luaroute_check_source(const uint8_t *source, size_t length, const char **reason) {
    static const char suffixes[] = "more than 200 index suffixes in a row";
    _Static_assert(LUAROUTE_SUFFIXES == 200, "the message says so");
    static const char names[] = "too many names in blocks within each other";
    Scanner scanner = {source, length, 0, 1};
    // For each open bracket the chain before it; a call starts a new one when it closes.
    struct {
        int chain;
        bool isIndex, isCall;
    } open[NESTING];
    int depth = 0, chain = 0;
    bool isOperand = false;  // what stands before can be indexed or called
    bool isDotted = false;
    int blocks = 0, lookups = 0;
    while (scanner.position < length) {
        int character = peek(&scanner, 0);
        if (isspace(character)) {
            advance(&scanner);
            continue;
        }
        if (character == '-' && peek(&scanner, 1) == '-') {
            int level = longBracket(&scanner, 2);
            if (level >= 0) {
                scanner.position += 2;
                skipLong(&scanner, level);
            } else {
                while (scanner.position < length && peek(&scanner, 0) != '\n') advance(&scanner);
            }
            continue;
        }
        int level = longBracket(&scanner, 0);
        if (character == '"' || character == '\'' || level >= 0) {
            if (level >= 0) {
                skipLong(&scanner, level);
            } else {
                skipQuoted(&scanner);
            }
            chain = 0;
            isOperand = true;
            isDotted = false;
            continue;
        }
        if (isalpha(character) || character == '_') {
            size_t start = scanner.position;
            while (isalnum(peek(&scanner, 0)) || peek(&scanner, 0) == '_') advance(&scanner);
            if (isDotted) {
                chain += 1;
            } else {
                chain = 0;
            }
            size_t size = scanner.position - start;
            isOperand = isDotted || !isKeyword(source + start, size);
            if (!isOperand) {
                blocks += blocksOf(source + start, size);
            } else if (!isDotted && blocks > 0) {
                lookups += blocks;
                *reason = names;
                if (lookups > LOOKUPS) return scanner.line;
            }
            isDotted = false;
        } else if (character == '.' && peek(&scanner, 1) != '.' && isOperand) {
            advance(&scanner);
            isDotted = true;
        } else if (character == '(' || character == '[' || character == '{') {
            advance(&scanner);
            // The parser itself refuses brackets as deep as this.
            if (depth == NESTING) return 0;
            open[depth].chain = chain;
            open[depth].isIndex = character == '[' && isOperand;
            open[depth].isCall = character == '{' || (character == '(' && isOperand);
            depth += 1;
            chain = 0;
            isOperand = false;
        } else if (character == ')' || character == ']' || character == '}') {
            advance(&scanner);
            if (depth == 0) return 0;
            depth -= 1;
            if (open[depth].isIndex) {
                chain = open[depth].chain + 1;
            } else if (open[depth].isCall) {
                chain = 0;
            }
            isOperand = true;
        } else {
            advance(&scanner);
            // A method's name is no index: the call that follows it ends the chain.
            if (isdigit(character) || !isOperand || character != ':') chain = 0;
            isOperand = false;
            isDotted = false;
        }
        *reason = suffixes;
        if (chain > LUAROUTE_SUFFIXES) return scanner.line;
    }
    return 0;
}
