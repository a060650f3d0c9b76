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
    LUAROUTE_INTERVAL = 1000,       // instructions between two looks at the budget, at most
    LUAROUTE_SHORTEST = 1,          // and at least, where there are large values
    LUAROUTE_HOST_CALL = 20,       // instructions that a call of the host counts as, at least
    LUAROUTE_LONG_STRING = 1024,   // bytes from which on a string that crosses is charged
    LUAROUTE_HOST_BYTES = 16,      // how many of them count as an instruction
    LUAROUTE_CALLS = 8,             // callbacks between two looks at the clock
    LUAROUTE_NESTING = 32,          // entries within entries
    LUAROUTE_TABLE_DEPTH = 32,      // levels of a table that crosses
    LUAROUTE_LEVELS = 22,           // lines of a traceback
    LUAROUTE_HELPERS = 64,          // calls between the code of a file and what it declares
    LUAROUTE_CROSSING = 100 * 1000, // parts of a value that crosses
    LUAROUTE_SOURCE = 256 * 1024,   // bytes of a chunk
    LUAROUTE_SUFFIXES = 200,        // index suffixes in a row
    LUAROUTE_LARGE = 64 * 1024,     // a request that is followed by a look at the clock
    LUAROUTE_SEARCHED = 128,        // keys of a table from which on a search among them may take long
    LUAROUTE_FOUND = 256 * 1024,    // bytes of keys that are searched in the time of many instructions
    LUAROUTE_TEXT = 4,              // how much longer an instruction takes for a byte of text
    LUAROUTE_KEYS = 32 * 1024,      // numbers among the keys of a table, beside its list
    LUAROUTE_CHAIN = 100,           // tables in a chain of `__index`
    LUAROUTE_SPARSE = 4096,         // integer keys beside its list of a table that crosses
    LUAROUTE_WORK = 256,            // parts of what the host hands over that count as work
    LUAROUTE_KEPT = 32,             // members that an object keeps
    LUAROUTE_KEEPING = 4096,        // bytes that keeping one may take
    LUAROUTE_PATIENCE = 10,         // times its limit that an entry may take where others run
    LUAROUTE_BIG = 2 * 1024 * 1024, // bytes from which on a state is collected as Lua would
    LUAROUTE_POOLED = 8,            // coroutines that are kept for the next ones
    LUAROUTE_CLASSES = 32,          // sizes of blocks that are kept for the next ones
    LUAROUTE_PREFIX = LUA_IDSIZE + 16,  // bytes of "chunk:line: "
    LUAROUTE_HANDLER_INDEX = 1,     // where the main thread's stack has the message handler
    LUAROUTE_BOX = 192,             // bytes that Swift keeps for a closure, about
    LUAROUTE_ITEM = 256,            // for an object
    LUAROUTE_HANDLE = 96,           // for a value that it holds
};

struct LuaRouteFlag {
    atomic_bool isRaised;
};

// Whether all states of the process are cancelled, for good.
extern atomic_bool luaroute_ending;

// A line of a script; all zero for none.
typedef struct LuaRoutePlace {
    char chunk[512];  // the name a chunk was loaded with, or its beginning
    size_t length;
    char brief[LUA_IDSIZE];  // how Lua's own messages shorten it
    int line;
} LuaRoutePlace;

// The header of each block of Lua.
typedef struct LuaRouteHeader {
    // An increasing number, so that tables and functions have an order of creation that, unlike
    // their addresses, does not change from run to run. The lowest bits are marks.
    uint64_t serial;
} LuaRouteHeader;

enum {
    LUAROUTE_IS_HELD = 1,  // of the host
    LUAROUTE_IS_TEXT = 2,
    LUAROUTE_MARKS = 4,
};

// A block of memory that the heap of a state consists of: one that small blocks are cut from, or a
// large one. See region.c.
typedef struct LuaRouteSegment LuaRouteSegment;
// The positions of internal data of Lua that its API does not expose; see layout.h.
typedef struct LuaRouteLayout LuaRouteLayout;
// The copies that an image shares with others; see image.c.
typedef struct LuaRouteCopy LuaRouteCopy;
typedef struct LuaRouteGroup LuaRouteGroup;
typedef struct LuaRouteClosures LuaRouteClosures;
// The memory of a fingerprint, kept for the next one; see walk.h.
typedef struct Walk Walk;

