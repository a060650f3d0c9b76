// SPDX-License-Identifier: MIT
//
// A 128-bit hash for fingerprints. The hash of the same data is equal on all machines with the same
// byte order.
#ifndef LUAROUTE_DIGEST_H
#define LUAROUTE_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Two independent 64-bit hashes of the same data.
typedef struct Pair {
    uint64_t first, second;
} Pair;

// Arbitrary odd numbers with as many one bits as zero bits.
static const uint64_t salts[] = {
    0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu, 0x8ebc6af09c88c6e3u, 0x589965cc75374cc3u,
    0x1d8e4e27c47d124fu, 0xeb44accab455d165u, 0x9c6e6877736c46e3u, 0xd6e8feb86659fd93u,
};

static inline uint64_t fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Hashes two pairs. The result depends on their order.
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

static inline uint64_t readHalf(const char *bytes) {
    uint32_t half;
    memcpy(&half, bytes, sizeof half);
    return half;
}

static inline Pair hashBytes(const void *start, size_t length) {
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
    } else if (rest >= 4) {
        left = readHalf(bytes);
        right = readHalf(bytes + rest - 4);
    } else {
        left = right = 0;
        for (size_t i = 0; i < rest; i += 1) left = left << 8 | (uint8_t)bytes[i];
    }
    return (Pair){
        fold(left ^ salts[4], right ^ hash.first), fold(right ^ salts[5], left ^ hash.second)};
}

#endif
