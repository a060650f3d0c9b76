// SPDX-License-Identifier: MIT
//
// The complete interface of Lua for Swift. No function that is declared here raises a Lua error. A
// Lua function is forwarded only if the manual marks it with '-', and every other function catches
// the errors of the functions that it calls.
#ifndef CLUAROUTE_H
#define CLUAROUTE_H

#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;
typedef struct LuaRouteContext LuaRouteContext;

// MARK: Functions of Lua that the manual marks '-'

// `luaroute_type` forwards to `lua_type`, and so on. The sources also include lua.h, so a
// declaration that differs from the installed Lua does not compile.
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
// Lua is part of this target's translation unit, which defines these functions.
#define LUAROUTE_FORWARD(result, name, parameters, arguments) result luaroute_##name parameters;
#else
// Inlined, so that a call from Swift goes directly to the Lua library.
#define LUAROUTE_FORWARD(result, name, parameters, arguments) \
    extern result lua_##name parameters; \
    static inline result luaroute_##name parameters { return lua_##name arguments; }
#endif
LUAROUTE_QUIET(LUAROUTE_FORWARD)

// MARK: Values

// The content of a record in a flat tree. A table is followed by the values of its list, and then
// by its keys and values. LUAROUTE_FROZEN marks a read-only table. Two values follow: a string that
// is the error message for writes, and the table.
enum {
    LUAROUTE_NIL = 0,
    LUAROUTE_BOOLEAN = 1,
    LUAROUTE_INTEGER = 2,
    LUAROUTE_NUMBER = 3,
    LUAROUTE_STRING = 4,    // length: number of bytes; payload: offset of the bytes
    LUAROUTE_TABLE = 5,     // length: number of list values; payload: number of entries
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

// A tree of values in preorder, with the bytes of its strings. A tree in which all fields are zero
// is empty.
typedef struct LuaRouteFlat {
    LuaRouteValue *values;
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, byteCapacity;
    size_t functions;  // the number of records that own a slot, after flattening
} LuaRouteFlat;

// Reserves space for one more record. Aborts if there is not enough memory, like Swift.
void luaroute_flat_grow_values(LuaRouteFlat *flat);
// Reserves space for `count` more bytes.
void luaroute_flat_grow_bytes(LuaRouteFlat *flat, size_t count);
void luaroute_flat_free(LuaRouteFlat *flat);
// Writes a string key in the form used in the paths of messages, `.price` or `["two words"]`. The
// first key is written without the dot. `text` must have space for LUAROUTE_PATH_KEY bytes. Returns
// the number of bytes written.
enum { LUAROUTE_PATH_KEY = 400 };
size_t luaroute_path_key(const uint8_t *bytes, size_t length, int isFirst, char *text);

// MARK: Tokens

typedef enum LuaRouteTokenKind {
    LUAROUTE_END_OF_SOURCE,
    LUAROUTE_BROKEN,  // an unfinished string or comment, which Lua refuses
    LUAROUTE_NAME,
    LUAROUTE_KEYWORD,
    LUAROUTE_NUMERAL,
    LUAROUTE_LITERAL,
    LUAROUTE_SYMBOL,
} LuaRouteTokenKind;

typedef enum LuaRouteKeyword {
    LUAROUTE_WORD_AND = 1, LUAROUTE_WORD_BREAK, LUAROUTE_WORD_DO, LUAROUTE_WORD_ELSE,
    LUAROUTE_WORD_ELSEIF, LUAROUTE_WORD_END, LUAROUTE_WORD_FALSE, LUAROUTE_WORD_FOR,
    LUAROUTE_WORD_FUNCTION, LUAROUTE_WORD_GOTO, LUAROUTE_WORD_IF, LUAROUTE_WORD_IN,
    LUAROUTE_WORD_LOCAL, LUAROUTE_WORD_NIL, LUAROUTE_WORD_NOT, LUAROUTE_WORD_OR,
    LUAROUTE_WORD_REPEAT, LUAROUTE_WORD_RETURN, LUAROUTE_WORD_THEN, LUAROUTE_WORD_TRUE,
    LUAROUTE_WORD_UNTIL, LUAROUTE_WORD_WHILE,
} LuaRouteKeyword;

typedef struct LuaRouteToken {
    LuaRouteTokenKind kind;
    LuaRouteKeyword keyword;  // of a keyword; otherwise 0
    size_t start, end;    // offsets in the source
    int firstLine, line;  // the lines where the token begins and ends, as counted by Lua
} LuaRouteToken;

typedef struct LuaRouteLexer {
    const uint8_t *source;
    size_t length, position;
    int line;
} LuaRouteLexer;

// Reads the next token. For a source that Lua accepts, the token is the same as in Lua's own lexer.
LuaRouteToken luaroute_read_token(LuaRouteLexer *lexer);

// MARK: Defects

// The defects of some releases of Lua 5.4, as bits of a set.
enum {
    LUAROUTE_CONCATENATION = 1,         // a `__concat` in which the stack grows
    LUAROUTE_COMPARED_KEY = 2,          // `t[a < b]`
    LUAROUTE_CONSTANT_ENVIRONMENT = 4,  // `local _ENV <const> = 1`
    LUAROUTE_LATE_OPERAND = 8,          // `1 | (a or b)` after 255 constants
};

// A position in a source at which some release of Lua executes the wrong code.
typedef struct LuaRouteConstruct {
    int defect, line;
} LuaRouteConstruct;

// Returns the defects of the linked Lua. The first call runs some short test scripts.
int luaroute_defects(void);
// Returns the release of the linked Lua, such as "Lua 5.4.4".
const char *luaroute_release(void);
// Finds the first `room` positions in a source at which some release of Lua executes the wrong
// code. Returns the number of positions.
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
    LUAROUTE_WAITS = 10,  // not a failure: a coroutine waits
    LUAROUTE_REWOUND = 11,  // the state was rewound to a time before the handle was created
};

