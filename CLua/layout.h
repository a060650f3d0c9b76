// SPDX-License-Identifier: MIT
//
// The memory layout of values in Lua 5.4. No Lua function reads the calls of a coroutine, or walks
// over a heap without pushing values, so a fingerprint reads the memory directly. `layout.c` checks
// the whole layout against the running Lua before the first use.
#ifndef LUAROUTE_LAYOUT_H
#define LUAROUTE_LAYOUT_H

#include "internal.h"

// These types may alias Lua's own types, which have other names.
#define LUAROUTE_ALIAS __attribute__((may_alias))

// The kinds of values. Bit 6 marks values that the collector owns.
enum {
    SEEN_FALSE = 1,
    SEEN_LIGHT = 2,
    SEEN_INTEGER = 3,
    SEEN_DEAD_KEY = 11,
    SEEN_TRUE = 17,
    SEEN_FLOAT = 19,
    SEEN_LIGHT_FUNCTION = 22,
    SEEN_OWNED = 64,
    SEEN_SHORT_STRING = 4 | SEEN_OWNED,
    SEEN_TABLE = 5 | SEEN_OWNED,
    SEEN_CLOSURE = 6 | SEEN_OWNED,
    SEEN_USERDATA = 7 | SEEN_OWNED,
    SEEN_THREAD = 8 | SEEN_OWNED,
    SEEN_LONG_STRING = 20 | SEEN_OWNED,
    SEEN_C_CLOSURE = 38 | SEEN_OWNED,
    SEEN_BASE = 15,  // the bits of the basic type, without its variant; 0 for nil
};

typedef struct LUAROUTE_ALIAS SeenValue {
    uint64_t bits;
    uint8_t tag;
} SeenValue;

typedef struct LUAROUTE_ALIAS SeenNode {
    uint64_t bits;
    uint8_t tag, keyTag;
    int32_t next;
    uint64_t key;
} SeenNode;

typedef struct LUAROUTE_ALIAS SeenTable {
    void *next;
    uint8_t tag, marked, flags, exponent;
    uint32_t limit;
    SeenValue *list;
    SeenNode *nodes;
    void *lastFree;
    struct SeenTable *metatable;
} SeenTable;

typedef struct LUAROUTE_ALIAS SeenString {
    void *next;
    uint8_t tag, marked, extra, shortLength;
    uint32_t hash;
    size_t longLength;
    char bytes[];
} SeenString;

typedef struct LUAROUTE_ALIAS SeenUserdata {
    void *next;
    uint8_t tag, marked;
    uint16_t values;
    size_t length;
} SeenUserdata;

typedef struct LUAROUTE_ALIAS SeenUpvalue {
    void *next;
    uint8_t tag, marked;
    SeenValue *value;
    struct SeenUpvalue *nextOpen;  // used while the value is on a stack
} SeenUpvalue;

typedef struct LUAROUTE_ALIAS SeenUpvalueName {
    const SeenString *name;
    uint8_t isInStack, index, kind;
} SeenUpvalueName;

typedef struct LUAROUTE_ALIAS SeenLocal {
    const SeenString *name;
    int32_t start, end;
} SeenLocal;

typedef struct LUAROUTE_ALIAS SeenPrototype {
    void *next;
    uint8_t tag, marked, parameters, isVariadic, stack;
    int32_t upvalueCount, constantCount, codeCount, lineCount, prototypeCount, localCount;
    int32_t absoluteLineCount, firstLine, lastLine;
    const SeenValue *constants;
    const uint32_t *code;
    struct SeenPrototype **prototypes;
    const SeenUpvalueName *upvalues;
    const int8_t *lines;
    const int32_t (*absoluteLines)[2];
    const SeenLocal *locals;
    const SeenString *source;
} SeenPrototype;

typedef struct LUAROUTE_ALIAS SeenClosure {
    void *next;
    uint8_t tag, marked, count;
    void *gray;
    const SeenPrototype *prototype;
    const SeenUpvalue *upvalues[];
} SeenClosure;

typedef struct LUAROUTE_ALIAS SeenCClosure {
    void *next;
    uint8_t tag, marked, count;
    void *gray;
    lua_CFunction function;
    SeenValue upvalues[];
} SeenCClosure;

typedef struct LUAROUTE_ALIAS SeenCall {
    const SeenValue *function, *top;
    const struct SeenCall *previous, *next;
    const uint32_t *instruction;  // the next instruction, in a Lua function
    int64_t others[2];
    int32_t other;
    uint16_t results, status;
} SeenCall;

enum {
    SEEN_FIRST_WHITE = 1 << 3,  // the mark of every other collection
    SEEN_IS_C = 1 << 1,      // the call is a call to a C function
    SEEN_HAS_HINT = 1 << 7,  // the limit of a table is not the size of its list
};

// The offsets of a thread's innermost call, of its list of open upvalues and of the end of its
// stack.
struct LuaRouteLayout {
    size_t call, open, end;
};

// Returns NULL if the running Lua has another layout, or if there is not enough memory.
const LuaRouteLayout *luaroute_layout(void);

static inline const SeenCall *luaroute_seen_call(const LuaRouteLayout *layout, const void *thread) {
    return *(const SeenCall *const *)((const char *)thread + layout->call);
}

// The end of the stack, except for some slots that only Lua uses.
static inline SeenValue *luaroute_seen_end(const LuaRouteLayout *layout, const void *thread) {
    return *(SeenValue *const *)((const char *)thread + layout->end);
}

static inline const SeenUpvalue *luaroute_seen_open(
    const LuaRouteLayout *layout, const void *thread) {
    return *(const SeenUpvalue *const *)((const char *)thread + layout->open);
}

// The number of values in the list part of a table.
static inline size_t luaroute_seen_list(const SeenTable *table) {
    uint32_t limit = table->limit;
    if (!(table->flags & SEEN_HAS_HINT) || (limit & (limit - 1)) == 0) return limit;
    return (size_t)1 << (32 - __builtin_clz(limit));
}

static inline const char *luaroute_seen_bytes(const SeenString *string, size_t *length) {
    *length = string->tag == (SEEN_SHORT_STRING & ~SEEN_OWNED) ? string->shortLength
                                                               : string->longLength;
    return string->bytes;
}

// The length of a table, as returned by `#`, but without storing the hint that Lua keeps for the
// next call.
lua_Unsigned luaroute_seen_length(const SeenTable *table);

#endif
