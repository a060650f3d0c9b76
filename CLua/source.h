// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_SOURCE_H
#define LUAROUTE_SOURCE_H

#include "internal.h"

enum {
    LUAROUTE_OPEN_PARTS = 256,  // maximum nesting of brackets and blocks; Lua allows 200
    LUAROUTE_SEEN = 32 * 1024,  // number of distinct hashes of numerals
};

// The index operations that lead to a value: the length of their chain, and their number, including
// the operations in keys.
typedef struct LuaRouteChain {
    int64_t depth, count;
} LuaRouteChain;

// The state of an operand of `and` and `or`. It determines whether the compiler leaves an
// expression as a comparison with an unresolved jump.
typedef struct LuaRouteOperand {
    bool isBegun;     // contains more than `not`
    bool isCompared;  // is a comparison, possibly in parentheses
    bool isGroup;     // so far is only a comparison in parentheses
    bool isVariable;  // is not constant, so a following `and` or `or` jumps
    bool hasAnd, hasOr;  // preceding `and`s or `or`s jump to the end of the expression
    bool hasJumps;    // the expression contains a comparison, `and` or `or`, even in parentheses
    bool isMixed;     // follows `&`, `|` or `~`, with too many constants before it
} LuaRouteOperand;

// An open bracket or block, with the state that applies after it is closed.
typedef struct LuaRouteOpenPart {
    char end;               // the closing bracket, or 'e' for a block
    bool isFunction;        // whether a block is a function
    bool isSuffix;          // whether a bracket is an index or a call
    LuaRouteOperand operand;  // the operand that contains the bracket
    LuaRouteChain chain;    // the chain of the value before the bracket
    LuaRouteChain inside;   // the maximum depth and count in the enclosing part
    int64_t operands;       // the operands of the enclosing expression
    int64_t jumps, tokens, constants;  // the counts for the enclosing function
} LuaRouteOpenPart;

// A source that the compiler reads in pieces. Each piece is checked and charged before the compiler
// receives it.
typedef struct LuaRouteSource {
    LuaRouteContext *context;
    LuaRouteLexer lexer;
    const char *refusal;  // the refusal's reason; NULL for an exceeded budget or a syntax error
    int defects;          // the defects whose constructs are refused
    char need[160];       // the text of the refusal
    // The constructs that were found.
    LuaRouteConstruct *constructs;
    size_t found, room;
    bool isOver;          // the compiler receives no more pieces
    bool isIncomplete;    // the rest is withheld, so Lua must refuse the part that it has received

    int depth, functions;
    LuaRouteChain chain;   // the chain of the value that ends here
    LuaRouteChain inside;  // the maximum depth and count since the innermost part was opened
    bool isOperand;  // the last token may end a statement, so that a name would begin a new one
    bool isMember;   // the last token is the dot or colon before the name of a member
    bool isMethod;   // the last token is a colon
    int64_t operands, jumps, tokens, numerals;
    int64_t constants;  // the maximum number of constants in the function
    LuaRouteOperand operand;
    uint8_t attributed;  // how far the last tokens match `_ENV <const>`
    bool hasConstants;   // whether a name may be a constant variable
    uint8_t seen[LUAROUTE_SEEN / 8];  // one bit for each hash of a numeral
    LuaRouteOpenPart open[LUAROUTE_OPEN_PARTS];
} LuaRouteSource;

void luaroute_begin_source(
    LuaRouteSource *source, LuaRouteContext *context, const uint8_t *bytes, size_t length);
// Gives the compiler the next piece. This is a `lua_Reader` that raises no errors.
const char *luaroute_read_source(lua_State *L, void *source, size_t *size);

#endif
