// SPDX-License-Identifier: MIT
//
// Internals shared by the files of the C shim. Swift does not import this file.
#ifndef LUAROUTE_INTERNAL_H
#define LUAROUTE_INTERNAL_H

#include "lua_headers.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "CLuaRoute.h"

enum {
    LUAROUTE_INTERVAL = 1000,       // maximum number of instructions between two checks
    LUAROUTE_SHORTEST = 1,          // minimum of this interval, if there are large values
    LUAROUTE_HOST_CALL = 20,       // minimum number of instructions charged for a call to the host
    LUAROUTE_LONG_STRING = 1024,   // length in bytes above which a transferred string is charged
    LUAROUTE_HOST_BYTES = 16,      // number of bytes of such a string that cost one instruction
    LUAROUTE_CALLS = 8,             // number of callbacks between two checks of the clock
    LUAROUTE_NESTING = 32,          // maximum nesting depth of entries
    LUAROUTE_TABLE_DEPTH = 32,      // maximum nesting depth of a transferred table
    LUAROUTE_LEVELS = 22,           // maximum number of lines in a traceback
    LUAROUTE_HELPERS = 64,          // number of stack levels searched for the top level of a file
    LUAROUTE_CROSSING = 100 * 1000, // maximum number of parts of a transferred value
    LUAROUTE_SOURCE = 256 * 1024,   // maximum size of a chunk, in bytes
    LUAROUTE_SUFFIXES = 200,        // maximum number of consecutive index suffixes
    LUAROUTE_LARGE = 64 * 1024,     // size of an allocation after which the clock is checked
    LUAROUTE_SEARCHED = 128,        // number of keys in a table above which a lookup may be slow
    LUAROUTE_FOUND = 256 * 1024,    // bytes of keys that shorten the interval between checks
    LUAROUTE_TEXT = 4,              // cost of a byte of text, relative to a byte of other data
    LUAROUTE_KEYS = 32 * 1024,      // maximum number of numeric keys beside the list of a table
    LUAROUTE_CHAIN = 100,           // maximum number of tables in a chain of `__index`
    LUAROUTE_SPARSE = 4096,         // maximum number of integer keys beside a transferred list
    LUAROUTE_WORK = 256,            // number of parts from which a transfer counts as work
    LUAROUTE_KEPT = 32,             // maximum number of cached members of an object
    LUAROUTE_KEEPING = 4096,        // maximum number of bytes that caching a member needs
    LUAROUTE_PATIENCE = 10,         // maximum wall-clock time, as a multiple of the limit
    LUAROUTE_BIG = 2 * 1024 * 1024, // size above which the collector uses Lua's default pace
    LUAROUTE_POOLED = 8,            // maximum number of coroutines that are kept for reuse
    LUAROUTE_CLASSES = 32,          // number of block sizes for which freed blocks are reused
    LUAROUTE_PREFIX = LUA_IDSIZE + 16,  // maximum size of "chunk:line: ", in bytes
    LUAROUTE_HANDLER_INDEX = 1,     // stack index of the message handler in the main thread
    LUAROUTE_BOX = 192,             // approximate number of bytes that Swift uses for a closure
    LUAROUTE_ITEM = 256,            // approximate number of bytes that Swift uses for an object
    LUAROUTE_HANDLE = 96,           // approximate number of bytes that Swift uses for a Lua value
};

struct LuaRouteFlag {
    atomic_bool isRaised;
};

// Whether all states of the process are cancelled permanently.
extern atomic_bool luaroute_ending;

// A line of a script. All fields are zero if there is no line.
typedef struct LuaRoutePlace {
    char chunk[512];  // the name with which a chunk was loaded, possibly truncated
    size_t length;
    char brief[LUA_IDSIZE];  // the shortened name in Lua's own messages
    int line;
} LuaRoutePlace;

// The header of each block of Lua.
typedef struct LuaRouteHeader {
    // A serial number, which gives tables and functions an order of creation that is the same in
    // each run, unlike their addresses. The lowest bits are marks.
    uint64_t serial;
} LuaRouteHeader;

