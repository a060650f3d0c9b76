// SPDX-License-Identifier: MIT
//
// The room on the C stack of the running thread.
#include <pthread.h>

#include "internal.h"

// Bytes that have to be left for an entry within another: what is nested in it has its own limits.
enum { ROOM = 128 * 1024 };

#ifdef __linux__
// Not in the header, unless all of it is asked for, which declares names that are ours.
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

static uintptr_t lowestAddress(void) {
#ifdef __APPLE__
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    return (uintptr_t)lowest;
#else
    return 0;
#endif
}

bool luaroute_has_room(void) {
    static _Thread_local uintptr_t lowest;
    if (lowest == 0) lowest = lowestAddress();
    return (uintptr_t)__builtin_frame_address(0) - lowest >= ROOM;
}
