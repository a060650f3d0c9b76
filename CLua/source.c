// SPDX-License-Identifier: MIT
//
// Limits for sources that are valid but would overload Lua.
//
// Recursion: to name a value in a message, Lua 5.4.4 recursively follows the index suffixes that
// lead to the value, as in `a.b[c.d].e`. A long chain overflows the C stack. For each suffix, Lua
// searches the function from its beginning, so the longer a function is, the shorter its chains
// must be.
//
// Defects: some releases compile a few constructs so that an instruction reads a register that was
// not written. With such a release, these constructs are refused. They are recognized by their
// tokens. The check also refuses some constructs that Lua compiles correctly, but finds every
// construct that Lua compiles incorrectly.
//
// Time: the compiler compares each jump of an expression or a function with all previous jumps,
// each numeral with others that have the same hash, and each name with the names in all enclosing
// functions. Each comparison is charged at its maximum cost.
#include <stdio.h>

#include "source.h"

enum {
    PIECE = 256,          // bytes of a piece, unless a single token is longer
    BYTES = 8,            // bytes that cost one instruction
    SEARCHED = 1 << 21,   // tokens that may be searched to name one value
    JUMPS = 4,            // jumps that are compared in the time of one instruction
    NUMERALS = 16,        // numerals that are compared in the time of one instruction
    NAME = 8,             // instructions charged for searching a name in a function
    SHORT_NUMERAL = 4,    // bytes of a numeral that can be part of an instruction
    NAMED = 255,          // number of constants that an instruction can address
};

// Whether a token is the given word or symbol. Inlined, so that the length of `text` is a constant.
__attribute__((always_inline)) static inline bool tokenIs(
    const LuaRouteLexer *lexer, const LuaRouteToken *token, const char *text) {
    size_t length = strlen(text);
    return token->end - token->start == length
        && memcmp(lexer->source + token->start, text, length) == 0;
}

// MARK: Expressions

static const char tooLong[] = "more than 200 index suffixes in a row";
static const char tooFar[] = "an index chain is too long for a function of this length: assign a part of the chain to a local variable";
_Static_assert(LUAROUTE_SUFFIXES == 200, "the message says so");

static const LuaRouteChain noChain;
static const LuaRouteOperand noOperand;

static int64_t larger(int64_t first, int64_t second) { return first > second ? first : second; }

static void setChain(LuaRouteSource *source, LuaRouteChain chain) {
    source->chain = chain;
    source->inside.depth = larger(source->inside.depth, chain.depth);
    source->inside.count = larger(source->inside.count, chain.count);
    if (chain.depth > LUAROUTE_SUFFIXES) {
        source->refusal = tooLong;
    } else if (chain.count * source->tokens > SEARCHED) {
        source->refusal = tooFar;
    }
}

// Ends the value or statement that precedes a token.
static void endExpression(LuaRouteSource *source) {
    source->chain = noChain;
    source->operands = 0;
    source->operand = noOperand;
}

static void endValue(LuaRouteSource *source) {
    source->chain = noChain;
    source->isOperand = false;
}

// MARK: Defects

// Records a construct that ends with the last token. If the linked Lua compiles it incorrectly,
// refuses the construct.
static void report(LuaRouteSource *source, int defect) {
    if (source->found < source->room) {
        source->constructs[source->found] = (LuaRouteConstruct){defect, source->lexer.line};
        source->found += 1;
    }
    if ((source->defects & defect) == 0) return;
    static const struct {
        int defect;
        const char *subject, *fix;
    } subjects[] = {
        {LUAROUTE_COMPARED_KEY, "a comparison as an index key, such as 't[a < b]',",
         ": assign the comparison to a local variable first"},
        {LUAROUTE_CONSTANT_ENVIRONMENT, "'_ENV <const>'", ": remove '<const>'"},
        {LUAROUTE_LATE_OPERAND, "'and', 'or' or a comparison after '&', '|' or '~'",
         ": assign the comparison to a local variable first"},
    };
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i += 1) {
        if (subjects[i].defect != defect) continue;
        luaroute_write_need(defect, subjects[i].subject, source->need, sizeof source->need);
        size_t length = strlen(source->need);
        snprintf(source->need + length, sizeof source->need - length, "%s", subjects[i].fix);
    }
    source->refusal = source->need;
}

// Reads a token that belongs to an operand: any token except a bracket, or a bracket that continues
// a value.
static void readOperand(LuaRouteSource *source, bool isComparison) {
    LuaRouteOperand *operand = &source->operand;
    operand->isBegun = true;
    operand->isMixed = false;
    if (isComparison) {
        operand->isCompared = true;
        operand->hasJumps = true;
    } else if (operand->isGroup) {
        operand->isCompared = false;
        operand->isVariable = true;
    }
    operand->isGroup = false;
}