enum {
    LUAROUTE_IS_HELD = 1,  // an object or a closure of the host
    LUAROUTE_IS_TEXT = 2,
    LUAROUTE_IS_SHORT_LIVED = 4,  // in the second arena, if the block is small
    LUAROUTE_MARKS = 8,
};

// The blocks of a part of the small segments.
typedef struct LuaRouteArena {
    LuaRouteHeader *spare[LUAROUTE_CLASSES];  // freed blocks, by size
    char *uncut;          // the unused rest of the segment from which small blocks are cut
    size_t room;          // the number of bytes in this rest
} LuaRouteArena;

// A block of memory in the heap of a state. Small blocks are cut from a segment; a large block is a
// segment itself. See region.c.
typedef struct LuaRouteSegment LuaRouteSegment;
// The offsets of internal data of Lua that its API does not expose; see layout.h.
typedef struct LuaRouteLayout LuaRouteLayout;
// The parts that images share with each other; see image.c.
typedef struct LuaRouteCopy LuaRouteCopy;
typedef struct LuaRouteGroup LuaRouteGroup;
typedef struct LuaRouteClosures LuaRouteClosures;
// The memory for fingerprints. Each fingerprint reuses this memory; see walk.h.
typedef struct Walk Walk;

struct LuaRouteSegment {
    char *bytes;          // NULL for an unused number
    size_t size;          // for an unused number: the next unused number, plus one
    LuaRouteCopy *last;   // the copy that was equal to the segment at the last checkpoint or rewind
    uint32_t groups;      // the number of groups that contain the segment
    bool isUsed;          // whether the current heap uses the segment; otherwise only images do
};

// A set of numbers, with one bit for each number.
typedef struct LuaRouteSet {
    uint64_t *words;
    size_t count;
    bool isAny;
} LuaRouteSet;

// A type of objects.
typedef struct LuaRouteType {
    int cache;  // registry index of the weak table identifier -> object; the metatable follows
    void *box;  // the box that implements the objects; the host owns it
} LuaRouteType;

// A closure or an object of the host that scripts reference.
typedef struct LuaRouteHeld {
    union {
        void *closure;
        int64_t identifier;
    };
    uint32_t type;   // the type of an object; 0 for a closure
    bool isKeeping;  // whether the object has its own metatable, to cache members
    uint8_t kept;
} LuaRouteHeld;

// A closure, as an element of the list of all closures in the heap.
typedef struct LuaRouteBox {
    LuaRouteHeld held;
    struct LuaRouteBox *next, *previous;
} LuaRouteBox;

// The messages of failures, and the locations at which the errors were raised.
typedef struct LuaRouteTexts {
    // The locations at which the values in the registry were raised, beginning with the value at
    // LUAROUTE_RAISED.
    LuaRoutePlace raised[1 + LUAROUTE_THROWN];
    char thrown[LUAROUTE_PREFIX + LUAROUTE_MESSAGE];  // the message, after space for a location
    char message[LUAROUTE_MESSAGE];
    char traceback[LUAROUTE_LEVELS * 128];
} LuaRouteTexts;

struct LuaRouteContext {
    lua_State *main;     // the thread in which entries of the host run
    lua_State *current;  // the thread in which the innermost callback runs
    lua_State *waiter;   // the innermost coroutine of the host, which may wait
    int resumes;         // the nesting depth of coroutines of scripts
    LuaRouteHost host;
    int profile;
    int defects;  // the defects of the linked Lua
    const LuaRouteLayout *layout;  // NULL if the layout is not known
    LuaRouteFlag *cancel;

    // Fields of the allocator.
    size_t hard;          // a limit for tests
    int exempt;           // not 0 while memory is only counted and never refused
    size_t requests;      // the number of requests that could have been refused
    size_t refuse;        // the number of the request to refuse
    bool isLasting;       // whether all later requests are also refused
    size_t table;         // the size of a table without keys, in bytes
    size_t node;          // the size of a key in a table, in bytes
    size_t listSize;      // the offset of the size of the list in a table; 0 if unknown
    size_t hashSize;      // the offset of the logarithm of the hash size in a table; 0 if unknown
    size_t offset;        // the offset of userdata in its block
    bool isCompiling;     // whether new keys belong to tables of the compiler
    bool isCrowded;       // whether memory was refused because a table has too many keys
    const char *chain;    // the field whose chain was refused as too long, or NULL

