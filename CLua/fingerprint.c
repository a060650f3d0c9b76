// SPDX-License-Identifier: MIT
//
// The fingerprint of a script heap: a hash of everything that can be reached from the roots. Two
// fingerprints are equal if no script can observe a difference.
//
// Objects are numbered in the order of their first visit, breadth first, so that two references to
// one object differ from references to two objects. The content of a table is hashed as a sum over
// its keys, so only entries with objects as values must be sorted. They are sorted by the hash of
// the key, which is the same in each state. Keys that are objects are visited in the order of
// `pairs`.
//
// The fingerprint omits everything that no script can observe: functions that their table creates
// when they are first read, cached members of objects, copies of metatables that no table has,
// lengths of chains, and the traversal that `next` stores in a table, even if a script only checks
// whether the table is empty.
#include <pthread.h>

#include "walk.h"

// MARK: Userdata

static void visitUserdata(Walk *walk, const void *userdata) {
    const LuaRouteIdentity *identity = walk->identity;
    const LuaRouteHeld *held = luaroute_held(walk, userdata);
    uint64_t number;
    if (held == NULL) {
        // This userdata is the position of a traversal.
        const char *bytes = (const char *)userdata + walk->context->offset;
        absorb(walk, hashBytes(bytes, ((const SeenUserdata *)userdata)->length));
    } else if (held->type == 0) {
        note(walk, OF_BOX, identity->box(identity->owner, held->closure));
    } else if (identity->object(identity->owner, held->type, held->identifier, &number)) {
        absorb(walk, mix((Pair){OF_NUMBERED, held->type}, (Pair){IS_INTEGER, number}));
    } else {
        Pair identifier = {IS_INTEGER, (uint64_t)held->identifier};
        absorb(walk, mix((Pair){OF_IDENTIFIED, held->type}, identifier));
    }
}

// MARK: Functions

static Pair hashPrototype(Walk *walk, const SeenPrototype *prototype);

static Pair readPrototype(Walk *walk, const SeenPrototype *prototype) {
    // Line numbers and variable names are hashed, because messages contain them.
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
    // The compiler limits the nesting depth of functions.
    for (int32_t i = 0; i < prototype->prototypeCount; i += 1) {
        // The names of upvalues and the ranges of locals identify the variables.
        hash = mix(hash, hashPrototype(walk, prototype->prototypes[i]));
    }
    return hash;
}

// Two prototypes are equal if they have the same text on the same lines, regardless of where they
// were loaded.
static Pair hashPrototype(Walk *walk, const SeenPrototype *prototype) {
    Visited *known = &walk->prototypes;
    uint32_t position = numberOf(known, prototype);
    if (position != 0) return walk->hashes[position - 1];
    Pair hash = readPrototype(walk, prototype);
    // Hashing has added the nested prototypes, so the position of this prototype is known only now.
    position = enroll(walk, known, prototype, 0);
    if (position > walk->hashRoom
        && !luaroute_grow_room(walk, &walk->hashes, &walk->hashRoom, sizeof(Pair), 256)) {
        known->room = known->count = 0;
        return hash;
    }
    if (position > 0) walk->hashes[position - 1] = hash;
    return hash;
}

static void visitClosure(Walk *walk, const SeenClosure *closure) {
    absorb(walk, hashPrototype(walk, closure->prototype));
    for (int i = 0; i < closure->count; i += 1) {
        // The value of an upvalue is on the stack of a coroutine, or in the upvalue itself.
        absorb(walk, refer(walk, closure->upvalues[i]->value, CELL));
    }
}

static void visitCClosure(Walk *walk, const SeenCClosure *closure) {
    note(walk, OF_CLOSURE, closure->count);
    absorb(walk, luaroute_hash_function(closure->function));
    for (int i = 0; i < closure->count; i += 1) {
        absorb(walk, describeValue(walk, &closure->upvalues[i]));
    }
}

// MARK: The fingerprint

static void visitItem(Walk *walk, Item item) {
    switch (item.kind) {
    case SEEN_TABLE: luaroute_visit_table(walk, item.object); break;
    case SEEN_CLOSURE: visitClosure(walk, item.object); break;
    case SEEN_C_CLOSURE: visitCClosure(walk, item.object); break;
    case SEEN_USERDATA: visitUserdata(walk, item.object); break;
    case SEEN_THREAD: luaroute_visit_thread(walk, item.object); break;
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
    // Stack space: every caller has LUA_MINSTACK free slots.
    lua_State *L = context->current;
    lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_position(context, root->slot));
    const SeenCall *call = luaroute_seen_call(walk->layout, L);
    absorb(walk, describeValue(walk, call->function + lua_gettop(L)));
    lua_pop(L, 1);
}

static void walkAll(Walk *walk, const LuaRouteRoot *roots, size_t count) {
    Pair random = hashBytes(walk->context->random, sizeof walk->context->random);
    walk->hash = mix(random, (Pair){OF_ROOTS, count});
    for (size_t i = 0; i < count && !walk->isShort; i += 1) visitRoot(walk, &roots[i]);
    const Visited *objects = &walk->objects;
    for (size_t i = 0; i < objects->count && !walk->isShort; i += 1) {
        if (i + AHEAD < objects->count) __builtin_prefetch(objects->items[i + AHEAD].object);
        visitItem(walk, objects->items[i]);
    }
    for (size_t i = 0; i < objects->count && !walk->isShort; i += 1) {
        if (objects->items[i].kind != SEEN_THREAD) continue;
        luaroute_link_thread(walk, objects->items[i].object, i);
    }
}

static void forget(Visited *visited) {
    if (visited->count > 0) {
        memset(visited->places, 0, sizeof *visited->places << (64 - visited->shift));
    }
    visited->count = 0;
}

void luaroute_free_walk(LuaRouteContext *context) {
    Walk *walk = context->walk;
    if (walk == NULL) return;
    free(walk->objects.items);
    free(walk->objects.places);
    free(walk->prototypes.items);
    free(walk->prototypes.places);
    free(walk->hashes);
    free(walk->entries);
    free(walk);
    context->walk = NULL;
}

// Returns the reused memory of a walk after emptying it. Returns NULL if there is not enough
// memory.
static Walk *beginWalk(LuaRouteContext *context, const LuaRouteIdentity *identity) {
    if (context->walk == NULL) context->walk = calloc(1, sizeof *context->walk);
    Walk *walk = context->walk;
    if (walk == NULL) return NULL;
    walk->context = context;
    walk->identity = identity;
    walk->layout = context->layout;
    forget(&walk->objects);
    if (walk->chunk != context->chunk) forget(&walk->prototypes);
    walk->chunk = context->chunk;
    return walk;
}

int luaroute_fingerprint(
    LuaRouteContext *context, const LuaRouteRoot *roots, size_t count,
    const LuaRouteIdentity *identity, LuaRouteFingerprint *fingerprint) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, luaroute_place_functions);
    if (context->depth > 0) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "a fingerprint cannot be taken while a script runs");
    }
    if (context->layout == NULL) {
        return luaroute_fail(
            context, LUAROUTE_RUNTIME, "the layout of %s is unknown: a fingerprint cannot be taken",
            LUA_RELEASE);
    }
    Walk *walk = beginWalk(context, identity);
    if (walk != NULL) walkAll(walk, roots, count);
    if (walk == NULL || walk->isShort) {
        luaroute_free_walk(context);
        return luaroute_fail(context, LUAROUTE_MEMORY, "not enough memory for a fingerprint");
    }
    *fingerprint = (LuaRouteFingerprint){walk->hash.first, walk->hash.second};
    return LUAROUTE_OK;
}
