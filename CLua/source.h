// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_SOURCE_H
#define LUAROUTE_SOURCE_H

#include "internal.h"

enum {
    LUAROUTE_OPEN_PARTS = 256,  // brackets and blocks within each other: Lua's parser allows 200
    LUAROUTE_SEEN = 32 * 1024,  // hashes of numerals
};

// The index operations that made a value: the length of their chain, and their number including
// those in keys.
typedef struct LuaRouteChain {
    int64_t depth, count;
} LuaRouteChain;

// The state of an expression that decides whether the compiler leaves it as a comparison with a jump
// that is not resolved. The operands are those of `and` and `or`.
typedef struct LuaRouteOperand {
    bool isBegun;     // has more than `not`
    bool isCompared;  // is a comparison, in parentheses or not
    bool isGroup;     // is a comparison in parentheses so far, and nothing else
    bool isVariable;  // is more than constants, so `and` and `or` behind it jump
    bool hasAnd, hasOr;  // `and`s, `or`s before it jump to the end of the expression
    bool hasJumps;    // the expression has a comparison, `and` or `or`, in parentheses or not
    bool isMixed;     // follows `&`, `|` or `~`, behind more constants than an instruction can name
} LuaRouteOperand;

// An open bracket or block, and the state around it.
typedef struct LuaRouteOpenPart {
    char end;               // the closing bracket, or 'e' for a block
    bool isFunction;        // of a block
    bool isSuffix;          // of a bracket: of an index or a call
    LuaRouteOperand operand;  // that it is in
    LuaRouteChain chain;    // of the value before it
    LuaRouteChain inside;   // the most of each in what surrounds it
    int64_t operands;       // of the expression around it
    int64_t jumps, tokens, constants;  // of the function around it
} LuaRouteOpenPart;

// A source that the compiler reads piece by piece. Each piece is checked and charged before the
// compiler gets it.
typedef struct LuaRouteSource {
    LuaRouteContext *context;
    LuaRouteLexer lexer;
    const char *refusal;  // why the rest is withheld; NULL for a budget or a syntax error
    int defects;          // what is refused
    char need[160];       // the refusal of it
    // The list of found constructs.
    LuaRouteConstruct *constructs;
    size_t found, room;
    bool isOver;          // the compiler gets no more
    bool isIncomplete;    // the rest is withheld: Lua has to refuse what it has

    int depth, functions;
    LuaRouteChain chain;   // of the value that ends here
    LuaRouteChain inside;  // the most of each since the innermost part was opened
    bool isOperand;  // the last token may end a statement, which a name then begins
    bool isMember;   // the last token is the dot or colon before a member's name
    bool isMethod;   // it is a colon
    int64_t operands, jumps, tokens, numerals;
    int64_t constants;  // that the function has at most
    LuaRouteOperand operand;
    uint8_t attributed;  // which tokens of `_ENV <const>` were read last
    bool hasConstants;   // a name may be one of a constant
    uint8_t seen[LUAROUTE_SEEN / 8];  // a bit for each hash of a numeral
    LuaRouteOpenPart open[LUAROUTE_OPEN_PARTS];
} LuaRouteSource;

void luaroute_begin_source(
    LuaRouteSource *source, LuaRouteContext *context, const uint8_t *bytes, size_t length);
// Gives the compiler the next piece. A `lua_Reader`, which raises nothing.
const char *luaroute_read_source(lua_State *L, void *source, size_t *size);

#endif
