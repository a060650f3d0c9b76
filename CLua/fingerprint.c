// SPDX-License-Identifier: MIT
//
// The fingerprint of a script heap: a hash of all that roots can reach, which is equal where no script
// can see a difference.
//
// Objects have numbers in the order of their first visit, breadth first, so that two references to one
// object differ from references to two. The content of a table is a sum over its keys, so only the
// entries whose values are objects have to be sorted: by the hash of the key, which is the same in each
// state. Keys that are objects come in the order of `pairs`.
//
// Left out is all that no script can see: functions of a table that are made when they are first read,
// members that objects keep, copies of metatables that no table has.
#include "layout.h"

// MARK: Hashing

// Two hashes of the same.
typedef struct Pair {
    uint64_t first, second;
} Pair;

// Any odd numbers with as many ones as zeros.
static const uint64_t salts[] = {
    0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu, 0x8ebc6af09c88c6e3u, 0x589965cc75374cc3u,
    0x1d8e4e27c47d124fu, 0xeb44accab455d165u, 0x9c6e6877736c46e3u, 0xd6e8feb86659fd93u,
};

static inline uint64_t fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Hashes two pairs, in this order.
static inline Pair mix(Pair left, Pair right) {
    uint64_t tags = fold(left.first ^ salts[0], right.first ^ salts[1]);
    uint64_t values = fold(left.second ^ salts[2], right.second ^ salts[3]);
    return (Pair){
        fold(tags ^ salts[4], values ^ salts[5]),
        fold(left.first + right.second + salts[6], left.second ^ right.first ^ salts[7]) + tags
            + values,
    };
}

