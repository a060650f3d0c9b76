// SPDX-License-Identifier: MIT
//
// The whole interface of Lua for Swift. Nothing declared here raises: a function of Lua is
// forwarded only if the manual marks it '-', and every other function catches what it calls.
#ifndef CLUAROUTE_H
#define CLUAROUTE_H

#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;
typedef struct LuaRouteContext LuaRouteContext;

// MARK: Functions of Lua that the manual marks '-'

// `luaroute_type` is `lua_type`, and so on. The sources include lua.h too, so a type that differs
// from that of the installed Lua does not compile.
#define LUAROUTE_QUIET(FORWARD) \
    FORWARD(int, gettop, (lua_State *L), (L)) \
    FORWARD(int, type, (lua_State *L, int index), (L, index)) \
    FORWARD(int, isinteger, (lua_State *L, int index), (L, index)) \
    FORWARD(int, toboolean, (lua_State *L, int index), (L, index)) \
    FORWARD(long long, tointegerx, (lua_State *L, int index, int *isWhole), (L, index, isWhole)) \
    FORWARD(double, tonumberx, (lua_State *L, int index, int *isNumber), (L, index, isNumber)) \
    FORWARD(void, pushnil, (lua_State *L), (L)) \
    FORWARD(void, pushboolean, (lua_State *L, int value), (L, value)) \
    FORWARD(void, pushinteger, (lua_State *L, long long value), (L, value)) \
    FORWARD(void, pushnumber, (lua_State *L, double value), (L, value)) \
    FORWARD(int, checkstack, (lua_State *L, int count), (L, count))

#if __has_include("../Lua/lapi.c")
// Lua is inside the translation unit of this target, which defines these.
#define LUAROUTE_FORWARD(result, name, parameters, arguments) result luaroute_##name parameters;
#else
// Inlined, so that a call from Swift goes directly to the Lua library.
#define LUAROUTE_FORWARD(result, name, parameters, arguments) \
    extern result lua_##name parameters; \
    static inline result luaroute_##name parameters { return lua_##name arguments; }
#endif
LUAROUTE_QUIET(LUAROUTE_FORWARD)

// MARK: Values

// The content of a record of a flat tree. A table is followed by its list and then by its keys and
// values. The mark of a frozen table precedes a string, which is the error message for writes, and
// then the table.
enum {
    LUAROUTE_NIL = 0,
    LUAROUTE_BOOLEAN = 1,
    LUAROUTE_INTEGER = 2,
    LUAROUTE_NUMBER = 3,
    LUAROUTE_STRING = 4,    // length: bytes; payload: offset into the bytes
    LUAROUTE_TABLE = 5,     // length: list; payload: entries
    LUAROUTE_FUNCTION = 6,  // payload: slot
    LUAROUTE_OBJECT = 7,    // length: type; payload: identifier
    LUAROUTE_FROZEN = 8,
    LUAROUTE_OTHER = 9,
};

typedef struct LuaRouteValue {
    uint32_t tag;
    uint32_t length;
    int64_t payload;
} LuaRouteValue;

// A tree of values in pre-order, and the bytes of its strings. An all-zero tree is empty.
typedef struct LuaRouteFlat {
    LuaRouteValue *values;
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, byteCapacity;
    size_t functions;  // how many records own a slot, after a flatten
} LuaRouteFlat;

// Reserves space for one more record. Aborts if there is not enough memory, as Swift does.
void luaroute_flat_grow_values(LuaRouteFlat *flat);
// Reserves space for `count` more bytes.
void luaroute_flat_grow_bytes(LuaRouteFlat *flat, size_t count);
void luaroute_flat_free(LuaRouteFlat *flat);
// Writes a string key in the form for paths in messages, `.price` or `["two words"]`, without the
// dot for the first key, to LUAROUTE_PATH_KEY bytes. Returns their number.
enum { LUAROUTE_PATH_KEY = 400 };
size_t luaroute_path_key(const uint8_t *bytes, size_t length, int isFirst, char *text);

// MARK: Tokens

