// SPDX-License-Identifier: MIT
// Defects of the linked Lua that scripts must not reach. Each defect is detected by its effect,
// once in a process. The test runs in a Lua state whose memory is freed only after all tests, so
// that a stale pointer inside Lua remains valid. Using a defective feature is an error in scripts:
// `source.c` refuses constructs that Lua compiles incorrectly, and `metatables.c` replaces a
// metamethod.
#include <pthread.h>
#include <stdio.h>

#include "internal.h"

// MARK: Probes

// Each probe is a chunk that returns true if Lua works as its manual describes.
static const struct {
    int defect;
    const char *chunk;
} probes[] = {
    // The stack grows inside the metamethod. A defective Lua continues on the old stack, with the
    // two strings before the object, and does not call another metamethod.
    {LUAROUTE_CONCATENATION,
     "local function deepen(n) if n > 0 then return 1 + deepen(n - 1) end return 0 end\n"
     "local last = setmetatable({}, {__concat = function() deepen(400) return 'c' end})\n"
     "return 'a' .. 'b' .. last == 'ac'"},
    // A defective Lua skips the instruction that loads the table, and reads the value that an
    // earlier call has left in the register.
    {LUAROUTE_COMPARED_KEY,
     "local values = {[true] = 'yes'}\n"
     "local function read(a, b) return values[a < b] end\n"
     "local isRead, value = pcall(read, 1, 2)\n"
     "return isRead and value == 'yes'"},
    // A defective Lua uses the number of a constant as the number of a register.
    {LUAROUTE_CONSTANT_ENVIRONMENT,
     "local type, pcall = type, pcall\n"
     "local function read()\n"
     "  do local a, b, c, d, e, f = {}, {}, {}, {}, {}, {} end\n"
     "  local _ENV <const> = 'text'\n"
     "  return len\n"
     "end\n"
     "local isRead, value = pcall(read)\n"
     "return isRead and type(value) == 'function'"},
};

// The fourth probe needs a function with more constants than an instruction can address. A
// defective Lua skips the instruction that loads the first operand.
static void pushLongProbe(lua_State *L) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, "local function mix(a) local list = {");
    for (int i = 0; i < 260; i += 1) {
        char numeral[16];
        snprintf(numeral, sizeof numeral, "%d.5,", i);
        luaL_addstring(&text, numeral);
    }
    luaL_addstring(
        &text,
        "} return 1 | (a or 2) end\n"
        "local isMixed, value = pcall(mix, 4)\n"
        "return isMixed and value == 5");
    luaL_pushresult(&text);
}

// Stack: ..., chunk -> ...
static bool isRight(lua_State *L) {
    bool isRight = luaL_loadstring(L, lua_tostring(L, -1)) == LUA_OK
        && lua_pcall(L, 0, 1, 0) == LUA_OK && lua_toboolean(L, -1);
    lua_settop(L, 0);
    return isRight;
}

static int runProbes(lua_State *L) {
    luaL_requiref(L, "_G", luaopen_base, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    // The third probe needs the string methods, because it uses a string as its environment.
    int defects = 0;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i += 1) {
        lua_pushstring(L, probes[i].chunk);
        if (!isRight(L)) defects |= probes[i].defect;
    }
    pushLongProbe(L);
    if (!isRight(L)) defects |= LUAROUTE_LATE_OPERAND;
    lua_pushinteger(L, defects);
    return 1;
}

// MARK: The temporary state

typedef struct KeptBlock {
    struct KeptBlock *next;
    max_align_t bytes[];
} KeptBlock;

// An allocator that frees nothing, and copies each block that grows.
static void *keepAll(void *owner, void *block, size_t oldSize, size_t newSize) {
    KeptBlock **newest = owner;
    if (newSize == 0) return NULL;
    if (block != NULL && newSize <= oldSize) return block;
    KeptBlock *kept = malloc(sizeof *kept + newSize);
    if (kept == NULL) return NULL;
    kept->next = *newest;
    *newest = kept;
    if (block != NULL) memcpy(kept->bytes, block, oldSize);
    return kept->bytes;
}

// Returns the defects, or -1 if there is not enough memory.
static int probeLua(void) {
    KeptBlock *newest = NULL;
    int defects = -1;
    lua_State *L = lua_newstate(keepAll, &newest);
    if (L != NULL) {
        // A collection could encounter a stack whose top points into the freed old stack.
        lua_gc(L, LUA_GCSTOP);
        lua_pushcfunction(L, runProbes);
        if (lua_pcall(L, 0, 1, 0) == LUA_OK) defects = (int)lua_tointeger(L, -1);
        lua_close(L);
    }
    while (newest != NULL) {
        KeptBlock *next = newest->next;
        free(newest);
        newest = next;
    }
    return defects;
}

// MARK: Results

static int found;  // states read it without a lock, because they are opened after it was written
static char releaseName[32];  // "Lua 5.4.4"

// The release of the linked library, which may differ from the release of the headers.
static void readRelease(void) {
#ifdef LUAROUTE_HAS_SLOT
    const char *text = LUA_RELEASE;
#else
    const char *text = strstr(lua_ident, "Lua 5");
    if (text == NULL) text = LUA_RELEASE;
#endif
    sscanf(text, "%31[Lua 0-9.]", releaseName);
    for (size_t end = strlen(releaseName); end > 0 && releaseName[end - 1] == ' '; end -= 1) {
        releaseName[end - 1] = 0;
    }
}

bool luaroute_find_defects(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool isFound;
    pthread_mutex_lock(&mutex);
    if (!isFound) {
        int defects = probeLua();
        if (defects >= 0) {
            readRelease();
            found = defects;
            isFound = true;
        }
    }
    bool wasFound = isFound;
    pthread_mutex_unlock(&mutex);
    return wasFound;
}

int luaroute_defects(void) {
    luaroute_find_defects();
    return found;
}

const char *luaroute_release(void) {
    luaroute_find_defects();
    return releaseName;
}

void luaroute_write_need(int defect, const char *subject, char *text, size_t size) {
    const char *needed = defect == LUAROUTE_COMPARED_KEY ? "5.4.8" : "5.4.5";
    // Lua 5.4.4 has the first defect only with a patch by Debian.
    bool isPatched = (found & LUAROUTE_CONCATENATION) != 0 && strcmp(releaseName, "Lua 5.4.4") == 0;
    snprintf(
        text, size, "%s needs Lua %s or newer; this is %s%s", subject, needed,
        isPatched ? "Debian's " : "", releaseName + strlen("Lua "));
}
