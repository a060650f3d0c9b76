// SPDX-License-Identifier: MIT
//
// `math.random`, using xoshiro256**. The generator is seeded and its results are projected as in
// Lua 5.4, so that the numbers are the same. The standard function stores its state in an upvalue,
// which would have to be created for each Lua state.
#include "internal.h"

static uint64_t rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static uint64_t nextNumber(uint64_t *state) {
    uint64_t number = rotate(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return number;
}

static void seed(uint64_t *state, uint64_t first, uint64_t second) {
    state[0] = first;
    state[1] = 0xff;
    state[2] = second;
    state[3] = 0;
    for (int i = 0; i < 16; i += 1) nextNumber(state);
}

void luaroute_seed_random(LuaRouteContext *context, uint64_t first) {
    seed(context->random, first, 0);
}

// Maps a 64-bit number to a uniformly distributed number from 0 to `last`.
static uint64_t projectNumber(uint64_t number, uint64_t last, uint64_t *state) {
    uint64_t mask = last;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    while ((number &= mask) > last) number = nextNumber(state);
    return number;
}

static int drawNumber(lua_State *L) {
    uint64_t *state = luaroute_context(L)->random;
    uint64_t number = nextNumber(state);
    lua_Integer first = 1, last;
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, (lua_Number)(number >> 11) * 0x1p-53);
        return 1;
    case 1:
        last = luaL_checkinteger(L, 1);
        if (last == 0) {
            lua_pushinteger(L, (lua_Integer)number);
            return 1;
        }
        break;
    case 2:
        first = luaL_checkinteger(L, 1);
        last = luaL_checkinteger(L, 2);
        break;
    default:
        return luaL_error(L, "wrong number of arguments");
    }
    luaL_argcheck(L, first <= last, 1, "interval is empty");
    uint64_t width = (uint64_t)last - (uint64_t)first;
    lua_pushinteger(L, (lua_Integer)((uint64_t)first + projectNumber(number, width, state)));
    return 1;
}

// Libraries seed the generator while they are loaded. Without arguments, the seed comes from the
// host's sequence, so that the numbers are the same in each run.
static int seedNumbers(lua_State *L) {
    uint64_t *state = luaroute_context(L)->random, first, second = 0;
    if (lua_isnone(L, 1)) {
        first = nextNumber(state);
        second = nextNumber(state);
    } else {
        first = (uint64_t)luaL_checkinteger(L, 1);
        second = (uint64_t)luaL_optinteger(L, 2, 0);
    }
    seed(state, first, second);
    lua_pushinteger(L, (lua_Integer)first);
    lua_pushinteger(L, (lua_Integer)second);
    return 2;
}

#define RANDOM_FUNCTIONS(ENTRY) \
    ENTRY("randomseed", seedNumbers, LUAROUTE_PARSED, LUAROUTE_PARSED) \
    ENTRY("random", drawNumber, LUAROUTE_PARSED, LUAROUTE_PARSED)
LUAROUTE_FUNCTIONS(const LuaRouteFunction luaroute_random_functions, RANDOM_FUNCTIONS);