typedef enum LuaRouteTokenKind {
    LUAROUTE_END_OF_SOURCE,
    LUAROUTE_BROKEN,  // Lua refuses it: an unfinished string or comment
    LUAROUTE_NAME,
    LUAROUTE_KEYWORD,
    LUAROUTE_NUMERAL,
    LUAROUTE_LITERAL,
    LUAROUTE_SYMBOL,
} LuaRouteTokenKind;

typedef struct LuaRouteToken {
    LuaRouteTokenKind kind;
    size_t start, end;    // in the source
    int firstLine, line;  // where it begins and ends, as Lua counts
} LuaRouteToken;

typedef struct LuaRouteLexer {
    const uint8_t *source;
    size_t length, position;
    int line;
} LuaRouteLexer;

// Reads the next token. It equals the token of Lua's own lexer for each source that Lua accepts.
LuaRouteToken luaroute_read_token(LuaRouteLexer *lexer);

// MARK: Defects

// Defects of some releases of Lua 5.4, as bits of a set.
enum {
    LUAROUTE_CONCATENATION = 1,         // a `__concat` that makes the stack grow
    LUAROUTE_COMPARED_KEY = 2,          // `t[a < b]`
    LUAROUTE_CONSTANT_ENVIRONMENT = 4,  // `local _ENV <const> = 1`
    LUAROUTE_LATE_OPERAND = 8,          // `1 | (a or b)` behind 255 constants
};

// A position in a source that some release runs wrongly.
typedef struct LuaRouteConstruct {
    int defect, line;
} LuaRouteConstruct;

// The defects of the Lua that is linked. The first call runs some short test scripts.
int luaroute_defects(void);
// The release of Lua that is linked, such as "Lua 5.4.4".
const char *luaroute_release(void);
// Finds the first `room` positions of a source that some release runs wrongly. Returns their
// number.
size_t luaroute_find_constructs(
    const uint8_t *source, size_t length, LuaRouteConstruct *constructs, size_t room);

// MARK: State

enum {
    LUAROUTE_OK = 0,
    LUAROUTE_SYNTAX = 1,
    LUAROUTE_RUNTIME = 2,
    LUAROUTE_HANDLER = 3,
    LUAROUTE_MEMORY = 4,
    LUAROUTE_INSTRUCTIONS = 5,
    LUAROUTE_DEADLINE = 6,
    LUAROUTE_CONVERSION = 7,
    LUAROUTE_CANCELLED = 8,
    LUAROUTE_ENDED = 9,
    LUAROUTE_WAITS = 10,  // no failure: a coroutine waits
    LUAROUTE_REWOUND = 11,  // the handle is newer than what the state was rewound to
};

enum {
    LUAROUTE_MESSAGE = 4096,  // bytes of a message
    LUAROUTE_THROWN = 8,      // host errors that are distinguished from each other
};

// The answers of a Swift callback other than a number of results.
enum {
    LUAROUTE_RAISE = -1,  // the script gets the error of `luaroute_throw`
    LUAROUTE_END = -2,    // the innermost entry ends, and no script catches that
    LUAROUTE_KEEP = -3,   // one result, which the object keeps if it was asked for a member
    LUAROUTE_WAIT = -4,   // the coroutine waits; what it is resumed with are the results
};

// The limits of an entry, and derived values; see `luaroute_budget`.
typedef struct LuaRouteBudget {
    int64_t instructions, nanoseconds;  // INT64_MAX: no limit
    int64_t bytes;      // of all values of the state, at most a quarter of what there are numbers for
    int32_t interval;   // instructions between two looks at what is left
    int32_t isLimited;  // whether a hook has to look at all
    // The text that messages add to each limit, such as " left of the turn", or NULL.
    const char *instructionsNote, *timeNote, *bytesNote;
} LuaRouteBudget;

LuaRouteBudget luaroute_budget(int64_t instructions, int64_t nanoseconds, int64_t bytes);

