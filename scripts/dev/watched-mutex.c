// SPDX-License-Identifier: MIT
// Lets the thread sanitizer see the `Mutex` of Swift's standard library; preloaded by scripts/test.
//
// The inlined part of a lock is instrumented. The slow path for two competing threads is in the
// library and is not: the sanitizer then misses that one thread waited for the other, and reports
// a race inside the lock. These two functions replace the library's own and report the wait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void lock_function(uint32_t thread, SELF void *mutex);
typedef SWIFT void unlock_function(SELF void *mutex);

// Those of the sanitizer; not there in other processes that the preloading reaches.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void watched_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void watched_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void watched_lock(uint32_t thread, SELF void *mutex) {
    lock_function *lock = (lock_function *)dlsym(RTLD_NEXT, LOCK);
    lock(thread, mutex);
    if (__tsan_acquire) {
        __tsan_acquire(mutex);
    }
}

SWIFT void watched_unlock(SELF void *mutex) {
    unlock_function *unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) {
        __tsan_release(mutex);
    }
    unlock(mutex);
}
