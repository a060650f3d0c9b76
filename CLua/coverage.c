// SPDX-License-Identifier: MIT
//
// Records the lines of scripts that ran, for tests. Recording makes an entry several times slower.
#include "internal.h"

typedef struct LuaRouteCoveredChunk {
    char *name;
    uint8_t *bits;  // one bit for each line, beginning with line 0
    size_t count;   // the number of bytes
} LuaRouteCoveredChunk;

struct LuaRouteCoverage {
    LuaRouteCoveredChunk *chunks;
    size_t count;
    size_t last;  // the index of the chunk to which the last recorded line belongs
};

LuaRouteCoverage *luaroute_coverage_create(void) {
    LuaRouteCoverage *coverage = calloc(1, sizeof(LuaRouteCoverage));
    if (coverage == NULL) abort();
    return coverage;
}

void luaroute_coverage_free(LuaRouteCoverage *coverage) {
    for (size_t i = 0; i < coverage->count; i += 1) {
        free(coverage->chunks[i].name);
        free(coverage->chunks[i].bits);
    }
    free(coverage->chunks);
    free(coverage);
}

void luaroute_cover(LuaRouteContext *context, LuaRouteCoverage *coverage) {
    context->coverage = coverage;
    luaroute_set_hook(context, context->main);
}

// Returns NULL if there is not enough memory.
static LuaRouteCoveredChunk *findCoveredChunk(LuaRouteCoverage *coverage, const char *name) {
    if (coverage->last < coverage->count
        && strcmp(coverage->chunks[coverage->last].name, name) == 0) {
        return &coverage->chunks[coverage->last];
    }
    for (size_t i = 0; i < coverage->count; i += 1) {
        if (strcmp(coverage->chunks[i].name, name) != 0) continue;
        coverage->last = i;
        return &coverage->chunks[i];
    }
    size_t size = sizeof(LuaRouteCoveredChunk) * (coverage->count + 1);
    LuaRouteCoveredChunk *chunks = realloc(coverage->chunks, size);
    if (chunks == NULL) return NULL;
    coverage->chunks = chunks;
    char *copy = strdup(name);
    if (copy == NULL) return NULL;
    chunks[coverage->count] = (LuaRouteCoveredChunk){copy, NULL, 0};
    coverage->last = coverage->count;
    coverage->count += 1;
    return &chunks[coverage->last];
}

void luaroute_note_line(LuaRouteCoverage *coverage, lua_State *L, lua_Debug *activation) {
    // Chunks of the host are not files, so their lines are not recorded.
    if (lua_getinfo(L, "Sl", activation) == 0 || *activation->source != '@') return;
    LuaRouteCoveredChunk *chunk = findCoveredChunk(coverage, activation->source + 1);
    if (chunk == NULL || activation->currentline < 0) return;
    size_t byte = (size_t)activation->currentline / 8;
    if (byte >= chunk->count) {
        size_t count = byte + 64;
        uint8_t *bits = realloc(chunk->bits, count);
        if (bits == NULL) return;
        memset(bits + chunk->count, 0, count - chunk->count);
        chunk->bits = bits;
        chunk->count = count;
    }
    chunk->bits[byte] |= (uint8_t)(1 << (activation->currentline % 8));
}

size_t luaroute_covered_chunks(const LuaRouteCoverage *coverage) {
    return coverage->count;
}

const char *luaroute_covered_name(const LuaRouteCoverage *coverage, size_t index) {
    return coverage->chunks[index].name;
}

const uint8_t *luaroute_covered_lines(
    const LuaRouteCoverage *coverage, size_t index, size_t *count) {
    *count = coverage->chunks[index].count;
    return coverage->chunks[index].bits;
}