    // The segments of the region, which contains all memory of the heap. The number of a segment
    // never changes.
    LuaRouteSegment *segments;
    size_t segmentCount, segmentRoom;
    size_t freeSegment;  // an unused number, plus one; 0 if there is none
    // The number and the size of the images, and the groups of the image to which the heap was
    // equal at the last checkpoint or rewind.
    size_t images, imageBytes;
    LuaRouteGroup **groups;
    size_t groupCount;
    LuaRouteClosures *closures;  // the closures of the heap, if an image contains them
    // The last numbers of handles and coroutines, now and at the last checkpoint; and the handles
    // and coroutines that the host has released, and that an image may still contain.
    uint64_t lastBirth, lastThread, imagedBirth, imagedThread;
    LuaRouteSet releasedSlots, releasedThreads;
    LuaRouteCoroutine *coroutines;  // the records of all coroutines
    uint64_t lastChunk;  // the number of the last loaded chunk, which a rewind does not reset
    Walk *walk;          // NULL until the first fingerprint
    bool wasRewound;  // whether a handle can be dead

    LuaRouteCoverage *coverage;  // the record of lines, which the host owns, or NULL
    // The budget of the outermost entry, and the remainder of the budget.
    LuaRouteBudget budget;
    int64_t instructions, deadline;
    int64_t begun, processor;  // wall-clock time and processor time at the first check
    LuaRoutePlace broken;  // where the budget was first exceeded
    char reason[96];       // the text for an exceeded limit
    int interval;          // number of instructions between two checks
    unsigned calls;        // number of callbacks; the clock is checked after every few
    int64_t unseen;        // instructions charged since `luaroute_charge` made a check
    size_t crossed;        // tables transferred since the clock was last checked
    uint64_t entry;  // the number of the outermost entry
    uint8_t breach;  // the limit that has ended an entry since the host last asked

    // The flags that are checked before and after a script runs. Usually all are zero.
    union {
        uint64_t gate;
        struct {
            int32_t depth;  // nesting depth of entries
            union {
                uint32_t trouble;
                struct {
                    // A status that ends all entries, or LUAROUTE_ENDED, which ends only the
                    // innermost entry.
                    uint8_t tripped;
                    bool isEarly;  // whether the hook makes a check after the next instruction
                    bool isFinalizing;  // whether the host is releasing dropped objects
                    bool hasDropped;
                };
            };
        };
    };
    int level;        // the error level of a callback that returns LUAROUTE_RAISE
    size_t thrownLength;

    // The fields from here to `place` mirror the heap, and are part of each image.

    size_t used;
    size_t counted;       // the part of `used` that Swift keeps
    size_t large;         // bytes in large blocks; the bytes of strings count several times
    size_t searched;      // bytes of keys in tables with many keys, except in large blocks
    uint64_t serial;      // the serial number of the last block
    uint64_t chunk;       // the number of the newest chunk in the heap
    // The tables that scripts create while they load are in the second arena. Most of them are
    // definitions, which then become garbage, so that whole segments become free.
    LuaRouteArena arenas[2];
    uint64_t random[4];   // the state of `math.random`
    bool isHooked;   // whether the main thread may have a hook
    bool isBig;      // whether the collector uses the pace for a large state
    bool isLoading;  // whether scripts are being loaded
    bool isClean;    // whether no garbage can have appeared since the last collection

    // The references to closures and objects of the host whose blocks Lua has freed.
    LuaRouteHeader *dropped;
    // The slots: values in the registry beginning at LUAROUTE_FIRST_SLOT. A free slot contains the
    // index of the next free slot. `births` contains the birth number of each slot, or 0 if Swift
    // does not reference the slot.
    int nextSlot, freeSlot;
    uint64_t *births;
    size_t birthRoom;
    size_t slots, boxes, objects;
    LuaRouteBox *newestBox;
    // The ended coroutines: `pool` contains the coroutines that have a thread, `spent` all others.
    LuaRouteCoroutine *pool, *spent;
    size_t threads, pooled;
    LuaRouteType *types;
    size_t typeCount;
    int missing;  // registry index of the metatable of cached members
    size_t keeping;      // the number of objects with cached members
    uint64_t forgotten;  // the number of times that cached members were discarded

