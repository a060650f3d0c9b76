// SPDX-License-Identifier: MIT
//
// The only translation unit of the target. It includes the target's own sources, and those of Lua
// if the slot is filled; see lua_headers.h. The names of static functions, types and macros must
// therefore be unique across all files.
#include "internal.h"

#include "base.c"
#include "budget.c"
#include "build.c"
#include "call.c"
#include "coroutine.c"
#include "coverage.c"
#include "defects.c"
#include "flatten.c"
#include "frozen.c"
#include "function.c"
#include "held.c"
#include "image.c"
#include "keys.c"
#include "layout.c"
#include "lexer.c"
#include "library.c"
#include "load.c"
#include "matcher.c"
#include "members.c"
#include "memory.c"
#include "metatables.c"
#include "object.c"
#include "path.c"
#include "patterns.c"
#include "random.c"
#include "region.c"
#include "slots.c"
#include "source.c"
#include "stack.c"
#include "state.c"
#include "string.c"
#include "table.c"
#include "thread.c"
#include "traceback.c"
#include "traversal.c"
#include "utf8.c"

// The following files use keys and functions of the files above.
#include "walk.c"
#include "walk_tables.c"
#include "walk_threads.c"
#include "fingerprint.c"

#ifdef LUAROUTE_HAS_SLOT
#define DEFINE_QUIET(result, name, parameters, arguments) \
    result luaroute_##name parameters { return lua_##name arguments; }
LUAROUTE_QUIET(DEFINE_QUIET)
#endif

#include "lua_sources.h"
