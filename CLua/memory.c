// SPDX-License-Identifier: MIT
//
// The memory of a state: the part of its region that Lua may use.
#include "layout.h"

uint64_t luaroute_serial(const void *block) {
    return ((const LuaRouteHeader *)block)[-1].serial;
}

// MARK: Requests

bool luaroute_is_refused_by_test(LuaRouteContext *context) {
    context->requests += 1;
    if (context->refuse == 0 || context->requests < context->refuse) return false;
    // Lua repeats a refused allocation after a collection, so the repeated allocation is also
    // refused.
    return context->isLasting || context->requests <= context->refuse + 1;
}

static bool isRefused(LuaRouteContext *context, size_t more) {
    if (context->exempt) return false;
    if (luaroute_is_refused_by_test(context)) return true;
    size_t next = context->used + more;
    return next > 4 * luaroute_soft(context) || next > context->hard;
}

static bool isRoomForKeys(const LuaRouteContext *context, size_t size) {
    size_t keys = context->node == 0 ? 0 : size / context->node;
    return keys * context->node == size && (keys & (keys - 1)) == 0;
}

// Whether a block contains the keys of a table that has reached the maximum number of numeric keys.
static bool hasManyNumbers(const LuaRouteContext *context, const LuaRouteHeader *block, size_t size) {
    size_t count = 0;
    if (size < LUAROUTE_KEYS * context->node || !isRoomForKeys(context, size)) return false;
    if (block->serial & LUAROUTE_IS_TEXT) return false;
    const SeenNode *keys = (const SeenNode *)(block + 1);
    for (size_t i = 0; i < size / sizeof *keys; i += 1) {
        count += (keys[i].tag & SEEN_BASE) != 0 && (keys[i].keyTag & SEEN_BASE) == SEEN_INTEGER;
    }
    return count >= LUAROUTE_KEYS;
}

// Whether a new block has space for more keys than a table may have numeric keys, while some table
// has reached this maximum. The request does not show which table's keys will be moved to the
// block. Numbers can easily be chosen so that all of them collide in a table of some size. Moving
// them is a single instruction, whose time grows with the square of their number. Strings cannot be
// chosen this way, because they are hashed with a seed that scripts do not know. The block of a
// table's keys is recognized by its size, which is a power of two times the size of a key.
static bool isTooCrowded(const LuaRouteContext *context, size_t size) {
    if (context->depth == 0 || context->exempt || context->isCompiling) return false;
    if (size <= LUAROUTE_KEYS * context->node || !isRoomForKeys(context, size)) return false;
    if (context->layout == NULL) return true;
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        size_t other;
        const LuaRouteHeader *block = luaroute_segment_block(context, i, &other);
        if (block != NULL && hasManyNumbers(context, block, other)) return true;
    }
    return false;
}

// Whether a block is the stack of a thread. While Lua 5.4.5 and newer reallocate a stack, its
// activations contain offsets instead of pointers. No Lua function returns the address of a stack,
// but all releases of 5.4 store the address in the first words of the thread.
static bool isStack(const lua_State *L, const void *block) {
    enum { WORDS = 8 };
    const void *words[WORDS];
    memcpy(words, L, sizeof words);
    for (int i = 0; i < WORDS; i += 1) {
        if (words[i] == block) return true;
    }
    return false;
}

// Refuses to enlarge a block, or to create a block if `block` is NULL. The message handler is not
// called for this error, so the line is recorded here, if the stack can be read.
static void refuseRequest(LuaRouteContext *context, const void *block) {
    bool isFirst = context->depth > 0 && context->tripped == LUAROUTE_OK;
    if (isFirst && (block == NULL || !isStack(context->current, block))) {
        luaroute_mark_broken(context, context->current);
    }
    context->tripped = LUAROUTE_MEMORY;
}

// The weight of a large block. Strings weigh more, because an instruction may compare or parse all
// their bytes.
static size_t weigh(const LuaRouteHeader *header, size_t size) {
    return header->serial & LUAROUTE_IS_TEXT ? LUAROUTE_TEXT * size : size;
}

// Updates the total size of large blocks, and that of the blocks that contain the keys of tables
// with many keys, judging by the sizes of the blocks.
static inline void countLarge(
    LuaRouteContext *context, const LuaRouteHeader *header, size_t size, bool isNew) {
    if (size < LUAROUTE_SEARCHED * context->node) return;
    if (size >= LUAROUTE_LARGE) {
        size_t weight = weigh(header, size);
        context->large = isNew ? context->large + weight : context->large - weight;
    } else if (isRoomForKeys(context, size)) {
        context->searched = isNew ? context->searched + size : context->searched - size;
    }
}

static void release(LuaRouteContext *context, LuaRouteHeader *header, size_t size) {
    context->used -= size;
    countLarge(context, header, size, false);
    if (header->serial & LUAROUTE_IS_HELD) {
        luaroute_drop(context, header);
    } else {
        luaroute_free_block(context, header, size + sizeof(LuaRouteHeader));
    }
}

void *luaroute_allocate(void *owner, void *block, size_t oldSize, size_t newSize) {
    LuaRouteContext *context = owner;
    LuaRouteHeader *header = block == NULL ? NULL : (LuaRouteHeader *)block - 1;
    context->isClean = false;
    size_t old = block == NULL ? 0 : oldSize;  // for a new block, `oldSize` is the kind of object
    if (newSize == 0) {
        if (header != NULL) release(context, header, old);
        return NULL;
    }
    // The kind of object is 0 for an array.
    bool isCrowded = block == NULL && oldSize == 0 && isTooCrowded(context, newSize);
    if (isCrowded || (newSize > old && isRefused(context, newSize - old))) {
        context->isCrowded |= isCrowded && context->tripped == LUAROUTE_OK;
        refuseRequest(context, block);
        return NULL;
    }
    bool isShortLived = context->isLoading && !context->isCompiling
        && (oldSize == LUA_TTABLE || oldSize == 0);
    LuaRouteHeader *moved = header == NULL
        ? luaroute_obtain_block(context, newSize + sizeof(LuaRouteHeader), isShortLived)
        : luaroute_resize_block(
            context, header, old + sizeof(LuaRouteHeader), newSize + sizeof(LuaRouteHeader));
    if (moved == NULL) {
        // No configured limit was reached: the process is out of memory, which would also end a
        // Swift program. An error cannot be raised, because an exempt operation does not run in a
        // protected call, and because Lua expects no error if a block shrinks.
        if (context->exempt || newSize <= old) abort();
        refuseRequest(context, block);
        return NULL;
    }
    if (header == NULL) {
        context->serial += LUAROUTE_MARKS;
        moved->serial = context->serial | (oldSize == LUA_TSTRING ? LUAROUTE_IS_TEXT : 0)
            | (isShortLived ? LUAROUTE_IS_SHORT_LIVED : 0);
    }
    context->used += newSize - old;
    countLarge(context, moved, old, false);
    countLarge(context, moved, newSize, true);
    // A refusal would start a collection in the middle of an operation, which can crash Lua 5.4.4.
    // Therefore the memory is granted, and the limit is checked after the next instruction.
    if (newSize > old && (context->used > luaroute_soft(context) || newSize - old >= LUAROUTE_LARGE)) {
        luaroute_trip_soon(context);
    }
    return moved + 1;
}