    unsigned throws;  // the number of host errors

    // The failure of the last entry.
    int hostError;  // the number of the host error, from 1; 0 for any other error
    size_t messageLength, tracebackLength;
    LuaRouteTexts *texts;  // NULL until the first failure

    // The part of the structure that is initialized with zeros ends here.
    LuaRoutePlace place;  // the location of the failure
    LuaRoutePlace located;
};

// Registry indices that are fixed when a state is opened. 1 and 2 belong to Lua.
enum {
    LUAROUTE_ANCHORS = 3,     // strings for error handling, and tables of the host
    LUAROUTE_METATABLES = 4,  // frozen copies of metatables, by order of creation, with weak values
    // The values that were raised last: one by `error`, followed by the host errors in a ring.
    LUAROUTE_RAISED = 5,
    LUAROUTE_FIRST_SLOT = LUAROUTE_RAISED + 1 + LUAROUTE_THROWN,
};

static inline LuaRouteContext *luaroute_context(lua_State *L) {
    return *(LuaRouteContext **)lua_getextraspace(L);
}

void luaroute_make_texts(LuaRouteContext *context);
static inline LuaRouteTexts *luaroute_texts(LuaRouteContext *context) {
    if (context->texts == NULL) luaroute_make_texts(context);
    return context->texts;
}

// The maximum memory for all values. During a single operation, four times as much may be used.
static inline size_t luaroute_soft(const LuaRouteContext *context) {
    return (size_t)context->budget.bytes;
}

// The allocator of the Lua state.
void *luaroute_allocate(void *context, void *block, size_t oldSize, size_t newSize);
// Whether a test requires the next allocation to fail. Also counts the allocation.
bool luaroute_is_refused_by_test(LuaRouteContext *context);

// The region. The sizes of blocks include their headers. These functions do not count memory.
// Returns NULL if there is not enough memory.
LuaRouteHeader *luaroute_obtain_block(LuaRouteContext *context, size_t size, bool isShortLived);
void luaroute_free_block(LuaRouteContext *context, LuaRouteHeader *block, size_t size);
// Resizes a block and keeps its content. Returns NULL if there is not enough memory; the block is
// then unchanged.
LuaRouteHeader *luaroute_resize_block(
    LuaRouteContext *context, LuaRouteHeader *block, size_t old, size_t new);
// Allocates or resizes memory of the C shim that mirrors the heap. Aborts if there is not enough
// memory. `block` may be NULL.
void *luaroute_resize_memory(LuaRouteContext *context, void *block, size_t old, size_t new);
// Marks a segment as unused by the state. The segment is freed when no image contains it.
void luaroute_retire_segment(LuaRouteContext *context, size_t number);
// Makes the state use a segment of an image again.
void luaroute_use_segment(LuaRouteContext *context, size_t number);
// Frees the memory of a segment that neither the state nor an image uses.
void luaroute_free_segment(LuaRouteContext *context, size_t number);
// Returns the large block in a used segment, and its size without headers; NULL if the segment does
// not contain a large block.
const LuaRouteHeader *luaroute_segment_block(
    const LuaRouteContext *context, size_t number, size_t *size);
// Frees all memory of the region. Lua must not use it any more, and no image may exist.
void luaroute_free_region(LuaRouteContext *context);
void luaroute_free_walk(LuaRouteContext *context);
void luaroute_release_copy(LuaRouteContext *context, LuaRouteCopy *copy);

// Inserts a number. Aborts if there is not enough memory.
void luaroute_insert(LuaRouteSet *set, uint64_t number);
static inline bool luaroute_contains(const LuaRouteSet *set, uint64_t number) {
    return number / 64 < set->count && (set->words[number / 64] >> number % 64 & 1) != 0;
}
// Defects. Runs the probes, once in a process. Returns false only if there is not enough memory.
bool luaroute_find_defects(void);
// Writes a message that a feature needs a different release of Lua from the linked one.
void luaroute_write_need(int defect, const char *subject, char *text, size_t size);

// The serial number of a table or function, given its address as returned by lua_topointer.
uint64_t luaroute_serial(const void *block);

// Measures the size of a key. Raises errors.
void luaroute_open_keys(lua_State *L);