enum {
    LUAROUTE_MESSAGE = 4096,  // maximum number of bytes in a message
    LUAROUTE_THROWN = 8,      // number of recent host errors that can be distinguished
};

// The results of a Swift callback, if it does not return a number of Lua results.
enum {
    LUAROUTE_RAISE = -1,  // the error of `luaroute_throw` is raised in the script
    LUAROUTE_END = -2,    // the innermost entry ends, and no script can catch this
    LUAROUTE_KEEP = -3,   // one result, which the object may cache if a member was requested
    LUAROUTE_WAIT = -4,   // the coroutine waits; the host resumes it with the results
};

// The limits of an entry, with values that are derived from them; see `luaroute_budget`.
typedef struct LuaRouteBudget {
    int64_t instructions, nanoseconds;  // INT64_MAX means no limit
    int64_t bytes;      // for all values together; small enough that multiples do not overflow
    int32_t interval;   // number of instructions between two checks
    int32_t isLimited;  // whether checks are necessary at all
    // The text that messages append to each limit, such as " left in the turn", or NULL.
    const char *instructionsNote, *timeNote, *bytesNote;
} LuaRouteBudget;

LuaRouteBudget luaroute_budget(int64_t instructions, int64_t nanoseconds, int64_t bytes);

// The profiles. A profile determines the functions that scripts can use.
enum {
    LUAROUTE_STRICT = 0,
    LUAROUTE_TRUSTED = 1,  // also `coroutine`, and all of `string` except `dump`
};

// The Swift side of a state. Only `call` may enter the state.
typedef struct LuaRouteHost {
    void *owner;
    // Runs a closure, or a member of a closure, with its arguments on the stack of `L`. Returns the
    // number of results that were pushed.
    int (*call)(void *box, int member, lua_State *L);
    // Retains a closure. A release must balance this call.
    void (*retainBox)(void *owner, void *box);
    // Releases a closure that no script can reach any more. Called only between operations.
    void (*releaseBox)(void *owner, void *box);
    // Reports an object that no script references any more. Called only between operations.
    void (*releaseObject)(void *owner, uint32_t type, int64_t identifier);
} LuaRouteHost;