// Reads a token of an operand that is not a constant.
static void readVariable(LuaRouteSource *source) {
    readOperand(source, false);
    source->operand.isVariable = true;
}

// Reads `and` or `or`. Either operator jumps, unless the preceding operand is constant. An `or` is
// the target of the jumps of preceding `and` operators.
static void endOperand(LuaRouteSource *source, bool isOr) {
    LuaRouteOperand *operand = &source->operand;
    bool jumps = operand->isVariable || operand->isCompared;
    *operand = (LuaRouteOperand){
        .hasAnd = !isOr && (operand->hasAnd || jumps),
        .hasOr = operand->hasOr || (isOr && jumps),
        .hasJumps = true,
    };
}

// Finds `_ENV <const>` in successive tokens, and records whether there are any constant variables.
static void readAttribute(LuaRouteSource *source, const LuaRouteToken *token) {
    enum { NONE, A_NAME, ENVIRONMENT, OPENED = 2 };
    const LuaRouteLexer *lexer = &source->lexer;
    if (source->attributed > ENVIRONMENT && tokenIs(lexer, token, "const")) {
        source->hasConstants = true;
        if (source->attributed == ENVIRONMENT + OPENED) {
            report(source, LUAROUTE_CONSTANT_ENVIRONMENT);
        }
    }
    bool isOpening = source->attributed != NONE && source->attributed <= ENVIRONMENT
        && tokenIs(lexer, token, "<");
    if (isOpening) {
        source->attributed += OPENED;
    } else if (token->kind != LUAROUTE_NAME) {
        source->attributed = NONE;
    } else {
        source->attributed = tokenIs(lexer, token, "_ENV") ? ENVIRONMENT : A_NAME;
    }
}

// MARK: Brackets and blocks

// Withholds the rest of a source that Lua would refuse, or that is nested too deeply.
static void withhold(LuaRouteSource *source) {
    source->isIncomplete = true;
}

static LuaRouteOpenPart *push(LuaRouteSource *source, char end) {
    if (source->depth == LUAROUTE_OPEN_PARTS) {
        withhold(source);
        return NULL;
    }
    LuaRouteOpenPart *part = &source->open[source->depth];
    source->depth += 1;
    *part = (LuaRouteOpenPart){
        .end = end, .chain = source->chain, .inside = source->inside,
        .operands = source->operands, .jumps = source->jumps, .tokens = source->tokens,
        .operand = source->operand, .constants = source->constants,
    };
    source->chain = noChain;
    source->inside = noChain;
    source->operands = 0;
    source->operand = noOperand;
    return part;
}

// Closes the innermost part and returns it, or returns NULL if the bracket or block does not match.
static const LuaRouteOpenPart *pop(LuaRouteSource *source, char end) {
    if (source->depth == 0 || source->open[source->depth - 1].end != end) {
        withhold(source);
        return NULL;
    }
    source->depth -= 1;
    const LuaRouteOpenPart *part = &source->open[source->depth];
    source->operands = part->operands;
    source->operand = part->operand;
    return part;
}

static void openBracket(LuaRouteSource *source, char bracket) {
    LuaRouteOpenPart *part = push(source, bracket == '(' ? ')' : bracket == '[' ? ']' : '}');
    if (part != NULL) part->isSuffix = source->isOperand;
    source->isOperand = false;
}

// Applies the contents of a bracket to the operand that contains the bracket.
static void closeOperand(
    LuaRouteSource *source, const LuaRouteOpenPart *part, LuaRouteOperand content, char bracket) {
    bool isCompared = content.isCompared && !content.hasAnd && !content.hasOr;
    LuaRouteOperand *operand = &source->operand;
    if (part->isSuffix || bracket != ')') {
        if (part->isSuffix && bracket == ']' && isCompared) report(source, LUAROUTE_COMPARED_KEY);
        readVariable(source);
        return;
    }
    if (operand->isMixed && content.hasJumps) report(source, LUAROUTE_LATE_OPERAND);
    if (!operand->isBegun && isCompared) {
        operand->isCompared = true;
        operand->isGroup = true;
    } else {
        readOperand(source, false);
    }
    operand->isBegun = true;
    operand->isVariable |= content.isVariable || content.isCompared;
    operand->hasJumps |= content.hasJumps;
}