// Objects of the host. Measures the header of userdata. Raises errors.
void luaroute_open_held(lua_State *L);
// Pushes a userdata. After Lua has freed the userdata, the host is notified. The context must be
// exempt.
LuaRouteHeld *luaroute_new_held(LuaRouteContext *context, lua_State *L, LuaRouteHeld held);
// Keeps a block that Lua has freed, until the host is notified.
void luaroute_drop(LuaRouteContext *context, LuaRouteHeader *header);
void luaroute_report_dropped(LuaRouteContext *context);
// Reports released objects to the host. This function may be called only where Swift code may run,
// outside of Lua operations.
static inline void luaroute_report(LuaRouteContext *context) {
    if (context->hasDropped) luaroute_report_dropped(context);
}

// Budget.
// Sets the hook of a thread as the entry's budget requires, or removes the hook. A hook makes
// scripts twice as slow. Each thread has its own hook.
void luaroute_set_hook(LuaRouteContext *context, lua_State *L);
// Whether a thread has a hook that counts instructions.
static inline bool luaroute_is_hooked(lua_State *L) {
    return (lua_gethookmask(L) & LUA_MASKCOUNT) != 0;
}
// Records the line that is about to run.
void luaroute_note_line(LuaRouteCoverage *coverage, lua_State *L, lua_Debug *activation);

// The number of instructions between two checks. The interval is shorter if there are large values,
// because a single instruction may read all of a large value. It may also read all keys of the
// tables in a chain, because numbers can be chosen so that all of them collide.
static inline int luaroute_interval(const LuaRouteContext *context) {
    size_t reached = context->large / LUAROUTE_LARGE + context->searched / LUAROUTE_FOUND;
    if (reached == 0) return LUAROUTE_INTERVAL;
    size_t interval = LUAROUTE_INTERVAL / (1 + reached);
    return interval < LUAROUTE_SHORTEST ? LUAROUTE_SHORTEST : (int)interval;
}

// Sets the pace of the garbage collector.
void luaroute_set_pace(LuaRouteContext *context, bool isBig);

// Starts to count the instructions of an outermost entry.
static inline void luaroute_begin_counting(LuaRouteContext *context) {
    bool isBig = context->used > LUAROUTE_BIG;
    if (isBig != context->isBig) luaroute_set_pace(context, isBig);
    int interval = luaroute_interval(context);
    context->interval = context->budget.interval < interval ? context->budget.interval : interval;
}

// Whether another thread or a signal handler has requested the end of the entry.
static inline bool luaroute_is_cancelled(LuaRouteContext *context) {
    return atomic_load_explicit(&context->cancel->isRaised, memory_order_relaxed)
        || atomic_load_explicit(&luaroute_ending, memory_order_relaxed);
}

// Starts the budget of an outermost entry, but does not set the hook. Inlined, because this is part
// of each call.
static inline void luaroute_begin_budget(
    LuaRouteContext *context, const LuaRouteBudget *budget) {
    context->budget = *budget;
    context->instructions = budget->instructions;
    context->deadline = 0;
    context->entry += 1;
    context->isEarly = false;
    context->tripped = LUAROUTE_OK;
    luaroute_begin_counting(context);
    if (luaroute_is_cancelled(context)) {
        context->tripped = LUAROUTE_CANCELLED;
    }
}

// Resets the limits that an outermost entry has exceeded, so that the next entry can run.
void luaroute_disarm(LuaRouteContext *context);
// The text for a status, including the limit. The text is valid until the next call.
const char *luaroute_reason(LuaRouteContext *context, int status);
// Records where the budget is first exceeded. This function raises no error and needs no memory.
void luaroute_mark_broken(LuaRouteContext *context, lua_State *L);
// Makes the hook check the budget after the next instruction.
void luaroute_trip_soon(LuaRouteContext *context);

// Counts the memory that Swift uses for a Lua value.
static inline void luaroute_count(LuaRouteContext *context, size_t bytes) {
    context->used += bytes;
    context->counted += bytes;
    if (context->used > luaroute_soft(context)) luaroute_trip_soon(context);
}

static inline void luaroute_uncount(LuaRouteContext *context, size_t bytes) {
    context->used -= bytes;
    context->counted -= bytes;
}