// The functions that scripts may use.
enum {
    LUAROUTE_STRICT = 0,
    LUAROUTE_TRUSTED = 1,  // all of `string` but `dump`, and `coroutine`
};

// The Swift side of a state. None of these may enter the state, except `call`.
typedef struct LuaRouteHost {
    void *owner;
    // Runs a closure, or a member of one; its arguments are on the stack of `L`. Returns the number
    // of pushed results.
    int (*call)(void *box, int member, lua_State *L);
    // Retains a closure, to be balanced by a release.
    void (*retainBox)(void *owner, void *box);
    // Releases a closure that no script can reach any more. Called between two operations.
    void (*releaseBox)(void *owner, void *box);
    // Reports an object that no script references any more. Called between two operations.
    void (*releaseObject)(void *owner, uint32_t type, int64_t identifier);
} LuaRouteHost;

typedef struct LuaRouteFlag LuaRouteFlag;
LuaRouteFlag *luaroute_flag_create(void);
void luaroute_flag_raise(LuaRouteFlag *flag);
void luaroute_flag_free(LuaRouteFlag *flag);
// Ends the entries that are running, and all later ones, of all states of the process. Safe in the
// handler of a signal.
void luaroute_cancel_all(void);
int luaroute_all_cancelled(void);

// Opens a state with the libraries of a profile, of at most `bytes` until the first entry. NULL when
// memory is refused. The flag must outlive it. `refuse` and `isLasting` are those of
// `luaroute_refuse`.
LuaRouteContext *luaroute_open(
    const LuaRouteHost *host, LuaRouteFlag *cancel, int profile, int64_t bytes, uint64_t seed,
    size_t refuse, int isLasting);
// Frees all; boxes and objects are released. No script of the state may be running. Returns the
// number of leaked bytes, boxes and objects, which should be 0.
size_t luaroute_close(LuaRouteContext *context);

// Sets whether scripts are loading: more time is then spent to use less memory.
void luaroute_set_loading(LuaRouteContext *context, int isLoading);

// Makes the k-th following allocation fail that is not exempt, and with `isLasting` all later ones
// too; 0 disables this.
void luaroute_refuse(LuaRouteContext *context, size_t request, int isLasting);
// Limits further memory to this number of bytes.
void luaroute_limit(LuaRouteContext *context, size_t more);
size_t luaroute_requests(const LuaRouteContext *context);
size_t luaroute_used(const LuaRouteContext *context);
// Counts bytes that the host keeps for scripts, or has released, like those of values.
void luaroute_count_bytes(LuaRouteContext *context, int64_t bytes);
size_t luaroute_live_boxes(const LuaRouteContext *context);
size_t luaroute_live_objects(const LuaRouteContext *context);
size_t luaroute_live_slots(const LuaRouteContext *context);
// The number of coroutines that run or wait.
size_t luaroute_live_threads(const LuaRouteContext *context);
int luaroute_depth(const LuaRouteContext *context);
// The status of a limit that ended an entry since the last call; LUAROUTE_OK if none did.
int luaroute_take_breach(LuaRouteContext *context);
// The number of instructions of the last outermost entry, to a thousand.
int64_t luaroute_spent(const LuaRouteContext *context);
// The processor time of the last outermost entry, in nanoseconds; 0 for a short one.
int64_t luaroute_time_spent(const LuaRouteContext *context);
void luaroute_collect(LuaRouteContext *context);
// Collects again if the collection has left the second of the two marks on all objects: images of
// heaps with the first mark share everything that no script has changed.
void luaroute_collect_to_first_mark(LuaRouteContext *context);

// MARK: Slots: values of Lua that Swift holds