struct LuaRouteSegment {
    char *bytes;          // NULL: the number is free
    size_t size;          // of one that is free: the next free number, and one
    LuaRouteCopy *last;   // the copy that it was equal to when a checkpoint was last made or restored
    uint32_t groups;      // those that contain it
    bool isUsed;          // by the state as it is now, not by images alone
};

// A set of numbers: one bit for each.
typedef struct LuaRouteSet {
    uint64_t *words;
    size_t count;
    bool isAny;
} LuaRouteSet;

// A type of objects.
typedef struct LuaRouteType {
    int cache;  // the position of its identifier -> object, with weak values; the metatable is next
    void *box;  // the box that implements its objects; the host owns it
} LuaRouteType;

// An object or a closure of the host that scripts reference.
typedef struct LuaRouteHeld {
    union {
        void *closure;
        int64_t identifier;
    };
    uint32_t type;   // of an object; 0 for a closure
    bool isKeeping;  // has a metatable of its own
    uint8_t kept;
} LuaRouteHeld;

// A closure, in the list of all that the heap contains.
typedef struct LuaRouteBox {
    LuaRouteHeld held;
    struct LuaRouteBox *next, *previous;
} LuaRouteBox;

// The texts of failures, and the locations where they were raised.
typedef struct LuaRouteTexts {
    // The locations of the raised values, which the registry contains from LUAROUTE_RAISED on.
    LuaRoutePlace raised[1 + LUAROUTE_THROWN];
    char thrown[LUAROUTE_PREFIX + LUAROUTE_MESSAGE];  // the message, behind room for a place
    char message[LUAROUTE_MESSAGE];
    char traceback[LUAROUTE_LEVELS * 128];
} LuaRouteTexts;

struct LuaRouteContext {
    lua_State *main;     // where entries of the host run
    lua_State *current;  // where the innermost callback runs
    lua_State *waiter;   // the innermost coroutine of the host, which may wait
    int resumes;         // coroutines of scripts within each other
    LuaRouteHost host;
    int profile;
    int defects;  // of the Lua that runs
    const LuaRouteLayout *layout;  // NULL if that is not known
    LuaRouteFlag *cancel;

    // The allocator's.
    size_t hard;          // a limit of tests
    int exempt;           // the host pushes: counted, never refused
    size_t requests;      // how many could have been refused
    size_t refuse;        // which of them is
    bool isLasting;       // so are all after it
    size_t table;         // bytes of a table without keys
    size_t node;          // bytes that a table needs for a key
    size_t listSize;      // where a table has the size of its list; 0 if that is not known
    size_t hashSize;      // where it has the binary logarithm of the size of its hash; likewise
    size_t offset;        // where userdata begins in its block
    bool isCompiling;     // the keys are those of the compiler
    bool isCrowded;       // what was refused was room for too many keys
    const char *chain;    // the field whose chain was refused because it is too long, or NULL

    // The region: all the memory of the heap. The numbers of segments never change.
    LuaRouteSegment *segments;
    size_t segmentCount, segmentRoom;
    size_t freeSegment;  // a free number, and one; 0 for none
    // The images, and the image that the heap was equal to when a checkpoint was last made or
    // restored.
    size_t images, imageBytes;
    LuaRouteGroup **groups;
    size_t groupCount;
    LuaRouteClosures *closures;  // of an image that has them
    // Of handles and coroutines: the number that the newest had at the last checkpoint, and those
    // that the host has released and an image may contain.
    uint64_t lastBirth, lastThread, imagedBirth, imagedThread;
    LuaRouteSet releasedSlots, releasedThreads;
    LuaRouteCoroutine *coroutines;  // all there ever were at once
    uint64_t lastChunk;  // the number of the chunk that was loaded last, before a rewind too
    Walk *walk;          // NULL before the first fingerprint
    bool wasRewound;  // or a slot was left to images: before that no handle can be dead

