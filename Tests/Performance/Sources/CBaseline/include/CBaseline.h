// SPDX-License-Identifier: MIT
//
// The baseline of the benchmarks: the same work in C, on a plain Lua state.
#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

typedef struct Baseline Baseline;

// Opens a state with the libraries that strict scripts have and the globals `add`, a C closure over a
// userdata, and `fail`, which raises an error by luaL_error, and runs a chunk, whose results are kept:
// functions, then perhaps a list. NULL, with a message on the standard error stream, when that fails.
Baseline *baseline_open(const char *source);
void baseline_close(Baseline *baseline);

// Each of these enters Lua by lua_pcall as often as `count` says, and answers the sum of the
// results, or INT64_MIN when a call failed.

// Calls the function of a position with (0, second), (1, second) and so on; it answers an integer.
// A traceback handler is installed. An `interval` other than 0 arms a count hook before each call.
int64_t baseline_call_integers(
    Baseline *baseline, int function, int64_t count, int64_t second, int interval);
// Calls the function of a position with nothing, for nothing; adds 1 for each call.
int64_t baseline_call_empty(Baseline *baseline, int function, int64_t count);
// Calls the function of a position with each element of the list, the last of the results, until
// it holds; adds the index of that element.
int64_t baseline_call_policy(Baseline *baseline, int function, int64_t count);

// Calls the function of a position with a record of five keys, made into a table each time, for
// nothing; answers what the function `total` answers at last.
int64_t baseline_build(Baseline *baseline, int function, int total, int64_t count);
// Calls the function of a position for a table, and copies what that holds into an array of
// records and one of bytes; adds the number of entries.
int64_t baseline_flatten(Baseline *baseline, int function, int64_t count);
// The same, and reads each into a struct with strings of its own; answers the sum of its fields.
int64_t baseline_read(Baseline *baseline, int function, int64_t count);

// Compiles a text so often, and adds 1 each time.
int64_t baseline_load(Baseline *baseline, const char *source, int64_t length, int64_t count);

// Opens a state with the libraries that strict scripts have, whole, and closes it; adds 1 each time.
int64_t baseline_states(int64_t count);

/* Loads a script of routes in a state of its own, so often; `router` has functions that do nothing.
   Answers how many routes it registered in all. */
int64_t baseline_register(const char *source, int64_t length, int64_t count);

// The number of bytes of the heap that are in use.
int64_t baseline_heap(void);

// Runs a closure. A profiler collects what happens inside this function.
void baseline_region(void *context, void (*body)(void *context));

#endif
