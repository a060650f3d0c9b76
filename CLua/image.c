// SPDX-License-Identifier: MIT
//
// Images of a heap. An image consists of a copy of each segment, and of the records that the C shim
// keeps outside of the segments. Images share copies: a segment is compared with the copy to which
// it was last equal, and a copy may contain only the lines that differ from another copy. The
// copies of several adjacent segments form a group, which images also share.
//
// A segment that an image contains is not freed. Its address is therefore not reused, and all
// pointers in an image are valid when the image is restored.
#include "internal.h"

enum {
    LINE = 64,   // bytes that are copied as a unit
    GROUP = 32,  // segments in a group
};

// The bytes of a segment, or the lines that differ from another copy. In the latter case, the line
// numbers come first, and then the contents of the lines.
struct LuaRouteCopy {
    LuaRouteCopy *base;  // NULL if this copy contains all bytes
    size_t size;         // the size of the segment
    uint32_t references, lines;
};

struct LuaRouteGroup {
    LuaRouteCopy *copies[GROUP];  // NULL for an unused segment
    uint32_t references;
};

// The closures of a heap. Each closure is retained.
struct LuaRouteClosures {
    size_t count;
    uint32_t references;
    void *closures[];
};

enum { MIRROR = offsetof(LuaRouteContext, used), MIRRORED = offsetof(LuaRouteContext, place) - MIRROR };

struct LuaRouteImage {
    LuaRouteClosures *closures;
    LuaRouteCoroutine *threads;
    size_t threadCount, groupCount;
    char mirror[MIRRORED];
    LuaRouteGroup *groups[];
};

// MARK: Memory

// A test can make each of these allocations fail.
static void *takeMemory(LuaRouteContext *context, size_t size) {
    if (luaroute_is_refused_by_test(context)) return NULL;
    void *memory = malloc(size);
    if (memory != NULL) context->imageBytes += size;
    return memory;
}

static void giveMemory(LuaRouteContext *context, void *memory, size_t size) {
    context->imageBytes -= size;
    free(memory);
}

void luaroute_insert(LuaRouteSet *set, uint64_t number) {
    size_t word = number / 64;
    if (word >= set->count) {
        size_t count = set->count == 0 ? 64 : set->count;
        while (count <= word) count *= 2;
        set->words = realloc(set->words, count * sizeof *set->words);
        if (set->words == NULL) abort();
        memset(set->words + set->count, 0, (count - set->count) * sizeof *set->words);
        set->count = count;
    }
    set->words[word] |= (uint64_t)1 << number % 64;
    set->isAny = true;
}

static void clearSet(LuaRouteSet *set) {
    free(set->words);
    *set = (LuaRouteSet){0};
}

// MARK: Copies

static inline size_t countLines(size_t size) { return (size + LINE - 1) / LINE; }

static inline size_t lineLength(size_t size, size_t line) {
    size_t rest = size - line * LINE;
    return rest < LINE ? rest : LINE;
}

static inline size_t sizeOfCopy(const LuaRouteCopy *copy) {
    if (copy->base == NULL) return sizeof *copy + copy->size;
    return sizeof *copy + copy->lines * (sizeof(uint32_t) + LINE);
}

static inline char *bytesOf(LuaRouteCopy *copy) { return (char *)(copy + 1); }

static inline uint32_t *linesOf(LuaRouteCopy *copy) { return (uint32_t *)(copy + 1); }

static inline char *lineBytes(LuaRouteCopy *copy, size_t index) {
    return (char *)(linesOf(copy) + copy->lines) + index * LINE;
}

static inline LuaRouteCopy *retainCopy(LuaRouteCopy *copy) {
    copy->references += 1;
    return copy;
}

void luaroute_release_copy(LuaRouteContext *context, LuaRouteCopy *copy) {
    copy->references -= 1;
    if (copy->references > 0) return;
    if (copy->base != NULL) luaroute_release_copy(context, copy->base);
    giveMemory(context, copy, sizeOfCopy(copy));
}

static LuaRouteCopy *copyWhole(LuaRouteContext *context, const LuaRouteSegment *segment) {
    LuaRouteCopy *copy = takeMemory(context, sizeof *copy + segment->size);
    if (copy == NULL) return NULL;
    *copy = (LuaRouteCopy){.size = segment->size, .references = 1};
    memcpy(bytesOf(copy), segment->bytes, segment->size);
    return copy;
}

static inline bool isLineEqual(const char *left, const char *right, size_t size, size_t line) {
    size_t start = line * LINE;
    if (size - start >= LINE) return memcmp(left + start, right + start, LINE) == 0;
    return memcmp(left + start, right + start, size - start) == 0;
}