// The name of a value; 0 for none. A slot is dead after the state was rewound to a time before it
// was taken, or if only images still need it: then the functions below do nothing, and calls fail
// with LUAROUTE_REWOUND.
typedef int64_t LuaRouteSlot;
int luaroute_slot_is_alive(const LuaRouteContext *context, LuaRouteSlot slot);
void luaroute_slot_free(LuaRouteContext *context, LuaRouteSlot slot);
// Frees the value of a slot that only images need; restoring an image brings it back.
void luaroute_slot_leave(LuaRouteContext *context, LuaRouteSlot slot);
// The identifier of a slot's value among all that are alive.
uintptr_t luaroute_slot_identity(LuaRouteContext *context, LuaRouteSlot slot);
// The number of parameters that the function of a slot declares, and whether it takes more.
int luaroute_slot_parameters(LuaRouteContext *context, LuaRouteSlot slot, int *isVariadic);
// The source of a function: the name of its chunk, its lines, and the names of its first parameters,
// NULL after the last one. The texts are as long as the slot.
typedef struct LuaRouteOrigin {
    const char *chunk;
    const char *parameters[3];
    int first, last;
} LuaRouteOrigin;
// The source of the function of a slot; without a chunk if there is none.
LuaRouteOrigin luaroute_slot_source(LuaRouteContext *context, LuaRouteSlot slot);
// Takes a slot for the value at `index` of a callback's stack.
LuaRouteSlot luaroute_slot_take(LuaRouteContext *context, lua_State *L, int index);

// Returns the number of slots without a function of the host, and writes those that fit, in the
// order in which they were taken.
size_t luaroute_held_slots(LuaRouteContext *context, LuaRouteSlot *slots, size_t room);

// MARK: Environments and chunks

// Makes a table with its own copy of the libraries. `undefined`, a function's slot or 0, is called
// when an undefined global is read or defined. `ignoring`, likewise, is called by `setmetatable`
// when it ignores `__mode`; without it, `__mode` is refused. Returns a slot, or 0 if there is not
// enough memory.
LuaRouteSlot luaroute_environment(
    LuaRouteContext *context, LuaRouteSlot undefined, LuaRouteSlot ignoring);
// Sets a global, whatever the environment allows. The value is the first of the tree.
int luaroute_set_global(
    LuaRouteContext *context, LuaRouteSlot environment, const uint8_t *name, size_t length,
    const LuaRouteFlat *value);
// Compiles text under the budget of the running entry, or under this one if there is none; the
// answer contains the slot of the function.
int luaroute_load(
    LuaRouteContext *context, const LuaRouteBudget *budget, const uint8_t *source, size_t length,
    const char *chunkName, LuaRouteSlot environment, LuaRouteSlot *slot);

// MARK: Calls

// Calls the function of a slot with all values of `arguments`; the first `count` results go to
// `results`, filled up with nil. A negative count is a maximum. Both trees may be NULL.
int luaroute_call(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count);
// A result that is returned in registers.
typedef struct LuaRouteInteger {
    int64_t value;
    int status;
} LuaRouteInteger;
LuaRouteInteger luaroute_call_integers(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, int64_t first,
    int64_t second);
// Calls the function of a slot with each of the `count` objects that the tree begins with and the
// values after them, until a result is true: `found` is its position, or `count`.
int luaroute_call_first(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, const LuaRouteFlat *flat,
    size_t count, size_t *found);

// MARK: Coroutines

typedef struct LuaRouteCoroutine LuaRouteCoroutine;

// Names a coroutine, also after it ended: another coroutine may have its place by then.
typedef struct LuaRouteThread {
    LuaRouteCoroutine *coroutine;
    uint64_t serial;
} LuaRouteThread;

// As `luaroute_call`, but in a coroutine. LUAROUTE_WAITS sets `thread`; after any other status the
// coroutine has ended.
int luaroute_begin(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count, LuaRouteThread *thread);
// Resumes a waiting coroutine with all values of a tree. After a failure before it ran, it still
// waits.
int luaroute_resume(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteThread thread,
    const LuaRouteFlat *values, LuaRouteFlat *results, int count);
// Drops a waiting coroutine without running it. Has no effect on any other.
void luaroute_cancel(LuaRouteContext *context, LuaRouteThread thread);
// Releases the one reference of the host to a coroutine.
void luaroute_thread_free(LuaRouteContext *context, LuaRouteThread thread);
int luaroute_is_waiting(const LuaRouteContext *context, LuaRouteThread thread);
// MARK: Images