// Lua names the key of an index together with the value, so the suffixes in a key count in addition
// to the suffix of the index itself. A value in parentheses passes its chain on. The arguments of a
// call do not, but after `local x`, the two cannot be distinguished.
static void closeBracket(LuaRouteSource *source, char bracket) {
    LuaRouteChain chain = source->inside;
    LuaRouteOperand content = source->operand;
    const LuaRouteOpenPart *part = pop(source, bracket);
    if (part == NULL) return;
    closeOperand(source, part, content, bracket);
    source->inside = part->inside;
    source->isOperand = true;
    if (bracket == ']') {
        chain.depth = larger(chain.depth - 1, part->chain.depth) + 1;
        chain.count += part->chain.count + 1;
    }
    setChain(source, bracket == '}' ? noChain : chain);
}

static void openBlock(LuaRouteSource *source, bool isFunction) {
    LuaRouteOpenPart *part = push(source, 'e');
    if (part == NULL) return;
    part->isFunction = isFunction;
    if (!isFunction) return;
    source->functions += 1;
    source->jumps = 0;
    source->tokens = 0;
    source->constants = 0;
}

static void closeBlock(LuaRouteSource *source) {
    const LuaRouteOpenPart *part = pop(source, 'e');
    if (part == NULL) return;
    source->inside = part->inside;
    if (!part->isFunction) return;
    source->functions -= 1;
    source->jumps = part->jumps;
    source->tokens = part->tokens;
    source->constants = part->constants;
}

// MARK: Tokens

// Returns the cost of a token, excluding the cost of its bytes.
static int64_t readKeyword(LuaRouteSource *source, LuaRouteKeyword keyword) {
    endValue(source);
    switch (keyword) {
    case LUAROUTE_WORD_AND: case LUAROUTE_WORD_OR:
        endOperand(source, keyword == LUAROUTE_WORD_OR);
        source->operands += 1;
        return source->operands / JUMPS;
    case LUAROUTE_WORD_NOT:
        return 0;
    case LUAROUTE_WORD_NIL: case LUAROUTE_WORD_TRUE: case LUAROUTE_WORD_FALSE:
        source->constants += 1;
        readOperand(source, false);
        return 0;
    case LUAROUTE_WORD_FUNCTION:
        readVariable(source);
        openBlock(source, true);
        return 0;
    case LUAROUTE_WORD_END: case LUAROUTE_WORD_UNTIL:
        closeBlock(source);
        return 0;
    case LUAROUTE_WORD_DO: case LUAROUTE_WORD_IF: case LUAROUTE_WORD_REPEAT:
        endExpression(source);
        openBlock(source, false);
        return 0;
    case LUAROUTE_WORD_ELSEIF: case LUAROUTE_WORD_GOTO: case LUAROUTE_WORD_BREAK:
        endExpression(source);
        source->jumps += 1;
        return source->jumps / JUMPS;
    default:
        endExpression(source);
        return 0;
    }
}

static int64_t readName(LuaRouteSource *source) {
    source->constants += 1;
    if (source->isMember) {
        // A method call creates a new value.
        bool isMethod = source->isMethod;
        source->isMember = false;
        source->isOperand = true;
        LuaRouteChain next = {source->chain.depth + 1, source->chain.count + 1};
        setChain(source, isMethod ? noChain : next);
        return 0;
    }
    if (source->isOperand) endExpression(source);
    readOperand(source, false);
    source->operand.isVariable |= !source->hasConstants;
    source->isOperand = true;
    source->chain = noChain;
    return NAME * (int64_t)source->functions;
}

// Whether a symbol of two bytes is a comparison operator.
static bool isComparison(const LuaRouteLexer *lexer, const LuaRouteToken *token) {
    return tokenIs(lexer, token, "==") || tokenIs(lexer, token, "~=")
        || tokenIs(lexer, token, "<=") || tokenIs(lexer, token, ">=");
}

static int64_t readSymbol(LuaRouteSource *source, const LuaRouteToken *token) {
    const LuaRouteLexer *lexer = &source->lexer;
    char symbol = token->end - token->start == 1 ? (char)lexer->source[token->start] : 0;
    switch (symbol) {
    case '.':
    case ':':
        readVariable(source);
        source->isMember = true;
        source->isMethod = symbol == ':';
        return 0;
    case '(': case '[': case '{':
        openBracket(source, symbol);
        return 0;
    case ')': case ']': case '}':
        closeBracket(source, symbol);
        return 0;
    case ',': case ';': case '=':
        endExpression(source);
        break;
    case '<': case '>':
        readOperand(source, true);
        break;
    case '&': case '|': case '~': {
        bool isMixed = source->operand.isBegun && source->constants > NAMED;
        readOperand(source, false);
        source->operand.isMixed = isMixed;
        break;
    }
    default:
        if (tokenIs(lexer, token, "::")) {
            endValue(source);
            source->jumps += 1;
            return source->jumps / JUMPS;
        }
        if (tokenIs(lexer, token, "...")) {
            readVariable(source);
        } else {
            readOperand(source, isComparison(lexer, token));
        }
    }
    endValue(source);
    return 0;
}

