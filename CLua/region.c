// SPDX-License-Identifier: MIT
//
// The region of a state: all memory of its heap, with the records of the C shim. Lua allocates and
// frees many small blocks, so they are cut from segments of a fixed size, and freed blocks are kept
// for reuse, by size. A large block is a separate segment. All segments are freed when the state is
// closed.
//
// The address of a segment does not change as long as the state or an image uses the segment. An
// image can therefore consist of the contents of the segments; see image.c.
#include "internal.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LUAROUTE_PLAIN_BLOCKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LUAROUTE_PLAIN_BLOCKS
#endif

#ifdef LUAROUTE_PLAIN_BLOCKS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum {
    UNIT = 16,         // difference between the block sizes of adjacent classes, in bytes
    CHUNK = 4 * 1024,  // size of the segments from which small blocks are cut
};

// A large block. The part that Lua uses is aligned like memory from malloc.
typedef struct LargeBlock {
    uint64_t number;  // the number of its segment
    LuaRouteHeader header;
} LargeBlock;

static inline LargeBlock *largeBlock(LuaRouteHeader *block) {
    return (LargeBlock *)((char *)block - offsetof(LargeBlock, header));
}

// MARK: Segments

static bool makeRoomForSegment(LuaRouteContext *context) {
    if (context->freeSegment != 0 || context->segmentCount < context->segmentRoom) return true;
    size_t room = context->segmentRoom == 0 ? 64 : 2 * context->segmentRoom;
    LuaRouteSegment *segments = realloc(context->segments, room * sizeof *segments);
    if (segments == NULL) return false;
    context->segments = segments;
    context->segmentRoom = room;
    return true;
}

// Returns the number of a new segment. Space for the segment must already be reserved.
static size_t addSegment(LuaRouteContext *context, char *bytes, size_t size) {
    size_t number;
    if (context->freeSegment != 0) {
        number = context->freeSegment - 1;
        context->freeSegment = context->segments[number].size;
    } else {
        number = context->segmentCount;
        context->segmentCount += 1;
    }
    context->segments[number] = (LuaRouteSegment){.bytes = bytes, .size = size, .isUsed = true};
    return number;
}

void luaroute_free_segment(LuaRouteContext *context, size_t number) {
    LuaRouteSegment *segment = &context->segments[number];
    ASAN_UNPOISON_MEMORY_REGION(segment->bytes, segment->size);
    free(segment->bytes);
    if (segment->last != NULL) luaroute_release_copy(context, segment->last);
    *segment = (LuaRouteSegment){.size = context->freeSegment};
    context->freeSegment = number + 1;
}

void luaroute_retire_segment(LuaRouteContext *context, size_t number) {
    LuaRouteSegment *segment = &context->segments[number];
    segment->isUsed = false;
    if (segment->groups == 0) {
        luaroute_free_segment(context, number);
    } else {
        ASAN_POISON_MEMORY_REGION(segment->bytes, segment->size);
    }
}

void luaroute_use_segment(LuaRouteContext *context, size_t number) {
    LuaRouteSegment *segment = &context->segments[number];
    if (segment->isUsed) return;
    segment->isUsed = true;
    ASAN_UNPOISON_MEMORY_REGION(segment->bytes, segment->size);
}

void luaroute_free_region(LuaRouteContext *context) {
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        if (context->segments[i].bytes != NULL) luaroute_free_segment(context, i);
    }
    free(context->segments);
}

// MARK: Small blocks

static inline size_t classOf(size_t size) { return (size - 1) / UNIT; }

static inline void put(LuaRouteArena *arena, size_t class, LuaRouteHeader *block) {
    block->serial = (uint64_t)(uintptr_t)arena->spare[class];
    arena->spare[class] = block;
}

static inline LuaRouteHeader *takeSpare(LuaRouteArena *arena, size_t class) {
    LuaRouteHeader *block = arena->spare[class];
    if (block != NULL) arena->spare[class] = (LuaRouteHeader *)(uintptr_t)block->serial;
    return block;
}

static LuaRouteHeader *cutBlock(LuaRouteContext *context, LuaRouteArena *arena, size_t class) {
    size_t size = (class + 1) * UNIT;
    if (arena->room < size) {
        if (!makeRoomForSegment(context)) return NULL;
        char *bytes = malloc(CHUNK);
        if (bytes == NULL) return NULL;
        // The rest of the segment is too small for the block, so the rest becomes a free block of a
        // smaller class.
        if (arena->room > 0) put(arena, classOf(arena->room), (LuaRouteHeader *)arena->uncut);
        addSegment(context, bytes, CHUNK);
        arena->uncut = bytes;
        arena->room = CHUNK;
    }
    LuaRouteHeader *block = (LuaRouteHeader *)arena->uncut;
    arena->uncut += size;
    arena->room -= size;
    return block;
}

// MARK: Free segments

// A segment of small blocks, and the number of its bytes that are free.
typedef struct SmallSegment {
    char *bytes;
    size_t number, free;
} SmallSegment;

static int compareSegments(const void *first, const void *second) {
    const SmallSegment *left = first, *right = second;
    return left->bytes < right->bytes ? -1 : left->bytes > right->bytes;
}