// Checks the clock after work that the instruction count does not cover. Raises an error if the
// entry must end.
void luaroute_look(lua_State *L);
// Charges `cost` for work that C code does when the host serves a script. The next instruction
// checks the budget.
void luaroute_work(LuaRouteContext *context, int64_t cost);
// Charges `cost` to the budget and checks the clock. Returns whether the entry may continue.
bool luaroute_spend(LuaRouteContext *context, int64_t cost);
// Charges `cost` to the budget, and checks the clock once in each interval. Raises an error if the
// entry must end.
void luaroute_charge(lua_State *L, int64_t cost);
// Raises the error of an exceeded budget or of a requested end. Scripts cannot catch this error.
int luaroute_terminate(lua_State *L);
// Ends the innermost entry, as requested by the host. Raises an error.
int luaroute_end(lua_State *L);

// Values. None of these functions raises an error, because memory is not refused while they run.
// Pushes the tree that begins at `*position`. If the status is LUAROUTE_CONVERSION, nothing is
// pushed.
int luaroute_build(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t *position);
// Writes the message of a failure without a location, and returns `status`.
int luaroute_fail(LuaRouteContext *context, int status, const char *format, ...);

// Frozen tables.
// Stack: ..., table -> ..., proxy
void luaroute_freeze(lua_State *L, const char *message, size_t length);
// Pushes the `_G` of a strict environment, which is a view of the globals. Reading an undefined
// global returns nil, and writing sets the global. Stack: ..., globals -> ..., globals, view
void luaroute_push_globals(lua_State *L);
// Replaces the view at an absolute index with the table that it shows. Returns whether the value
// was a view.
bool luaroute_unwrap(lua_State *L, int index);
// Raises an error if the table at an index is read-only.
void luaroute_check_writable(lua_State *L, int index);
// Makes `pairs` and `next` iterate over the objects of a type. `list` returns the names of their
// fields. Stack: ..., metatable -> same.
void luaroute_set_names(lua_State *L, lua_CFunction list);

// Whether the value at an index is a key that scripts do not see. Such keys store data in the
// tables of scripts. Otherwise, the data would need an ephemeron table, which Lua collects in
// quadratic time.
static inline bool luaroute_is_hidden(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TLIGHTUSERDATA;
}

// A key, with data for sorting in the order that scripts see: integers, strings by their bytes,
// then other keys.
typedef struct LuaRouteKey {
    int rank;
    int index;  // the stack index of the key
    uint64_t prefix;  // compared first: for a string, its first bytes
    union {
        int64_t integer;
        double number;
        const char *bytes;
    };
    size_t length;
} LuaRouteKey;
// The cost of walking over the slots of the table at an index, in instructions, excluding the cost
// of its keys.
int64_t luaroute_walk(lua_State *L, int index);
// Returns the number of keys, and adds the number of bytes in string keys to `bytes`.
size_t luaroute_count_keys(lua_State *L, int table, lua_Integer list, int64_t *bytes);
// Pushes the keys of a table except those from 1 to `list`, and sorts their records. The caller
// must have reserved stack space for the keys and two more values. Returns the number of keys. If
// there is not enough room, pushes nothing and returns SIZE_MAX.
size_t luaroute_read_keys(
    lua_State *L, int table, lua_Integer list, LuaRouteKey *keys, size_t room);

// Stacks. Correctly compiled code never reads above the top of a stack. Nevertheless, private
// tables are removed from there.
// Clears everything on the stack except the results that a C function is about to return. Returns
// the number of results.
int luaroute_leave(lua_State *L, int results);
// Clears the whole stack above its top after an error. Returns the number of values that were
// cleared.
int64_t luaroute_clear_above(lua_State *L);
// Clears the given number of values above the top. The stack must have space for them.
void luaroute_hide(lua_State *L, int count);
// Like `luaL_getmetafield`, which would leave the metatable above the top of the stack.
int luaroute_get_metafield(lua_State *L, int index, const char *field);

// Functions.
// Whether the function that runs on a stack may wait. This requires that a coroutine of the host
// runs it, without another coroutine or a C function in between.
static inline bool luaroute_may_wait(LuaRouteContext *context, lua_State *L) {
    return L == context->waiter && lua_isyieldable(L);
}

