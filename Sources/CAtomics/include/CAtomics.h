/* SPDX-License-Identifier: MIT */
/* Operations on a number that threads and signal handlers share. The atomics of Swift's library require iOS 18. */

#ifndef LUAROUTE_ATOMICS_H
#define LUAROUTE_ATOMICS_H

#include <stdint.h>

static inline int64_t luaroute_atomic_load(const int64_t *number) {
    return __atomic_load_n(number, __ATOMIC_SEQ_CST);
}

static inline int64_t luaroute_atomic_exchange(int64_t *number, int64_t value) {
    return __atomic_exchange_n(number, value, __ATOMIC_SEQ_CST);
}

static inline int64_t luaroute_atomic_add(int64_t *number, int64_t value) {
    return __atomic_add_fetch(number, value, __ATOMIC_SEQ_CST);
}

#endif