// Returns the segment that contains a small block.
static SmallSegment *segmentOf(SmallSegment *segments, size_t count, const void *block) {
    while (count > 1) {
        size_t half = count / 2;
        if (segments[half].bytes <= (const char *)block) {
            segments += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return segments;
}

void luaroute_trim(LuaRouteContext *context) {
    SmallSegment *segments = malloc((context->segmentCount + 1) * sizeof *segments);
    if (segments == NULL) return;
    size_t count = 0;
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        const LuaRouteSegment *segment = &context->segments[i];
        if (!segment->isUsed || segment->size != CHUNK) continue;
        segments[count] = (SmallSegment){.bytes = segment->bytes, .number = i};
        count += 1;
    }
    qsort(segments, count, sizeof *segments, compareSegments);
    for (LuaRouteArena *arena = context->arenas; arena < context->arenas + 2; arena += 1) {
        for (size_t class = 0; class < LUAROUTE_CLASSES; class += 1) {
            const LuaRouteHeader *block = arena->spare[class];
            while (block != NULL) {
                segmentOf(segments, count, block)->free += (class + 1) * UNIT;
                block = (const LuaRouteHeader *)(uintptr_t)block->serial;
            }
        }
        if (arena->room > 0) segmentOf(segments, count, arena->uncut)->free += arena->room;
    }
    for (LuaRouteArena *arena = context->arenas; arena < context->arenas + 2; arena += 1) {
        for (size_t class = 0; class < LUAROUTE_CLASSES; class += 1) {
            LuaRouteHeader *rest = arena->spare[class];
            arena->spare[class] = NULL;
            while (rest != NULL) {
                LuaRouteHeader *block = rest;
                rest = (LuaRouteHeader *)(uintptr_t)block->serial;
                if (segmentOf(segments, count, block)->free < CHUNK) put(arena, class, block);
            }
        }
        bool isFree = arena->room > 0 && segmentOf(segments, count, arena->uncut)->free == CHUNK;
        if (isFree) arena->room = 0;
    }
    for (size_t i = 0; i < count; i += 1) {
        if (segments[i].free == CHUNK) luaroute_retire_segment(context, segments[i].number);
    }
    free(segments);
}

// MARK: Large blocks

static LuaRouteHeader *makeLarge(LuaRouteContext *context, size_t size) {
    if (!makeRoomForSegment(context)) return NULL;
    LargeBlock *block = malloc(offsetof(LargeBlock, header) + size);
    if (block == NULL) return NULL;
    block->number = addSegment(context, (char *)block, offsetof(LargeBlock, header) + size);
    return &block->header;
}

// Returns NULL if there is not enough memory, or if the block must be moved.
static LuaRouteHeader *resizeLarge(LuaRouteContext *context, LuaRouteHeader *header, size_t size) {
    LargeBlock *block = largeBlock(header);
    LuaRouteSegment *segment = &context->segments[block->number];
    if (segment->groups > 0) return NULL;
    block = realloc(block, offsetof(LargeBlock, header) + size);
    if (block == NULL) return NULL;
    segment->bytes = (char *)block;
    segment->size = offsetof(LargeBlock, header) + size;
    if (segment->last != NULL) {
        luaroute_release_copy(context, segment->last);
        segment->last = NULL;
    }
    return &block->header;
}

const LuaRouteHeader *luaroute_segment_block(
    const LuaRouteContext *context, size_t number, size_t *size) {
    const LuaRouteSegment *segment = &context->segments[number];
    if (!segment->isUsed || segment->size <= CHUNK) return NULL;
    *size = segment->size - sizeof(LargeBlock);
    return &((const LargeBlock *)segment->bytes)->header;
}

// MARK: Blocks

#ifdef LUAROUTE_PLAIN_BLOCKS
// Reusing a freed block immediately would hide a use after free.
static inline bool isSmall(size_t size) { return size == 0; }
#else
static inline bool isSmall(size_t size) { return size <= LUAROUTE_CLASSES * UNIT; }
#endif

LuaRouteHeader *luaroute_obtain_block(LuaRouteContext *context, size_t size, bool isShortLived) {
    if (!isSmall(size)) return makeLarge(context, size);
    LuaRouteArena *arena = &context->arenas[isShortLived];
    LuaRouteHeader *block = takeSpare(arena, classOf(size));
    // After loading, all blocks are in the first arena.
    if (block == NULL && !context->isLoading) block = takeSpare(&context->arenas[1], classOf(size));
    return block == NULL ? cutBlock(context, arena, classOf(size)) : block;
}

static inline bool isShortLived(const LuaRouteContext *context, const LuaRouteHeader *block) {
    return context->isLoading && (block->serial & LUAROUTE_IS_SHORT_LIVED) != 0;
}

void luaroute_free_block(LuaRouteContext *context, LuaRouteHeader *block, size_t size) {
    if (isSmall(size)) {
        put(&context->arenas[isShortLived(context, block)], classOf(size), block);
    } else {
        luaroute_retire_segment(context, largeBlock(block)->number);
    }
}

LuaRouteHeader *luaroute_resize_block(
    LuaRouteContext *context, LuaRouteHeader *block, size_t old, size_t new) {
    if (isSmall(old) && isSmall(new) && classOf(old) == classOf(new)) return block;
    if (!isSmall(old) && !isSmall(new)) {
        LuaRouteHeader *resized = resizeLarge(context, block, new);
        if (resized != NULL) return resized;
    }
    LuaRouteHeader *moved = luaroute_obtain_block(context, new, isShortLived(context, block));
    if (moved == NULL) return NULL;
    memcpy(moved, block, old < new ? old : new);
    luaroute_free_block(context, block, old);
    return moved;
}

void *luaroute_resize_memory(LuaRouteContext *context, void *block, size_t old, size_t new) {
    LuaRouteHeader *header;
    if (block == NULL) {
        header = luaroute_obtain_block(context, new + sizeof *header, false);
        if (header != NULL) header->serial = 0;
    } else {
        header = luaroute_resize_block(
            context, (LuaRouteHeader *)block - 1, old + sizeof *header, new + sizeof *header);
    }
    if (header == NULL) abort();
    return header + 1;
}