// Runs a closure on the stack of the running function. Raises errors.
int luaroute_run(lua_State *L, void *closure, int member, bool *isKept);
// Runs a closure and charges a call to the host. Members of objects are not run this way, because
// reading a cached member must cost the same as reading any other member. Raises errors.
int luaroute_run_charged(lua_State *L, void *closure, int member);

// Adds all functions that have not been read yet to a table of functions, before an iteration over
// the table.
void luaroute_complete(lua_State *L, int table);

// Slots.
enum { LUAROUTE_POSITION_BITS = 28 };
static inline uint64_t luaroute_birth(LuaRouteSlot slot) {
    return (uint64_t)slot >> LUAROUTE_POSITION_BITS;
}
// Returns the position of a handle in the registry, or 0 if the handle is dead.
static inline int luaroute_position(const LuaRouteContext *context, LuaRouteSlot slot) {
    size_t position = (uint64_t)slot & (((uint64_t)1 << LUAROUTE_POSITION_BITS) - 1);
    if (!context->wasRewound) return (int)position;
    bool isAlive =
        position < context->birthRoom && context->births[position] == luaroute_birth(slot);
    return isAlive ? (int)position : 0;
}
// Records the failure of a call with a dead handle.
int luaroute_fail_dead(LuaRouteContext *context);
// Frees the position of a live handle.
void luaroute_free_position(LuaRouteContext *context, int position);
// Stack: ..., value -> ...
LuaRouteSlot luaroute_take(LuaRouteContext *context, lua_State *L);
// Like `luaroute_take`, for values that Swift does not reference.
int luaroute_anchor(LuaRouteContext *context, lua_State *L);
void luaroute_release_anchor(LuaRouteContext *context, int slot);

// Calls. The message handler of all entries, which records the details of an error. Raises errors.
int luaroute_handle(lua_State *L);
// Whether the thread has enough C stack for a nested entry.
bool luaroute_has_room(void);
// Returns a failure if an entry is not allowed now, or is nested too deeply.
int luaroute_check_entry(LuaRouteContext *context);
// Converts the result of a Lua call to a status, and records the failure. The error object is on
// top of the stack.
int luaroute_status(LuaRouteContext *context, lua_State *L, int result);
// Records that memory was refused before an entry began.
int luaroute_fail_memory(LuaRouteContext *context);
// Pushes the values of a tree, beginning at `position`, and counts them. After a failure, the
// caller drops the values that were pushed.
int luaroute_push_all(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t position,
    int *pushed);
// Records all details of an error from the stack of the thread that raised it. Raises errors.
//
// Stack: error -> message.
int luaroute_explain(lua_State *L, lua_State *raised, int level);
// Finds the script line at a level of the stack. Returns whether there is one.
bool luaroute_place(lua_State *L, int level, LuaRoutePlace *place);
// Finds the first script line at or above a level. If there is none, `place` is unchanged.
void luaroute_find_place(lua_State *L, int level, LuaRoutePlace *place);
bool luaroute_chunk_place(lua_State *L, LuaRoutePlace *place);
// Records that the value on top was raised by `error`, if `hostError` is 0, or by the host. Its
// location must already be in `raised`.
void luaroute_mark_raised(lua_State *L, int hostError);

// Coroutines.
void luaroute_free_threads(LuaRouteContext *context);
// The records of all coroutines, for images.
size_t luaroute_count_threads(const LuaRouteContext *context);
void luaroute_copy_threads(const LuaRouteContext *context, LuaRouteCoroutine *copies);
// Restores `count` coroutines; all others have ended. The lists in the context must already be
// restored.
void luaroute_restore_threads(
    LuaRouteContext *context, const LuaRouteCoroutine *copies, size_t count);
// Drops the coroutines that the host has released.
void luaroute_cancel_released_threads(LuaRouteContext *context);
extern const size_t luaroute_thread_size;

// Skips a first line that begins with `#!`, except its line break. The compiler does not receive
// this line.
void luaroute_skip_interpreter(LuaRouteLexer *lexer);