static inline uint64_t readWord(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static Pair hashBytes(const void *start, size_t length) {
    const char *bytes = start;
    Pair hash = {length ^ salts[1], salts[6]};
    size_t rest = length;
    uint64_t left, right;
    for (; rest > 16; rest -= 16, bytes += 16) {
        left = readWord(bytes);
        right = readWord(bytes + 8);
        hash.first = fold(left ^ salts[2], right ^ hash.first);
        hash.second = fold(right ^ salts[3], left ^ hash.second);
    }
    if (rest >= 8) {
        left = readWord(bytes);
        right = readWord(bytes + rest - 8);
    } else {
        left = right = 0;
        for (size_t i = 0; i < rest; i += 1) left = left << 8 | (uint8_t)bytes[i];
    }
    return (Pair){
        fold(left ^ salts[4], right ^ hash.first), fold(right ^ salts[5], left ^ hash.second)};
}

// MARK: The walk

// The meanings of a word that follows. The first ones are the kinds of values.
enum {
    IS_NIL, IS_FALSE, IS_TRUE, IS_INTEGER, IS_FLOAT, IS_HIDDEN, IS_FUNCTION, IS_OBJECT,
    OF_RANDOM, OF_ROOTS, OF_LENGTH, OF_POSITION, OF_CLOSURE, OF_BOX, OF_NUMBERED, OF_IDENTIFIED,
    OF_BYTES, OF_DEAD, OF_CALL, OF_SCRIPT, OF_STACK, OF_SHARED,
};

enum { CELL = 1 };  // an upvalue, among the kinds of objects

typedef struct Item {
    const void *object;
    uint64_t kind;
} Item;

// A set of addresses, in the order in which they were added.
typedef struct Visited {
    Item *items;
    uint32_t *places;  // where items are, from 1 on; a power of two
    size_t count, room;
    int shift;
} Visited;

// An entry of a table whose key or value is an object.
typedef struct Entry {
    uint64_t rank;
    Pair order;
    uint64_t key, value;
    uint8_t keyTag, tag;
} Entry;

typedef struct Walk {
    LuaRouteContext *context;
    const LuaRouteIdentity *identity;
    const LuaRouteLayout *layout;
    Visited objects, prototypes;  // the kind of a prototype is the position of its hash
    Pair *hashes;
    Entry *entries;
    size_t entryCount, entryRoom, hashRoom, bytes;
    Pair hash;
    bool isShort;  // there was no memory
} Walk;

// Makes an array larger; answers whether that went well.
static bool growRoom(Walk *walk, void *array, size_t *room, size_t size, size_t first) {
    size_t new = *room == 0 ? first : *room * 2;
    void *old, *grown = NULL;
    memcpy(&old, array, sizeof old);
    walk->bytes += (new - *room) * size;
    if (walk->bytes <= walk->identity->bytes) grown = realloc(old, new * size);
    if (grown == NULL) {
        walk->isShort = true;
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *room = new;
    return true;
}

static inline size_t placeOf(const Visited *visited, const void *object) {
    return ((uint64_t)(uintptr_t)object * salts[7]) >> visited->shift;
}

static size_t findFree(const Visited *visited, const void *object) {
    size_t mask = ((size_t)1 << (64 - visited->shift)) - 1;
    size_t place = placeOf(visited, object);
    while (visited->places[place] != 0) place = (place + 1) & mask;
    return place;
}

static bool growVisited(Walk *walk, Visited *visited) {
    size_t first = 256;
    // Objects of scripts have about 60 bytes; to guess it saves most moves.
    if (visited == &walk->objects) {
        while (first < walk->context->used / 128 && first < 1 << 20) first *= 2;
    }
    if (visited->count == UINT32_MAX / 2) walk->isShort = true;
    if (!growRoom(walk, &visited->items, &visited->room, sizeof(Item), first)) return false;
    size_t places = visited->room * 2, none = 0;
    free(visited->places);
    visited->places = NULL;
    if (!growRoom(walk, &visited->places, &none, sizeof(uint32_t), places)) return false;
    memset(visited->places, 0, places * sizeof(uint32_t));
    visited->shift = 64 - __builtin_ctzll(places);
    for (size_t i = 0; i < visited->count; i += 1) {
        visited->places[findFree(visited, visited->items[i].object)] = (uint32_t)(i + 1);
    }
    return true;
}

// Answers the number of an object, from 1 on; 0 if it was not visited.
static inline uint32_t numberOf(const Visited *visited, const void *object) {
    if (visited->room == 0) return 0;
    size_t mask = ((size_t)1 << (64 - visited->shift)) - 1;
    for (size_t place = placeOf(visited, object);; place = (place + 1) & mask) {
        uint32_t number = visited->places[place];
        if (number == 0 || visited->items[number - 1].object == object) return number;
    }
}

static uint32_t add(Walk *walk, Visited *visited, const void *object, uint64_t kind) {
    if (visited->count == visited->room && !growVisited(walk, visited)) return 0;
    visited->items[visited->count] = (Item){object, kind};
    visited->count += 1;
    uint32_t number = (uint32_t)visited->count;
    visited->places[findFree(visited, object)] = number;
    return number;
}

// Numbers an object, which is visited later if this is the first time.
static inline Pair refer(Walk *walk, const void *object, uint64_t kind) {
    uint32_t number = numberOf(&walk->objects, object);
    if (number == 0) number = add(walk, &walk->objects, object, kind);
    return (Pair){IS_OBJECT, number};
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

static Pair hashString(const SeenString *string) {
    size_t length;
    const char *bytes = luaroute_seen_bytes(string, &length);
    return hashBytes(bytes, length);
}

// The functions of C that scripts reach beside those of the libraries.
static const lua_CFunction otherFunctions[] = {
    callLate, callMember, freeze, frozenLength, nextMatch, readMember, refuseWrite, resumeWrapped,
    setMetatable, settle, stepFew, stepKeys, trampoline,
};
enum {
    OTHERS = sizeof otherFunctions / sizeof *otherFunctions,
    OTHER_POSITION = 10000,
    FUNCTION_PLACES = 1024,
};
static struct {
    lua_CFunction function;
    uint64_t position;
} functionPlaces[FUNCTION_PLACES];

static size_t findFunction(lua_CFunction function) {
    size_t place = (uint64_t)(uintptr_t)function * salts[7] >> 54;
    while (functionPlaces[place].function != NULL && functionPlaces[place].function != function) {
        place = (place + 1) % FUNCTION_PLACES;
    }
    return place;
}

static void placeFunction(lua_CFunction function, uint64_t position) {
    size_t place = findFunction(function);
    if (functionPlaces[place].function != NULL) return;
    functionPlaces[place].function = function;
    functionPlaces[place].position = position;
}

// To find a function among all of the libraries takes too long for each.
static void placeFunctions(void) {
    uint64_t position = 0;
    for (int list = 0; list < LISTS; list += 1) {
        for (const LuaRouteFunction *each = lists[list].functions; each->name != NULL; each += 1) {
            position += 1;
            placeFunction(each->charged, position);
        }
    }
    for (int i = 0; i < OTHERS; i += 1) {
        placeFunction(otherFunctions[i], OTHER_POSITION + (uint64_t)i);
    }
}

static Pair hashFunction(lua_CFunction function) {
    return (Pair){IS_FUNCTION, functionPlaces[findFunction(function)].position};
}

// A pointer is a key that scripts do not see.
static Pair hashHidden(const void *key) {
    static const void *const keys[] = {&traversalKey, &hiddenKey, &originalKey};
    uint64_t number = 0;
    while (number < 3 && keys[number] != key) number += 1;
    return (Pair){IS_HIDDEN, number};
}

static Pair describe(Walk *walk, uint64_t bits, uint8_t tag) {
    switch (tag) {
    case SEEN_SHORT_STRING:
    case SEEN_LONG_STRING: return hashString(pointer(bits));
    case SEEN_INTEGER: return (Pair){IS_INTEGER, bits};
    case SEEN_TRUE: return (Pair){IS_TRUE, 0};
    case SEEN_FALSE: return (Pair){IS_FALSE, 0};
    case SEEN_FLOAT: {
        double number;
        memcpy(&number, &bits, sizeof number);
        return (Pair){IS_FLOAT, number == number ? bits : UINT64_MAX};
    }
    case SEEN_LIGHT: return hashHidden(pointer(bits));
    case SEEN_LIGHT_FUNCTION: return hashFunction((lua_CFunction)(uintptr_t)bits);
    default:
        if (tag & SEEN_OWNED) return refer(walk, pointer(bits), tag);
        return (Pair){IS_NIL, 0};
    }
}

static inline Pair describeValue(Walk *walk, const SeenValue *value) {
    return describe(walk, value->bits, value->tag);
}

// MARK: Userdata

static const LuaRouteHeld *heldOf(const Walk *walk, const void *userdata) {
    const LuaRouteHeader *header = (const LuaRouteHeader *)userdata - 1;
    if (!(header->serial & LUAROUTE_IS_HELD)) return NULL;
    return (const LuaRouteHeld *)((const char *)userdata + walk->context->offset);
}

static void visitUserdata(Walk *walk, const void *userdata) {
    const LuaRouteIdentity *identity = walk->identity;
    const LuaRouteHeld *held = heldOf(walk, userdata);
    uint64_t number;
    if (held == NULL) {
        // The position of a traversal.
        const char *bytes = (const char *)userdata + walk->context->offset;
        note(walk, OF_BYTES, (uint64_t) * (const int *)bytes);
    } else if (held->type == 0) {
        note(walk, OF_BOX, identity->box(identity->owner, held->closure));
    } else if (identity->object(identity->owner, held->type, held->identifier, &number)) {
        absorb(walk, mix((Pair){OF_NUMBERED, held->type}, (Pair){IS_INTEGER, number}));
    } else {
        Pair identifier = {IS_INTEGER, (uint64_t)held->identifier};
        absorb(walk, mix((Pair){OF_IDENTIFIED, held->type}, identifier));
    }
}

// MARK: Tables

// Ranks a key that `pairs` orders by what it is, not by what it contains.
static void rankKey(const Walk *walk, Entry *entry) {
    if (entry->keyTag == SEEN_LIGHT_FUNCTION) {
        lua_CFunction function = (lua_CFunction)(uintptr_t)entry->key;
        entry->rank = 2;
        entry->order = (Pair){0, functionPlaces[findFunction(function)].position};
        return;
    }
    const void *object = pointer(entry->key);
    const LuaRouteHeld *held =
        entry->keyTag == SEEN_USERDATA ? heldOf(walk, object) : NULL;
    if (held != NULL) {
        entry->rank = 1;
        entry->order = (Pair){held->type, (uint64_t)held->identifier ^ (uint64_t)1 << 63};
        return;
    }
    if (entry->keyTag == SEEN_THREAD) object = (const char *)object - LUA_EXTRASPACE;
    entry->rank = 2;
    entry->order = (Pair){0, luaroute_serial(object)};
}

static int compareEntries(const void *first, const void *second) {
    const Entry *left = first, *right = second;
    if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
    if (left->order.first != right->order.first) {
        return left->order.first < right->order.first ? -1 : 1;
    }
    return left->order.second < right->order.second ? -1
        : left->order.second > right->order.second;
}

static void sortEntries(Entry *entries, size_t count) {
    if (count > INSERTED) {
        qsort(entries, count, sizeof(Entry), compareEntries);
        return;
    }
    for (size_t i = 1; i < count; i += 1) {
        if (compareEntries(&entries[i - 1], &entries[i]) <= 0) continue;
        Entry entry = entries[i];
        size_t place = i;
        for (; place > 0 && compareEntries(&entry, &entries[place - 1]) < 0; place -= 1) {
            entries[place] = entries[place - 1];
        }
        entries[place] = entry;
    }
}

// Whether a value is a function that its table makes when it is first read.
static bool isMadeLater(const SeenTable *table, uint64_t value) {
    const SeenCClosure *function = pointer(value);
    if (function->function != callMember || table->metatable == NULL) return false;
    const SeenTable *metatable = table->metatable;
    for (size_t i = 0; i < (size_t)1 << metatable->exponent; i += 1) {
        const SeenNode *node = &metatable->nodes[i];
        if (node->tag != SEEN_C_CLOSURE) continue;
        const SeenCClosure *reader = pointer(node->bits);
        if (reader->function != readMember) continue;
        return reader->upvalues[0].bits == function->upvalues[0].bits;
    }
    return false;
}

typedef struct Sum {
    Pair total;
    uint64_t positions, last;  // the positive integers among the keys: how many, and the largest
} Sum;

static inline void sumUp(Sum *sum, Pair entry) {
    sum->total.first += entry.first;
    sum->total.second += entry.second;
}

// Adds an entry to the sum of its table, or to those that are sorted first.
static inline void addEntry(
    Walk *walk, const SeenTable *table, Sum *sum, Entry entry) {
    if (entry.keyTag == SEEN_INTEGER && (int64_t)entry.key > 0) {
        sum->positions += 1;
        if (entry.key > sum->last) sum->last = entry.key;
    }
    bool isOrdered = isObject(entry.keyTag) || entry.keyTag == SEEN_LIGHT_FUNCTION;
    if (!isOrdered) {
        entry.order = describe(walk, entry.key, entry.keyTag);
        if (!isObject(entry.tag)) {
            sumUp(sum, mix(entry.order, describe(walk, entry.value, entry.tag)));
            return;
        }
        if (entry.tag == SEEN_C_CLOSURE && isMadeLater(table, entry.value)) return;
        // Only a table that has a copy of a metatable shows it.
        if (entry.keyTag == SEEN_LIGHT && pointer(entry.key) == &copyKey) return;
        entry.rank = 0;
    } else {
        rankKey(walk, &entry);
    }
    if (walk->entryCount == walk->entryRoom
        && !growRoom(walk, &walk->entries, &walk->entryRoom, sizeof(Entry), 64)) {
        return;
    }
    walk->entries[walk->entryCount] = entry;
    walk->entryCount += 1;
}

static void visitTable(Walk *walk, const SeenTable *table) {
    Sum sum = {{0, 0}, 0, 0};
    walk->entryCount = 0;
    size_t list = luaroute_seen_list(table);
    for (size_t i = 0; i < list; i += 1) {
        const SeenValue *value = &table->list[i];
        if ((value->tag & SEEN_BASE) == 0) continue;
        Entry entry = {
            .key = i + 1, .keyTag = SEEN_INTEGER, .value = value->bits, .tag = value->tag};
        addEntry(walk, table, &sum, entry);
    }
    for (size_t i = 0; i < (size_t)1 << table->exponent; i += 1) {
        const SeenNode *node = &table->nodes[i];
        if ((node->tag & SEEN_BASE) == 0) continue;
        Entry entry = {
            .key = node->key, .keyTag = node->keyTag, .value = node->bits, .tag = node->tag};
        addEntry(walk, table, &sum, entry);
    }
    sortEntries(walk->entries, walk->entryCount);
    for (size_t i = 0; i < walk->entryCount; i += 1) {
        const Entry *entry = &walk->entries[i];
        Pair key = entry->order;
        if (entry->rank != 0) {
            key = mix((Pair){OF_POSITION, i}, describe(walk, entry->key, entry->keyTag));
        }
        sumUp(&sum, mix(key, describe(walk, entry->value, entry->tag)));
    }
    // The length of a list with gaps is what Lua happens to find.
    if (sum.positions != sum.last) note(walk, OF_LENGTH, luaroute_seen_length(table));
    absorb(walk, sum.total);
    if (table->metatable == NULL) {
        note(walk, IS_NIL, 0);
    } else {
        absorb(walk, refer(walk, table->metatable, SEEN_TABLE));
    }
}

// MARK: Functions

static Pair hashPrototype(Walk *walk, const SeenPrototype *prototype);

static Pair readPrototype(Walk *walk, const SeenPrototype *prototype) {
    // Lines and the names of variables count: messages contain them.
    int32_t counts[] = {
        prototype->parameters, prototype->isVariadic, prototype->upvalueCount,
        prototype->constantCount, prototype->prototypeCount, prototype->localCount,
        prototype->firstLine, prototype->lastLine,
    };
    Pair hash = hashBytes(counts, sizeof counts);
    hash = mix(hash, hashBytes(prototype->code, (size_t)prototype->codeCount * 4));
    hash = mix(hash, hashBytes(prototype->lines, (size_t)prototype->lineCount));
    hash = mix(
        hash, hashBytes(prototype->absoluteLines, (size_t)prototype->absoluteLineCount * 8));
    if (prototype->source != NULL) hash = mix(hash, hashString(prototype->source));
    for (int32_t i = 0; i < prototype->constantCount; i += 1) {
        hash = mix(hash, describeValue(walk, &prototype->constants[i]));
    }
    for (int32_t i = 0; i < prototype->upvalueCount; i += 1) {
        const SeenString *name = prototype->upvalues[i].name;
        if (name != NULL) hash = mix(hash, hashString(name));
    }
    for (int32_t i = 0; i < prototype->localCount; i += 1) {
        const SeenLocal *local = &prototype->locals[i];
        uint64_t range = (uint64_t)(uint32_t)local->start << 32 | (uint32_t)local->end;
        hash = mix(mix(hash, (Pair){OF_STACK, range}), hashString(local->name));
    }
    // The compiler limits how deep they are within each other.
    for (int32_t i = 0; i < prototype->prototypeCount; i += 1) {
        const SeenPrototype *inner = prototype->prototypes[i];
        hash = mix(hash, hashPrototype(walk, inner));
        // Where the closures to come will find their upvalues.
        for (int32_t j = 0; j < inner->upvalueCount; j += 1) {
            const SeenUpvalueName *upvalue = &inner->upvalues[j];
            hash = mix(hash, (Pair){(uint64_t)upvalue->isInStack, upvalue->index});
        }
    }
    return hash;
}

// Prototypes of equal text on the same lines are equal, wherever they were loaded.
static Pair hashPrototype(Walk *walk, const SeenPrototype *prototype) {
    Visited *known = &walk->prototypes;
    uint32_t number = numberOf(known, prototype);
    if (number != 0) return walk->hashes[number - 1];
    Pair hash = readPrototype(walk, prototype);
    number = add(walk, known, prototype, 0);
    if (number > walk->hashRoom
        && !growRoom(walk, &walk->hashes, &walk->hashRoom, sizeof(Pair), 256)) {
        return hash;
    }
    if (number > 0) walk->hashes[number - 1] = hash;
    return hash;
}

static void visitClosure(Walk *walk, const SeenClosure *closure) {
    absorb(walk, hashPrototype(walk, closure->prototype));
    for (int i = 0; i < closure->count; i += 1) {
        // An upvalue is where its value is, on the stack of a coroutine or on its own.
        absorb(walk, refer(walk, closure->upvalues[i]->value, CELL));
    }
}

static void visitCClosure(Walk *walk, const SeenCClosure *closure) {
    note(walk, OF_CLOSURE, closure->count);
    absorb(walk, hashFunction(closure->function));
    for (int i = 0; i < closure->count; i += 1) {
        absorb(walk, describeValue(walk, &closure->upvalues[i]));
    }
}

// MARK: Coroutines

static lua_State *threadOf(const void *object) { return (lua_State *)(uintptr_t)object; }

// Whether a coroutine has ended: of one that failed, the stack is left as it was.
static bool isDead(lua_State *thread, const SeenCall *call) {
    int status = lua_status(thread);
    if (status == LUA_YIELD) return false;
    return status != LUA_OK || (call->previous == NULL && lua_gettop(thread) == 0);
}

// Each part of the stack up to the next call is in use: registers are taken like a stack.
static void visitThread(Walk *walk, const void *object) {
    lua_State *thread = threadOf(object);
    const SeenCall *call = luaroute_seen_call(walk->layout, object);
    if (isDead(thread, call)) {
        note(walk, OF_DEAD, 0);
        return;
    }
    const SeenValue *top = call->function + 1 + lua_gettop(thread), *bottom;
    note(walk, OF_STACK, (uint64_t)lua_status(thread));
    for (;; call = call->previous) {
        bottom = call->function;
        if (call->previous == NULL) break;
        // Positions are counted from the top, which is known first.
        Pair frame = {OF_CALL, (uint64_t)(top - call->function)};
        absorb(walk, mix(frame, (Pair){call->status & SEEN_CALL, (uint64_t)call->results}));
        if (call->status & SEEN_IS_C) continue;
        const SeenClosure *closure = pointer(call->function->bits);
        const SeenPrototype *prototype = closure->prototype;
        note(walk, OF_SCRIPT, (uint64_t)(call->instruction - prototype->code));
        // Where no others are taken, their number is not set.
        if (prototype->isVariadic) note(walk, OF_SCRIPT, (uint64_t)call->extra);
    }
    note(walk, OF_STACK, (uint64_t)(top - bottom));
    for (const SeenValue *value = bottom + 1; value < top; value += 1) {
        absorb(walk, describeValue(walk, value));
    }
}

// Which variables of a coroutine are upvalues is known once all closures were visited. Those of no
// closure that can be reached wait for the collector.
static void linkThread(Walk *walk, const void *object, size_t number) {
    const SeenCall *call = luaroute_seen_call(walk->layout, object);
    if (isDead(threadOf(object), call)) return;
    const SeenValue *top = call->function + 1 + lua_gettop(threadOf(object));
    const SeenUpvalue *open = luaroute_seen_open(walk->layout, object);
    for (; open != NULL; open = open->nextOpen) {
        uint32_t cell = numberOf(&walk->objects, open->value);
        if (cell == 0) continue;
        note(walk, OF_SHARED, number);
        absorb(walk, (Pair){(uint64_t)(top - open->value), cell});
    }
}

// MARK: The fingerprint

static void visitItem(Walk *walk, Item item) {
    switch (item.kind) {
    case SEEN_TABLE: visitTable(walk, item.object); break;
    case SEEN_CLOSURE: visitClosure(walk, item.object); break;
    case SEEN_C_CLOSURE: visitCClosure(walk, item.object); break;
    case SEEN_USERDATA: visitUserdata(walk, item.object); break;
    case SEEN_THREAD: visitThread(walk, item.object); break;
    default: absorb(walk, describeValue(walk, item.object));
    }
}

static void visitRoot(Walk *walk, const LuaRouteRoot *root) {
    LuaRouteContext *context = walk->context;
    if (root->slot == 0) {
        bool isWaiting = luaroute_is_waiting(context, root->thread);
        absorb(
            walk, isWaiting ? refer(walk, root->thread.coroutine->L, SEEN_THREAD)
                            : (Pair){OF_DEAD, 0});
        return;
    }
    // Room: whoever runs here has LUA_MINSTACK free.
    lua_State *L = context->current;
    lua_rawgeti(L, LUA_REGISTRYINDEX, root->slot);
    const SeenCall *call = luaroute_seen_call(walk->layout, L);
    absorb(walk, describeValue(walk, call->function + lua_gettop(L)));
    lua_pop(L, 1);
}

static void walkAll(Walk *walk, const LuaRouteRoot *roots, size_t count) {
    const uint64_t *random = walk->context->random;
    note(walk, OF_RANDOM, random[0]);
    absorb(walk, mix((Pair){random[1], random[2]}, (Pair){random[3], 0}));
    note(walk, OF_ROOTS, count);
    for (size_t i = 0; i < count && !walk->isShort; i += 1) visitRoot(walk, &roots[i]);
    const Visited *objects = &walk->objects;
    for (size_t i = 0; i < objects->count && !walk->isShort; i += 1) {
        visitItem(walk, objects->items[i]);
    }
    for (size_t i = 0; i < objects->count && !walk->isShort; i += 1) {
        if (objects->items[i].kind != SEEN_THREAD) continue;
        linkThread(walk, objects->items[i].object, i);
    }
}

int luaroute_fingerprint(
    LuaRouteContext *context, const LuaRouteRoot *roots, size_t count,
    const LuaRouteIdentity *identity, LuaRouteFingerprint *fingerprint) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, placeFunctions);
    if (context->depth > 0) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "no fingerprint can be taken while a script runs");
    }
    Walk walk = {.context = context, .identity = identity, .layout = luaroute_layout()};
    if (walk.layout == NULL) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "%s has another layout: no fingerprint can be taken",
            LUA_RELEASE);
    }
    walkAll(&walk, roots, count);
    free(walk.objects.items);
    free(walk.objects.places);
    free(walk.prototypes.items);
    free(walk.prototypes.places);
    free(walk.hashes);
    free(walk.entries);
    if (walk.isShort) {
        return luaroute_fail(context, LUAROUTE_MEMORY, "no memory for a fingerprint");
    }
    *fingerprint = (LuaRouteFingerprint){walk.hash.first, walk.hash.second, walk.objects.count};
    return LUAROUTE_OK;
}
