// SPDX-License-Identifier: MIT
//
// Visits a table, and hashes it as a sum over its entries. Only entries with objects must be
// sorted, because objects are numbered in the order of their visits.
#include "walk.h"

// An entry of a table whose key or value is an object. The order of entries whose keys are not
// objects does not matter, as long as it is the same in each state.
typedef struct Entry {
    uint64_t order;
    uint32_t rank, keyTag;
    union {
        Pair content;  // the hash of the key
        uint64_t key;  // the key, if it is an object
    };
    const SeenValue *value;
} Entry;

enum { OF_OBJECTS = 256, OF_REFERENCES = UINT32_MAX };  // ranks that differ from all tags

// Sets the rank of a key that `pairs` orders by identity, not by content.
static void rankObject(const Walk *walk, Entry *entry) {
    entry->rank = OF_REFERENCES;
    const void *object = pointer(entry->key);
    if (entry->keyTag == SEEN_LIGHT_FUNCTION) {
        entry->order = luaroute_hash_function((lua_CFunction)(uintptr_t)entry->key).second;
        return;
    }
    const LuaRouteHeld *held = entry->keyTag == SEEN_USERDATA ? luaroute_held(walk, object) : NULL;
    if (held != NULL) {
        entry->rank = OF_OBJECTS + held->type;
        entry->order = (uint64_t)held->identifier ^ (uint64_t)1 << 63;
        return;
    }
    if (entry->keyTag == SEEN_THREAD) object = (const char *)object - LUA_EXTRASPACE;
    entry->order = luaroute_serial(object);
}

static inline bool comesFirst(const Entry *left, const Entry *right) {
    return left->rank != right->rank ? left->rank < right->rank : left->order < right->order;
}

// Sorts by merging runs, alternating between the two halves of the array.
static Entry *mergeEntries(Entry *entries, Entry *other, size_t count, size_t run) {
    for (; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = start + run < count ? start + run : count;
            size_t end = middle + run < count ? middle + run : count;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; i += 1) {
                bool isRight =
                    left == middle || (right < end && comesFirst(&entries[right], &entries[left]));
                other[i] = entries[isRight ? right++ : left++];
            }
        }
        Entry *sorted = other;
        other = entries;
        entries = sorted;
    }
    return entries;
}

// Sorts the entries. The array has space for twice as many entries.
static Entry *sortEntries(Entry *entries, size_t count) {
    enum { RUN = 8 };
    bool isSorted = true;
    for (size_t i = 1; i < count && isSorted; i += 1) {
        isSorted = !comesFirst(&entries[i], &entries[i - 1]);
    }
    if (isSorted) return entries;
    for (size_t i = 1; i < count; i += 1) {
        Entry entry = entries[i];
        size_t start = i - i % RUN, place = i;
        for (; place > start && comesFirst(&entry, &entries[place - 1]); place -= 1) {
            entries[place] = entries[place - 1];
        }
        entries[place] = entry;
    }
    return mergeEntries(entries, entries + count, count, RUN);
}

// Whether a value is a function that its table creates when the function is first read.
static bool isMadeLater(const SeenTable *table, const SeenValue *value) {
    const SeenCClosure *function = pointer(value->bits);
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
    uint64_t positions, last;  // the number of positive integer keys, and the largest such key
} Sum;

static inline void sumUp(Sum *sum, Pair entry) {
    sum->total.first += entry.first;
    sum->total.second += entry.second;
}

// Keeps an entry until all entries are known.
static void keepEntry(Walk *walk, Entry entry) {
    if (walk->entryCount * 2 >= walk->entryRoom
        && !luaroute_grow_room(walk, &walk->entries, &walk->entryRoom, sizeof(Entry), 64)) {
        return;
    }
    walk->entries[walk->entryCount] = entry;
    walk->entryCount += 1;
}

// Whether a hidden key contains the length of a chain or a traversal of `next`.
static bool isBookkeeping(const void *key) {
    return key == &linkKeys[0] || key == &linkKeys[1] || key == &traversalKey;
}

// Adds an entry to the sum of its table, or to the entries that must be sorted first.
__attribute__((always_inline)) static inline void addEntry(
    Walk *walk, const SeenTable *table, Sum *sum, uint64_t key, uint8_t keyTag,
    const SeenValue *value) {
    if (keyTag == SEEN_LIGHT && isBookkeeping(pointer(key))) return;
    if (keyTag == SEEN_INTEGER && (int64_t)key > 0) {
        sum->positions += 1;
        if (key > sum->last) sum->last = key;
    }
    Entry entry = {.keyTag = keyTag, .value = value};
    if (isObject(keyTag) || keyTag == SEEN_LIGHT_FUNCTION) {
        entry.key = key;
        rankObject(walk, &entry);
        keepEntry(walk, entry);
        return;
    }
    Pair content = describe(walk, key, keyTag);
    if (!isObject(value->tag)) {
        sumUp(sum, mix(content, describeValue(walk, value)));
        return;
    }
    if (value->tag == SEEN_C_CLOSURE && isMadeLater(table, value)) return;
    // The copy of a metatable can be observed only through a table that has the copy.
    if (keyTag == SEEN_LIGHT && pointer(key) == &copyKey) return;
    entry.content = content;
    entry.rank = keyTag;
    entry.order = isString(keyTag) ? content.first : content.second;
    keepEntry(walk, entry);
}

static void addEntries(Walk *walk, const SeenTable *table, Sum *sum) {
    size_t list = luaroute_seen_list(table);
    for (size_t i = 0; i < list; i += 1) {
        if ((table->list[i].tag & SEEN_BASE) == 0) continue;
        addEntry(walk, table, sum, i + 1, SEEN_INTEGER, &table->list[i]);
    }
    for (size_t i = 0; i < (size_t)1 << table->exponent; i += 1) {
        const SeenNode *node = &table->nodes[i];
        if ((node->tag & SEEN_BASE) == 0) continue;
        addEntry(walk, table, sum, node->key, node->keyTag, (const SeenValue *)node);
    }
}

void luaroute_visit_table(Walk *walk, const SeenTable *table) {
    Sum sum = {{0, 0}, 0, 0};
    walk->entryCount = 0;
    addEntries(walk, table, &sum);
    const Entry *entries = sortEntries(walk->entries, walk->entryCount);
    for (size_t i = 0; i < walk->entryCount; i += 1) {
        const Entry *entry = &entries[i];
        Pair key = entry->content;
        if (entry->rank >= OF_OBJECTS) {
            Pair object = describe(walk, entry->key, (uint8_t)entry->keyTag);
            key = mix((Pair){OF_POSITION, i}, object);
        }
        sumUp(&sum, mix(key, describeValue(walk, entry->value)));
    }
    // The length of a list with gaps depends on how Lua searches for the end.
    if (sum.positions != sum.last) note(walk, OF_LENGTH, luaroute_seen_length(table));
    if (table->metatable != NULL) {
        Pair metatable = refer(walk, table->metatable, SEEN_TABLE);
        sumUp(&sum, mix((Pair){OF_METATABLE, 0}, metatable));
    }
    absorb(walk, sum.total);
}