// Libraries. The standard functions have no state, and are read once for the whole process. Returns
// false only if there is not enough memory.
bool luaroute_read_standard(void);
// Stack: a standard library -> same. Reads the functions with the given names. They must have no
// upvalues.
void luaroute_read(lua_State *L, const char *const *names, lua_CFunction *functions, int count);
void luaroute_read_string(lua_State *L);
void luaroute_read_table(lua_State *L);
void luaroute_read_utf8(lua_State *L);
// Creates the parts that all environments of a state share. Raises errors.
int luaroute_open_libraries(lua_State *L);
// The number of bytes in a string argument that cost one instruction. Each function declares its
// costs.
typedef enum LuaRouteCost {
    LUAROUTE_UNREAD = INT32_MAX,  // the bytes are not read, or the function charges for them
    LUAROUTE_COPIED = 16,         // the bytes are copied or compared
    LUAROUTE_PARSED = 2,          // the bytes are parsed as a numeral
} LuaRouteCost;

// A library function. `charged` charges a call, and then runs the function. `charged` has no
// upvalues, so a state need not allocate memory for it.
typedef struct LuaRouteFunction {
    const char *name;
    size_t length;  // allows Lua to skip the search for the name among recent strings
    lua_CFunction charged;
} LuaRouteFunction;

// Charges a call: one instruction for the call and one for each argument, and the costs of the
// bytes in the first argument and in the other arguments.
void luaroute_charge_bytes(lua_State *L, LuaRouteCost first, LuaRouteCost rest);
static inline void luaroute_charge_call(lua_State *L, LuaRouteCost first, LuaRouteCost rest) {
    if (first == LUAROUTE_UNREAD && rest == LUAROUTE_UNREAD) {
        luaroute_charge(L, 1 + lua_gettop(L));
    } else {
        luaroute_charge_bytes(L, first, rest);
    }
}

// Defines a list of functions, terminated by a function without a name. `FUNCTIONS(ENTRY)` contains
// `ENTRY(name, function, first, rest)` for each function, so that no function can be listed without
// its costs.
#define LUAROUTE_FUNCTIONS(declaration, FUNCTIONS) \
    FUNCTIONS(LUAROUTE_DEFINE_CHARGED) \
    declaration[] = {FUNCTIONS(LUAROUTE_LIST_CHARGED){NULL, 0, NULL}}
#define LUAROUTE_DEFINE_CHARGED(name, function, first, rest) \
    static int charged_##function(lua_State *L) { \
        _Static_assert((first) > 0 && (rest) > 0, "the function '" name "' has no cost"); \
        luaroute_charge_call(L, first, rest); \
        return luaroute_leave(L, function(L)); \
    }
#define LUAROUTE_LIST_CHARGED(name, function, first, rest) \
    {name, sizeof name - 1, charged_##function},

extern const LuaRouteFunction luaroute_base_functions[], luaroute_metatables_functions[],
    luaroute_traversal_functions[], luaroute_list_steps[], luaroute_string_functions[],
    luaroute_trusted_string_functions[], luaroute_patterns_functions[], luaroute_table_functions[],
    luaroute_random_functions[], luaroute_utf8_functions[], luaroute_text_steps[],
    luaroute_coroutine_functions[];
// The position of a function among those of all libraries, from 1; 0 for any other function.
int luaroute_function_position(lua_CFunction function);
// Adds `setmetatable`. `ignoring` is the slot of the function that is called when `__mode` is
// ignored. If it is 0, `__mode` is an error.
void luaroute_add_metatables(lua_State *L, int ignoring);
// Pushes a new table with weak values. No tables with weak keys exist.
void luaroute_push_weak(lua_State *L);
// Seeds the generator of `math.random`, which then returns the same numbers as Lua's own generator
// for this seed.
void luaroute_seed_random(LuaRouteContext *context, uint64_t seed);
// The number of tables in the chain of a field such as `__index` that are searched for a missing
// key.
int64_t luaroute_count_hops(lua_State *L, int index, const char *field);
// Pushes the text of a value, without addresses.
const char *luaroute_tostring(lua_State *L, int index, size_t *length);
// Whether a metatable is a frozen copy that `setmetatable` created. Stack: unchanged.
bool luaroute_is_copy(lua_State *L, int metatable);

#endif