typedef struct LuaRouteFlag LuaRouteFlag;
LuaRouteFlag *luaroute_flag_create(void);
void luaroute_flag_raise(LuaRouteFlag *flag);
void luaroute_flag_free(LuaRouteFlag *flag);
// Ends all running and later entries of all states in the process. This function can be called in a
// signal handler.
void luaroute_cancel_all(void);
int luaroute_all_cancelled(void);

// Opens a state with the libraries of a profile. The state can use at most `bytes` bytes until the
// first entry. Returns NULL if an allocation fails. The flag must outlive the state. `refuse` and
// `isLasting` have the same meaning as in `luaroute_refuse`.
LuaRouteContext *luaroute_open(
    const LuaRouteHost *host, LuaRouteFlag *cancel, int profile, int64_t bytes, uint64_t seed,
    size_t refuse, int isLasting);
// Frees the state, and releases its boxes and objects. No script of the state may be running.
// Returns the number of leaked bytes, boxes and objects, which should be 0.
size_t luaroute_close(LuaRouteContext *context);

// Sets whether scripts are being loaded. During loading, the collector runs more often, in order to
// use less memory.
void luaroute_set_loading(LuaRouteContext *context, int isLoading);

// Makes the allocation with the number `request` fail, counted from the next allocation that is not
// exempt. If `isLasting` is true, all later allocations also fail. If `request` is 0, no allocation
// is made to fail.
void luaroute_refuse(LuaRouteContext *context, size_t request, int isLasting);
// Limits additional memory to the given number of bytes.
void luaroute_limit(LuaRouteContext *context, size_t more);
size_t luaroute_requests(const LuaRouteContext *context);
size_t luaroute_used(const LuaRouteContext *context);
// Counts bytes that the host keeps for scripts as if values used them. A negative number counts
// released bytes.
void luaroute_count_bytes(LuaRouteContext *context, int64_t bytes);
size_t luaroute_live_boxes(const LuaRouteContext *context);
size_t luaroute_live_objects(const LuaRouteContext *context);
size_t luaroute_live_slots(const LuaRouteContext *context);
// The number of coroutines that are running or waiting.
size_t luaroute_live_threads(const LuaRouteContext *context);
int luaroute_depth(const LuaRouteContext *context);
// Returns the status for the limit that has ended an entry since the last call, or LUAROUTE_OK if
// no limit has ended one.
int luaroute_take_breach(LuaRouteContext *context);
// The number of instructions in the last outermost entry, with a precision of about a thousand.
int64_t luaroute_spent(const LuaRouteContext *context);
// The processor time of the last outermost entry, in nanoseconds; 0 for a short entry.
int64_t luaroute_time_spent(const LuaRouteContext *context);
void luaroute_collect(LuaRouteContext *context);
// Returns the segments of the heap that contain no used block to the system.
void luaroute_trim(LuaRouteContext *context);
// Collects garbage once more if the last collection has left the second of the collector's two
// marks on all objects. Images of heaps with the same mark share everything that no script has
// changed.
void luaroute_collect_to_first_mark(LuaRouteContext *context);

// MARK: Slots: Lua values that Swift references

// The handle of a Lua value; 0 for no value. A slot is dead if the state was rewound to a time
// before the slot was created, or if only images still need its value. For a dead slot, the
// following functions do nothing, and calls fail with LUAROUTE_REWOUND.
typedef int64_t LuaRouteSlot;
int luaroute_slot_is_alive(const LuaRouteContext *context, LuaRouteSlot slot);
void luaroute_slot_free(LuaRouteContext *context, LuaRouteSlot slot);
// Frees the value of a slot that only images need. Restoring such an image restores the value.
void luaroute_slot_leave(LuaRouteContext *context, LuaRouteSlot slot);
// Returns an identifier of the slot's value that is unique among all live values.
uintptr_t luaroute_slot_identity(LuaRouteContext *context, LuaRouteSlot slot);
// Returns the number of parameters that the function in a slot declares, and whether it is
// variadic.
int luaroute_slot_parameters(LuaRouteContext *context, LuaRouteSlot slot, int *isVariadic);
// The source of a function: the name of its chunk, its first and last line, and the names of up to
// three parameters, with NULL after the last. The strings are valid as long as the slot.
typedef struct LuaRouteOrigin {
    const char *chunk;
    const char *parameters[3];
    int first, last;
} LuaRouteOrigin;
// Returns the source of the function in a slot; the chunk is NULL if there is no source.
LuaRouteOrigin luaroute_slot_source(LuaRouteContext *context, LuaRouteSlot slot);
// Creates a slot for the value at `index` on the stack of a callback.
LuaRouteSlot luaroute_slot_take(LuaRouteContext *context, lua_State *L, int index);

