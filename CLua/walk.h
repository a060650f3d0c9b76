// SPDX-License-Identifier: MIT
//
// A walk over the objects that scripts can reach, for a fingerprint.
#ifndef LUAROUTE_WALK_H
#define LUAROUTE_WALK_H

#include "digest.h"
#include "layout.h"

// The first word of a hashed pair. It determines the meaning of the second word. The first values
// are the kinds of Lua values.
enum {
    IS_NIL, IS_FALSE, IS_TRUE, IS_INTEGER, IS_FLOAT, IS_HIDDEN, IS_FUNCTION, IS_OBJECT,
    OF_ROOTS, OF_METATABLE, OF_LENGTH, OF_POSITION, OF_CLOSURE, OF_BOX, OF_NUMBERED,
    OF_IDENTIFIED, OF_DEAD, OF_CALL, OF_SCRIPT, OF_STACK, OF_SHARED,
};

enum {
    CELL = 1,   // the kind of object for an upvalue
    AHEAD = 4,  // number of objects by which prefetching is ahead
};

typedef struct Item {
    const void *object;
    uint64_t kind;
} Item;

// A set of addresses that keeps the order in which they were added.
typedef struct Visited {
    Item *items;
    uint32_t *places;  // a hash table of positions in `items`, from 1; its size is a power of two
    size_t count, room;
    int shift;
} Visited;

typedef struct Entry Entry;

// The memory of a walk is kept for the next fingerprint. The hashes of prototypes are also kept,
// because a prototype never changes, and its address is not reused until a chunk is loaded.
struct Walk {
    LuaRouteContext *context;
    const LuaRouteIdentity *identity;
    const LuaRouteLayout *layout;
    Visited objects, prototypes;  // the kind of a prototype is the position of its hash
    Pair *hashes;
    Entry *entries;
    size_t entryCount, entryRoom, hashRoom, bytes;
    Pair hash;
    uint64_t chunk;  // the newest chunk of the heap whose prototypes have hashes
    bool isShort;    // whether there was not enough memory
};

// Enlarges an array. Returns whether there was enough memory.
bool luaroute_grow_room(Walk *walk, void *array, size_t *room, size_t size, size_t first);
bool luaroute_grow_visited(Walk *walk, Visited *visited);
void luaroute_place_functions(void);
// Identifies a C function by its position among all C functions that scripts can reach.
Pair luaroute_hash_function(lua_CFunction function);
Pair luaroute_describe_other(Walk *walk, uint64_t bits, uint8_t tag);
// Returns the closure or object of the host; NULL for any other userdata.
const LuaRouteHeld *luaroute_held(const Walk *walk, const void *userdata);
void luaroute_visit_table(Walk *walk, const SeenTable *table);
void luaroute_visit_thread(Walk *walk, const void *thread);
// Hashes which variables of a coroutine are upvalues. Call this after all closures were visited.
void luaroute_link_thread(Walk *walk, const void *thread, size_t number);

// MARK: Objects

// Finds the place of an address in the hash table, or the free place for a new address.
static inline uint32_t *findPlace(const Visited *visited, const void *object) {
    size_t mask = ((size_t)1 << (64 - visited->shift)) - 1;
    size_t place = ((uint64_t)(uintptr_t)object * salts[7]) >> visited->shift;
    for (;; place = (place + 1) & mask) {
        uint32_t number = visited->places[place];
        if (number == 0 || visited->items[number - 1].object == object) break;
    }
    return &visited->places[place];
}

// Returns the number of an object, from 1; 0 if the object was not visited.
static inline uint32_t numberOf(const Visited *visited, const void *object) {
    return visited->room == 0 ? 0 : *findPlace(visited, object);
}

// Returns the number of an object, and adds the object if it is new. Returns 0 if there is not
// enough memory.
static inline uint32_t enroll(Walk *walk, Visited *visited, const void *object, uint64_t kind) {
    if (visited->count == visited->room && !luaroute_grow_visited(walk, visited)) return 0;
    uint32_t *place = findPlace(visited, object);
    if (*place == 0) {
        visited->items[visited->count] = (Item){object, kind};
        visited->count += 1;
        *place = (uint32_t)visited->count;
    }
    return *place;
}

// Returns the number of an object. A new object will be visited later.
static inline Pair refer(Walk *walk, const void *object, uint64_t kind) {
    return (Pair){IS_OBJECT, enroll(walk, &walk->objects, object, kind)};
}

static inline void absorb(Walk *walk, Pair pair) { walk->hash = mix(walk->hash, pair); }

static inline void note(Walk *walk, uint64_t kind, uint64_t word) {
    absorb(walk, (Pair){kind, word});
}

// MARK: Values

static inline const void *pointer(uint64_t bits) { return (const void *)(uintptr_t)bits; }

static inline bool isString(uint8_t tag) {
    return tag == SEEN_SHORT_STRING || tag == SEEN_LONG_STRING;
}

static inline bool isObject(uint8_t tag) { return (tag & SEEN_OWNED) && !isString(tag); }

static inline Pair hashString(const SeenString *string) {
    size_t length;
    const char *bytes = luaroute_seen_bytes(string, &length);
    return hashBytes(bytes, length);
}

// The most frequent kinds come first.
__attribute__((always_inline)) static inline Pair describe(
    Walk *walk, uint64_t bits, uint8_t tag) {
    if (tag == SEEN_INTEGER) return (Pair){IS_INTEGER, bits};
    if (tag == SEEN_SHORT_STRING) return hashString(pointer(bits));
    return luaroute_describe_other(walk, bits, tag);
}

static inline Pair describeValue(Walk *walk, const SeenValue *value) {
    return describe(walk, value->bits, value->tag);
}

#endif