static size_t countChangedLines(const char *bytes, const char *base, size_t size) {
    size_t changed = 0, lines = countLines(size);
    for (size_t line = 0; line < lines; line += 1) {
        changed += !isLineEqual(bytes, base, size, line);
    }
    return changed;
}

// Whether a copy that contains only lines is equal to a segment, given the number of lines in which
// the segment differs from the base of the copy.
static bool isCopyOf(LuaRouteCopy *copy, const LuaRouteSegment *segment, size_t changed) {
    if (copy->base == NULL || copy->lines != changed) return false;
    for (size_t i = 0; i < copy->lines; i += 1) {
        size_t line = linesOf(copy)[i];
        const char *bytes = segment->bytes + line * LINE;
        if (memcmp(lineBytes(copy, i), bytes, lineLength(segment->size, line)) != 0) return false;
    }
    return true;
}

static LuaRouteCopy *copyLines(
    LuaRouteContext *context, const LuaRouteSegment *segment, LuaRouteCopy *base, size_t changed) {
    LuaRouteCopy *copy = takeMemory(context, sizeof *copy + changed * (sizeof(uint32_t) + LINE));
    if (copy == NULL) return NULL;
    *copy = (LuaRouteCopy){
        .base = retainCopy(base),
        .size = segment->size,
        .references = 1,
        .lines = (uint32_t)changed,
    };
    size_t index = 0;
    for (size_t line = 0; index < changed; line += 1) {
        if (isLineEqual(segment->bytes, bytesOf(base), segment->size, line)) continue;
        linesOf(copy)[index] = (uint32_t)line;
        const char *bytes = segment->bytes + line * LINE;
        memcpy(lineBytes(copy, index), bytes, lineLength(segment->size, line));
        index += 1;
    }
    return copy;
}

// Returns a copy of which the caller owns a reference, or NULL if there is not enough memory.
static LuaRouteCopy *copySegment(LuaRouteContext *context, const LuaRouteSegment *segment) {
    LuaRouteCopy *last = segment->last;
    if (last == NULL) return copyWhole(context, segment);
    LuaRouteCopy *base = last->base != NULL ? last->base : last;
    if (memcmp(segment->bytes, bytesOf(base), segment->size) == 0) return retainCopy(base);
    size_t changed = countChangedLines(segment->bytes, bytesOf(base), segment->size);
    if (isCopyOf(last, segment, changed)) return retainCopy(last);
    if (2 * changed > countLines(segment->size)) return copyWhole(context, segment);
    return copyLines(context, segment, base, changed);
}

static void pasteCopy(LuaRouteCopy *copy, char *bytes) {
    LuaRouteCopy *base = copy->base != NULL ? copy->base : copy;
    memcpy(bytes, bytesOf(base), copy->size);
    if (copy->base == NULL) return;
    for (size_t i = 0; i < copy->lines; i += 1) {
        size_t line = linesOf(copy)[i];
        memcpy(bytes + line * LINE, lineBytes(copy, i), lineLength(copy->size, line));
    }
}

// Records that a segment is equal to a copy.
static void noteLast(LuaRouteContext *context, LuaRouteSegment *segment, LuaRouteCopy *copy) {
    if (segment->last == copy) return;
    retainCopy(copy);
    if (segment->last != NULL) luaroute_release_copy(context, segment->last);
    segment->last = copy;
}

// MARK: Groups

// Releases a group. The last release also allows its segments to move again.
static void releaseGroup(LuaRouteContext *context, LuaRouteGroup *group, size_t first) {
    group->references -= 1;
    if (group->references > 0) return;
    for (size_t i = 0; i < GROUP; i += 1) {
        if (group->copies[i] == NULL) continue;
        luaroute_release_copy(context, group->copies[i]);
        LuaRouteSegment *segment = &context->segments[first + i];
        segment->groups -= 1;
        if (segment->groups == 0 && !segment->isUsed) luaroute_free_segment(context, first + i);
    }
    giveMemory(context, group, sizeof *group);
}

// Records that the segments beginning with `first` are equal to a group.
static void noteGroup(LuaRouteContext *context, LuaRouteGroup *group, size_t first) {
    LuaRouteGroup **last = &context->groups[first / GROUP];
    if (*last == group) return;
    for (size_t i = 0; i < GROUP; i += 1) {
        if (group->copies[i] != NULL) {
            noteLast(context, &context->segments[first + i], group->copies[i]);
        }
    }
    group->references += 1;
    if (*last != NULL) releaseGroup(context, *last, first);
    *last = group;
}

static LuaRouteCopy *copyOf(LuaRouteGroup *const *groups, size_t count, size_t number) {
    return number / GROUP < count ? groups[number / GROUP]->copies[number % GROUP] : NULL;
}