// Writes up to `room` slots that do not contain host functions, in the order of their creation.
// Returns the total number of such slots.
size_t luaroute_held_slots(LuaRouteContext *context, LuaRouteSlot *slots, size_t room);

// MARK: Environments and chunks

// Creates an environment: a table with its own copy of the libraries. `undefined` is the slot of a
// function that is called when an undefined global is read or assigned, or 0. `ignoring` is the
// slot of a function that `setmetatable` calls when it ignores `__mode`; if it is 0, `__mode` is an
// error. Returns a slot, or 0 if there is not enough memory.
LuaRouteSlot luaroute_environment(
    LuaRouteContext *context, LuaRouteSlot undefined, LuaRouteSlot ignoring);
// Sets a global variable, even if the environment is strict. The value is the first value of the
// tree.
int luaroute_set_global(
    LuaRouteContext *context, LuaRouteSlot environment, const uint8_t *name, size_t length,
    const LuaRouteFlat *value);
// Compiles a source text under the budget of the running entry, or under the given budget if no
// entry is running. The slot of the function is written to `slot`.
int luaroute_load(
    LuaRouteContext *context, const LuaRouteBudget *budget, const uint8_t *source, size_t length,
    const char *chunkName, LuaRouteSlot environment, LuaRouteSlot *slot);

// MARK: Calls

// Calls the function in a slot with all values of `arguments`. Appends the first `count` results to
// `results`, padded with nil. A negative count is a maximum. Both trees may be NULL.
int luaroute_call(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count);
// A result that fits in registers.
typedef struct LuaRouteInteger {
    int64_t value;
    int status;
} LuaRouteInteger;
LuaRouteInteger luaroute_call_integers(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, int64_t first,
    int64_t second);
// Calls the function in a slot for each of the `count` objects at the start of the tree, passing
// the object and the values that follow the objects, until a call returns true. `found` is the
// index of that object, or `count` if there is none.
int luaroute_call_first(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot, const LuaRouteFlat *flat,
    size_t count, size_t *found);

// MARK: Coroutines

typedef struct LuaRouteCoroutine LuaRouteCoroutine;

// Identifies a coroutine, even after it has ended and its memory is used for another coroutine.
typedef struct LuaRouteThread {
    LuaRouteCoroutine *coroutine;
    uint64_t serial;
} LuaRouteThread;

// Like `luaroute_call`, but runs the function in a coroutine. If the status is LUAROUTE_WAITS,
// `thread` is set. After any other status, the coroutine has ended.
int luaroute_begin(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteSlot slot,
    const LuaRouteFlat *arguments, LuaRouteFlat *results, int count, LuaRouteThread *thread);
// Resumes a waiting coroutine with all values of a tree. If the call fails before the coroutine
// runs, the coroutine still waits.
int luaroute_resume(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteThread thread,
    const LuaRouteFlat *values, LuaRouteFlat *results, int count);
// Drops a waiting coroutine without running it. Does nothing if the coroutine does not wait.
void luaroute_cancel(LuaRouteContext *context, LuaRouteThread thread);
// Releases the host's only reference to a coroutine.
void luaroute_thread_free(LuaRouteContext *context, LuaRouteThread thread);
int luaroute_is_waiting(const LuaRouteContext *context, LuaRouteThread thread);
// MARK: Images

// The content of a state at one point in time: all values, the handles and coroutines of the host,
// and the state of `math.random`. The remaining budget and the lines recorded by `luaroute_cover`
// are not included.
typedef struct LuaRouteImage LuaRouteImage;

