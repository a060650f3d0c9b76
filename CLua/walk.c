// SPDX-License-Identifier: MIT
//
// The memory of a walk, and the kinds of values that rarely occur.
#include "walk.h"

// Enlarges an array. Returns whether there was enough memory.
bool luaroute_grow_room(Walk *walk, void *array, size_t *room, size_t size, size_t first) {
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

__attribute__((noinline)) bool luaroute_grow_visited(Walk *walk, Visited *visited) {
    size_t first = 256;
    // Objects of scripts take about 60 bytes on average, so this estimate avoids most
    // reallocations.
    if (visited == &walk->objects) {
        while (first < walk->context->used / 128 && first < 1 << 20) first *= 2;
    }
    if (visited->count == UINT32_MAX / 2) walk->isShort = true;
    if (!luaroute_grow_room(walk, &visited->items, &visited->room, sizeof(Item), first)) {
        return false;
    }
    size_t places = visited->room * 2, none = 0;
    free(visited->places);
    visited->places = NULL;
    if (!luaroute_grow_room(walk, &visited->places, &none, sizeof(uint32_t), places)) {
        visited->room = visited->count = 0;
        return false;
    }
    memset(visited->places, 0, places * sizeof(uint32_t));
    visited->shift = 64 - __builtin_ctzll(places);
    for (size_t i = 0; i < visited->count; i += 1) {
        *findPlace(visited, visited->items[i].object) = (uint32_t)(i + 1);
    }
    return true;
}

// MARK: C functions

// The C functions that scripts can reach, except those in libraries.
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

// Fills a hash table, because searching all libraries for each function would take too long.
void luaroute_place_functions(void) {
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

Pair luaroute_hash_function(lua_CFunction function) {
    return (Pair){IS_FUNCTION, functionPlaces[findFunction(function)].position};
}

// MARK: Values

__attribute__((noinline)) Pair luaroute_describe_other(Walk *walk, uint64_t bits, uint8_t tag) {
    switch (tag) {
    case SEEN_LONG_STRING: return hashString(pointer(bits));
    case SEEN_TRUE: return (Pair){IS_TRUE, 0};
    case SEEN_FALSE: return (Pair){IS_FALSE, 0};
    case SEEN_FLOAT: {
        double number;
        memcpy(&number, &bits, sizeof number);
        return (Pair){IS_FLOAT, number == number ? bits : UINT64_MAX};
    }
    // A hidden key. At most one hidden key of a table is hashed, so hidden keys need not be
    // distinguished.
    case SEEN_LIGHT: return (Pair){IS_HIDDEN, 0};
    case SEEN_LIGHT_FUNCTION: return luaroute_hash_function((lua_CFunction)(uintptr_t)bits);
    default:
        if (tag & SEEN_OWNED) return refer(walk, pointer(bits), tag);
        return (Pair){IS_NIL, 0};
    }
}

const LuaRouteHeld *luaroute_held(const Walk *walk, const void *userdata) {
    const LuaRouteHeader *header = (const LuaRouteHeader *)userdata - 1;
    if (!(header->serial & LUAROUTE_IS_HELD)) return NULL;
    return (const LuaRouteHeld *)((const char *)userdata + walk->context->offset);
}