// Whether the source already contains this numeral, or another numeral with the same hash. The
// compiler finds such a numeral immediately.
static bool isSeen(LuaRouteSource *source, const LuaRouteToken *token) {
    uint32_t hash = 2166136261;
    for (size_t i = token->start; i < token->end; i += 1) {
        hash = (hash ^ source->lexer.source[i]) * 16777619;
    }
    hash = (hash ^ hash >> 15) % LUAROUTE_SEEN;
    uint8_t mask = (uint8_t)(1 << hash % 8), *byte = &source->seen[hash / 8];
    bool isSeen = (*byte & mask) != 0;
    *byte |= mask;
    return isSeen;
}

// Whether a literal is the name of the metamethod `__concat`.
static bool isConcatenation(const LuaRouteSource *source, const LuaRouteToken *token) {
    return tokenIs(&source->lexer, token, "\"__concat\"")
        || tokenIs(&source->lexer, token, "'__concat'");
}

static int64_t readToken(LuaRouteSource *source, const LuaRouteToken *token) {
    source->tokens += 1;
    readAttribute(source, token);
    // Lua accepts only a name here.
    if (source->isMember && token->kind != LUAROUTE_NAME) withhold(source);
    switch (token->kind) {
    case LUAROUTE_KEYWORD: return readKeyword(source, token->keyword);
    case LUAROUTE_NAME:
        if (tokenIs(&source->lexer, token, "__concat")) report(source, LUAROUTE_CONCATENATION);
        return readName(source);
    case LUAROUTE_SYMBOL: return readSymbol(source, token);
    case LUAROUTE_NUMERAL:
        source->constants += 1;
        readOperand(source, false);
        endValue(source);
        if (token->end - token->start <= SHORT_NUMERAL || isSeen(source, token)) return 0;
        source->numerals += 1;
        return source->numerals / NUMERALS;
    case LUAROUTE_LITERAL:
        if (isConcatenation(source, token)) report(source, LUAROUTE_CONCATENATION);
        source->constants += 1;
        readOperand(source, false);
        // The operand before it is the called function.
        source->operand.isVariable |= source->isOperand;
        source->chain = noChain;
        source->isOperand = true;
        return 0;
    case LUAROUTE_BROKEN:
        withhold(source);
        return 0;
    case LUAROUTE_END_OF_SOURCE: break;
    }
    return 0;
}

// MARK: Reading

void luaroute_begin_source(
    LuaRouteSource *source, LuaRouteContext *context, const uint8_t *bytes, size_t length) {
    // The open parts are not cleared, because each is written before it is read.
    memset(source, 0, sizeof *source - sizeof source->open);
    source->context = context;
    // Calls to `__concat` are checked at run time.
    if (context != NULL) source->defects = context->defects & ~LUAROUTE_CONCATENATION;
    source->lexer = (LuaRouteLexer){.source = bytes, .length = length, .line = 1};
    luaroute_skip_interpreter(&source->lexer);
}

// Charges the cost so far, and returns whether compiling may continue.
static bool canGoOn(LuaRouteSource *source, lua_State *L, int64_t cost) {
    LuaRouteContext *context = source->context;
    if (context == NULL) return true;
    if (context->used > luaroute_soft(context)) {
        lua_gc(L, LUA_GCCOLLECT);
        if (context->used > luaroute_soft(context)) context->tripped = LUAROUTE_MEMORY;
    }
    return luaroute_spend(context, cost);
}

const char *luaroute_read_source(lua_State *L, void *data, size_t *size) {
    LuaRouteSource *source = data;
    LuaRouteLexer *lexer = &source->lexer;
    size_t start = lexer->position;
    int64_t cost = 0;
    *size = 0;
    if (source->isOver) return NULL;
    while (lexer->position - start < PIECE && !source->isOver) {
        LuaRouteToken token = nextToken(lexer);
        cost += readToken(source, &token);
        source->isOver = token.kind == LUAROUTE_END_OF_SOURCE || source->refusal != NULL
            || source->isIncomplete;
    }
    cost += (int64_t)(lexer->position - start) / BYTES;
    if (source->refusal != NULL || !canGoOn(source, L, cost)) {
        source->isOver = true;
        return NULL;
    }
    *size = lexer->position - start;
    return (const char *)lexer->source + start;
}

size_t luaroute_find_constructs(
    const uint8_t *bytes, size_t length, LuaRouteConstruct *constructs, size_t room) {
    LuaRouteSource source;
    luaroute_begin_source(&source, NULL, bytes, length);
    source.constructs = constructs;
    source.room = room;
    size_t size;
    while (luaroute_read_source(NULL, &source, &size) != NULL) {}
    return source.found;
}