// The content of a state at one time: all values, the handles and coroutines of the host, and the
// state of `math.random`; neither the rest of a budget nor the lines that `luaroute_cover`
// recorded.
typedef struct LuaRouteImage LuaRouteImage;

// Creates an image, or NULL if there is not enough memory. It retains the boxes of the state.
LuaRouteImage *luaroute_checkpoint(LuaRouteContext *context);
// Restores the content. Everything that was on the C stack when the image was made must still be
// there. The host is not notified of objects that scripts no longer reference, or reference again.
void luaroute_rewind(LuaRouteContext *context, const LuaRouteImage *image);
void luaroute_image_free(LuaRouteContext *context, LuaRouteImage *image);
// The bytes of all images; shared parts count once.
size_t luaroute_image_bytes(const LuaRouteContext *context);

// MARK: Failures

// The last failure. Valid until the next entry.
typedef struct LuaRouteFailure {
    const char *message;
    size_t messageLength;
    const char *chunk;  // empty when no script line is known
    size_t chunkLength;
    int line;
    const char *traceback;
    size_t tracebackLength;
    int hostError;  // the answer of the `luaroute_throw` that it comes from, or 0
} LuaRouteFailure;
void luaroute_failure(LuaRouteContext *context, LuaRouteFailure *failure);

// MARK: Chunks of the host's own

// A compiled chunk. Only output of `luaroute_compile` is safe to load.
typedef struct LuaRouteChunkBytes {
    uint8_t *bytes;
    size_t count;
} LuaRouteChunkBytes;
// Compiles a chunk in a state of its own. It is empty after a syntax error, or if there is not
// enough memory.
LuaRouteChunkBytes luaroute_compile(const uint8_t *source, size_t length, const char *chunkName);
void luaroute_free_compiled(LuaRouteChunkBytes chunk);
// As `luaroute_load`, for a compiled chunk.
int luaroute_load_compiled(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteChunkBytes chunk,
    LuaRouteSlot environment, LuaRouteSlot *slot);

// MARK: Coverage

// The lines of chunks that ran, in any number of states that run on one thread.
typedef struct LuaRouteCoverage LuaRouteCoverage;
LuaRouteCoverage *luaroute_coverage_create(void);
void luaroute_coverage_free(LuaRouteCoverage *coverage);
// Records the lines that a state runs from now on. Called before anything runs in it; the record
// must live as long as the state.
void luaroute_cover(LuaRouteContext *context, LuaRouteCoverage *coverage);
size_t luaroute_covered_chunks(const LuaRouteCoverage *coverage);
// The name of a chunk, and its lines: one bit for each line from 0 on.
const char *luaroute_covered_name(const LuaRouteCoverage *coverage, size_t index);
const uint8_t *luaroute_covered_lines(
    const LuaRouteCoverage *coverage, size_t index, size_t *count);

// MARK: In a callback

// Whether the callback may answer LUAROUTE_WAIT.
int luaroute_can_wait(lua_State *L);
// Takes a slot for the function `(table, message)` that returns a read-only view of the table.
LuaRouteSlot luaroute_freezer(LuaRouteContext *context);
// Takes a slot for the function that brings metatables up to date once a chunk has run.
LuaRouteSlot luaroute_settler(LuaRouteContext *context);
// Makes a function of Lua from a box, which Lua owns from then on. Returns 0 without adopting it if
// memory is refused.
LuaRouteSlot luaroute_function(LuaRouteContext *context, void *box);
// Makes a table of functions of Lua: one for each string of a tree, under that string. All have one
// box; the member of each is the position of its string, from 0 on; LUAROUTE_UNKNOWN is called with
// the table and a key that it does not contain. The tree must live as long as the box. Otherwise as
// `luaroute_function`.
LuaRouteSlot luaroute_functions(LuaRouteContext *context, void *box, const LuaRouteFlat *names);
enum { LUAROUTE_UNKNOWN = -1 };
// Sets the error for a callback's LUAROUTE_RAISE; level 1 adds the calling script line, 0 does not.
// Returns a number from 1 to LUAROUTE_THROWN, which identifies the error until that number of later
// errors.
int luaroute_throw(LuaRouteContext *context, const uint8_t *message, size_t length, int level);
// The script line at a level: 1 is the caller's, 0 that of the file whose code, outside of its
// functions, led to the call. Returns 0 if there is none.
int luaroute_location(
    LuaRouteContext *context, lua_State *L, int level, const char **chunk, size_t *length,
    int *line);