// Returns the group of the segments beginning with `first`. The caller owns a reference. Returns
// NULL if there is not enough memory.
static LuaRouteGroup *copyGroup(LuaRouteContext *context, size_t first) {
    LuaRouteGroup group = {.references = 1};
    LuaRouteGroup *last = context->groups[first / GROUP];
    bool isLast = last != NULL, hasMemory = true;
    for (size_t i = 0; i < GROUP && hasMemory; i += 1) {
        if (first + i < context->segmentCount && context->segments[first + i].isUsed) {
            group.copies[i] = copySegment(context, &context->segments[first + i]);
            hasMemory = group.copies[i] != NULL;
        }
        isLast = isLast && group.copies[i] == last->copies[i];
    }
    LuaRouteGroup *copy = NULL;
    if (isLast && hasMemory) {
        copy = last;
        copy->references += 1;
    } else if (hasMemory) {
        copy = takeMemory(context, sizeof *copy);
    }
    if (copy == NULL || copy == last) {
        for (size_t i = 0; i < GROUP; i += 1) {
            if (group.copies[i] != NULL) luaroute_release_copy(context, group.copies[i]);
        }
        return copy;
    }
    *copy = group;
    for (size_t i = 0; i < GROUP; i += 1) {
        if (copy->copies[i] != NULL) context->segments[first + i].groups += 1;
    }
    return copy;
}

static bool makeRoomForGroups(LuaRouteContext *context, size_t count) {
    if (count <= context->groupCount) return true;
    LuaRouteGroup **groups = realloc(context->groups, count * sizeof *groups);
    if (groups == NULL) return false;
    memset(groups + context->groupCount, 0, (count - context->groupCount) * sizeof *groups);
    context->groups = groups;
    context->groupCount = count;
    return true;
}

// MARK: Closures

static void releaseClosures(LuaRouteContext *context, LuaRouteClosures *closures) {
    closures->references -= 1;
    if (closures->references > 0) return;
    if (context->closures == closures) context->closures = NULL;
    for (size_t i = 0; i < closures->count; i += 1) {
        context->host.releaseBox(context->host.owner, closures->closures[i]);
    }
    giveMemory(context, closures, sizeof *closures + closures->count * sizeof(void *));
}

static bool areClosures(const LuaRouteContext *context, const LuaRouteClosures *closures) {
    if (closures == NULL || closures->count != context->boxes) return false;
    size_t index = 0;
    for (LuaRouteBox *box = context->newestBox; box != NULL; box = box->next) {
        if (closures->closures[index] != box->held.closure) return false;
        index += 1;
    }
    return true;
}

// Returns the closures of the heap. The caller owns a reference. Returns NULL if there is not
// enough memory.
static LuaRouteClosures *copyClosures(LuaRouteContext *context) {
    if (areClosures(context, context->closures)) {
        context->closures->references += 1;
        return context->closures;
    }
    size_t size = sizeof(LuaRouteClosures) + context->boxes * sizeof(void *);
    LuaRouteClosures *closures = takeMemory(context, size);
    if (closures == NULL) return NULL;
    closures->references = 1;
    closures->count = 0;
    for (LuaRouteBox *box = context->newestBox; box != NULL; box = box->next) {
        context->host.retainBox(context->host.owner, box->held.closure);
        closures->closures[closures->count] = box->held.closure;
        closures->count += 1;
    }
    return closures;
}

// MARK: Images

// Frees the parts of an image that exist.
static void dropImage(LuaRouteContext *context, LuaRouteImage *image) {
    for (size_t i = 0; i < image->groupCount; i += 1) {
        if (image->groups[i] != NULL) releaseGroup(context, image->groups[i], i * GROUP);
    }
    if (image->closures != NULL) releaseClosures(context, image->closures);
    if (image->threads != NULL) {
        giveMemory(context, image->threads, image->threadCount * luaroute_thread_size);
    }
    giveMemory(context, image, sizeof *image + image->groupCount * sizeof(LuaRouteGroup *));
}