    LuaRouteCoverage *coverage;  // where lines are recorded; the host owns it, or NULL
    // The budget of the outermost entry, and what is left of it.
    LuaRouteBudget budget;
    int64_t instructions, deadline;
    int64_t begun, processor;  // the times of the clock, and of the thread, at the first look
    LuaRoutePlace broken;  // where it broke first
    char reason[96];       // what that is called
    int interval;          // how many instructions run between two looks
    unsigned calls;        // of callbacks, for a look after some
    int64_t unseen;        // instructions charged since the clock was looked at for that
    size_t crossed;        // tables that crossed since then
    uint64_t entry;  // numbers the outermost entries
    uint8_t breach;  // the limit that ended an entry since the host last asked

    // The flags that an entry checks before and after a script runs; usually all are zero.
    union {
        uint64_t gate;
        struct {
            int32_t depth;  // entries within each other
            union {
                uint32_t trouble;
                struct {
                    // A status that ends all entries, or LUAROUTE_ENDED, which ends the innermost.
                    uint8_t tripped;
                    bool isEarly;  // the hook looks after the next instruction
                    bool isFinalizing;  // the host lets go of what was dropped
                    bool hasDropped;
                };
            };
        };
    };
    int level;        // of what the callback that is about to return LUAROUTE_RAISE wants raised
    size_t thrownLength;

    // The fields from here to `place` mirror the heap, and are part of each image.

    size_t used;
    size_t counted;       // the part of `used` that Swift keeps
    size_t large;         // bytes of blocks that are large; those of strings count more
    size_t searched;      // bytes of the keys of tables that have many, but not of large blocks
    uint64_t serial;      // numbers blocks in order of creation
    uint64_t chunk;       // the number of the newest chunk of the heap
    LuaRouteHeader *spare[LUAROUTE_CLASSES];  // freed blocks, by size
    char *uncut;          // the rest of the segment that small blocks were cut from last
    size_t room;          // and its bytes
    uint64_t random[4];   // the state of `math.random`
    bool isHooked;   // whether the main thread's hook may be set
    bool isBig;      // whether the collector goes at the pace of a big state
    bool isLoading;  // whether it does so because scripts are loaded
    bool isClean;    // whether no script ran, and the host let go of nothing, since a collection

    // The released references to the host, whose blocks Lua has freed.
    LuaRouteHeader *dropped;
    // The slots: values in the registry from `firstSlot` on; a free slot contains the index of the
    // next free one. And the time at which each was taken, 0 for one that Swift does not reference.
    int nextSlot, freeSlot;
    uint64_t *births;
    size_t birthRoom;
    size_t slots, boxes, objects;
    LuaRouteBox *newestBox;
    // Ended coroutines: those with a thread, and those without.
    LuaRouteCoroutine *pool, *spent;
    size_t threads, pooled;
    LuaRouteType *types;
    size_t typeCount;
    int missing;  // the position of the metatable of the members that objects keep
    size_t keeping;      // how many objects keep members
    uint64_t forgotten;  // how often members were forgotten

    unsigned throws;  // how many host errors there were

    // The failure of the last entry.
    int hostError;  // counted from 1, which of those the host threw it is; 0 for none
    size_t messageLength, tracebackLength;
    LuaRouteTexts *texts;  // NULL before the first failure

    // The part that is initialized with zeros ends here.
    LuaRoutePlace place;  // of the failure
    LuaRoutePlace located;
};