// The bytes of a string argument; NULL if it is not a string. Valid while the callback runs.
const uint8_t *luaroute_string(lua_State *L, int index, size_t *length);
// The type and identifier of an object argument; 0 if it is not an object.
int luaroute_object(lua_State *L, int index, uint32_t *type, int64_t *identifier);
// Appends an argument, and what it holds, to a tree. On LUAROUTE_CONVERSION the failure's message
// has the reason, and the tree is unchanged.
int luaroute_flatten(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat);
// Appends all arguments from an index on, or none.
int luaroute_flatten_arguments(
    LuaRouteContext *context, lua_State *L, int first, LuaRouteFlat *flat);
// Appends the string keys of a table argument, sorted.
void luaroute_keys(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat);
// Pushes a result. Fails if the stack cannot grow or the content of the tree is invalid.
int luaroute_push_string(
    LuaRouteContext *context, lua_State *L, const uint8_t *bytes, size_t length);
int luaroute_push_object(
    LuaRouteContext *context, lua_State *L, uint32_t type, int64_t identifier);
int luaroute_push_slot(LuaRouteContext *context, lua_State *L, LuaRouteSlot slot);
// Pushes the tree's values; returns their number, or LUAROUTE_RAISE after a throw.
int luaroute_push_flat(LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat);

// MARK: Objects

// The members of the box of a type. LUAROUTE_LIST gives a sorted list of the names of all fields,
// for `pairs`.
enum { LUAROUTE_READ, LUAROUTE_WRITE, LUAROUTE_DESCRIBE, LUAROUTE_LIST, LUAROUTE_OPERATIONS };
// Creates the next type of objects: `operations` lists the members of its box. The box must outlive
// the state.
int luaroute_define_type(
    LuaRouteContext *context, const char *name, void *box, const int *operations);
// Discards the cached members of the object with an identifier.
void luaroute_forget(LuaRouteContext *context, uint32_t type, int64_t identifier);
// Whether scripts reference the object with an identifier.
int luaroute_holds_object(LuaRouteContext *context, uint32_t type, int64_t identifier);

// MARK: Fingerprints

// A root of a fingerprint: the value of a slot, or if that is 0, a waiting coroutine.
typedef struct LuaRouteRoot {
    LuaRouteSlot slot;
    LuaRouteThread thread;
} LuaRouteRoot;

// The host's part of a fingerprint. Neither function may enter the state.
typedef struct LuaRouteIdentity {
    void *owner;
    // The number of a closure, the same in every state, such as a hash of its name.
    uint64_t (*box)(void *owner, void *box);
    // Whether an object has a number to hash in place of its identifier, and that number.
    int (*object)(void *owner, uint32_t type, int64_t identifier, uint64_t *number);
    size_t bytes;  // the most memory to take
} LuaRouteIdentity;

typedef struct LuaRouteFingerprint {
    uint64_t first, second;
} LuaRouteFingerprint;

// Hashes what scripts can reach from roots, and the state of `math.random`. Equal data have equal
// fingerprints in every state, wherever they are and whenever they were made; but tables and
// functions that are keys of one table count in the order of their creation, as for `pairs`.
// Changes nothing. LUAROUTE_MEMORY: there was not enough memory. LUAROUTE_RUNTIME: a script runs,
// or this release of Lua has another layout.
int luaroute_fingerprint(
    LuaRouteContext *context, const LuaRouteRoot *roots, size_t count,
    const LuaRouteIdentity *identity, LuaRouteFingerprint *fingerprint);

#endif