// Creates an image that retains the boxes of the state. Returns NULL if there is not enough memory.
LuaRouteImage *luaroute_checkpoint(LuaRouteContext *context);
// Restores the content of an image. All frames that were on the C stack when the image was made
// must still be on the C stack. The host is not notified of objects that scripts no longer
// reference, or reference again.
void luaroute_rewind(LuaRouteContext *context, const LuaRouteImage *image);
void luaroute_image_free(LuaRouteContext *context, LuaRouteImage *image);
// The size of all images in bytes. Shared parts are counted once.
size_t luaroute_image_bytes(const LuaRouteContext *context);

// MARK: Failures

// Describes the last failure. The strings are valid until the next entry.
typedef struct LuaRouteFailure {
    const char *message;
    size_t messageLength;
    const char *chunk;  // empty if no script line is known
    size_t chunkLength;
    int line;
    const char *traceback;
    size_t tracebackLength;
    int hostError;  // the result of the `luaroute_throw` that caused the failure, or 0
} LuaRouteFailure;
void luaroute_failure(LuaRouteContext *context, LuaRouteFailure *failure);

// MARK: Chunks of the host

// A compiled chunk. Only the output of `luaroute_compile` is safe to load.
typedef struct LuaRouteChunkBytes {
    uint8_t *bytes;
    size_t count;
} LuaRouteChunkBytes;
// Compiles a chunk in a separate state. The result is empty after a syntax error, or if there is
// not enough memory.
LuaRouteChunkBytes luaroute_compile(const uint8_t *source, size_t length, const char *chunkName);
void luaroute_free_compiled(LuaRouteChunkBytes chunk);
// Like `luaroute_load`, but for a compiled chunk.
int luaroute_load_compiled(
    LuaRouteContext *context, const LuaRouteBudget *budget, LuaRouteChunkBytes chunk,
    LuaRouteSlot environment, LuaRouteSlot *slot);

// MARK: Coverage

// A record of the lines that ran in each chunk, for any number of states on the same thread.
typedef struct LuaRouteCoverage LuaRouteCoverage;
LuaRouteCoverage *luaroute_coverage_create(void);
void luaroute_coverage_free(LuaRouteCoverage *coverage);
// Records the lines that a state runs from now on. Call this function before anything runs in the
// state. The record must outlive the state.
void luaroute_cover(LuaRouteContext *context, LuaRouteCoverage *coverage);
size_t luaroute_covered_chunks(const LuaRouteCoverage *coverage);
// The name of a chunk, and its lines as one bit for each line, beginning with line 0.
const char *luaroute_covered_name(const LuaRouteCoverage *coverage, size_t index);
const uint8_t *luaroute_covered_lines(
    const LuaRouteCoverage *coverage, size_t index, size_t *count);

// MARK: Callbacks

// Whether the callback may return LUAROUTE_WAIT.
int luaroute_can_wait(lua_State *L);
// Creates a slot for the function `(table, message)` that returns a read-only view of the table.
LuaRouteSlot luaroute_freezer(LuaRouteContext *context);
// Creates a slot for the function that updates metatables after a chunk has run.
LuaRouteSlot luaroute_settler(LuaRouteContext *context);
// Creates a Lua function from a box, and transfers the ownership of the box to Lua. If there is not
// enough memory, returns 0, and the caller keeps the ownership.
LuaRouteSlot luaroute_function(LuaRouteContext *context, void *box);
// Creates a table of Lua functions, with one function for each string of a tree. All functions have
// the same box, and the member of a function is the index of its string. If a key is missing from
// the table, the box is called with the member LUAROUTE_UNKNOWN, the table and the key. The tree
// must live as long as the box. For the result and the ownership, see `luaroute_function`.
LuaRouteSlot luaroute_functions(LuaRouteContext *context, void *box, const LuaRouteFlat *names);
enum { LUAROUTE_UNKNOWN = -1 };
// Sets the error for a callback that returns LUAROUTE_RAISE. Level 1 adds the script line of the
// call; level 0 does not. Returns a number from 1 to LUAROUTE_THROWN. The number identifies the
// error until LUAROUTE_THROWN further errors have been set.
int luaroute_throw(LuaRouteContext *context, const uint8_t *message, size_t length, int level);
// Finds the script line at a level. Level 1 is the line of the caller. Level 0 is the line of
// top-level code in a file that led to the call. Returns 0 if there is no such line.
int luaroute_location(
    LuaRouteContext *context, lua_State *L, int level, const char **chunk, size_t *length,
    int *line);