// Registry positions that are fixed at opening: 1 and 2 are Lua's own.
enum {
    LUAROUTE_ANCHORS = 3,     // strings that error paths must find, and host tables
    LUAROUTE_METATABLES = 4,  // frozen copies of metatables by order of creation, weak values
    // The values that were raised last: one by `error`, and those of host errors, in turn.
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

// The maximum memory of all values; a single operation may take four times that.
static inline size_t luaroute_soft(const LuaRouteContext *context) {
    return (size_t)context->budget.bytes;
}

// Allocator.
void *luaroute_allocate(void *context, void *block, size_t oldSize, size_t newSize);
// Whether a test wants the next allocation refused; counts it.
bool luaroute_is_refused_by_test(LuaRouteContext *context);

// The region. The sizes of blocks include their headers; nothing is counted. NULL if there is not
// enough memory.
LuaRouteHeader *luaroute_obtain_block(LuaRouteContext *context, size_t size);
void luaroute_free_block(LuaRouteContext *context, LuaRouteHeader *block, size_t size);
// Keeps the content. NULL if there is not enough memory; the block is then unchanged.
LuaRouteHeader *luaroute_resize_block(
    LuaRouteContext *context, LuaRouteHeader *block, size_t old, size_t new);
// Allocates memory of the C shim that mirrors the heap. Aborts if there is not enough. `block` may
// be NULL.
void *luaroute_resize_memory(LuaRouteContext *context, void *block, size_t old, size_t new);
// Ends the use of a segment; it is freed when no image has it.
void luaroute_retire_segment(LuaRouteContext *context, size_t number);
// Makes the state use a segment of an image again.
void luaroute_use_segment(LuaRouteContext *context, size_t number);
// Frees the memory of a segment that neither the state nor an image uses.
void luaroute_free_segment(LuaRouteContext *context, size_t number);
// The large block that a segment in use consists of, and its bytes without headers; NULL for any
// other.
const LuaRouteHeader *luaroute_segment_block(
    const LuaRouteContext *context, size_t number, size_t *size);
// Frees everything; Lua must not use any of it, and there must be no image.
void luaroute_free_region(LuaRouteContext *context);
void luaroute_free_walk(LuaRouteContext *context);
void luaroute_release_copy(LuaRouteContext *context, LuaRouteCopy *copy);

// Aborts when there is no memory.
void luaroute_insert(LuaRouteSet *set, uint64_t number);
static inline bool luaroute_contains(const LuaRouteSet *set, uint64_t number) {
    return number / 64 < set->count && (set->words[number / 64] >> number % 64 & 1) != 0;
}
// Defects. Runs the probes, once in a process. Returns false only if there is not enough memory.
bool luaroute_find_defects(void);
// Writes that something needs another release than the one that is linked.
void luaroute_write_need(int defect, const char *subject, char *text, size_t size);

// The order of creation of a table or function, from the address that lua_topointer gives.
uint64_t luaroute_serial(const void *block);

// Measures the size of a key. Raises.
void luaroute_open_keys(lua_State *L);

// Objects of the host. Measures the header of userdata. Raises.
void luaroute_open_held(lua_State *L);
// Pushes a userdata; the host is notified after Lua has freed it. The context is exempt.
LuaRouteHeld *luaroute_new_held(LuaRouteContext *context, lua_State *L, LuaRouteHeld held);
// Keeps a block that Lua frees, until the host is notified.
void luaroute_drop(LuaRouteContext *context, LuaRouteHeader *header);
void luaroute_report_dropped(LuaRouteContext *context);
// Reports released objects to the host. Called only where Swift may run: outside Lua operations.
static inline void luaroute_report(LuaRouteContext *context) {
    if (context->hasDropped) luaroute_report_dropped(context);
}

// Budget.
// Sets the hook that the entry's budget needs, or none: a hook makes scripts twice as slow. Each
// thread has its own.
void luaroute_set_hook(LuaRouteContext *context, lua_State *L);
// Whether a thread counts its instructions.
static inline bool luaroute_is_hooked(lua_State *L) {
    return (lua_gethookmask(L) & LUA_MASKCOUNT) != 0;
}
// Records the line that is about to run.
void luaroute_note_line(LuaRouteCoverage *coverage, lua_State *L, lua_Debug *activation);

// The number of instructions between two checks: one alone may traverse all of a large value, or all
// keys of the tables in a chain, since numbers can be chosen so that all collide.
static inline int luaroute_interval(const LuaRouteContext *context) {
    size_t reached = context->large / LUAROUTE_LARGE + context->searched / LUAROUTE_FOUND;
    if (reached == 0) return LUAROUTE_INTERVAL;
    size_t interval = LUAROUTE_INTERVAL / (1 + reached);
    return interval < LUAROUTE_SHORTEST ? LUAROUTE_SHORTEST : (int)interval;
}

// Sets the pace of the collector.
void luaroute_set_pace(LuaRouteContext *context, bool isBig);

// Begins the counting of the instructions of an outermost entry.
static inline void luaroute_begin_counting(LuaRouteContext *context) {
    bool isBig = context->used > LUAROUTE_BIG;
    if (isBig != context->isBig) luaroute_set_pace(context, isBig);
    int interval = luaroute_interval(context);
    context->interval = context->budget.interval < interval ? context->budget.interval : interval;
}

// Whether another thread, or a signal, has asked that the entry ends.
static inline bool luaroute_is_cancelled(LuaRouteContext *context) {
    return atomic_load_explicit(&context->cancel->isRaised, memory_order_relaxed)
        || atomic_load_explicit(&luaroute_ending, memory_order_relaxed);
}

// Begins the budget of an outermost entry, but for the hook. Inlined: it is part of each call.
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

// Resets the limits that the outermost entry exceeded, for the next entry.
void luaroute_disarm(LuaRouteContext *context);
// The name of a status, with the limit. Valid until the next call.
const char *luaroute_reason(LuaRouteContext *context, int status);
// Records where a budget is first exceeded. Raises nothing, and needs no memory.
void luaroute_mark_broken(LuaRouteContext *context, lua_State *L);
// Makes the hook look after the next instruction.
void luaroute_trip_soon(LuaRouteContext *context);

// Counts the memory that Swift keeps for a value of Lua.
static inline void luaroute_count(LuaRouteContext *context, size_t bytes) {
    context->used += bytes;
    context->counted += bytes;
    if (context->used > luaroute_soft(context)) luaroute_trip_soon(context);
}

static inline void luaroute_uncount(LuaRouteContext *context, size_t bytes) {
    context->used -= bytes;
    context->counted -= bytes;
}

// Checks the clock after work that the instruction count does not cover. Raises if the entry must
// end.
void luaroute_look(lua_State *L);
// Charges `cost` for work in C that the host does for a script; the next instruction checks the
// budget.
void luaroute_work(LuaRouteContext *context, int64_t cost);
// Charges `cost` to the budget and checks the clock. Returns whether the entry may continue.
bool luaroute_spend(LuaRouteContext *context, int64_t cost);
// Charges `cost` to the budget, and checks the clock once in each interval. Raises if the entry
// must end.
void luaroute_charge(lua_State *L, int64_t cost);
// Raises the error of an exceeded budget or a requested end, which no protected call of a script
// can stop.
int luaroute_terminate(lua_State *L);
// Ends the innermost entry, as its host wants. Raises.
int luaroute_end(lua_State *L);

// Values. None of these raises: they run exempt.
// Pushes the tree that begins at `*position`. On LUAROUTE_CONVERSION nothing is pushed.
int luaroute_build(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t *position);
// Writes the message of a failure without a place, and answers `status`.
int luaroute_fail(LuaRouteContext *context, int status, const char *format, ...);

// Frozen tables.
// Stack: ..., table -> ..., proxy
void luaroute_freeze(lua_State *L, const char *message, size_t length);
// Pushes `_G` of a strict environment: it shows the globals, and one that is undefined reads nil. To
// write to it is to write to the globals. Stack: ..., globals -> ..., globals, view
void luaroute_push_globals(lua_State *L);
// Replaces a table at an absolute index that shows another by that; returns whether it was one.
bool luaroute_unwrap(lua_State *L, int index);
// Raises the error of a write if the table at an index is read only; otherwise returns.
void luaroute_check_writable(lua_State *L, int index);
// Makes `pairs` and `next` iterate over objects of a type, by the function that lists the names of
// their fields. Stack: ..., metatable -> same.
void luaroute_set_names(lua_State *L, lua_CFunction list);

// Whether the value at an index is a key that scripts do not see: data that would otherwise need a
// table of ephemerons, which Lua collects in quadratic time, is stored in their own tables under
// such keys.
static inline bool luaroute_is_hidden(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TLIGHTUSERDATA;
}

// Keys in the order of scripts: integers, strings by their bytes, the rest.
typedef struct LuaRouteKey {
    int rank;
    int index;  // the index of the key on the stack
    uint64_t prefix;  // compared first: of a string its first bytes
    union {
        int64_t integer;
        double number;
        const char *bytes;
    };
    size_t length;
} LuaRouteKey;
// The instructions that a walk over the slots of the table at an index costs, besides its keys.
int64_t luaroute_walk(lua_State *L, int index);
// Returns how many there are, and adds the bytes of those that are strings.
size_t luaroute_count_keys(lua_State *L, int table, lua_Integer list, int64_t *bytes);
// Pushes the keys of a table except those from 1 to `list`, and sorts their records. The caller has
// reserved stack space for them and two more. Returns their number, or SIZE_MAX, with nothing
// pushed, if there is too little space.
size_t luaroute_read_keys(
    lua_State *L, int table, lua_Integer list, LuaRouteKey *keys, size_t room);

// Stacks. No correctly compiled instruction reads above the top of a script's stack. Private tables
// are removed from there all the same. Clears everything except the results that a C function is
// about to return; returns their number.
int luaroute_leave(lua_State *L, int results);
// Clears all of a stack above its top, after an error; returns how many values that were.
int64_t luaroute_clear_above(lua_State *L);
// Clears some values above the top, for which there is room.
void luaroute_hide(lua_State *L, int count);
// As `luaL_getmetafield`, which leaves the metatable above the top.
int luaroute_get_metafield(lua_State *L, int index, const char *field);

// Functions.
// Whether the function that runs on a stack may wait: a coroutine of the host runs it, and no other
// coroutine and no C function is between.
static inline bool luaroute_may_wait(LuaRouteContext *context, lua_State *L) {
    return L == context->waiter && lua_isyieldable(L);
}

// Runs a closure on the stack of the running function. Raises.
int luaroute_run(lua_State *L, void *closure, int member, bool *isKept);
// The same for functions that cost a call of the host. Members of an object do not: cached ones
// must cost the same as others. Raises.
int luaroute_run_charged(lua_State *L, void *closure, int member);

// Adds the functions that were not read yet to a table of functions, before an iteration over all
// of them.
void luaroute_complete(lua_State *L, int table);

// Slots.
enum { LUAROUTE_POSITION_BITS = 28 };
static inline uint64_t luaroute_birth(LuaRouteSlot slot) {
    return (uint64_t)slot >> LUAROUTE_POSITION_BITS;
}
// The position of a handle in the registry, or 0 if it is dead.
static inline int luaroute_position(const LuaRouteContext *context, LuaRouteSlot slot) {
    size_t position = (uint64_t)slot & (((uint64_t)1 << LUAROUTE_POSITION_BITS) - 1);
    if (!context->wasRewound) return (int)position;
    bool isAlive =
        position < context->birthRoom && context->births[position] == luaroute_birth(slot);
    return isAlive ? (int)position : 0;
}
// Says that a handle is dead.
int luaroute_fail_dead(LuaRouteContext *context);
// Frees the position of a handle that is alive.
void luaroute_free_position(LuaRouteContext *context, int position);
// Stack: ..., value -> ...
LuaRouteSlot luaroute_take(LuaRouteContext *context, lua_State *L);
// The same for values that Swift does not reference.
int luaroute_anchor(LuaRouteContext *context, lua_State *L);
void luaroute_release_anchor(LuaRouteContext *context, int slot);

// Calls. The message handler of all entries, which records the details of an error. Raises.
int luaroute_handle(lua_State *L);
// Whether the stack of the thread has room for a nested entry.
bool luaroute_has_room(void);
// Refuses an entry that is not allowed now or is nested too deeply.
int luaroute_check_entry(LuaRouteContext *context);
// Converts a result of Lua to a status, and records the failure. An error object is on top.
int luaroute_status(LuaRouteContext *context, lua_State *L, int result);
// Records that memory was refused before an entry began.
int luaroute_fail_memory(LuaRouteContext *context);
// Pushes the values of a tree from a position on, and counts them. After a failure the caller drops
// the values that were pushed.
int luaroute_push_all(
    LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat, size_t position,
    int *pushed);
// Writes down all that is known of an error from the stack of the thread that raised it. Raises.
//
// Stack: error -> message.
int luaroute_explain(lua_State *L, lua_State *raised, int level);
// Finds the script line at a level of the stack; returns whether there is one.
bool luaroute_place(lua_State *L, int level, LuaRoutePlace *place);
// Finds the first script line from a level on; if there is none, the place is unchanged.
void luaroute_find_place(lua_State *L, int level, LuaRoutePlace *place);
bool luaroute_chunk_place(lua_State *L, LuaRoutePlace *place);
// Remembers the value on top as the one raised last by `error`, for 0, or as a host's error. Its
// place is in `raised` already.
void luaroute_mark_raised(lua_State *L, int hostError);

// Coroutines.
void luaroute_free_threads(LuaRouteContext *context);
// The records of all coroutines, for images.
size_t luaroute_count_threads(const LuaRouteContext *context);
void luaroute_copy_threads(const LuaRouteContext *context, LuaRouteCoroutine *copies);
// Restores `count` coroutines; all others have ended. The context has its lists already.
void luaroute_restore_threads(
    LuaRouteContext *context, const LuaRouteCoroutine *copies, size_t count);
// Drops the coroutines that the host has released.
void luaroute_cancel_released_threads(LuaRouteContext *context);
extern const size_t luaroute_thread_size;

// Skips a first line that begins with `#!`, up to its end: the compiler does not get it.
void luaroute_skip_interpreter(LuaRouteLexer *lexer);

// Libraries: the standard's functions, which have no state of their own, are read once for the
// whole process. Returns false only if there is not enough memory.
bool luaroute_read_standard(void);
// Stack: a standard library -> same. Reads functions without upvalues.
void luaroute_read(lua_State *L, const char *const *names, lua_CFunction *functions, int count);
void luaroute_read_string(lua_State *L);
void luaroute_read_table(lua_State *L);
void luaroute_read_utf8(lua_State *L);
// Creates the parts that all environments of a state share. Raises.
int luaroute_open_libraries(lua_State *L);
// The number of bytes of a string argument that cost an instruction. Each function has a cost.
typedef enum LuaRouteCost {
    LUAROUTE_UNREAD = INT32_MAX,  // or the function charges for what it reads
    LUAROUTE_COPIED = 16,         // or compared
    LUAROUTE_PARSED = 2,          // as a numeral
} LuaRouteCost;

// A function of a library. `charged` charges a call before it runs the function. It has no upvalue,
// so a state does not allocate it.
typedef struct LuaRouteFunction {
    const char *name;
    size_t length;  // so that Lua does not compare the name with those that it made last
    lua_CFunction charged;
} LuaRouteFunction;

// Charges a call: an instruction for each argument, and the cost of the bytes of the first and of the
// other arguments.
void luaroute_charge_bytes(lua_State *L, LuaRouteCost first, LuaRouteCost rest);
static inline void luaroute_charge_call(lua_State *L, LuaRouteCost first, LuaRouteCost rest) {
    if (first == LUAROUTE_UNREAD && rest == LUAROUTE_UNREAD) {
        luaroute_charge(L, 1 + lua_gettop(L));
    } else {
        luaroute_charge_bytes(L, first, rest);
    }
}

// Defines a list of functions that ends with one without a name. `FUNCTIONS(ENTRY)` has an
// `ENTRY(name, function, first, rest)` for each: no function gets into a list without its costs.
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
// The position of a function among those of all libraries, counted from 1; 0 for another function.
int luaroute_function_position(lua_CFunction function);
// Adds `setmetatable`. `ignoring` is the slot of the function to call when `__mode` is ignored, or 0:
// then `__mode` is refused.
void luaroute_add_metatables(lua_State *L, int ignoring);
// Pushes another table with weak values. There are none with weak keys.
void luaroute_push_weak(lua_State *L);
// Begins the numbers of `math.random`, which are those that Lua's own has for this seed.
void luaroute_seed_random(LuaRouteContext *context, uint64_t seed);
// The number of tables in the `__index` chain that are searched for a missing key.
int64_t luaroute_count_hops(lua_State *L, int index, const char *field);
// Pushes the text of a value, without addresses.
const char *luaroute_tostring(lua_State *L, int index, size_t *length);
// Whether a table is a frozen copy that `setmetatable` made. Stack: unchanged.
bool luaroute_is_copy(lua_State *L, int metatable);

#endif