LuaRouteImage *luaroute_checkpoint(LuaRouteContext *context) {
    luaroute_report(context);
    size_t count = (context->segmentCount + GROUP - 1) / GROUP;
    if (!makeRoomForGroups(context, count)) return NULL;
    LuaRouteImage *image =
        takeMemory(context, sizeof *image + count * sizeof(LuaRouteGroup *));
    if (image == NULL) return NULL;
    memset(image, 0, sizeof *image + count * sizeof(LuaRouteGroup *));
    image->groupCount = count;
    bool hasMemory = true;
    for (size_t i = 0; i < count && hasMemory; i += 1) {
        image->groups[i] = copyGroup(context, i * GROUP);
        hasMemory = image->groups[i] != NULL;
    }
    if (hasMemory) {
        image->closures = copyClosures(context);
        hasMemory = image->closures != NULL;
    }
    size_t threads = luaroute_count_threads(context);
    if (hasMemory && threads > 0) {
        image->threads = takeMemory(context, threads * luaroute_thread_size);
        image->threadCount = threads;
        hasMemory = image->threads != NULL;
    }
    if (!hasMemory) {
        dropImage(context, image);
        return NULL;
    }
    for (size_t i = 0; i < count; i += 1) noteGroup(context, image->groups[i], i * GROUP);
    context->closures = image->closures;
    if (threads > 0) luaroute_copy_threads(context, image->threads);
    memcpy(image->mirror, (const char *)context + MIRROR, MIRRORED);
    context->images += 1;
    context->imagedBirth = context->lastBirth;
    context->imagedThread = context->lastThread;
    return image;
}

// Frees the handles that the host has released since the image was made.
static void freeReleased(LuaRouteContext *context) {
    if (context->releasedSlots.isAny) {
        for (int i = LUAROUTE_FIRST_SLOT; i < context->nextSlot; i += 1) {
            if ((size_t)i >= context->birthRoom) break;
            uint64_t birth = context->births[i];
            if (birth != 0 && luaroute_contains(&context->releasedSlots, birth)) {
                luaroute_free_position(context, i);
            }
        }
    }
    if (context->releasedThreads.isAny) luaroute_cancel_released_threads(context);
}

void luaroute_rewind(LuaRouteContext *context, const LuaRouteImage *image) {
    luaroute_report(context);
    // The new closures are retained first, so that a closure which is in both heaps is never
    // released in between.
    for (size_t i = 0; i < image->closures->count; i += 1) {
        context->host.retainBox(context->host.owner, image->closures->closures[i]);
    }
    LuaRouteBox *box = context->newestBox;
    context->newestBox = NULL;
    for (; box != NULL; box = box->next) {
        context->host.releaseBox(context->host.owner, box->held.closure);
    }
    for (size_t number = 0; number < context->segmentCount; number += 1) {
        LuaRouteSegment *segment = &context->segments[number];
        LuaRouteCopy *copy = copyOf(image->groups, image->groupCount, number);
        if (copy != NULL) {
            luaroute_use_segment(context, number);
            pasteCopy(copy, segment->bytes);
        } else if (segment->isUsed) {
            luaroute_retire_segment(context, number);
        }
    }
    for (size_t i = 0; i < image->groupCount; i += 1) {
        noteGroup(context, image->groups[i], i * GROUP);
    }
    memcpy((char *)context + MIRROR, image->mirror, MIRRORED);
    context->wasRewound = true;
    luaroute_restore_threads(context, image->threads, image->threadCount);
    context->closures = image->closures;
    freeReleased(context);
    if (context->isEarly && context->depth > 0) luaroute_set_hook(context, context->current);
}

// Releases the copies that are kept only for comparison, and that no image uses any more.
static void forgetUnkept(LuaRouteContext *context) {
    for (size_t i = 0; i < context->groupCount; i += 1) {
        LuaRouteGroup *group = context->groups[i];
        if (group == NULL || group->references > 1) continue;
        context->groups[i] = NULL;
        releaseGroup(context, group, i * GROUP);
    }
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        LuaRouteCopy *last = context->segments[i].last;
        while (last != NULL && last->references == 1) {
            LuaRouteCopy *base = last->base != NULL ? retainCopy(last->base) : NULL;
            context->segments[i].last = base;
            luaroute_release_copy(context, last);
            last = base;
        }
    }
}

void luaroute_image_free(LuaRouteContext *context, LuaRouteImage *image) {
    dropImage(context, image);
    context->images -= 1;
    if (context->images > 0) {
        forgetUnkept(context);
        return;
    }
    for (size_t i = 0; i < context->groupCount; i += 1) {
        if (context->groups[i] != NULL) releaseGroup(context, context->groups[i], i * GROUP);
    }
    free(context->groups);
    context->groups = NULL;
    context->groupCount = 0;
    for (size_t i = 0; i < context->segmentCount; i += 1) {
        LuaRouteCopy *last = context->segments[i].last;
        context->segments[i].last = NULL;
        if (last != NULL) luaroute_release_copy(context, last);
    }
    clearSet(&context->releasedSlots);
    clearSet(&context->releasedThreads);
}

size_t luaroute_image_bytes(const LuaRouteContext *context) { return context->imageBytes; }