// The bytes of a string argument; NULL if the argument is not a string. The bytes are valid while
// the callback runs.
const uint8_t *luaroute_string(lua_State *L, int index, size_t *length);
// Reads the type and identifier of an object argument. Returns 0 if the argument is not an object.
int luaroute_object(lua_State *L, int index, uint32_t *type, int64_t *identifier);
// Appends an argument, including the contents of tables, to a tree. If the status is
// LUAROUTE_CONVERSION, the message of the failure contains the reason, and the tree is unchanged.
int luaroute_flatten(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat);
// Appends all arguments beginning with an index. If this fails, no argument is appended.
int luaroute_flatten_arguments(
    LuaRouteContext *context, lua_State *L, int first, LuaRouteFlat *flat);
// Appends the string keys of a table argument, sorted.
void luaroute_keys(LuaRouteContext *context, lua_State *L, int index, LuaRouteFlat *flat);
// Pushes a result. Fails if the stack cannot grow, or if the content of the tree is invalid.
int luaroute_push_string(
    LuaRouteContext *context, lua_State *L, const uint8_t *bytes, size_t length);
int luaroute_push_object(
    LuaRouteContext *context, lua_State *L, uint32_t type, int64_t identifier);
int luaroute_push_slot(LuaRouteContext *context, lua_State *L, LuaRouteSlot slot);
// Pushes the values of a tree. Returns their number, or LUAROUTE_RAISE after setting an error.
int luaroute_push_flat(LuaRouteContext *context, lua_State *L, const LuaRouteFlat *flat);

// MARK: Objects

// The members of a type's box. LUAROUTE_LIST returns a sorted list of all field names, for `pairs`.
enum { LUAROUTE_READ, LUAROUTE_WRITE, LUAROUTE_DESCRIBE, LUAROUTE_LIST, LUAROUTE_OPERATIONS };
// Defines the next type of objects. `operations` lists the members that its box implements. The box
// must outlive the state.
int luaroute_define_type(
    LuaRouteContext *context, const char *name, void *box, const int *operations);
// Discards the cached members of the object with the given identifier.
void luaroute_forget(LuaRouteContext *context, uint32_t type, int64_t identifier);
// Whether scripts reference the object with the given identifier.
int luaroute_holds_object(LuaRouteContext *context, uint32_t type, int64_t identifier);

// MARK: Fingerprints

// A root of a fingerprint: the value of a slot or, if the slot is 0, a waiting coroutine.
typedef struct LuaRouteRoot {
    LuaRouteSlot slot;
    LuaRouteThread thread;
} LuaRouteRoot;

// The host's contribution to a fingerprint. Neither function may enter the state.
typedef struct LuaRouteIdentity {
    void *owner;
    // Returns a number for a closure that is the same in every state, such as a hash of its name.
    uint64_t (*box)(void *owner, void *box);
    // Returns whether an object has a number to hash instead of its identifier, and writes that
    // number.
    int (*object)(void *owner, uint32_t type, int64_t identifier, uint64_t *number);
    size_t bytes;  // maximum memory to use
} LuaRouteIdentity;

typedef struct LuaRouteFingerprint {
    uint64_t first, second;
} LuaRouteFingerprint;

// Hashes everything that scripts can reach from the roots, and the state of `math.random`. Equal
// data have equal fingerprints in every state, regardless of addresses and of the order of
// creation. Tables and functions that are keys of the same table are an exception: the order of
// their creation matters, as it does for `pairs`. Nothing is changed. The status is LUAROUTE_MEMORY
// if there was not enough memory, and LUAROUTE_RUNTIME if a script is running or this release of
// Lua has another memory layout.
int luaroute_fingerprint(
    LuaRouteContext *context, const LuaRouteRoot *roots, size_t count,
    const LuaRouteIdentity *identity, LuaRouteFingerprint *fingerprint);

#endif
